"""Which level of bot a rule set offers."""

from dataclasses import replace

from pi_app.table.core.seats import offered_level, offered_levels
from rules.ruleset import PRESETS


def test_without_a_network_a_strong_bot_plays_at_the_highest_level_that_is_left() -> None:
    strange = replace(PRESETS["ludo-uk"], pairs="none")
    assert offered_levels(strange) == ("child", "easy", "club")
    assert (offered_level("strong", strange), offered_level("easy", strange)) == ("club", "easy")
    assert offered_level("strong", PRESETS["ludo-uk"]) == "strong"
