"""Names under which browsers reach the table, and what a code says of one. Opens no connection."""

import re
from ipaddress import AddressValueError, IPv4Address

from pi_app.input.events import Address

# With "HTTP://", a port of five digits and "/" that makes 47 letters: as many as a QR code of
# version 2 holds, the largest whose modules are two dots wide beside 3.5 of quiet on 64 rows.
MAX_HOST_LENGTH = 33
LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"  # RFC 1123


def parse_host(text: str) -> str:
    """Return the host's name or IPv4 address that a text holds, as a URL does; "" for none."""
    bare = re.sub(r"^\w+://|\.?(:\d+)?(/.*)?$", "", text.strip().lower())
    return bare if is_host(bare) else ""


def is_host(name: str) -> bool:
    """Whether this is a host's name or IPv4 address, in small letters and short enough."""
    if len(name) > MAX_HOST_LENGTH or not re.fullmatch(rf"{LABEL}(\.{LABEL})*", name):
        return False
    return not re.fullmatch(r"\d+|0x[0-9a-f]*", name.rpartition(".")[2]) or _is_ipv4(name)


def _is_ipv4(text: str) -> bool:
    """Browsers read as numeric whatever ends in a number."""
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True


def qr_text(address: Address) -> str:
    """Return the URL for a code: in capitals, which take 5.5 bits each in place of 8."""
    return f"HTTP://{address.host.upper()}/"
