"""The spectators' page, as `referee run` serves it: its address, and where there is none."""

from pathlib import Path

import pytest

from pi_app.commands.run import page_addresses, possible_requests
from pi_app.model.events import Address


@pytest.mark.parametrize(
    ("names", "own", "port", "address", "asked_for"),
    [
        (("pachisi.local",), "pi", 80, Address("pachisi.local", True), ["pachisi.local"]),
        (
            ("192.168.1.7", "table.fritz.box"),
            "pi",
            8337,
            Address("192.168.1.7:8337", True),
            ["192.168.1.7", "table.fritz.box"],
        ),
        (
            (),
            "raspberrypi",
            80,
            Address("raspberrypi.local", False),
            ["raspberrypi.local", "raspberrypi"],
        ),
        ((), "Pi.fritz.box", 80, Address("pi.fritz.box", False), ["pi.fritz.box", "pi.fritz.box"]),
    ],
)
def test_the_first_name_is_shown_and_without_one_the_computers_own(
    names: tuple[str, ...], own: str, port: int, address: Address, asked_for: list[str]
) -> None:
    told, allowed = page_addresses(names, own, port)
    assert (told, list(allowed)) == (address, asked_for)


def test_the_page_can_be_turned_on_where_its_socket_unit_is_installed(tmp_path: Path) -> None:
    unit = tmp_path / "page.socket"
    assert "page-on" not in possible_requests(unit)
    unit.touch()
    assert {"power-off", "page-on", "page-off"} <= set(possible_requests(unit))
