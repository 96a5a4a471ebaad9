"""Decides which files go onto a card so that it sets itself up. Touches no file.

The Raspberry Pi Imager writes user-data, with the users, and network-config, with the Wi-Fi. We add
some lines to user-data: see user_data.py. The Imager also writes the system's id into meta-data and
cmdline.txt. If both are the same, cloud-init reads user-data only at the first start, and misses
what we add later. So we remove the id from cmdline.txt.
"""

import hashlib
import re
from collections.abc import Collection, Mapping
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
COMMAND_LINE = "cmdline.txt"  # the kernel's
READ = (USER_DATA, META_DATA, COMMAND_LINE)  # the files of a card on which ours depend
JS_YAML = "js-yaml-5.5.0.umd.min.js"  # from npm; card.html contains it

DRIVERS = {
    "ssd1309": "2.42 inch (SSD1309)",
    "sh1106": "1.3 inch (SH1106)",
    "ssd1306": "0.96 inch (SSD1306)",
}
HOST = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
# Patterns that Python and JavaScript read alike.
SOURCE_WITH_ID = r"(^|\s)ds=nocloud;i=([^\s;]+)(?=\s|$)"
ID = r"^instance-id: *[\"']?([^\s\"']+)[\"']?\s*$"

# Each reason to refuse a card or an option.
REFUSALS = {
    "no-card": "This is not a Raspberry Pi's card. Choose the drive that is called bootfs.",
    "too-old": "The system on this card is older than October 2025 and can't set itself up. Make "
    "the card anew with the Raspberry Pi Imager: choose Raspberry Pi OS Lite (64-bit).",
    "no-cloud-config": "The file user-data on this card does not begin with #cloud-config, so it "
    "is not one of the Raspberry Pi Imager's. Make the card anew with the Imager.",
    "no-yaml": "The file user-data on this card can't be read: it has a mistake or an unusual "
    "form. Make the card anew with the Raspberry Pi Imager.",
    "no-room": "Nothing can be added to the file user-data on this card, because it has an unusual "
    "form. Make the card anew with the Raspberry Pi Imager.",
    "full": "There is too little space on this card. Remove files of yours from it.",
    "no-file": "Choose the file user-data on the drive bootfs first.",
    "host": "The Pi's name may have 1 to 63 letters from a to z, digits and hyphens. It can't "
    "begin or end with a hyphen.",
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


def card_files(card: Mapping[str, str], options: Options, release: Release) -> dict[str, bytes]:
    """Return the files to write, in this order: a card that is half written does nothing.

    card: the texts of those files of READ that it has. Raises Refused. card.js does the same in a
    browser.
    """
    check_card(card)
    check_options(options, release.languages)
    try:
        extended = extend(card.get(USER_DATA, ""), options.host)
    except Unreadable as error:
        raise Refused(REFUSALS[str(error)]) from None
    command_line = card.get(COMMAND_LINE, "")
    without_id = remove_id(command_line, card.get(META_DATA, ""))
    files = {
        INSTALLER: template("install.sh"),
        SETTINGS: release.facts() + format_options(options),
        REPORT: template("ready.txt").replace("\n", "\r\n"),
        **({} if META_DATA in card else {META_DATA: "instance-id: card\n"}),
        **({} if without_id == command_line else {COMMAND_LINE: without_id}),
        USER_DATA: extended,
    }
    return {PACKAGE: release.package} | {name: text.encode() for name, text in files.items()}


def check_card(names: Collection[str]) -> None:
    """Raise Refused unless this is a card of a system that sets itself up."""
    if USER_DATA not in names and META_DATA not in names:
        raise Refused(REFUSALS["too-old" if COMMAND_LINE in names else "no-card"])


def remove_id(command_line: str, meta_data: str) -> str:
    """Return the kernel's command line without the system's id, if meta-data has the same id."""
    found = re.search(ID, meta_data, re.MULTILINE)

    def shorten(source: re.Match[str]) -> str:
        return f"{source[1]}ds=nocloud" if found and source[2] == found[1] else source[0]

    return re.sub(SOURCE_WITH_ID, shorten, command_line)


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
