"""Names under which browsers reach the table: which may be, and what is to be written instead."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.model.events import Address
from pi_app.settings.addresses import MAX_HOST_LENGTH, is_host, parse_host, qr_text

RIGHT = [
    "pi",
    "a",
    "pachisi.local",
    "parcheesi-table.fritz.box",
    "xn--pchisi-bua.local",
    "4friends.lan",
    "192.168.1.7",
    "m" * MAX_HOST_LENGTH,
]
INSTEAD = {
    "http://pachisi.local/": "pachisi.local",
    "https://pachisi.local": "pachisi.local",
    "pachisi.local:8337": "pachisi.local",
    "http://192.168.1.7:8337/games/3": "192.168.1.7",
    "pachisi.local.": "pachisi.local",
    " pachisi.local\n": "pachisi.local",
    "PACHISI.local": "pachisi.local",
}
NO_HOSTS = [
    "",
    ".",
    "pachisi..local",
    "-pachisi.local",
    "pachisi-.local",
    "our table",
    "our_table.local",
    "päckchen.local",
    "*.local",
    "m" * (MAX_HOST_LENGTH + 1),
    "192.168.1",
    "192.168.1.256",
    "192.168.01.7",
    "1234",
    "pachisi.0x7f",
    "fe80::1",
    "[::1]:80",
    "me@pachisi.local",
]


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_of_a_host_and_a_numeric_address_are_right(name: str) -> None:
    assert is_host(name)
    assert parse_host(name) == name


@pytest.mark.parametrize("name", INSTEAD)
def test_an_address_out_of_a_browser_holds_a_host(name: str) -> None:
    assert not is_host(name)
    assert parse_host(name) == INSTEAD[name]


@pytest.mark.parametrize("name", NO_HOSTS)
def test_what_no_host_can_be_called_is_none_and_holds_none(name: str) -> None:
    assert not is_host(name)
    assert parse_host(name) == ""


@given(st.text(st.sampled_from("aZ9.-:/ _x0"), max_size=MAX_HOST_LENGTH + 8))
def test_what_is_right_is_the_host_of_the_url_that_is_scanned(name: str) -> None:
    if is_host(name):
        url = urlsplit(qr_text(Address(f"{name}:8337", known=True)))
        assert (url.scheme, url.hostname, url.port, url.path) == ("http", name, 8337, "/")


@given(st.text(st.sampled_from("aZ9.-:/ _"), max_size=12))
def test_what_is_to_be_written_instead_is_right(name: str) -> None:
    host = parse_host(name)
    assert host == "" or is_host(host)


def test_a_code_leads_to_the_newest_game_if_there_is_room_for_that() -> None:
    longest = "m" * MAX_HOST_LENGTH
    assert qr_text(Address("pachisi.local", known=True), True) == "HTTP://PACHISI.LOCAL/G"
    assert qr_text(Address(f"{longest}:8337", known=True), True).endswith("M:8337/G")
    assert qr_text(Address(f"{longest}:65535", known=True), True).endswith("M:65535/")


def test_what_is_scanned_is_all_capitals_so_that_the_code_is_small() -> None:
    assert qr_text(Address("pachisi.local:8337", known=True)) == "HTTP://PACHISI.LOCAL:8337/"
