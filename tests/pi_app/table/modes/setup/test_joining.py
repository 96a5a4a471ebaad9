"""From joining to who begins: what presses do and show before the first turn."""

from dataclasses import replace

import pytest

from pi_app.model.events import Setup
from pi_app.model.screens import Die, Seat, Text, message
from pi_app.settings.houses import House
from pi_app.settings.offers import EDITIONS
from pi_app.settings.settings import RULESET, Settings
from pi_app.table.core.state import NO_SETTINGS
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting, filled, marks, words

NESTS = "N,N,N,N/-/N,N,N,N/-"
TWO_BEGIN = [(6, 3), (2, 1)]  # A throws 9, C 3: A begins


# --- joining ---------------------------------------------------------------------------------


def test_ok_joins() -> None:
    table = Sitting()
    table.ok(2)
    assert (marks(table), table.reply.lamps) == (
        "A:- B:- C:joined D:-",
        ("breathe", "breathe", "on", "breathe"),
    )


def told_by(table: Sitting) -> Text:
    """Return the line for a moment that the last press has brought."""
    assert table.session.whisper is not None
    return table.session.whisper.text


@pytest.mark.parametrize("seat", [0, 2])
def test_a_short_ok_of_somebody_who_has_joined_only_says_who_holds_ok_to_begin(seat: int) -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    before = table.session.mode
    table.ok(seat)
    assert (table.session.mode, table.rows) == (before, [])
    assert told_by(table) == message("hold-ok-to-begin", seat=Seat(2))


def test_a_short_ok_of_the_only_one_who_has_joined_says_that_one_more_is_needed() -> None:
    table = Sitting()
    table.ok(2)
    table.ok(2)
    assert (table.session.joined, told_by(table)) == ((2,), message("one-more-player"))


def test_a_short_ok_after_the_warning_of_neighbours_says_to_hold_again_and_keeps_it() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(3)
    table.hold_ok(0)
    table.ok(0)
    assert told_by(table) == message("hold-ok-again-to-begin", seat=Seat(0))
    table.hold_ok(0)
    assert len(table.rows) == 1


def test_next_opens_the_families_of_games_that_of_the_next_game_first() -> None:
    table = Sitting()
    assert (table.page.title, table.page.lines) == ("ask-who-plays", ("edition-royal-2023",))
    assert table.hint == "press-ok: do-join, press-next: do-other-rules"
    assert table.page.corner == "1/12"
    shown = []
    table.next(1)
    for _ in range(6):
        shown.append((table.page.corner, *table.page.lines))
        table.next(1)
    assert table.page.title == "B: ask-which-game"
    assert shown == [
        ("1/4", "family-parcheesi", "family-parcheesi-board", "family-parcheesi-entry"),
        ("", "change-rules(edition-royal-2023)"),
        ("2/4", "family-parchis", "family-parchis-board", "family-parchis-entry"),
        ("3/4", "family-ludo", "family-ludo-board", "family-ludo-entry"),
        ("4/4", "family-pachisi", "family-pachisi-board", "family-pachisi-entry"),
        ("", "do-back"),
    ]


