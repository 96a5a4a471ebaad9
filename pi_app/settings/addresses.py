"""The host names of the page, and the text of its QR code. Opens no connection."""

import re
from ipaddress import AddressValueError, IPv4Address

from pi_app.model.events import Address

# With "HTTP://", a port of five digits and "/" this makes 47 letters. So many fit a QR code of
# version 2, the largest one with modules of two dots and a quiet zone of 3.5 dots on 64 rows.
MAX_HOST_LENGTH = 33
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


def qr_text(address: Address) -> str:
    """Return the URL for a QR code, in capitals: they take 5.5 bits each instead of 8."""
    return f"HTTP://{address.host.upper()}/"
