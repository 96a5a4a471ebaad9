"""The command `python -m pi_app.players`: answers requests for advice, line by line."""

import argparse

from pi_app.players.advising import advice_line
from rules.__main__ import answer_input


def main() -> None:
    """Answer the lines of the standard input."""
    parser = argparse.ArgumentParser(prog="python -m pi_app.players")
    parser.add_argument("command", choices=("advise",), help="answer JSON lines with best plays")
    parser.parse_args()
    answer_input(advice_line)


if __name__ == "__main__":
    main()
