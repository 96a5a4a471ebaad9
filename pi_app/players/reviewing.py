"""Reviews for another process: a look a line in, what is found of it a line out; keeps out games.

`python -m pi_app.players.reviewing` answers until no more can come or nobody reads.
"""

import sys
from contextlib import suppress

from pi_app.players.review import line_of, look, parse_look


def main() -> None:
    """Answer line by line."""
    for line in iter(sys.stdin.readline, ""):
        found = look(parse_look(line))
        try:
            sys.stdout.write(f"{line_of(found)}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            with suppress(BrokenPipeError):
                sys.stdout.close()  # else the interpreter complains when it ends
            break


if __name__ == "__main__":
    main()
