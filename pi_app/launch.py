"""Starts the command `referee`. If a library is missing, it names the extra to install."""

import signal

LIBRARIES = {
    "gpiozero": "table",
    "luma": "table",
    "PIL": "table",
    "serial": "table",
    "segno": "table",
    "openskill": "club",
    "paho": "mqtt",
    "starlette": "page",
    "uvicorn": "page",
}


def main() -> None:
    """Run the command. If a library is missing, end with a sentence that names its extra.

    While the program loads and ends, Ctrl-C kills the process without a message, and the shell
    sees status 130. A KeyboardInterrupt could then hit any place in a library.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # the caller does not ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from pi_app.__main__ import main as command

        signal.signal(signal.SIGINT, handler)
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
    except KeyboardInterrupt:  # just before the command could catch it
        raise SystemExit(130) from None
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