@pytest.mark.parametrize(
    ("family", "editions"),
    [
        (
            "parcheesi",
            [
                ("edition-royal-2023",),
                ("edition-sr-1942", "apart-bonus-timing-any"),
                ("edition-sr-1975", "apart-entry-number-reserved-yes", "apart-entry-required-no"),
                (
                    "edition-tr-1960",
                    "apart-doublet-spaces-fourteen-two-pawns",
                    "apart-entry-number-reserved-yes",
                ),
                (
                    "edition-tr-1938",
                    "apart-doublet-spaces-fourteen-any",
                    "apart-entry-number-reserved-yes",
                ),
                ("edition-pb", "apart-doublet-spaces-top", "apart-touch-down-yes"),
                ("edition-mb-india", "apart-doublet-spaces-four", "apart-entry-required-no"),
                ("edition-mb-total", "apart-total-move-only", "apart-entry-number(7)"),
                ("edition-one-die", "apart-dice-1", "apart-doublet-number-6"),
                ("edition-encyclopedia", "apart-total-move-allowed", "apart-doublet-spaces-four"),
                ("edition-sca", "apart-doublet-spaces-four", "apart-undersides-enter-yes"),
                ("edition-findler", "apart-usage-exhaust", "apart-pair-rule-at-end"),
            ],
        ),
        (
            "parchis",
            [
                ("edition-parchis",),
                ("edition-parchis-two", "apart-dice-2", "apart-doublet-number-any"),
            ],
        ),
        (
            "ludo",
            [
                ("edition-ludo-uk",),
                ("edition-ludo-india", "apart-safety-entries-stars", "apart-pairs-immune"),
                ("edition-ludo-de", "apart-layout-ring-40", "apart-stacking-one"),
                ("edition-pop-28", "apart-layout-ring-28", "apart-stacking-one"),
                ("edition-petits-chevaux", "apart-to-win-1", "apart-overshoot-back"),
                ("edition-ludo-dk", "apart-overshoot-back", "apart-stars-jump"),
                ("edition-ludo-ch", "apart-captures-passing", "apart-entry-number(5)"),
            ],
        ),
        (
            "pachisi",
            [
                ("edition-pachisi-mitra",),
                ("edition-pachisi-modern", "apart-partners-yes", "apart-free-entry-yes"),
            ],
        ),
    ],
)
def test_a_family_shows_what_sets_each_edition_apart_from_its_usual_one(
    family: str, editions: list[tuple[str, ...]]
) -> None:
    table = Sitting()
    table.next(1)
    table.choose(1, family)
    shown = []
    for _ in editions:
        shown.append(table.page.lines)
        table.next(1)
    assert (table.page.title, shown) == ("B: ask-which-rules", editions)
    assert table.page.lines == ("do-back",)


def test_an_edition_is_chosen_with_ok_and_the_players_stay_joined() -> None:
    table = Sitting()
    table.ok(1)
    table.choose_rules(3, "ludo-india")
    assert (table.page.title, table.page.lines) == ("ask-who-plays", ("edition-ludo-india",))
    assert (table.page.corner, marks(table)) == ("2/7", "A:- B:joined C:- D:-")
    table.next(3)
    assert (table.marked, table.page.lines[0]) == ("ludo", "family-ludo")
    table.ok(3)
    assert table.marked == "ludo-india"


@pytest.mark.parametrize("name", EDITIONS)
def test_who_plays_the_same_game_every_evening_presses_nothing_for_it(name: str) -> None:
    last = Sitting(settings=NO_SETTINGS.put(RULESET, name))
    for table in (Sitting(Setup(ruleset=name)), last):
        for seat in (2, 0, 1, 3) if PRESETS[name].partners else (2, 0):
            table.ok(seat)
        table.hold_ok(2)
        assert table.game.ruleset == PRESETS[name]


def test_house_rules_are_a_family_of_their_own() -> None:
    rules = House("ludo-uk", replace(PRESETS["ludo-uk"], tries=3))
    table = Sitting(settings=Settings({"house.1": str(rules)}))
    table.next(1)
    assert table.choices == (
        "parcheesi",
        "change-rules",
        "parchis",
        "ludo",
        "pachisi",
        "own",
        "back",
    )
    table.choose(1, "own")
    assert [*table.page.lines] == ["house-name(1)", "edition-ludo-uk", "apart-tries-3"]
    table.ok(1)
    assert (table.page.title, table.page.lines[0]) == ("ask-who-plays", "house-name(1)")


@pytest.mark.parametrize("name", ["sr-1942", "sr-1989"])
def test_editions_with_the_same_rules_are_one_entry(name: str) -> None:
    table = Sitting(Setup(ruleset=name))
    assert (table.page.lines, table.page.corner) == (("edition-sr-1942",), "2/12")
    table.begin(0, 2)
    assert table.game.ruleset == PRESETS[name]
    assert RULESET.key not in table.session.settings.kept  # another configuration counts at once


