"""Extends the Imager's user-data so that cloud-init starts our installer. Touches no file.

What is there stays as it is. Our lines stand between two comments, and are replaced when the card
is written again. card.js does the same in a browser, with the same patterns.
"""

import json
import re
from typing import Any

import yaml

COMMAND = ["sh", "/boot/firmware/pachisi-referee/install.sh", "begin"]
COMMANDS = "bootcmd"  # cloud-init runs the commands of this list at each start
NAMES = ("hostname", "fqdn", "preserve_hostname")  # with one of them the Imager decided the name
HOSTS = "manage_etc_hosts"
BYTE_ORDER_MARK = "\ufeff"  # an editor of Windows writes it first; cloud-init can't read it there

BEGIN = "# Pachisi Referee: begin"
END = "# Pachisi Referee: end"
# Patterns that Python and JavaScript read alike in a text without a strange character. A lone
# beginning of ours is left: what stands behind it may be theirs.
PATTERNS = {
    "strange": r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)",
    "ours": rf"^{BEGIN}\r?\n(?:(?!{BEGIN})[^\r\n]*\r?\n)*?{END}(?:\r?\n|$)",
    "firstLine": r"^#cloud-config(?!\S)",
    "list": r"^([\"']?)bootcmd\1[ \t]*:[ \t]*(?:#.*)?\r?\n",
    "item": r"^( *)-\s",
    "array": r"^([\"']?)bootcmd\1[ \t]*:[ \t]*\[[ \t]*(\r?\n)?",
}


class Unreadable(Exception):
    """This user-data can't be extended. The text is a key of REFUSALS in card.py."""


def extend(text: str, host: str) -> str:
    """Return user-data that starts our installer at each start of the Pi, too.

    text: the Imager's, or "". host: the Pi's name if the Imager chose none, or "". Raises
    Unreadable.
    """
    theirs = leave_theirs(text)
    newline = "\r\n" if "\r\n" in theirs else "\n"
    if not theirs.endswith("\n"):
        theirs += newline
    before = parse(theirs)
    if before is None:
        raise Unreadable("no-yaml")
    added = choose_name(before, host)
    if COMMANDS in before:
        theirs = insert_command(theirs, newline)
    else:
        added |= {COMMANDS: [COMMAND]}
    lines = [f"{key}: {_format(value)}" for key, value in added.items()]
    extended = theirs + (mark(lines, newline) if lines else "")
    commands = {COMMANDS: [COMMAND, *(before.get(COMMANDS) or [])]}
    if _format(parse(extended)) != _format(before | added | commands):
        raise Unreadable("no-room")
    return extended


def leave_theirs(text: str) -> str:
    """Return the text without our lines, or a first line if it is empty. Raises Unreadable."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if re.search(PATTERNS["strange"], text):
        raise Unreadable("no-room")
    theirs = re.sub(PATTERNS["ours"], "", text, flags=re.MULTILINE)
    if not theirs.strip():
        return "#cloud-config\n"
    if not re.match(PATTERNS["firstLine"], theirs):
        raise Unreadable("no-cloud-config")
    return theirs


def parse(text: str) -> dict[str, Any] | None:
    """Return what cloud-init reads, or None if that is no mapping of keys or has a mistake."""
    try:
        found = yaml.safe_load(text)
        _format(found)  # raises ValueError for a value that contains itself
    except Exception:  # PyYAML raises many kinds, such as ValueError for 2001-99-99
        return None
    found = {} if found is None else found
    readable = isinstance(found, dict) and isinstance(found.get(COMMANDS), list | None)
    return found if readable else None


def choose_name(before: dict[str, Any], host: str) -> dict[str, Any]:
    """Return the keys that name the Pi: none if the Imager did, or if no name was chosen."""
    if not host or any(key in before for key in NAMES):
        return {}
    return {"hostname": host} | ({} if HOSTS in before else {HOSTS: True})


def insert_command(text: str, newline: str) -> str:
    """Return the text with our command as the first of a list that is there already."""
    if found := re.search(PATTERNS["list"], text, re.MULTILINE):
        item = re.compile(PATTERNS["item"], re.MULTILINE).search(text, found.end())
        ours = mark([f"{item[1] if item else ''}- {_format(COMMAND)}"], newline)
    elif found := re.search(PATTERNS["array"], text, re.MULTILINE):
        ours = mark([f"  {_format(COMMAND)},"], newline)
        if not found[2]:
            ours = f"{newline}{ours}  "
    else:
        raise Unreadable("no-room")
    return text[: found.end()] + ours + text[found.end() :]


def mark(lines: list[str], newline: str) -> str:
    """Return lines between our two comments."""
    return "".join(f"{line}{newline}" for line in (BEGIN, *lines, END))


def _format(value: Any) -> str:
    """Return a value as JSON, which YAML contains. Times become texts."""
    return json.dumps(value, separators=(",", ":"), default=str)
