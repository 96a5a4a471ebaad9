"""The configuration: what is wrong is said at once, with its line; the shipped one is the truth."""

import csv
import os
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from pi_app.config.keys import DEFAULT, RULES, SPI_RESET, Config, Display
from pi_app.config.reading import default_file, load_config, parse_config
from pi_app.config.toml import ConfigError
from pi_app.config.writing import config_text
from pi_app.model.events import Setup
from pi_app.runtime import wiring
from pi_app.settings.houses import House
from pi_app.texts.language import codes
from rules.ruleset import PRESETS, parse_ruleset
from tests.pi_app.stranger import readable_folder, referee
from tests.rules.draw import house_rules

PINS = Path(__file__).parents[3] / "hardware" / "pins.csv"
TWO_PANELS = "panel.A.ok = 17\npanel.C.ok = 16\n"
OPPOSITE = """
[[display]]
driver = "ssd1309"
[[display]]
i2c_address = 0x3D
rotation = 180
"""


def wrong(text: str) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        parse_config(text)
    return list(raised.value.sentences)


# The shipped configuration.


def mistakes_in(path: Path) -> list[str]:
    """Return the sentences with which a file is refused, [] for one that can be used."""
    try:
        load_config(path)
    except ConfigError as error:
        return list(error.sentences)
    return []


def test_the_shipped_configuration_is_sound() -> None:
    assert mistakes_in(DEFAULT) == []


def test_a_key_that_is_left_out_has_the_shipped_value() -> None:
    shipped = load_config(DEFAULT)
    bare = parse_config(TWO_PANELS)
    for name in ("displays", "ruleset", "journal", "pin_factory", "chamber"):
        assert getattr(bare, name) == getattr(shipped, name)
    assert bare.page_names == shipped.page_names == ()
    assert bare.page_chances is shipped.page_chances is False
    assert bare.press_dead_ms == shipped.press_dead_ms == 20
    assert bare.release_dead_ms == shipped.release_dead_ms == 20


def pins_listed() -> dict[tuple[str, str], dict[str, str]]:
    with PINS.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["board"] == "pi" and row["gpio"]]
    return {(row["part"], row["signal"]): row for row in rows}


def pins_configured(config: Config) -> dict[tuple[str, str], int | None]:
    return {
        **{
            (f"panel {'ABCD'[panel.seat]}", signal): getattr(panel, signal)
            for panel in config.panels
            for signal in ("ok", "next", "lamp")
        },
        ("chamber", "dome"): config.dome,
        ("power", "power"): config.power,
        ("buzzer", "buzzer"): config.buzzer,
        ("display SPI", "dc"): config.displays[0].dc,
    }


def test_the_list_of_pins_and_the_shipped_configuration_are_the_same() -> None:
    listed = {name: int(row["gpio"]) for name, row in pins_listed().items()}
    configured = pins_configured(load_config(DEFAULT))
    buses = {
        ("display I2C", "sda"): 2,
        ("display I2C", "scl"): 3,
        ("display SPI", "mosi"): 10,
        ("display SPI", "sclk"): 11,
        ("display SPI", "ce0"): 8,
        ("second display SPI", "ce1"): 7,
        ("second display SPI", "dc"): 14,
        ("display", "reset"): SPI_RESET,
        ("second display", "reset"): 15,
    }
    assert listed == configured | buses


def test_the_list_of_pins_has_no_pin_twice_and_the_headers_own_numbers() -> None:
    rows = list(pins_listed().values())
    assert len({row["gpio"] for row in rows}) == len(rows)
    header = MockFactory().board_info.headers["J8"].pins
    for row in rows:
        assert header[int(row["header"])].name == f"GPIO{row['gpio']}"


def test_no_lamp_or_buzzer_is_at_a_pin_that_is_pulled_up_while_the_pi_starts() -> None:
    for row in pins_listed().values():
        assert row["boot pull"] == ("up" if int(row["gpio"]) <= 8 else "down")
        if row["signal"] in ("lamp", "buzzer"):
            assert row["boot pull"] == "down"


