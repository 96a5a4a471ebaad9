"""The command `python -m pi_app.players`: answers requests for advice, line by line."""

import argparse
import sys

from pi_app.players.advising import advice_lines


def main() -> int:
    """Answer the lines of the standard input. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pi_app.players")
    parser.add_argument("command", choices=("advise",), help="answer JSON lines with best plays")
    parser.parse_args()
    if sys.stdin is None:  # the caller has closed it
        return 0
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[union-attr]
    for line in advice_lines(iter(sys.stdin.readline, "")):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
