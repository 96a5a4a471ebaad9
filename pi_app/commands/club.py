"""`referee club`: collects the games of many tables from an MQTT broker into one file."""

import argparse
import logging
import re
import socket
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from pi_app.club.store import ClubGame, ended_games, merge_stores, open_store
from pi_app.commands import UsageError, add_file, add_flag, align_columns, format_count
from pi_app.texts.words import seat_letter

TOPICS = re.compile(r"[a-z0-9_-]{1,32}(/(\+|[a-z0-9_-]{1,32})){1,9}")
HERE = "127.0.0.1"
HEADINGS = ("game", "table", "places", "actions", "received")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(level=logging.INFO)  # so that games are logged
    add_file(parser, "--store", "the club's file", required=True)
    tasks = parser.add_mutually_exclusive_group(required=True)
    tasks.add_argument("--broker", metavar="HOST[:PORT]", help="collect from this broker")
    add_flag(tasks, "--list", "list the games in the club's file")
    add_file(tasks, "--merge", "add all that other clubs' files have", "+")
    parser.add_argument(
        "--tables",
        default="pachisi/+",
        metavar="TOPICS",
        help="the topics of the tables; + is any word; default: pachisi/+",
    )
    parser.add_argument(
        "--page",
        default="",
        metavar="[HOST:]PORT",
        help="serve the club's page there; without HOST on this computer alone",
    )
    add_file(parser, "--organiser", "a file with the organiser's password")
    parser.add_argument("--user", default="", metavar="NAME", help="the club's name at the broker")
    add_file(parser, "--password", "a file with the password")
    parser.add_argument(
        "--tls",
        nargs="?",
        const=True,
        default=False,
        metavar="FILE",
        help="encrypt; trust the certificates in FILE, or else the system's",
    )


def main(options: argparse.Namespace) -> None:
    """Collect games until Ctrl-C, or list or merge them."""
    if options.broker:
        _collect(options)
    if options.merge:
        merge_stores(options.merge, options.store)
    with closing(open_store(options.store, may_be_new=False)) as store:
        games = ended_games(store)
    if options.list:
        print("\n".join(align_columns([HEADINGS, *map(_cells, games)], right_aligned=[3])))
    else:
        print(f"{options.store} contains {format_count(len(games), 'game')}")


def _collect(options: argparse.Namespace) -> None:
    from pi_app.club.collecting import collect_games  # few computers have its library
    from pi_app.mqtt.broker import Login

    if not TOPICS.fullmatch(options.tables):
        raise UsageError(f"--tables {options.tables} is not like pachisi/+ or pachisi/club/+")
    port = 8883 if options.tls else 1883
    login = Login(*_parse_place("broker", options.broker, port), options.tls, options.user)
    login = login._replace(password=_read_secret(options.password) or "")
    with ExitStack() as closing:
        if options.page:
            _serve(options, login, closing)
        collect_games(login, options.tables, options.store, SimpleQueue())


def _serve(options: argparse.Namespace, login: Any, closing: ExitStack) -> None:
    from pi_app.club.collecting import collect_states
    from pi_app.club.page import ClubPage
    from pi_app.texts.language import all_languages

    place = options.page if ":" in options.page else f"{HERE}:{options.page}"
    sock = closing.enter_context(socket.create_server(_parse_place("page", place, 0)))
    page = ClubPage(options.store, all_languages(), _read_secret(options.organiser))
    page.start(sock)
    closing.callback(page.close)
    inbox: SimpleQueue[Any] = SimpleQueue()
    Thread(
        target=collect_states, args=(login, options.tables, page.show, inbox), daemon=True
    ).start()
    closing.callback(inbox.put, None)
    print("http://{}:{}/".format(*sock.getsockname()), flush=True)


def _read_secret(path: Path | None) -> str | None:
    return path.read_text().strip() if path else None


def _parse_place(option: str, text: str, usual: int) -> tuple[str, int]:
    try:
        place = urlsplit(f"//{text}")
        return place.hostname or "", place.port or usual
    except ValueError as error:
        raise UsageError(f"--{option} {text} is not HOST[:PORT] ({error})") from None


def _cells(game: ClubGame) -> tuple[str, ...]:
    places = " ".join(map(seat_letter, game.places)) or "-"
    day = f"{datetime.fromtimestamp(game.received):%Y-%m-%d %H:%M}"
    return game.id, game.table, places, str(game.lines), day