def test_the_shipped_pins_suit_an_spi_panel_too() -> None:
    text = DEFAULT.read_text().replace('bus = "i2c"\n', 'bus = "spi"\n')
    assert parse_config(text).displays[0].bus == "spi"


# What it says to the rest.


def test_every_field_of_the_display_is_a_key() -> None:
    [display] = parse_config(
        TWO_PANELS
        + """
        [display]
        driver = "sh1106"
        column_offset = 0
        bus = "spi"
        rotation = 180
        far_seats = ["B"]
        i2c_port = 0
        i2c_address = 0x3D
        spi_port = 0
        spi_device = 1
        spi_mhz = 4
        dc = 5
        reset = 6
        language = "en"
        """
    ).displays
    assert display == Display("sh1106", 0, "spi", 180, ("B",), 0, 0x3D, 0, 1, 4, 5, 6, "en")


def test_an_i2c_display_has_a_reset_pin_only_if_one_is_written_and_an_spi_display_always() -> None:
    assert parse_config(TWO_PANELS).displays[0].reset is None
    assert parse_config(TWO_PANELS + "display.reset = 25").displays[0].reset == 25
    for text in ("", "reset = false\n"):
        one, other = parse_config(
            f'{TWO_PANELS}[[display]]\n{text}bus = "spi"\n[[display]]\n{text}'
        ).displays
        assert (one.reset, other.reset) == (SPI_RESET, None)
    taken = "line 3: display.reset is pin 17, which is panel.A.ok already: give each its own"
    assert wrong(TWO_PANELS + "display.reset = 17") == [taken]


def test_false_says_that_a_part_is_not_there() -> None:
    text = """
        pins = { dome = false, power = false, buzzer = false }
        panel.A = { ok = 17, next = false, lamp = false }
        panel.B = { ok = false, next = 6 }
        panel.C.ok = 16
        """
    assert parse_config(text) == parse_config(TWO_PANELS)


# House rules.

HOUSE_KEYS = ("house.x", "house.x.base", "house.x.dice", "house.x.y.base", "house.sca.play_on")
EXAMPLE = re.findall(r"^#((?:\[house| {4}).*\n)", DEFAULT.read_text(), re.MULTILINE)


def test_the_example_of_house_rules_is_read_when_its_signs_are_taken_off(etc: Path) -> None:
    commented = "".join(EXAMPLE)
    assert "#" + "#".join(EXAMPLE) in DEFAULT.read_text()
    config = parse_config(TWO_PANELS + commented)
    house = House("royal-2023", parse_ruleset({"preset": "royal-2023", **EXAMPLE_CHANGES}))
    assert config.houses == {"our rules": house}
    assert changed(etc, commented).houses == config.houses
    assert list(parse_config(DEFAULT.read_text()).houses) == []


EXAMPLE_CHANGES = {"capture_bonus": 0, "third_doublet": "forfeit", "play_on": True}


def test_house_rules_are_first_values_of_what_is_kept_at_the_table() -> None:
    config = parse_config(TWO_PANELS + '[house.ours]\nbase = "pb"\nplay_on = true\n')
    assert config.first == {**config.settings, "house.ours": '{"base":"pb","play_on":true}'}


def test_a_wrong_volume_is_answered_with_all_volumes() -> None:
    assert wrong(TWO_PANELS + 'settings.sound = "turns"\n') == [
        'line 3: settings.sound is "turns": write one of "on", "turns-only", "off"'
    ]


def test_the_rules_to_begin_with_may_be_house_rules(etc: Path) -> None:
    text = 'table.ruleset = "our rules"\n[house."our rules"]\nbase = "pb"\n'
    assert wiring.table_setup(parse_config(TWO_PANELS + text)).ruleset == "our rules"
    assert wiring.table_setup(changed(etc, text)).ruleset == "our rules"


@given(st.integers(0, 10_000))
def test_any_house_rules_are_written_as_text_that_reads_back(seed: int) -> None:
    drawn = house_rules(Random(seed))
    config = replace(
        parse_config(TWO_PANELS),
        ruleset="Ours & Co",
        houses={"Ours & Co": House(drawn["preset"], parse_ruleset(drawn)), "b": CHANGED},
    )
    assert parse_config(config_text(config)) == config


