"""Where the command `referee` starts: says which libraries to install if they are missing."""

LIBRARIES = {
    "gpiozero": "table",
    "luma": "table",
    "PIL": "table",
    "serial": "table",
    "segno": "table",
    "starlette": "page",
    "uvicorn": "page",
}


def main() -> None:
    """Run the command; without its libraries, end with one sentence that names their extra."""
    try:
        from pi_app.__main__ import main as command

        command()
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if library not in LIBRARIES:
            raise
        extra = LIBRARIES[library]
        raise SystemExit(
            f"referee: the {extra}'s libraries are missing ({library}): "
            f"in the project's folder, pip install '.[{extra}]'"
        ) from None
