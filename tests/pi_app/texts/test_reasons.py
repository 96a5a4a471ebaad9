"""Why a step is not legal, in a few words: each reason that a panel can give has its own."""

import random
from typing import Any

import pytest

from pi_app.texts.language import ENGLISH
from pi_app.texts.reasons import SHORT_REASONS, short_reason
from rules.board import board
from rules.questions.explain import try_increment, what_stops
from rules.questions.reasons import Reason, Rule, because
from tests.rules.test_reasons import drawn

LONGEST = 40  # letters: two short reasons in the note beside the map
ENTERS: dict[str, Any] = {"enters": "5", "by_sum": False}
SUM_ENTERS: dict[str, Any] = {"enters": "7", "by_sum": True}


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (because(Rule.BARRED, 2, 13, where="on 13 past A"), "blocked by C"),
        (because(Rule.TOGETHER, 0, 40, other="C", where="on 6 past C"), "blocked by A+C"),
        (because(Rule.PARTNER_STANDS, 2, 33, where="on 3 past D"), "your partner's pawn"),
        (because(Rule.ENTRY_BLOCKED, 1, 0, own="A"), "entry blocked by B"),
        (because(Rule.ENTRY_BLOCKED, 0, 0, own="A"), "your own blockade"),
        (because(Rule.WHOLE_DOUBLET), "all four numbers or none"),
        (because(Rule.WHOLE_THROW), "all numbers or none"),
        (because(Rule.SAFETY_HELD, 3, 7, where="on 7 past A"), "safe: D is there"),
        (because(Rule.OTHER_NUMBER, entry="a 5", spent="3", **ENTERS), "only a 5 enters"),
        (because(Rule.BONUS_ENTERS, enters="8", by_sum=False), "only an 8 enters"),
        (because(Rule.BONUS_ENTERS, enters="1, 6", by_sum=False), "only 1 and 6 enter"),
        (because(Rule.ENTRY_BY_SUM, spaces=7, **SUM_ENTERS), "only a sum of 7 enters"),
        (because(Rule.ONLY_LEFT, left=3, are="are"), "only 3 left"),
        (because(Rule.HOME_WHOLE), "home needs all 14"),
        (because(Rule.MUST_ENTER), "a pawn must enter"),
        (because(Rule.LOTS_ENTER, enters="6, 10, 25"), "only 6, 10 and 25 enter"),
        (because(Rule.GRACE_MOVES), "a grace enters"),
        (because(Rule.NOT_PASSED, 1, 51, where="on 9 past D", own="A"), "can't pass B"),
        (because(Rule.NOT_PASSED, 0, 52, where="on 10 past D", own="A"), "your own pawn"),
        (because(Rule.BENCH_PASSED, 1, 17, where="on B's entry"), "two of B can't be passed"),
        (because(Rule.LADDER, number=3), "needs a 3"),
        (because(Rule.FOOT_COUNT, origin="54", to_go=1, spaces=3), "too far for the ladder"),
        (because(Rule.NOT_AMONG, step="1-2(1)"), "not allowed"),
    ],
    ids=lambda value: value.rule.name if isinstance(value, Reason) else "",
)
def test_a_reason_in_a_few_words(reason: Reason, words: str) -> None:
    assert ENGLISH.say(short_reason(reason)) == words


def test_what_depends_on_the_rule_alone_fits_the_note() -> None:
    said = {rule.name: ENGLISH.say(short_reason(Reason(rule))) for rule in SHORT_REASONS}
    assert {rule: words for rule, words in said.items() if not 0 < len(words) <= LONGEST} == {}


def test_whatever_stops_an_increment_has_words_of_its_own() -> None:
    met = set[Rule]()
    for game in drawn(random.Random(10), 100):
        dice = [(spaces, False) for spaces, spent in game.increments if not spent]
        for spaces, bonus in [*dice, *((spaces, True) for spaces in game.bonuses)]:
            tried = (
                try_increment(game, place, spaces, bonus)
                for place in set(game.position[game.seat]) - {board(game.ruleset.layout).end}
            )
            reasons = [one for one in tried if isinstance(one, Reason)]
            for reason in (*reasons, *what_stops(game, spaces, bonus)):
                assert ENGLISH.say(short_reason(reason)) != "not allowed", reason
                met.add(reason.rule)
    assert len(met) > 15