def test_the_first_to_join_begins_by_holding_ok() -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    assert table.hint == "hold-ok-to-begin(C)"
    table.hold_ok(2)
    assert table.rows == [recorded('new "royal-2023" seats 2,0', NESTS)]
    assert (table.record.host, table.game.phase) == (2, Phase.ORDER)


@pytest.mark.parametrize("seat", [0, 2])
def test_whoever_has_joined_leaves_by_the_menu(seat: int) -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    table.choose(seat, "game", "leave")
    left = ("A:- B:- C:joined D:-", "A:joined B:- C:- D:-")[seat == 2]
    assert (table.page.title, marks(table)) == ("ask-who-plays", left)


def test_holding_ok_by_another_than_the_first_removes_nobody_and_says_who_begins() -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    table.hold_ok(0)
    assert (marks(table), table.rows) == ("A:joined B:- C:joined D:-", [])
    assert table.notice == "hold-ok-to-begin(C)"


def test_holding_ok_alone_removes_nobody_and_says_that_one_more_is_needed() -> None:
    table = Sitting()
    table.ok(2)
    table.hold_ok(2)
    assert (marks(table), table.rows) == ("A:- B:- C:joined D:-", [])
    assert table.notice == "one-more-player"


def test_once_another_player_has_joined_or_left_the_refusal_before_it_is_gone() -> None:
    table = Sitting()
    table.ok(2)
    table.hold_ok(2)
    table.ok(0)
    assert table.notice == ""
    table.hold_ok(0)
    assert table.notice == "hold-ok-to-begin(C)"
    table.choose(2, "game", "leave")
    assert (marks(table), table.notice) == ("A:joined B:- C:- D:-", "")


def test_the_ok_that_joins_and_is_held_on_says_nothing_and_removes_nobody() -> None:
    table = Sitting()
    table.press(2, "ok", 3.0)
    assert (marks(table), table.notice) == ("A:- B:- C:joined D:-", "")


def test_after_the_warning_of_neighbours_another_hold_says_who_begins_by_holding_again() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(3)
    table.hold_ok(0)
    table.hold_ok(3)
    assert (table.notice, table.rows) == ("hold-ok-again-to-begin(A)", [])
    table.hold_ok(0)
    assert len(table.rows) == 1


def test_two_neighbours_are_told_and_begin_by_holding_ok_again() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(3)
    table.hold_ok(0)
    assert (table.rows, table.page.lines) == ([], ("opposite-seats",))
    table.hold_ok(0)
    assert [str(row.entry) for row in table.rows] == ['new "royal-2023" seats 0,3']


def test_a_third_player_makes_neighbours_no_question() -> None:
    table = Sitting()
    for seat in (0, 3):
        table.ok(seat)
    table.hold_ok(0)
    table.ok(1)
    assert table.page.lines == ("edition-royal-2023",)
    table.hold_ok(0)
    assert len(table.rows) == 1


def test_a_bar_fills_while_ok_is_held_and_a_late_release_does_nothing() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    table.read(0)
    table.down(0, "ok")
    table.wait(0.5)
    assert filled(table) == pytest.approx(0.5)
    table.wait(0.3)
    table.up(0, "ok")
    assert (table.reply.motion.bar, marks(table), table.rows) == (
        None,
        "A:joined B:- C:joined D:-",
        [],
    )


def test_a_panel_that_is_not_there_joins_nothing() -> None:
    table = Sitting(Setup(panels=(0, 2), next_buttons=(0, 2)))
    table.ok(1)
    assert marks(table) == "A:- C:-"


# --- who begins ------------------------------------------------------------------------------


