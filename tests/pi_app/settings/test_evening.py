"""The score of the evening: games won and undone, and when another evening begins."""

from string import ascii_uppercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.model.events import ClockRead, Setup
from pi_app.settings.evening import ClockReading, Evening, Score, read_evening
from pi_app.settings.settings import EVENING, Settings
from pi_app.table.modes.play.score import score_lines
from tests.pi_app.sitting import Sitting, enter_rows

ONE_LEFT = "H,H,H,r4/-/H,3,N,N/-"  # A wins with a 4
HOURS = 3600.0
LUC_AND_TOM = {"player.A": "LUC -", "player.C": "TOM -"}


def won(table: Sitting) -> Sitting:
    """Let A win a game that is nearly over."""
    table.resume(ONE_LEFT, 0, "pb")
    table.dice = iter([(4, 6)])
    table.throw()
    table.confirm(0)
    return table


def score(table: Sitting) -> tuple[Score, ...]:
    return table.session.settings.get(EVENING).scores


# --- what is counted -------------------------------------------------------------------------


def test_who_wins_is_counted_in_the_commit_of_the_winning_step() -> None:
    puts: list[str] = []
    table = Sitting(
        settings=Settings(LUC_AND_TOM),
        watch=lambda reply: puts.extend(key for key, _ in reply.puts if reply.rows),
    )
    won(table)
    assert score(table) == (Score("LUC", 1, 1), Score("TOM", 0, 1))
    assert puts == ["evening"]


def test_a_seat_without_a_name_is_counted_by_its_letter() -> None:
    assert score(won(Sitting())) == (Score("A", 1, 1), Score("C", 0, 1))


def test_a_win_that_is_undone_is_taken_back_and_counts_once_when_it_is_won_again() -> None:
    table = won(Sitting(settings=Settings(LUC_AND_TOM)))
    table.choose(0, "undo")
    assert score(table) == ()
    table.ok(0)
    table.ok(0)
    assert score(table) == (Score("LUC", 1, 1), Score("TOM", 0, 1))


def test_a_shared_win_is_one_for_each_and_is_taken_back_from_each() -> None:
    evening = Evening().count_win(["LUC", "TOM"], ["LUC", "MIA", "TOM"], ClockReading())
    assert evening.scores == (Score("LUC", 1, 1), Score("TOM", 1, 1), Score("MIA", 0, 1))
    renamed = read_evening(str(evening)).rename_player("TOM", "TIM")
    assert renamed.scores == (Score("LUC", 1, 1), Score("TIM", 1, 1), Score("MIA", 0, 1))
    assert renamed.undo_win(ClockReading()).scores == ()


def test_equal_seats_of_a_last_round_share_the_win_at_the_table() -> None:
    table = Sitting(settings=Settings(LUC_AND_TOM))
    table.resume("N,N,N,N/-/N,N,N,N/-", 0, "findler")
    enter_rows(table, "last-turn C", *2 * ("throw 2 1", "stop"))
    assert score(table) == (Score("LUC", 1, 1), Score("TOM", 1, 1))


def test_undoing_a_win_that_the_score_does_not_know_of_takes_none_away() -> None:
    known = Evening(ClockReading(), ("A", "C"), (Score("A", 0, 2), Score("C", 1, 2)))
    assert known.undo_win(ClockReading()).scores == (Score("A", 0, 1), Score("C", 1, 1))


def test_a_press_that_the_disk_refuses_counts_nothing() -> None:
    table = Sitting()
    table.resume(ONE_LEFT, 0, "pb")
    table.dice = iter([(4, 6)])
    table.throw()
    table.refusing = "disk-full"
    table.ok(0)
    assert score(table) == ()
    table.refusing = ""
    table.ok(0)
    table.ok(0)
    assert score(table) == (Score("A", 1, 1), Score("C", 0, 1))


def test_a_game_that_is_ended_is_won_by_nobody() -> None:
    table = Sitting()
    table.resume(ONE_LEFT, 0, "pb")
    table.choose(0, "game", "end")
    table.hold_ok(0)
    assert score(table) == ()


def test_a_player_named_after_a_game_keeps_what_the_letter_has_won() -> None:
    before = Evening(ClockReading(), ("A", "C"), (Score("A", 1, 1), Score("C", 0, 1)))
    assert before.rename_player("A", "LUC").scores == (Score("LUC", 1, 1), Score("C", 0, 1))
    assert before.rename_player("A", "LUC").undo_win(ClockReading()).scores == ()
    assert before.rename_player("A", "C") == before


def test_two_panels_of_one_name_count_once() -> None:
    assert Evening().count_win(["LUC"], ["LUC", "LUC"], ClockReading()).scores == (
        Score("LUC", 1, 1),
    )


