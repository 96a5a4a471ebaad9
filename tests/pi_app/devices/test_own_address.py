"""The computer's numeric address."""

import socket
from pathlib import Path

from pi_app.devices.own_address import numeric_address


def test_the_address_is_one_of_this_computer() -> None:
    with socket.socket() as sock:
        number = numeric_address(sock)
        if number:  # a computer without a network has none
            sock.bind((number, 0))  # raises OSError for another computer's
            assert not number.startswith("127.")


def test_a_socket_that_knows_no_interfaces_gives_none() -> None:
    with Path("/dev/null").open() as file:
        assert numeric_address(file) == ""  # type: ignore[arg-type]
