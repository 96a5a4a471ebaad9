"""`referee rules` and `referee config --house`: house rules from their line."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from pi_app.commands import UsageError, config, rules
from pi_app.config.keys import SHIPPED
from pi_app.config.reading import parse_config
from pi_app.config.toml import ConfigError
from pi_app.settings.houses import parse_house
from rules.ruleset import OPTIONS

LINE = ["ludo-uk", "to-win:1", "must-capture:yes"]
PANELS = "[panel.A]\nok = 17\n[panel.C]\nok = 16\n"


def test_the_card_has_the_differences_the_line_the_configuration_and_all_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules.main(Namespace(line=LINE, language="en"))
    printed = capsys.readouterr().out
    head, line, table, *_ = printed.split("\n\n")
    assert head == "Ludo\nthe first pawn home wins\nyou must capture"
    assert line == "ludo-uk to-win:1 must-capture:yes"
    assert parse_config(PANELS + table).houses == {"ours": parse_house(line)}
    assert "    to win: 1 home" in printed.splitlines()
    assert len(printed.splitlines()) <= len(OPTIONS) + 20  # it fits on one page


def test_the_card_is_in_the_language_that_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules.main(Namespace(line=["LUDO-UK", "TO-WIN:1"], language="de"))
    assert capsys.readouterr().out.startswith("Ludo\ndie erste Figur gewinnt\n\nludo-uk to-win:1\n")


def test_a_line_that_is_no_house_rules_is_refused() -> None:
    with pytest.raises(UsageError, match="'pb dice:7' is no line of house rules: dice can't be 7"):
        rules.main(Namespace(line=["pb", "dice:7"], language="en"))


def test_a_line_becomes_house_rules_in_the_configuration_and_changes_those_of_its_name(
    tmp_path: Path,
) -> None:
    changes = tmp_path / "referee.toml"
    changes.write_text('[house.ours]\nbase = "pb"\nplay_on = true\n')
    config.main(Namespace(take=None, house=["ours", " ".join(LINE)]), changes)
    houses = parse_config(changes.read_text(), SHIPPED).houses
    assert houses == {"ours": parse_house(" ".join(LINE))}


def test_a_name_that_can_not_be_is_refused_and_nothing_written(tmp_path: Path) -> None:
    changes = tmp_path / "referee.toml"
    with pytest.raises(ConfigError, match="an edition is called so"):
        config.main(Namespace(take=None, house=["pb", "ludo-uk"]), changes)
    assert not changes.exists()


def test_a_language_without_a_catalog_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    rules.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([*LINE, "--language", "xx"])
    assert "invalid choice: 'xx'" in capsys.readouterr().err