# --- since when ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "now", "hours"),
    [
        (ClockReading("a", 100.0, 0.0), ClockReading("a", 100.0 + 7 * HOURS, 0.0), 7),
        (
            ClockReading("a", 0.0, 0.0),
            ClockReading("a", HOURS, 9e8),
            1,
        ),  # the clock was set meanwhile
        (ClockReading("a", 100.0, 1e9), ClockReading("b", 5.0, 1e9 + 8 * HOURS), 8),
        (
            ClockReading("a", 100.0, 1e9),
            ClockReading("b", 5.0, 9e8),
            0,
        ),  # the clock is behind: can't be known
    ],
)
def test_time_is_told_by_the_boot_s_clock_and_over_a_boot_by_the_time_of_day(
    last: ClockReading, now: ClockReading, hours: float
) -> None:
    assert now.since(last) == hours * HOURS


@pytest.mark.parametrize(("rest", "kept"), [(5.9, True), (6.1, False)])
def test_a_game_begun_after_six_hours_rest_begins_another_evening(rest: float, kept: bool) -> None:
    table = Sitting(settings=Settings({"evening": "x 0 1000000 won - LUC:2/3"}))
    table.tell(ClockRead(1000000 + rest * HOURS, "y", 0.0))
    assert score(table) == (Score("LUC", 2, 3),)  # until a game begins
    table.begin(0, 2)
    assert score(table) == ((Score("LUC", 2, 3),) if kept else ())
    assert table.session.settings.get(EVENING).last.boot == "y"


def test_the_clock_goes_on_between_what_is_told() -> None:
    table = Sitting()
    table.tell(ClockRead(5000.0, "y", 0.0))
    table.t = 100.0
    table.begin(0, 2)
    last = table.session.settings.get(EVENING).last
    assert (last.unix - last.t, last.t > 100.0) == (5000.0, True)


names = st.text(ascii_uppercase + digits, min_size=1, max_size=3)
evenings = st.builds(
    Evening,
    st.builds(
        ClockReading,
        st.sampled_from(["", "6a1f-22"]),
        st.integers(0, 10**9).map(float),
        st.integers(0, 10**10).map(float),
    ),
    st.lists(names, max_size=4).map(tuple),
    st.lists(st.builds(Score, names, st.integers(0, 99), st.integers(1, 99)), max_size=6).map(
        tuple
    ),
)


@given(evenings)
def test_its_text_reads_back(evening: Evening) -> None:
    assert read_evening(str(evening)) == evening


@pytest.mark.parametrize(
    "text", ["", "x 1 2", "x 1 2 won - LUC:1", "x y z won -", f"x 0 {400 * '9'} won -"]
)
def test_what_is_no_evening_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an evening"):
        read_evening(text)


# --- on the screen ---------------------------------------------------------------------------


def test_the_menu_shows_it_when_there_is_any_the_best_first() -> None:
    table = Sitting(settings=Settings({"evening": "- 0 0 won - TOM:0/3 LUC:2/3 WWW:1/2"}))
    table.ok(0)
    table.choose(0, "game", "score")
    assert (table.page.title, table.page.lines, table.hint) == (
        "A: games-won",
        (
            "won-of(games=3, who=LUC, wins=2)",
            "won-of(games=2, who=WWW, wins=1)",
            "won-of(games=3, who=TOM, wins=0)",
        ),
        "press-next: do-back, press-hold-ok: do-from-0",
    )
    table.next(0)
    assert table.page.title == "A: menu-game"
    empty = Sitting()
    empty.ok(0)
    empty.choose(0, "game")
    assert empty.page.lines == ("menu-bots", "players", "menu-leave", "house-rules", "do-back")


def test_it_begins_at_0_only_by_holding_ok() -> None:
    table = won(Sitting())
    table.choose(0, "game", "score")
    table.ok(0)
    assert (table.notice, len(score(table))) == ("hold-to-begin-anew", 2)
    table.hold_ok(0)
    assert score(table) == ()


def test_one_button_reads_it_and_goes_back() -> None:
    table = Sitting(Setup(next_buttons=()), settings=Settings({"evening": "- 0 0 won - B:1/2"}))
    table.resume(ONE_LEFT, 0, "pb")
    table.hold_ok(2)
    for line in ("game", "score"):
        while table.marked != line:
            table.ok(2)
        table.hold_ok(2)
    assert table.page.lines == ("won-of(games=2, who=B, wins=1)",)
    assert table.hint == "press-tap: do-back, press-hold: do-from-0"
    table.ok(2)
    assert table.page.title == "C: menu-game"


def test_as_many_as_may_come_in_an_evening_fit() -> None:
    many = tuple(Score(f"WW{n}", 10, 20) for n in range(10))
    table = Sitting(settings=Settings({"evening": str(Evening(ClockReading(), (), many))}))
    table.ok(0)
    table.choose(0, "game", "score")
    assert len(table.page.lines) == len(score_lines(Evening(ClockReading(), (), many))) == 5
