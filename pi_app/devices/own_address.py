"""The computer's address in the house's network, as a socket sees it. Opens no connection."""

import array
import socket
import struct
from fcntl import ioctl
from ipaddress import IPv4Address

SIOCGIFCONF = 0x8912  # netdevice(7): the names and IPv4 addresses of all interfaces
INTERFACE = struct.calcsize("16sLLHBBB0L")  # the size of struct ifreq
ADDRESS_AT = 20  # in struct ifreq: 16 bytes of name, then family and port
MOST_INTERFACES = 32


def numeric_address(sock: socket.socket) -> str:
    """Return the first IPv4 address at which others reach this computer, "" if there is none.

    sock: any socket that was opened outside of the service's sandbox, which has no network.
    """
    found = array.array("B", bytes(MOST_INTERFACES * INTERFACE))
    request = bytearray(struct.pack("iP", len(found), found.buffer_info()[0]))
    try:
        ioctl(sock, SIOCGIFCONF, request)
    except OSError:
        return ""
    size: int = struct.unpack("iP", request)[0]
    for start in range(ADDRESS_AT, size, INTERFACE):
        address = IPv4Address(found[start : start + 4].tobytes())
        if address.is_private and not (address.is_loopback or address.is_link_local):
            return str(address)
    return ""
