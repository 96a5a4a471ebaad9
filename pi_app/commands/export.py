"""`referee export`: writes the record of a game, for programs, or a page that replays it."""

import argparse
import sys
from pathlib import Path

from pi_app.commands import add_file, add_flag, add_journal, journal_path, table_language, write_new
from pi_app.commands.review import review_throws
from pi_app.record.games import add_game_to_error, open_games
from pi_app.texts.language import all_languages
from pi_app.web.game_file import game_file
from pi_app.web.kept_games import throws_to_review


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = (
        "write a page that replays the game in any browser, without a table or a network; players' "
        "names are in it. Luck and skill of a long game take minutes on a small Pi"
    )
    add_flag(parser, "--html", text)
    parser.add_argument(
        "game",
        metavar="N",
        nargs="?",
        help="the game's number in `referee games`; default: the newest game of this table",
    )
    text = (
        "the file to write, which must not exist yet; default: print the record, or write the page "
        "to game-N.html in this folder"
    )
    add_file(parser, "file", text, "?")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Write the record of a game. Write an imported record byte for byte as it was imported."""
    with open_games(journal_path(options)) as games:
        number = options.game or games.newest()
        if options.html:
            page = _page(number, games.record_lines(number), options.config)
            file = options.file or Path(f"game-{number}.html")
            write_new(file, page.encode())
            print(f"wrote game {number} as a page to {file}: open it in a browser")
            return
        data = games.record_bytes(number)
    if options.file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    write_new(options.file, data)
    print(f"wrote the record of game {number} to {options.file}")


def _page(number: str, lines: tuple[str, ...], config: Path) -> str:
    with add_game_to_error(number):
        questions, _ = throws_to_review(lines)
        return game_file(
            number, lines, review_throws(questions), table_language(config), all_languages()
        )
