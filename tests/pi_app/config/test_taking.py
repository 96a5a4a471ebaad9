"""A machine's configuration takes the values of another file, whatever form people gave it."""

from argparse import Namespace
from pathlib import Path

import pytest

from pi_app.commands import config as command
from pi_app.config.keys import SHIPPED
from pi_app.config.reading import parse_config
from pi_app.config.toml import ConfigError
from pi_app.config.writing import changes_text

DISPLAY = 'display = [{driver = "sh1106"}]\nsettings.language = "de"\n'
TWO = 'display = [{driver = "ssd1309"}, {driver = "ssd1309", i2c_address = 61}]\n'
HOUSE = '[house."our rules"]\nbase = "pb"\ncapture_bonus = 0\n'


def taken(tmp_path: Path, before: str, source: str) -> str:
    """Return the configuration after it took the values of a file."""
    changes, chosen = tmp_path / "referee.toml", tmp_path / "chosen.toml"
    changes.write_text(before)
    chosen.write_text(source)
    command.main(Namespace(take=chosen, house=None), changes)
    return changes.read_text()


@pytest.mark.parametrize(
    "before",
    [
        "",
        changes_text({}),
        "[ display ]\nrotation = 180\n",
        "display.driver = 'ssd1306'\n",
        '[display]\n#driver = "ssd1306"\n#driver = "ssd1309"\n',
        "display = {driver = 'ssd1309'}\n[house.mine]\nbase = 'pb'\n",
        f"panel.B.ok = false\n{TWO}{HOUSE}",
    ],
)
def test_every_form_of_a_configuration_takes_values_and_keeps_its_others(
    before: str, tmp_path: Path
) -> None:
    was = parse_config(before, SHIPPED)
    text = taken(tmp_path, before, DISPLAY)
    now = parse_config(text, SHIPPED)
    assert [display.driver for display in now.displays] == ["sh1106"]
    assert now.displays[0].rotation == was.displays[0].rotation
    assert now.settings == {**was.settings, "language": "de"}
    assert (now.houses, now.panels, now.dome) == (was.houses, was.panels, was.dome)
    assert text.count("\n# ") == changes_text({}).count("\n# ")
    assert (tmp_path / "referee.toml.before").read_text() == before


def test_two_displays_take_the_place_of_one(tmp_path: Path) -> None:
    now = parse_config(taken(tmp_path, "display.rotation = 180\n", TWO), SHIPPED)
    assert [(one.driver, one.i2c_address, one.rotation) for one in now.displays] == [
        ("ssd1309", 0x3C, 180),
        ("ssd1309", 0x3D, 0),
    ]


def test_a_value_as_shipped_becomes_a_comment_again(tmp_path: Path) -> None:
    assert taken(tmp_path, "pins.dome = false\n", "pins.dome = 23\n") == changes_text({})


@pytest.mark.parametrize("source", ["", 'display.driver = "sh1106"\n'])
def test_a_file_that_has_the_values_already_stays_as_it_is(source: str, tmp_path: Path) -> None:
    before = '[display] # from the hobby shop\n  driver="sh1106"\n'
    assert taken(tmp_path, before, source) == before


@pytest.mark.parametrize(
    ("before", "source"),
    [
        ("display.diver = 'sh1106'\n", DISPLAY),
        ("[display\n", DISPLAY),
        ("pins.power = 2\n[display]\nbus = 'spi'\n", "display.bus = 'i2c'\n"),
        ("", "display.driver = 'x'\n"),
    ],
)
def test_a_mistake_or_what_does_not_fit_leaves_the_file_as_it_was(
    before: str, source: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError):
        taken(tmp_path, before, source)
    assert (tmp_path / "referee.toml").read_text() == before
