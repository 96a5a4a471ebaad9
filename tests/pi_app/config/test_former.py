"""Former names of keys and values are read, and the log names those of today."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pi_app.config import ConfigError, load_config
from pi_app.config.former import KEYS, VALUES
from pi_app.config.keys import RULES

OLD = """[panel]
A.ok = 17
C.ok = 16
[table]
journal = "/srv/games"
[chamber]
mode = "roll"
[settings]
dice = "box"
"""


def test_a_configuration_by_former_names_means_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "old.toml"
    path.write_text(OLD, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        config = load_config(path)
    assert config.journal == Path("/srv/games")
    assert config.chamber_dice_from == "chamber"
    assert config.settings["dice"] == "referee"
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}, line 5: table.journal is the former name: write table.journal_folder",
        f'{path}, line 7: chamber.mode = "roll" is the former name: '
        'write chamber.dice_from = "chamber"',
        f'{path}, line 9: settings.dice = "box" is the former name: '
        'write settings.dice = "referee"',
    ]


def test_names_of_today_are_not_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "new.toml"
    path.write_text('panel.A.ok = 17\npanel.C.ok = 16\nchamber.dice_from = "pi"\n', "utf-8")
    with caplog.at_level(logging.WARNING):
        load_config(path)
    assert caplog.records == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (
            'table.journal = "games"',
            'line 3: table.journal_folder is "games": write an absolute folder, "/..." or "~/..."',
        ),
        (
            'chamber.mode = "both"',
            'line 3: chamber.dice_from is "both": write one of "pi", "chamber"',
        ),
        (
            'table = { journal_folder = "/a", journal = "/b" }',
            "line 3: table.journal is not a key of this configuration: take it out",
        ),
    ],
)
def test_what_is_wrong_with_a_former_name_is_named_with_its_line(
    line: str, wrong: str, tmp_path: Path
) -> None:
    path = tmp_path / "old.toml"
    path.write_text(f"panel.A.ok = 17\npanel.C.ok = 16\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_config(path)
    assert raised.value.sentences == (f"{path}, {wrong}",)


def test_each_former_name_leads_to_a_key_and_a_value_of_today() -> None:
    assert set(KEYS.values()) <= set(RULES)
    assert not set(KEYS) & set(RULES)
    for (key, former), value in VALUES.items():
        assert RULES[key].accepts(value)
        assert not RULES[key].accepts(former)
