"""`make card`: puts the referee onto a card, or makes card.html, which does so in a browser."""

import argparse
import base64
import json
import shutil
import sys
from pathlib import Path

from pi_app import __version__
from pi_app.record.files import write_whole
from pi_app.texts.language import all_languages
from systemd.card import card, user_data
from systemd.card.card import Options, Refused, Release, card_files, template
from systemd.deb import DIST, package_name, package_time

PAGE = DIST / "card.html"


def main() -> None:
    """Write to a card if one is named, otherwise make the page."""
    arguments = make_parser().parse_args()
    options = Options(arguments.driver, arguments.language, arguments.page, arguments.host)
    release = read_release()
    if not arguments.card and options != Options():
        sys.exit("name the card for these options, as in make card CARD=/media/me/bootfs")
    if not arguments.card:
        PAGE.write_text(make_page(release), encoding="utf-8")
        print(f"dist/{PAGE.name}: open it in a browser")
        return
    try:
        write_card(arguments.card, options, release)
    except Refused as error:
        sys.exit(f"{arguments.card}: {error}")
    except OSError as error:
        sys.exit(f"{error.filename or arguments.card}: {error.strerror}")
    print(f"{arguments.card}: the card is ready. Eject it, and put it into the Raspberry Pi")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser("make card", description=__doc__)
    parser.add_argument("card", nargs="?", type=Path, help="the drive that is called bootfs")
    parser.add_argument("--driver", default="", help=f"of the display: {', '.join(card.DRIVERS)}")
    parser.add_argument("--language", default="", help="its code; without it the referee asks")
    parser.add_argument("--page", action="store_true", help="turn on the page for spectators")
    parser.add_argument("--host", default="", help="the Pi's name, if the Imager set none")
    return parser


def read_release() -> Release:
    """Return the package in dist."""
    package = (DIST / package_name(__version__)).read_bytes()
    return Release(__version__, package, package_time(), tuple(all_languages()))


def write_card(folder: Path, options: Options, release: Release) -> None:
    """Write the files onto a card, and read them again. Raises Refused or OSError."""
    found = {path.name.lower(): path for path in folder.iterdir()}  # FAT does not tell A from a
    texts = {name: read_text(found[name]) for name in card.READ if name in found}
    files = card_files(texts, options, release)
    if shutil.disk_usage(folder).free < sum(map(len, files.values())):
        raise Refused(card.REFUSALS["full"])
    (folder / card.FOLDER).mkdir(exist_ok=True)
    for name, data in files.items():
        write_whole(folder / name, data)
        if (folder / name).read_bytes() != data:
            raise Refused(f"{name} was not written as it should be. Try another card.")


def read_text(path: Path) -> str:
    """Return the text as it is, with its ends of lines. Raises Refused if it is no UTF-8."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise Refused(card.REFUSALS["no-yaml"].replace(card.USER_DATA, path.name)) from None


def make_page(release: Release) -> str:
    """Return card.html: one file with the package in it, which works from a disk."""
    data = {
        "facts": release.facts(),
        "read": card.READ,
        "host": card.HOST,
        "sourceWithId": card.SOURCE_WITH_ID,
        "id": card.ID,
        "refusals": card.REFUSALS,
        "userData": {
            "patterns": user_data.PATTERNS,
            "command": user_data.COMMAND,
            "names": user_data.NAMES,
            "begin": user_data.BEGIN,
            "end": user_data.END,
        },
        "installer": template("install.sh"),
        "ready": template("ready.txt"),
    }
    languages = {code: one.name for code, one in all_languages().items()}
    parts = {
        "drivers": _format_choices(card.DRIVERS),
        "languages": _format_choices(languages),
        "version": release.version,
        "data": json.dumps(data).replace("<", "\\u003c"),
        "yaml": template(card.JS_YAML),
        "script": template("card.js"),
        "package": base64.b64encode(release.package).decode(),
    }
    page = template("card.html")
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


def _format_choices(choices: dict[str, str]) -> str:
    return "".join(f'<option value="{value}">{text}</option>' for value, text in choices.items())


if __name__ == "__main__":
    main()
