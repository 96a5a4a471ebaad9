"""QR codes on the panel: an independent reader reads each from the panel's own pixels."""

import string
from random import Random

import pytest
import zxingcpp
from PIL import Image, ImageChops, ImageFilter

from pi_app.display.lettering import DARK, NOTES, WORDS, Overflow, break_word
from pi_app.display.view import draw
from pi_app.model.events import Address
from pi_app.model.screens import QrScreen
from pi_app.settings.addresses import MAX_HOST_LENGTH, is_host, qr_text
from pi_app.table.modes.setup.house_rules import MAX_SCANNED_LENGTH
from tests.asked import extent
from tests.pi_app.kept import SCREENS
from tests.pi_app.keyed import key

DOT, PITCH = 4, 6  # pixels of a photograph: a dot of the panel, and from one to the next
LETTERS = string.ascii_lowercase + string.digits
PORT = ":65535"  # none is longer


def code(host: str, number: str = "") -> QrScreen[str]:
    text = f"{host} {number}".rstrip()
    return QrScreen(qr_text(Address(host, known=True)), "Scan or type:", text, key("NEXT: back"))


def host_of(length: int, seed: int = 0) -> str:
    """Return a drawn host name of so many letters, hyphens and dots."""
    chance = Random(1000 * seed + length)
    while True:
        name = "".join(chance.choices(LETTERS + ".-", k=length))
        if is_host(name):
            return name


def read(image: Image.Image) -> list[str]:
    """Return the texts of all codes that are found in a picture."""
    return [found.text for found in zxingcpp.read_barcodes(image.convert("L"))]


def photograph(panel: Image.Image, turned: float = 0.0) -> Image.Image:
    """Return a panel as a lens sees it: dots with dark between them, a little out of focus."""
    size = (PITCH * panel.width, PITCH * panel.height)
    large = panel.convert("L").resize(size, Image.Resampling.NEAREST)
    for n in range(DOT, PITCH):
        for x in range(n, size[0], PITCH):
            large.paste(DARK, (x, 0, x + 1, size[1]))
        for y in range(n, size[1], PITCH):
            large.paste(DARK, (0, y, size[0], y + 1))
    return large.filter(ImageFilter.GaussianBlur(PITCH / 3)).rotate(turned, expand=True)


@pytest.mark.parametrize("name", ["page-code", "page-code-port", "page-code-longest"])
def test_the_panel_s_own_picture_is_read(name: str) -> None:
    with Image.open(SCREENS / f"play-{name}.png") as panel:
        said = {
            "page-code": "HTTP://PACHISI.LOCAL/",
            "page-code-port": "HTTP://192.168.178.123:8337/",
            "page-code-longest": "HTTP://PARCHEESI-TABLE.FRITZ.EXAMPLE.ORG:65535/",
        }[name]
        assert read(panel) == read(photograph(panel)) == [said]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("port", ["", PORT])
def test_names_of_every_length_are_read_upright_and_turned(port: str) -> None:
    for length in range(1, MAX_HOST_LENGTH + 1, extent(4, soak=1)):
        address = host_of(length) + port
        panel, said = draw(code(address)), [f"HTTP://{address.upper()}/"]
        assert read(panel) == read(panel.transpose(Image.Transpose.ROTATE_180)) == said
        assert read(photograph(panel)) == read(photograph(panel, 180)) == said
        assert read(photograph(panel, 20)) == said


def test_a_long_line_of_house_rules_is_read_though_its_quiet_zone_is_small() -> None:
    for length in range(48, MAX_SCANNED_LENGTH + 1, 9):
        line = "".join(Random(length).choices(string.ascii_uppercase + " :-", k=length))
        panel = draw(QrScreen(line, "Scan:", "", key("NEXT: back")))
        assert read(panel) == read(panel.transpose(Image.Transpose.ROTATE_180)) == [line]
        assert read(photograph(panel)) == read(photograph(panel, 20)) == [line]


