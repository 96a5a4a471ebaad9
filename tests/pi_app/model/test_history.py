"""History: rows fold to the game; undo goes back to a choice and never gives another throw."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.model.history import HistoryError, Row, act, fold, start_row, undo
from rules.actions import Action, Choose, End, Move, Stop, Throw
from rules.board import SEATS
from rules.game import IllegalAction, Phase
from rules.history import Record, new_record
from rules.ruleset import PRESETS, RuleSet, written_options
from rules.steps import parse_step
from tests.asked import extent
from tests.pi_app.model.texts import recorded

NESTS = "N,N,N,N/-/N,N,N,N/-"


def played(ruleset: str, seats: tuple[int, ...], *actions: Action) -> tuple[Record, list[Row]]:
    """Return the record and the rows of a game with these actions; throws from the kernel."""
    record = new_record(PRESETS[ruleset], seats)
    rows = [start_row(record)]
    for action in actions:
        record, row, _ = act(record, action, source_of(action))
        rows.append(row)
    return record, rows


ENTER = Move(parse_step("N-0(5)"))


def test_a_game_is_its_rows() -> None:
    record, rows = played("findler", (2, 0), Choose(0), Throw((5, 3)), ENTER)
    assert [(str(row.entry), row.position, row.source) for row in rows] == [
        ('new "findler" seats 2,0', NESTS, None),
        ("choose 0", NESTS, None),
        ("throw 5 3", NESTS, "kernel"),
        ("move N-0(5)", "0,N,N,N/-/N,N,N,N/-", None),
    ]
    assert fold(rows) == record


def test_the_first_to_join_is_the_first_seat_of_the_first_row() -> None:
    record, rows = played("findler", (3, 0, 1))
    assert (record.host, record.game.seats, str(rows[0].entry)) == (
        3,
        (0, 1, 3),
        'new "findler" seats 3,0,1',
    )


def test_house_rules_are_in_the_first_row_in_full() -> None:
    record = new_record(replace(PRESETS["findler"], again="never"), (0, 2))
    row = start_row(record)
    ruleset = json.loads(str(row.entry).removeprefix("new ").removesuffix(" seats 0,2"))
    assert list(ruleset) == list(written_options(RuleSet()))
    assert fold([row]) == record


def test_a_row_of_a_preset_and_what_differs_from_it_is_read_too() -> None:
    row = recorded('new {"preset": "findler", "again": "never"} seats 0,2', NESTS)
    assert fold([row]).game.ruleset == replace(PRESETS["findler"], again="never")


def test_a_preset_may_stand_in_the_first_row_by_its_bare_name() -> None:
    assert fold([recorded("new findler seats 0,2", NESTS)]) == played("findler", (0, 2))[0]


def test_undo_goes_back_to_the_last_choice_and_its_throw_is_on_the_table() -> None:
    record, _ = played(
        "findler", (0, 2), Choose(0), Throw((5, 1)), ENTER, Move(parse_step("0-1(1)"))
    )
    assert record.game.seat == 2
    record, row = undo(record)
    assert (str(row.entry), row.position) == ("undo", "0,N,N,N/-/N,N,N,N/-")
    assert (record.game.phase, record.game.seat, record.game.throw) == (Phase.MOVE, 0, (5, 1))


def test_throws_after_the_undone_choice_wait_in_order() -> None:
    record, _ = played("findler", (0, 2), Choose(0), Throw((3, 1)), Stop(), Throw((6, 4)), Stop())
    record, _ = undo(record)
    assert [waiting.throw.faces for waiting in record.waiting] == []
    record, _ = undo(record)
    assert [(w.seat, w.throw.faces, w.source) for w in record.waiting] == [(2, (6, 4), "kernel")]
    record, _ = undo(record)
    assert [(w.seat, w.throw.faces) for w in record.waiting] == [(0, (3, 1)), (2, (6, 4))]


def test_a_seat_that_comes_to_the_same_throw_again_gets_the_same_faces() -> None:
    record, _ = played("findler", (0, 2), Choose(0), Throw((3, 1)), Stop(), Throw((6, 4)), Stop())
    record = undo(undo(undo(record)[0])[0])[0]
    record, _, _ = act(record, Choose(0))
    assert record.ready is not None
    assert record.ready.throw == Throw((3, 1))
    record, _, _ = act(record, record.ready.throw, "kernel")
    assert [waiting.throw.faces for waiting in record.waiting] == [(6, 4)]


def test_where_another_seat_comes_to_a_throw_it_and_all_later_ones_are_void() -> None:
    record, _ = played("findler", (0, 2), Choose(0), Throw((3, 1)), Stop(), Throw((6, 4)), Stop())
    record = undo(undo(undo(record)[0])[0])[0]
    record, _, _ = act(record, Choose(2))
    assert record.ready is None
    record, _, _ = act(record, Throw((2, 1)), "kernel")
    assert record.waiting == ()


def test_undo_before_another_seat_throws_brings_the_waiting_throw_back() -> None:
    record, _ = played("findler", (0, 2), Choose(0), Throw((3, 1)), Stop())
    record = undo(undo(record)[0])[0]
    record = undo(act(record, Choose(2))[0])[0]
    record, _, _ = act(record, Choose(0))
    assert record.ready is not None
    assert record.ready.throw == Throw((3, 1))


def test_throws_for_who_begins_can_not_be_undone() -> None:
    record, _ = played("royal-2023", (0, 2), Throw((3, 1)), Throw((6, 4)), Throw((2, 1)))
    assert not record.undoable
    with pytest.raises(IllegalAction, match="no choice has been confirmed"):
        undo(record)


def test_the_end_of_a_game_can_be_undone_throw_and_all() -> None:
    before, _ = played("findler", (0, 2), Choose(0), Throw((5, 3)))
    ended, _, _ = act(before, End())
    assert ended.game.phase is Phase.OVER
    assert undo(ended)[0] == before


def test_a_stored_position_that_the_rules_deny_is_named() -> None:
    _, rows = played("findler", (0, 2), Choose(0), Throw((5, 3)), ENTER)
    rows[-1] = replace(rows[-1], position="1,N,N,N/-/N,N,N,N/-")
    with pytest.raises(HistoryError, match=r"after 'move N-0\(5\)' the rules say 0,N.*row has 1,N"):
        fold(rows)


def test_a_journal_in_which_version_1_0_0_drew_new_dice_after_a_correction_goes_on() -> None:
    begun = ("new findler seats 0,2", "choose 0", "throw 3 1", f"correct {NESTS} seat 2 doublets 0")
    undone = ("throw 6 4", "stop", "throw 3 1", "stop", "throw 2 1", "stop", *["undo"] * 3)
    later = ("stop", "throw 3 1", "stop", "throw 6 2")  # 2 1 waits for C
    rows = [recorded(text, NESTS) for text in (*begun, *undone, *later)]
    assert (fold(rows).game.seat, fold(rows).game.throw) == (2, (6, 2))
    all_undone = fold([*rows, *[recorded("undo", NESTS)] * 3])
    assert (all_undone.game.seat, all_undone.game.throw) == (0, (3, 1))


@pytest.mark.parametrize("action", ["throw 5 3", "new seats 0,2", "undo", "news"])
def test_rows_that_start_no_game_are_refused(action: str) -> None:
    with pytest.raises(ValueError, match=r"new|Expecting"):
        fold([recorded(action, NESTS)])


def test_no_rows_at_all_are_refused() -> None:
    with pytest.raises(HistoryError, match="without rows"):
        fold([])


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=extent(10, soak=30), deadline=None)
@given(data=st.data())
def test_undo_n_times_then_the_same_choices_give_the_same_faces(
    preset: str, data: st.DataObject
) -> None:
    ruleset = PRESETS[preset]
    record = new_record(ruleset, range(SEATS) if ruleset.partners else (0, 2, 3))
    rows, made = [start_row(record)], list[Action]()
    for _ in range(data.draw(st.integers(2, 25), label="actions")):
        action = data.draw(st.sampled_from(possible(record, data)))
        record, row, _ = act(record, action, source_of(action))
        rows.append(row)
        made.append(action)
    after, undone = record, record
    while undone.undoable and data.draw(st.booleans(), label="undo"):
        undone, row = undo(undone)
        rows.append(row)
    assert fold(rows) == undone
    for action in made[len(undone.past) :]:
        if isinstance(action, Throw):
            assert undone.ready is not None
            assert (undone.ready.throw, undone.ready.source) == (action, "kernel")
        undone = act(undone, action, source_of(action))[0]
    assert undone == after


def source_of(action: Action) -> str | None:
    return "kernel" if isinstance(action, Throw) else None


def possible(record: Record, data: st.DataObject) -> list[Action]:
    """Return some of the actions that the game allows now."""
    game = record.game
    if game.phase in (Phase.ORDER, Phase.THROW):
        faces = st.tuples(*[st.integers(1, 6)] * game.dice)
        return [Throw(data.draw(faces, label="faces"))]
    if game.phase is Phase.STARTER:
        return [Choose(seat) for seat in game.seats]
    return [*(Move(step) for step in game.steps), *([Stop()] if game.may_stop else [])]


def test_actions_are_stored_as_they_are_written() -> None:
    assert [str(action) for action in (Throw((5, 3)), Stop(), End())] == [
        "throw 5 3",
        "stop",
        "end",
    ]