CHANGED = House("findler", replace(PRESETS["findler"], again="never"))

# A file of changes: what it leaves out is as it was shipped.


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    """Where this machine has its changes."""
    return tmp_path / "etc" / "referee.toml"


def changed(etc: Path, text: str) -> Config:
    etc.parent.mkdir(exist_ok=True)
    etc.write_text(text)
    return load_config(etc, changes=etc)


def wrong_change(etc: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        changed(etc, text)
    return [sentence.removeprefix(f"{etc}, ") for sentence in raised.value.sentences]


def test_changes_are_in_force_where_there_are_any_and_else_what_is_shipped(etc: Path) -> None:
    assert default_file(etc) == DEFAULT
    etc.parent.mkdir()
    assert default_file(etc) == DEFAULT
    etc.symlink_to("nowhere")  # there, though it can't be read: that will be said
    assert default_file(etc) == etc
    etc.unlink()
    etc.touch()
    assert default_file(etc) == etc


def test_changes_change_only_what_they_name(etc: Path) -> None:
    shipped = load_config(DEFAULT)
    assert changed(etc, "") == shipped
    assert changed(etc, "[pins]\n[panel.A]\n[panel]\n[display]\n") == shipped
    text = "[pins]\nbuzzer = 12\n[panel.D]\nlamp = false\n[display]\nrotation = 180\n"
    *others, d = shipped.panels
    assert changed(etc, text) == replace(
        shipped,
        buzzer=12,
        panels=(*others, replace(d, lamp=None)),
        displays=(replace(shipped.displays[0], rotation=180),),
    )


TOO_FEW = (
    "line 1: panels configured: {}; a game needs two, panel.A to panel.D. "
    "Only /etc/pachisi-referee/referee.toml may leave out what is as shipped"
)


def test_changes_take_parts_out(etc: Path) -> None:
    text = "pins.dome = false\npanel.B.ok = false\npanel.D.ok = false\npanel.A.next = false\n"
    config = changed(etc, text)
    assert wiring.table_setup(config) == Setup(
        panels=(0, 2), next_buttons=(2,), dome=False, lamps=(0, 2)
    )
    assert config.lamps == (22, None, 21, None)
    text = "panel.A.ok = false\npanel.B.ok = false\npanel.C.ok = false\n"
    assert wrong_change(etc, text) == [TOO_FEW.format(1)]


CLASHES = {
    "pins.power = 17": "line 1: pins.power is pin 17, which is panel.A.ok by default: "
    "give each its own",
    "pins.power = 17\npanel.A.ok = 4": None,
    "pins.power = 25": None,
    'pins.power = 25\ndisplay.bus = "spi"': "line 1: pins.power is pin 25, which is display.reset "
    "by default: give each its own",
    '[display]\nbus = "spi"\nspi_port = 1\ndc = 24': "line 3: panel.D.ok is pin 19 by default, "
    "which the spi display needs: take another",
    "pins.power = 0\npins.dome = 0": "line 2: pins.dome is pin 0, which is pins.power already: "
    "give each its own",
}


@pytest.mark.parametrize("text", CLASHES)
def test_a_pin_that_is_taken_by_default_is_told_as_such(etc: Path, text: str) -> None:
    told = CLASHES[text]
    if told is None:
        assert changed(etc, text).power is not None
    else:
        assert told in wrong_change(etc, text)


def test_the_same_text_under_another_name_is_a_whole_configuration(etc: Path) -> None:
    changed(etc, TWO_PANELS)
    assert load_config(etc, changes=etc.with_name("other.toml")) == parse_config(TWO_PANELS)
    assert len(load_config(etc, changes=etc).panels) == 4


def test_changes_that_cannot_be_read_are_one_sentence(etc: Path) -> None:
    etc.parent.mkdir()
    etc.symlink_to("nowhere")
    with pytest.raises(ConfigError, match=r"referee\.toml can't be read \(No such file") as raised:
        load_config(etc, changes=etc)
    assert len(raised.value.sentences) == 1


SHIPPED_KEYS = re.findall(r"^\w+ = .+$", DEFAULT.read_text(), re.MULTILINE)


def test_the_shipped_file_with_its_keys_commented_changes_nothing(etc: Path) -> None:
    commented = re.sub(r"^(\w+ = )", r"# \1", DEFAULT.read_text(), flags=re.MULTILINE)
    assert changed(etc, commented) == load_config(DEFAULT)
    assert len(SHIPPED_KEYS) == len(RULES)


@pytest.mark.parametrize(
    "config",
    [
        load_config(DEFAULT),
        parse_config(TWO_PANELS),
        parse_config(TWO_PANELS + OPPOSITE),
        parse_config(TWO_PANELS + 'display.rotation = "turn"\ndisplay.far_seats = []\n'),
        parse_config(TWO_PANELS + 'voice.program = "espeak-ng"\nvoice.speed = 200\n'),
        parse_config(TWO_PANELS + 'page.names = ["pachisi.local", "192.168.1.7"]\n'),
        parse_config(TWO_PANELS + "page.chances = true\n"),
        parse_config(
            TWO_PANELS + 'table.journal_folder = "/häuser/a\\"b"\nchamber.dice_from = "chamber"\n'
        ),
    ],
)
def test_a_configuration_is_written_as_text_that_reads_back(config: Config) -> None:
    assert parse_config(config_text(config)) == config


# The page's names.


def test_every_name_of_the_page_that_is_wrong_is_told() -> None:
    names = '["pachisi.local", "Pachisi.Local", "pachisi.local:80"]'
    assert wrong(TWO_PANELS + f"page.names = {names}") == [
        'line 3: page.names has "Pachisi.Local": write "pachisi.local"',
        'line 3: page.names has "pachisi.local:80": write "pachisi.local"',
    ]


def test_as_many_names_as_may_be_are_read_in_their_order() -> None:
    names = [f"{letter}.lan" for letter in "hgfedcba"]
    config = parse_config(TWO_PANELS + f"page.names = {names}")
    assert config.page_names == tuple(names)


# Two displays.

BY_SPI = """
[[display]]
bus = "spi"
[[display]]
bus = "spi"
spi_device = 1
dc = 14
reset = 15
"""


def test_two_displays_are_given_as_one_is_with_a_pair_of_brackets_more() -> None:
    first = Display("ssd1309")
    second = Display(i2c_address=0x3D, rotation=180)
    assert parse_config(TWO_PANELS + OPPOSITE).displays == (first, second)
    assert parse_config(TWO_PANELS + '[[display]]\ndriver = "ssd1309"').displays == (first,)
    inline = 'display = [{ driver = "ssd1309" }, { i2c_address = 0x3D, rotation = 180 }]\n'
    assert parse_config(inline + TWO_PANELS).displays == (first, second)


def test_changes_may_be_a_second_display(etc: Path) -> None:
    assert changed(etc, "[[display]]\n[[display]]\ni2c_address = 0x3D\n").displays == (
        Display(),
        Display(i2c_address=0x3D),
    )


def test_two_displays_on_spi_have_the_pins_of_the_list(etc: Path) -> None:
    _, second = changed(etc, BY_SPI).displays
    listed = {
        signal: int(row["gpio"])
        for (part, signal), row in pins_listed().items()
        if part in ("second display SPI", "second display")
    }
    assert listed == {"ce1": 7, "dc": second.dc, "reset": second.reset}


WRONG_DISPLAYS = {
    "[[display]]\n[[display]]\n": (
        "line 4: both displays are at address 0x3C of i2c 1: give each its own i2c_address"
    ),
    '[[display]]\nbus = "spi"\n[[display]]\nbus = "spi"\ndc = 14\nreset = 15\n': (
        "line 5: both displays are at chip-select 0 of spi 0: give each its own spi_device"
    ),
    BY_SPI.replace("dc = 14\n", "").strip(): (
        "line 5: display 2.dc is pin 24 by default, which is display.dc by default: "
        "give each its own"
    ),
    BY_SPI.replace("14", "17").strip(): (
        "line 8: display 2.dc is pin 17, which is panel.A.ok already: give each its own"
    ),
    BY_SPI.replace("14", "11").strip(): (
        "line 8: display 2.dc is pin 11, which the spi display needs: take another"
    ),
    OPPOSITE.strip() + "\nrotaton = 180\n": (
        "line 8: display 2.rotaton is not a key of this configuration: is it display.rotation?"
    ),
    OPPOSITE.replace("180", "90").strip(): (
        'line 7: display 2.rotation is 90: write one of 0, 180, "turn"'
    ),
    "[[display]]\n" * 3: "line 3: display is a list of 3: write [[display]] once or twice",
    "display = []": "line 1: display is a list of 0: write [[display]] once or twice",
    "display = [5]": "line 1: display is a list of 1: write [[display]] once or twice",
}


@pytest.mark.parametrize("text", WRONG_DISPLAYS)
def test_two_displays_that_can_not_be_are_told(text: str) -> None:
    before = "" if text.startswith("display") else TWO_PANELS
    after = TWO_PANELS if text.startswith("display") else ""
    assert wrong(f"{before}{text}\n{after}") == [WRONG_DISPLAYS[text]]


# What it refuses.

A_NAME = "a name is 1 to 12 letters from A to Z, digits, and between them ' & -"
PRESET_NAMES = ", ".join(f'"{name}"' for name in PRESETS)
LANGUAGES = ", ".join(f'"{code.replace("_", "-")}"' for code in codes())
REFUSED = {
    "pins.dome = 40": "pins.dome is 40: write a BCM pin number, 0 to 27, or false for none",
    "pins.dome = -1": "pins.dome is -1: write a BCM pin number, 0 to 27, or false for none",
    "pins.dome = true": "pins.dome is true: write a BCM pin number, 0 to 27, or false for none",
    'pins.dome = "GPIO23"': (
        'pins.dome is "GPIO23": write a BCM pin number, 0 to 27, or false for none'
    ),
    "pins.dome = 23.0": "pins.dome is 23.0: write a BCM pin number, 0 to 27, or false for none",
    "pins.dom = 23": "pins.dom is not a key of this configuration: is it pins.dome?",
    "colour = 1": "colour is not a key of this configuration: take it out",
    "[music]": "music is not a key of this configuration: take it out",
    "pins.power = 17": "pins.power is pin 17, which is panel.A.ok already: give each its own",
    "pins.power = 3": "pins.power is pin 3, which the i2c display needs: take another",
    "panel.B.lamp = 2\npanel.B.ok = 5": (
        "panel.B.lamp is pin 2, which the i2c display needs: take another"
    ),
    'pins.power = 8\ndisplay.bus = "spi"': (
        "pins.power is pin 8, which the spi display needs: take another"
    ),
    "display.dc = false": "display.dc is false: write a BCM pin number, 0 to 27",
    'display.bus = "spi"\ndisplay.dc = 17': (
        "display.dc is pin 17, which is panel.A.ok already: give each its own"
    ),
    "panel.B.next = 5": "panel.B has no ok: give its OK button's pin, or leave the panel out",
    "[panel.B]": "panel.B has no ok: give its OK button's pin, or leave the panel out",
    "[panel.E]": "panel.E is not a key of this configuration: take it out",
    "panel.E.ok = 5": "panel.E.ok is not a key of this configuration: is it panel.D.ok?",
    "[[panels]]": "panels is not a key of this configuration: take it out",
    'table.ruleset = "chess"': f'table.ruleset is "chess": write one of "", {PRESET_NAMES}',
    'table.journal_folder = "games"': (
        'table.journal_folder is "games": write an absolute folder, "/..." or "~/..."'
    ),
    'table.journal_folder = "/a\\u0000b"': (
        'table.journal_folder is "/a\\u0000b": write an absolute folder, "/..." or "~/..."'
    ),
    'settings.language = "xx"': (f'settings.language is "xx": write one of {LANGUAGES}, or ""'),
    "display.language = 1": f'display.language is 1: write one of {LANGUAGES}, or ""',
    'pins.factory = "mock"': 'pins.factory is "mock": write one of "lgpio", "rpigpio"',
    "pins.press_dead_ms = 2": "pins.press_dead_ms is 2: write whole milliseconds, 5 to 100",
    "display.rotation = 90": 'display.rotation is 90: write one of 0, 180, "turn"',
    "display.rotation = 180.0": 'display.rotation is 180.0: write one of 0, 180, "turn"',
    "display.rotation = 1979-05-27": (
        'display.rotation is "1979-05-27": write one of 0, 180, "turn"'
    ),
    'display.far_seats = ["C", "C"]': (
        'display.far_seats is ["C", "C"]: write a list of seats, as ["C", "D"]'
    ),
    'display.far_seats = "C"': ('display.far_seats is "C": write a list of seats, as ["C", "D"]'),
    "display.driver = []": ('display.driver is []: write one of "ssd1306", "ssd1309", "sh1106"'),
    "display.i2c_address = 0x78": ("display.i2c_address is 0x78: write an address, 0x08 to 0x77"),
    'display.i2c_address = "0x3C"': (
        'display.i2c_address is "0x3C": write an address, 0x08 to 0x77'
    ),
    'chamber.port = "/dev/ttyACM0"': (
        'chamber.port is "/dev/ttyACM0": '
        'write a port by its lasting name, "/dev/pachisi-chamber" or "/dev/serial/...", '
        'or "" for none'
    ),
    'page.names = "pachisi.local"': (
        'page.names is "pachisi.local": write a list of 8 names at most, as ["pachisi.local"]'
    ),
    'page.names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]': (
        'page.names is ["a", "b", "c", "d", "e", "f", "g", "h", "i"]: '
        'write a list of 8 names at most, as ["pachisi.local"]'
    ),
    "page.names = [80]": (
        'page.names is [80]: write a list of 8 names at most, as ["pachisi.local"]'
    ),
    'page.names = ["pi", "http://pachisi.local/"]': (
        'page.names has "http://pachisi.local/": write "pachisi.local"'
    ),
    'page.chances = "on"': 'page.chances is "on": write one of true, false',
    'page.name = ["pi"]': "page.name is not a key of this configuration: is it page.names?",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_is_refused_in_one_sentence_with_its_line(line: str) -> None:
    place = 4 if line.startswith('display.bus = "spi"') else 3
    assert wrong(TWO_PANELS + line) == [f"line {place}: {REFUSED[line]}"]


EDITION = "an edition is called so"


def misnamed(key: str, why: str = A_NAME) -> str:
    return f"line 3: {key} can't be called so: {why}"


HOUSES_REFUSED = {
    '[house.x]\nbase = "chess"': f'line 4: house.x.base is "chess": write one of {PRESET_NAMES}',
    "[house.x]": 'line 3: house.x has no base: write base = "royal-2023" or another edition',
    "[house.x]\nplay_on = true": (
        'line 3: house.x has no base: write base = "royal-2023" or another edition'
    ),
    '[house.x]\nbase = "pb"\nplay_no = true': (
        "line 5: house.x.play_no is not an option of the rules: is it play_on?"
    ),
    '[house.x]\nbase = "pb"\ncolour = 1': (
        "line 5: house.x.colour is not an option of the rules: take it out"
    ),
    '[house.x]\nbase = "pb"\ndice = 3': "line 5: house.x.dice is 3: write one of 2, 1",
    '[house.x]\nbase = "pb"\nplay_on = 1': "line 5: house.x.play_on is 1: write one of false, true",
    '[house.x]\nbase = "pb"\nblockade_limit = 100': (
        "line 5: house.x.blockade_limit is 100: write turns of a blockade's owner, 0 to 99"
    ),
    '[house.x]\nbase = "pb"\nentry_number = 7': (
        "line 3: house.x: impossible together: entry_number 7, entry_by die-or-sum; "
        "change one of them (Over 6 needs both dice, 1 needs one die.)"
    ),
    '[house.x]\nbase = "pb"\nstacking = "one"': (
        "line 3: house.x: impossible together: stacking one, pairs blockade; change one of them"
    ),
    '[house.sca]\nbase = "pb"': misnamed("house.sca", EDITION),
    '[house."one die"]\nbase = "pb"': misnamed("house.one die", EDITION),
    '[house."great-grandma"]\nbase = "pb"': misnamed("house.great-grandma"),
    '[house."Großmutter"]\nbase = "pb"': misnamed("house.Großmutter"),
    '[house."a\\nb"]\nbase = "pb"': misnamed("'house.a\\nb'"),
    '[house.""]\nbase = "pb"': misnamed("house."),
    '[house."a.b"]\nbase = "pb"': misnamed("house.a.b"),
    "house = 3": "line 3: house is not a key of this configuration: take it out",
    'table.ruleset = "y"\n[house.x]\nbase = "pb"': (
        f'line 3: table.ruleset is "y": write one of "", {PRESET_NAMES}, "x"'
    ),
}


@pytest.mark.parametrize("text", HOUSES_REFUSED)
def test_house_rules_that_cannot_be_are_refused_in_one_sentence_with_its_line(text: str) -> None:
    assert wrong(TWO_PANELS + text) == [HOUSES_REFUSED[text]]


def test_everything_that_is_wrong_is_said_at_once_in_the_order_of_the_lines() -> None:
    text = """
[pins]
dome = 99
power = 3
speed = 5

[panel.A]
ok = 17
next = 17

[panel.B]
lamp = 22

[display]
driver = "ssd1307"
"""
    assert wrong(text) == [
        "line 3: pins.dome is 99: write a BCM pin number, 0 to 27, or false for none",
        "line 4: pins.power is pin 3, which the i2c display needs: take another",
        "line 5: pins.speed is not a key of this configuration: take it out",
        "line 9: panel.A.next is pin 17, which is panel.A.ok already: give each its own",
        "line 11: panel.B has no ok: give its OK button's pin, or leave the panel out",
        'line 15: display.driver is "ssd1307": write one of "ssd1306", "ssd1309", "sh1106"',
    ]


def test_a_table_needs_two_panels() -> None:
    assert wrong("panel.A.ok = 17\n") == [TOO_FEW.format(1)]
    assert wrong("") == [TOO_FEW.format(0)]


def test_a_line_in_an_inline_table_is_found() -> None:
    text = 'table = { ruleset = "findler" }\n[panel]\nA = { ok = 17 }\nB = { ok = 50 }\n'
    assert wrong(text) == [
        "line 4: panel.B.ok is 50: write a BCM pin number, 0 to 27, or false for none"
    ]


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    assert wrong("[pins]\ndome 23\n") == [
        "line 2: not TOML (expected '=' after a key in a key/value pair): correct this first"
    ]
    assert wrong('dome = "') == ["last line: not TOML (unterminated string): correct this first"]


def test_a_table_that_stands_twice_is_told_with_where_it_stands_already() -> None:
    assert wrong("[pins]\ndome = 23\n\n[display]\n[pins]\nbuzzer = 18\n") == [
        "line 5: [pins] is there already, in line 1: write its keys below that line"
    ]
    assert wrong("[panel.A.x]\n[panel . A]\nok = 17\n[panel.A] # mine\n") == [
        "line 4: [panel.A] is there already, in line 2: write its keys below that line"
    ]
    two = ", or [[display]] in both places where there are two"
    for first, second in (("[display]", "[display]"), ("[display]", "[[display]]")):
        assert wrong(f"{first}\ndriver = 'sh1106'\n{second}\n") == [
            f"line 3: [display] is there already, in line 1: write its keys below that line{two}"
        ]
    assert wrong("display = {}\n[display]\n") == [
        "line 2: not TOML (cannot declare ('display',) twice): correct this first"
    ]


def test_a_file_that_others_only_may_read_says_how_it_is_made_readable() -> None:
    with readable_folder() as folder:
        path = folder / "my.toml"
        path.touch(0)
        done = referee("check-config", path)
    assert done.stdout == (
        f"{path} can't be read (Permission denied): "
        f"make it readable by `sudo chmod a+r {path}`, or name another file\n"
    )


def test_check_config_notices_a_voice_program_that_is_not_installed() -> None:
    text = DEFAULT.read_text(encoding="utf-8")
    for program, said in (
        (
            "no-such-voice",
            "voice.program: 'no-such-voice' is not installed. "
            "Run `sudo apt-get install espeak-ng`, "
            'or write the program\'s path, or "" for no voice\n',
        ),
        ("sh", "{} has no mistakes\n"),
        ("", "{} has no mistakes\n"),
    ):
        with readable_folder() as folder:
            path = folder / "my.toml"
            path.write_text(text.replace('program = ""', f'program = "{program}"'), "utf-8")
            assert referee("check-config", path).stdout == said.format(path)


def test_an_address_is_written_as_datasheets_write_it() -> None:
    assert "display.i2c_address = 0x3C\n" in config_text(load_config(DEFAULT))


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    assert mistakes_in(tmp_path / "none.toml") == [
        f"{tmp_path}/none.toml can't be read (No such file or directory): name another file"
    ]
    assert mistakes_in(tmp_path) == [
        f"{tmp_path} can't be read (Is a directory): name another file"
    ]
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    assert mistakes_in(tmp_path / "latin.toml") == [
        f"{tmp_path}/latin.toml is not text in UTF-8: save it as such"
    ]


ENDLESS = {
    "400,000 keys": ("".join(f"k{n} = 1\n" for n in range(400_000)), "longer than 64 kB"),
    "a key of 50,000 parts": (".".join("a" * 50_000)[:60_000] + " = 1", "longer than 1000"),
    "10,000 unknown keys": ("".join(f"k{n}=1\n" for n in range(7_000)), "there are more mistakes"),
    "a table in 30,000 others": ("x = " + "[\n" * 30_000, "not TOML"),
    "a value of 60 kB": (f'pins.dome = """{(900 * "7" + chr(10)) * 66}"""', "0 to 27, or false"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ENDLESS)
def test_what_would_take_for_ever_is_told_at_once(tmp_path: Path, text: str) -> None:
    content, what = ENDLESS[text]
    (tmp_path / "my.toml").write_text(content)
    told = mistakes_in(tmp_path / "my.toml")
    assert what in told[-1]
    assert len(told) <= 21
    assert max(map(len, told)) < 500


@pytest.mark.timeout(20)
def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        what = "can't be read (not a file but a pipe or a device): name another file"
        assert mistakes_in(path) == [f"{path} {what}"]


def test_a_sentence_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(TWO_PANELS + "pins.dome = 28\n")
    assert mistakes_in(tmp_path / "my.toml") == [
        f"{tmp_path}/my.toml, line 3: pins.dome is 28: "
        "write a BCM pin number, 0 to 27, or false for none"
    ]


def test_a_file_of_a_windows_editor_is_read(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_bytes(b"\xef\xbb\xbf" + TWO_PANELS.replace("\n", "\r\n").encode())
    assert mistakes_in(tmp_path / "my.toml") == []


@given(
    keys=st.lists(st.sampled_from([*RULES, "x", "panel.A", "a.b.c", *HOUSE_KEYS]), unique=True),
    data=st.data(),
)
def test_whatever_is_written_it_is_a_configuration_or_sentences(
    tmp_path_factory: pytest.TempPathFactory, keys: list[str], data: st.DataObject
) -> None:
    values = (
        "17",
        "3",
        '""',
        "true",
        "[1]",
        "{}",
        "{ ok = 5 }",
        "1.5",
        '"spi"',
        '"/x"',
        "1979-05-27",
    )
    text = "\n".join(f"{key} = {data.draw(st.sampled_from(values))}" for key in keys)
    path = tmp_path_factory.getbasetemp() / "written.toml"
    path.write_text(text)
    told = mistakes_in(path)
    what = rf"{path}, ((line \d+|last line): .+|there are more mistakes): .+"
    assert all(re.fullmatch(what, sentence) for sentence in told)
    assert told or len(load_config(path).panels) >= 2
