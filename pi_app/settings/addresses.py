"""The host names of the page, and the text of its QR code. Opens no connection."""

import re
from ipaddress import AddressValueError, IPv4Address

from pi_app.model.events import Address

# So many letters fit a QR code of version 2, the largest one with modules of two dots and a quiet
# zone of 3.5 dots on 64 rows.
MAX_QR_LENGTH = 47
MAX_HOST_LENGTH = MAX_QR_LENGTH - len("HTTP://:65535/")
NEWEST_GAME = "G"  # the path that leads to it
LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"  # RFC 1123


def parse_host(text: str) -> str:
    """Return the host name or IPv4 address in a text, which may be a URL, or ""."""
    bare = re.sub(r"^\w+://|\.?(:\d+)?(/.*)?$", "", text.strip().lower())
    return bare if is_host(bare) else ""


def is_host(name: str) -> bool:
    """Whether this is a host name or IPv4 address, in lower case and short enough."""
    if len(name) > MAX_HOST_LENGTH or not re.fullmatch(rf"{LABEL}(\.{LABEL})*", name):
        return False
    if not re.fullmatch(r"\d+|0x[0-9a-f]*", name.rpartition(".")[2]):
        return True
    try:  # browsers read a host that ends in a number as an address
        IPv4Address(name)
    except AddressValueError:
        return False
    return True


def qr_text(address: Address, newest_game: bool = False) -> str:
    """Return the URL, or the newest game's if it fits a QR code: capitals take 5.5 bits, not 8."""
    url = f"HTTP://{address.host.upper()}/"
    return url + NEWEST_GAME if newest_game and len(url) < MAX_QR_LENGTH else url
