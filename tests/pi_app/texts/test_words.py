"""The words: places as people say them, and what has just happened."""

import pytest

from pi_app.model.parts import LinkState
from pi_app.model.screens import NOTHING
from pi_app.table.telling.findings import chamber_finding
from pi_app.texts.language import ENGLISH, NARROW, NUMBERS
from pi_app.texts.words import news_words, place_words, size_words
from rules.board import HOME, NEST, ROW
from rules.facts import Again, Begins, Captured, Fact, Lapsed, Penalized, Tied, TurnOf, Won
from rules.ruleset import PRESETS, RuleSet

FINDLER, MODERN = PRESETS["findler"], PRESETS["pachisi-modern"]


@pytest.mark.parametrize(
    ("layout", "seat", "place", "words"),
    [
        ("standard", 0, 0, "A's entry"),
        ("standard", 0, 3, "3 past A"),
        ("standard", 0, 63, "12 past D"),
        ("standard", 2, 20, "3 past D"),
        ("standard", 3, 17, "A's entry"),
        ("corner-64", 1, 47, "15 past D"),
        ("tip-entry", 1, 68, "B's entry"),
        ("standard", 1, ROW + 3, "row 3"),
        ("standard", 1, NEST, "nest"),
        ("standard", 1, HOME, "home"),
    ],
)
def test_a_place_is_counted_from_the_nearest_entry_behind_it(
    layout: str, seat: int, place: int, words: str
) -> None:
    rules = RuleSet(layout=layout)
    assert ENGLISH.say(place_words(rules, seat, place)) == words.replace(" ", NARROW)


@pytest.mark.parametrize(
    ("seat", "place", "words", "on_page"),
    [
        (0, 4, "4 past A", "star 4 past A"),
        (1, 50, "11 past A", "star 11 past A"),
        (0, 21, "8 past B", "globe 8 past B"),
        (0, 13, "B's entry", "B's entry"),
        (0, 5, "5 past A", "5 past A"),
    ],
)
def test_stars_and_globes_are_named_where_there_is_room(
    seat: int, place: int, words: str, on_page: str
) -> None:
    where = place_words(PRESETS["ludo-dk"], seat, place)
    assert ENGLISH.say(where) == words.replace(" ", NARROW)
    assert ENGLISH.say(where, "page") == on_page
    assert ENGLISH.say(place_words(PRESETS["ludo-india"], seat, place), "page") == words


@pytest.mark.parametrize(
    ("seat", "place", "words"),
    [
        (0, 0, "space 5"),
        (0, 63, "space 68"),
        (0, 62, "space 67"),
        (1, 0, "space 22"),
        (1, 46, "space 68"),
        (1, 47, "space 1"),
        (3, 13, "space 1"),
        (3, 16, "space 4"),
        (2, ROW + 3, "row 3"),
        (2, NEST, "nest"),
    ],
)
def test_the_spaces_of_a_parchis_board_have_its_printed_numbers(
    seat: int, place: int, words: str
) -> None:
    shown = ENGLISH.in_idioms(NUMBERS).say(place_words(RuleSet(), seat, place))
    assert shown == words.replace(" ", NARROW)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ((), ""),
        ((TurnOf(1),), ""),
        ((Captured(1, 12, 0), TurnOf(1)), "B to nest"),
        ((Captured(1, 12, 0), Captured(2, 9, 0), Again(0)), "BC to nest, throw again"),
        ((Lapsed(0, 20), TurnOf(1)), "20 not used"),
        ((Lapsed(0, 5), Lapsed(0, 20), TurnOf(1)), "5 and 20 not used"),
        ((Lapsed(0, 6), Lapsed(0, 1), Lapsed(0, 1), TurnOf(1)), "6, 1 and 1 not used"),
        ((Penalized(0, 20), TurnOf(1)), ""),
        ((Won(2, 1), TurnOf(1)), "C is 1st"),
        ((Won(2, 3),), "C is 3rd"),
        ((Tied((0, 2)),), "tie: A and C throw"),
        ((Begins(3),), "D begins"),
    ],
)
def test_what_has_just_happened_in_a_few_words(facts: tuple[Fact, ...], said: str) -> None:
    assert ENGLISH.say(news_words(FINDLER, facts)) == said


def test_a_grace_for_which_no_pawn_waits_was_not_left_unused() -> None:
    assert ENGLISH.say(news_words(MODERN, (Lapsed(0, 6), Lapsed(0, 1), Again(0)))) == (
        "6 not used, throw again"
    )
    assert news_words(MODERN, (Lapsed(0, 1), TurnOf(1))) == NOTHING


def test_a_partner_who_is_home_has_not_won_yet() -> None:
    assert ENGLISH.say(news_words(MODERN, (Won(0, 1), TurnOf(1)))) == "A is home"


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 MB"), (512_000_000, "512 MB"), (1_500_000_000, "1.5 GB"), (71_885_000_000, "71.9 GB")],
)
def test_room_on_a_disk_is_told_in_units_that_keep_the_number_short(size: int, words: str) -> None:
    assert ENGLISH.say(size_words(size)) == words


@pytest.mark.parametrize(
    ("line", "counters"),
    [
        (LinkState(True, 1, 1, 1), "1 command, 1 line lost, 1 throw by itself."),
        (LinkState(True, 14, 0, 2), "14 commands, 0 lines lost, 2 throws by itself."),
    ],
)
def test_the_chamber_s_counters_say_what_they_count(line: LinkState, counters: str) -> None:
    assert ENGLISH.say(chamber_finding(line).look) == counters
