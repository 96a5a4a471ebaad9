"""What is set at the table, as the journal keeps it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.record.journal import load
from pi_app.record.schema import kept_settings
from tests.pi_app.record.journals import GAME, change, commit, last_game, opened, table, write
from tests.pi_app.record.test_journal_damage import action_changed, row_lost, unknown_schema


def test_settings_are_kept_and_a_later_value_takes_the_place_of_an_earlier_one(path: Path) -> None:
    journal = opened(path)
    assert journal.settings() == {}
    for key, value in (("brightness", "3"), ("player.A", "Zoë"), ("brightness", "4")):
        commit(journal, (), 0.0, puts=((key, value),))
    assert journal.settings() == {"brightness": "4", "player.A": "Zoë"}
    journal.close()
    journal = opened(path)
    assert journal.settings() == {"brightness": "4", "player.A": "Zoë"}
    journal.close()


def test_a_setting_that_cannot_be_read_keeps_no_table_from_starting(path: Path) -> None:
    journal = opened(path)
    commit(journal, (), 0.0, puts=(("brightness", "3"),))
    journal.close()
    change(path, "INSERT INTO settings VALUES ('volume', CAST(x'ff' AS TEXT))")
    change(path, "INSERT INTO settings VALUES (CAST(x'fe' AS TEXT), 'x')")
    journal, found = load(path)
    assert found.warning is None
    assert journal.settings() == {"brightness": "3"}
    journal.close()


def test_the_settings_of_a_closed_journal_are_read_and_nothing_is_made_beside_it(
    path: Path,
) -> None:
    assert kept_settings(path) == {}
    assert not path.exists()
    journal = opened(path)
    commit(journal, (), 0.0, puts=(("language", "de"),))
    journal.close()
    before = sorted(path.parent.iterdir())
    assert kept_settings(path) == {"language": "de"}
    assert sorted(path.parent.iterdir()) == before
    path.write_bytes(b"no database" * 100)
    assert kept_settings(path) == {}


@pytest.mark.parametrize("damage", [row_lost, action_changed, unknown_schema])
def test_a_rescue_takes_sound_settings_over(path: Path, damage: Callable[[Path], None]) -> None:
    write(path, GAME)
    journal = opened(path)
    commit(journal, (), 0.0, puts=(("brightness", "3"),))
    commit(journal, (), 0.0, puts=(("player.A", "Zoë"),))
    journal.close()
    damage(path)
    journal, found = load(path)
    assert found.aside == "journal.aside.db"
    assert journal.settings() == {"brightness": "3", "player.A": "Zoë"}
    journal.close()
    assert table(path, "SELECT names FROM games") == [('{"A": "Zo\\u00eb"}',)]


def test_settings_that_are_damaged_are_lost_and_the_games_are_not(path: Path) -> None:
    write(path, GAME)
    journal = opened(path)
    commit(journal, (), 0.0, puts=(("brightness", "3"),))
    journal.close()
    data = bytearray(path.read_bytes())
    at = data.rindex(b"brightness") // 4096 * 4096
    path.write_bytes(data[:at] + b"\xff" * 4096 + data[at + 4096 :])
    journal, found = load(path)
    assert (last_game(path), found.missing) == (GAME, 0)
    assert journal.settings() == {}
    commit(journal, (), 0.0, puts=(("brightness", "4"),))
    assert journal.settings() == {"brightness": "4"}
    journal.close()