def test_the_longest_name_fills_the_small_code_and_the_longest_line_the_large_one() -> None:
    longest = qr_text(Address("m" * MAX_HOST_LENGTH + PORT, known=True))
    small = draw(QrScreen(longest, "", "", key("")))
    large = draw(QrScreen(f"{longest}A", "", "", key("")))
    boxes = (ImageChops.invert(panel.crop((0, 0, 64, 64))).getbbox() for panel in (small, large))
    assert list(boxes) == [(7, 7, 57, 57), (3, 3, 61, 61)]
    draw(QrScreen("A" * MAX_SCANNED_LENGTH, "", "", key("")))
    with pytest.raises(Overflow, match="QR code of version 3"):
        draw(QrScreen("A" * (MAX_SCANNED_LENGTH + 1), "", "", key("")))


def test_modules_are_two_dots_wide_with_seven_dots_of_light_round_them() -> None:
    panel = draw(code("pachisi.local"))
    square = panel.crop((0, 0, 64, 64))
    assert ImageChops.invert(square).getbbox() == (7, 7, 57, 57)
    half = square.crop((7, 7, 57, 57)).resize((25, 25), Image.Resampling.NEAREST)
    again = half.resize((50, 50), Image.Resampling.NEAREST)
    assert again.tobytes() == square.crop((7, 7, 57, 57)).tobytes()


@pytest.mark.filterwarnings("default::pi_app.display.lettering.Overflow")
def test_at_the_table_a_text_that_is_too_long_leaves_the_words_to_be_typed() -> None:
    with pytest.warns(Overflow):
        panel = draw(QrScreen("A" * 78, "Scan or type:", "pachisi.local", key("NEXT: back")))
    assert read(panel) == []
    beside = (64, 0, 128, 64)
    assert panel.crop(beside).tobytes() == draw(code("pachisi.local")).crop(beside).tobytes()


@pytest.mark.parametrize("number", ["192.168.1.7", "192.168.178.123:8337"])
def test_a_numeric_address_has_room_beside_the_code_under_a_name(number: str) -> None:
    name = "raspberrypi-2.local"
    assert draw(code(name, number)).tobytes() != draw(code(name)).tobytes()


def test_a_numeric_address_is_left_out_if_the_name_fills_the_room() -> None:
    name = host_of(MAX_HOST_LENGTH) + PORT
    key_and_words = (64, 0, 128, 64)
    both, alone = draw(code(name, "192.168.178.123:8337")), draw(code(name))
    assert both.crop(key_and_words).tobytes() == alone.crop(key_and_words).tobytes()


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("pachisi", ["pachisi"]),
        ("pachisi.local", ["pachisi", ".local"]),
        ("parlour-table.lan", ["parlour", "-table.lan"]),
        ("192.168.178.123", ["192.168", ".178.123"]),
        ("127.0.0.1:8337/watch", ["127.0.0.1", ":8337", "/watch"]),
        ("mmmmmmmmmm", ["mmmmmm", "mmmm"]),
        ("", []),
    ],
)
def test_an_address_is_broken_before_what_parts_it(word: str, lines: list[str]) -> None:
    assert break_word(WORDS, word, 58) == lines


def test_nothing_of_an_address_is_lost_or_added_by_breaking_it() -> None:
    for seed in range(20):
        chance = Random(seed)
        address = host_of(chance.randint(1, MAX_HOST_LENGTH), seed) + chance.choice(["", PORT])
        lines = break_word(NOTES, address, 60)
        assert "".join(lines) == address
        assert all(NOTES.width(one) <= 60 for one in lines), lines
        draw(code(address))  # and all of it has room, else an Overflow


@pytest.mark.parametrize("label", ["m", "mmmmm", "mmmmmm", "mmmmmmmmm", "m-m", "m" * 33])
def test_the_widest_letters_have_room_beside_the_code(label: str) -> None:
    name = ".".join([label] * MAX_HOST_LENGTH)[:MAX_HOST_LENGTH].strip(".-") + PORT
    draw(code(name))
