"""Decides which files go onto a card so that it sets itself up. Touches no file.

The Raspberry Pi Imager writes user-data, with the users, and network-config, with the Wi-Fi. We add
some lines to user-data: see user_data.py.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from systemd.card.user_data import Unreadable, extend

HERE = Path(__file__).parent
FOLDER = "pachisi-referee"
PACKAGE = f"{FOLDER}/pachisi-referee.deb"
SETTINGS = f"{FOLDER}/settings"
INSTALLER = f"{FOLDER}/install.sh"
REPORT = "pachisi-referee.txt"
USER_DATA = "user-data"
META_DATA = "meta-data"
JS_YAML = "js-yaml-5.5.0.umd.min.js"  # from npm; card.html contains it

DRIVERS = {
    "ssd1306": "SSD1306, most displays of 0.96 inch",
    "ssd1309": "SSD1309, 2.42 inch",
    "sh1106": "SH1106, 1.3 inch",
}
HOST = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"

# Each reason to refuse a card or an option.
REFUSALS = {
    "no-card": "This folder is not the boot partition of a Raspberry Pi's card. "
    "Choose the drive that is called bootfs.",
    "too-old": "The system on this card is older than October 2025 and can't set itself up. Write "
    "the card again with the Raspberry Pi Imager: Raspberry Pi OS (64-bit).",
    "no-cloud-config": "The file user-data on this card does not begin with #cloud-config, so it "
    "is not one of the Raspberry Pi Imager's. Write the card again with the Imager.",
    "no-yaml": "The file user-data on this card can't be read: it has a mistake or an unusual "
    "form. Write the card again with the Raspberry Pi Imager.",
    "no-room": "The file user-data on this card is written in a way to which nothing can be added. "
    "Write the card again with the Raspberry Pi Imager.",
    "full": "There is too little space on this card. Remove files of yours from it.",
    "no-file": "Choose the file user-data on the drive bootfs first.",
    "host": "A host name has 1 to 63 letters from a to z, digits and hyphens, and neither begins "
    "nor ends with a hyphen.",
    "driver": f"The display's type is one of {', '.join(DRIVERS)}.",
    "language": "The referee does not have this language.",
}


class Refused(Exception):
    """This card can't be set up. The text says why, in a sentence for people."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a builder chooses. "" leaves the referee's own default.

    driver: of the display. language: its code; "" asks at the first start. page: turns on the page
    for spectators. host: the Pi's name if the Imager set none.
    """

    driver: str = ""
    language: str = ""
    page: bool = False
    host: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """What is installed. built: the package's time, in seconds since 1970."""

    version: str
    package: bytes
    built: int
    languages: Collection[str]

    def facts(self) -> str:
        """Return the settings that do not depend on options."""
        digest = hashlib.sha256(self.package).hexdigest()
        return f"version={self.version}\nsha256={digest}\nbuilt={self.built}\n"


def template(name: str) -> str:
    """Return a file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def card_files(
    names: Collection[str], user_data: str, options: Options, release: Release
) -> dict[str, bytes]:
    """Return the files to write, in this order: a card that is half written does nothing.

    names: the files in the card's top folder. user_data: the text of that file, or "". Raises
    Refused. card.js does the same in a browser.
    """
    check_card(names)
    check_options(options, release.languages)
    try:
        extended = extend(user_data, options.host)
    except Unreadable as error:
        raise Refused(REFUSALS[str(error)]) from None
    files = {
        INSTALLER: template("install.sh"),
        SETTINGS: release.facts() + format_options(options),
        REPORT: template("ready.txt").replace("\n", "\r\n"),
        **({} if META_DATA in names else {META_DATA: "instance-id: card\n"}),
        USER_DATA: extended,
    }
    return {PACKAGE: release.package} | {name: text.encode() for name, text in files.items()}


def check_card(names: Collection[str]) -> None:
    """Raise Refused unless this is a card of a system that sets itself up."""
    if {USER_DATA, META_DATA} & set(names):
        return
    raise Refused(REFUSALS["too-old" if "cmdline.txt" in names else "no-card"])


def check_options(options: Options, languages: Collection[str]) -> None:
    """Raise Refused for an option that can't be."""
    if options.host and not re.fullmatch(HOST, options.host):
        raise Refused(REFUSALS["host"])
    if options.driver and options.driver not in DRIVERS:
        raise Refused(REFUSALS["driver"])
    if options.language and options.language not in languages:
        raise Refused(REFUSALS["language"])


def format_options(options: Options) -> str:
    """Return the options as lines of the file `settings`, which install.sh reads."""
    page = "yes" if options.page else "no"
    return f"driver={options.driver}\nlanguage={options.language}\npage={page}\n"
