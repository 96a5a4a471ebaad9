"""Where the command `referee` starts: says which libraries to install if they are missing."""

import signal

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
    """Run the command; without its libraries, end with one sentence that names their extra.

    Ctrl-C ends the process quietly while it loads and while it ends: its shell then says 130. An
    exception could be anywhere in a library then.
    """
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:  # nobody who started us has it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from pi_app.__main__ import main as command

        signal.signal(signal.SIGINT, heard)
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
    except KeyboardInterrupt:  # just before the command could take it
        raise SystemExit(130) from None
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