def test_each_throw_stands_long_enough_to_read_then_the_next_seat_is_named() -> None:
    table = Sitting(dice=TWO_BEGIN)
    table.begin(0, 2)
    assert (table.page.title, marks(table)) == ("who-throws(A)", "A:- C:-")
    table.dome()
    assert all(die.tumbling for die in table.table.dice)
    table.wait(0.5)
    assert (table.table.dice, words(table)) == ((Die(6), Die(3)), "throws-score(9)")
    table.wait(1.4)
    assert words(table) == "throws-score(9)"
    table.wait(0.2)
    assert (table.page.title, marks(table)) == ("who-throws(C)", "A:9 C:-")


def test_the_winner_of_the_throws_begins() -> None:
    table = Sitting(dice=[(2, 1), (6, 3)])
    table.begin(0, 2)
    table.throw()
    table.throw()
    assert table.game.phase == Phase.THROW
    assert table.table.heading == "throws(C)"
    assert table.table.note == "begins(C)"
    assert table.reply.lamps == ("off", "off", "on", "off")


def test_ties_throw_again() -> None:
    table = Sitting(dice=[(2, 1), (2, 1)])
    table.begin(0, 2)
    table.throw()
    table.throw()
    assert table.page.title == "who-throws(A)"
    assert table.page.lines == ("press-the-dome",)
    assert marks(table) == "A:- C:-"


def test_of_three_only_those_tied_throw_again() -> None:
    table = Sitting(dice=[(6, 3), (5, 4), (2, 1)])
    table.begin(0, 2, 3)
    for _ in range(3):
        table.throw()
    assert table.page.title == "who-throws(A)"
    assert table.hint == "tie-again(A+D)"
    assert marks(table) == "A:- C:out D:-"


def test_single_dice_decide_where_the_rules_say_so() -> None:
    table = Sitting(dice=[(4, 4)])
    table.begin(0, 2, ruleset="encyclopedia")
    assert (table.page.lines, table.hint) == (("press-the-dome",), "lowest-die-begins")
    table.throw()
    assert marks(table) == "A:4 C:-"
    assert str(table.rows[-1].entry) == "throw 4"


def test_where_the_players_choose_next_goes_round_and_the_first_to_join_confirms() -> None:
    table = Sitting()
    table.begin(3, 0, 2, ruleset="findler")
    assert table.page.lines == ("begins(A)", "begins(C)", "begins(D)")
    table.next(3)
    assert table.page.chosen == 1
    table.ok(0)
    assert (table.notice, table.game.phase) == ("corrected-turn(D)", Phase.STARTER)
    table.ok(3)
    assert (str(table.rows[-1].entry), table.game.seat) == ("choose 2", 2)


def test_with_one_button_the_list_of_games_has_a_way_to_the_menu_and_back() -> None:
    table = Sitting(Setup(next_buttons=()))
    table.ok(1)
    table.ok(3)
    table.ok(3)
    assert table.choices == (
        "parcheesi",
        "change-rules",
        "parchis",
        "ludo",
        "pachisi",
        "menu",
        "back",
    )
    for _ in range(5):
        table.ok(3)
    assert table.page.lines == ("menu",)
    assert table.hint == "press-tap: do-other, press-hold: do-this-one"
    table.hold_ok(3)
    assert table.page.title == "D: menu"
    for _ in range(table.choices.index("back")):
        table.ok(3)
    table.hold_ok(3)
    assert (table.page.title, table.session.joined) == ("ask-who-plays", (1, 3))


def test_with_one_button_a_hold_removes_nobody_and_the_menu_has_leaving() -> None:
    table = Sitting(Setup(next_buttons=()))
    table.ok(1)
    table.hold_ok(1)
    assert table.notice == "one-more-player"
    table.ok(3)
    table.hold_ok(3)
    assert (marks(table), table.notice) == ("A:- B:joined C:- D:joined", "hold-to-begin(B)")
    table.ok(3)
    presses = 1
    for line in ("menu", "game", "leave"):
        while table.marked != line:
            table.ok(3)
            presses += 1
        table.hold_ok(3)
        presses += 1
    assert (table.page.title, marks(table)) == ("ask-who-plays", "A:- B:joined C:- D:-")
    assert presses <= 12
