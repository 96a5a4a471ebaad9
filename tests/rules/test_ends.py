"""How a game goes on for the places after a win, and how it ends with a last turn."""

import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.actions import Action, LastTurn, PlayOn, Throw, parse_action
from rules.facts import EndsAfter, Over, PlaysOn, Shared, TurnOf, Won
from rules.game import Game, IllegalAction, Phase, play
from rules.history import Record, Undo, enter, new_record, parse_entry
from rules.lines.record import GameError, game_text, parse_game
from rules.lines.replay import judge
from rules.lines.sheet import parse_sheet, sheet_lines
from rules.position import format_position
from rules.ruleset import PRESETS, RuleSet, ruleset_text
from tests.asked import extent
from tests.rules.moments import after, any_choices, any_rules, placed

UK = PRESETS["ludo-uk"]
FREE = replace(UK, usage="free")  # so that `stop` passes each turn on
ON = replace(UK, play_on=True)
SIDES = replace(FREE, partners=True)
NEARLY = "H,H,H,r5/N,N,N,N/N,N,N,N/-"  # A wins with a 1
WIN = ("throw 1", "move r5-H(1)")


def told(game: Game, *entries: str) -> Record:
    record = Record(game, host=game.seats[0])
    for entry in entries:
        record, _ = enter(record, parse_entry(entry))
    return record


# --- playing on ----------------------------------------------------------------------------------


def test_after_a_win_the_others_play_on_until_one_is_left() -> None:
    game = after(placed("H,H,H,r5/H,H,H,r5/N,N,N,N/H,H,H,r5", UK), *WIN)
    assert (game.phase, game.places, game.may_play_on) == (Phase.OVER, (0,), True)
    game, facts = play(game, PlayOn())
    assert (game.phase, game.seat, game.turns) == (Phase.THROW, 1, 2)
    assert facts == (PlaysOn(0), TurnOf(1))
    game = after(game, *WIN, "throw 1", "stop", *WIN)
    assert (game.phase, game.places, game.winners) == (Phase.OVER, (0, 1, 3, 2), (0,))


def test_it_goes_on_as_if_the_rules_had_said_so() -> None:
    """The seat that came last to a shared space, and how long a blockade stands, stay known."""
    line = {
        "position": "H,H,H,r7/17,N,N,N/10,10,N,N/51,N,N,N",
        "seat": 0,
        "standing": [[2, 44, 1]],
        "late": [[34, 3]],
    }
    rules = {"preset": "parchis", "blockade_limit": 9}
    win = ("throw 1", "move r7-H(1)")
    on = after(parse_game(json.dumps({**line, "ruleset": {**rules, "play_on": True}})), *win)
    over = after(parse_game(json.dumps({**line, "ruleset": rules})), *win)
    assert parse_game(game_text(over)) == over
    game = after(over, "play-on")
    assert game._replace(ruleset=on.ruleset, played_on=False) == on
    assert (game.memory.late, len(game.standing)) == (((34, 3),), 1)


@pytest.mark.parametrize(
    ("position", "ruleset", "actions"),
    [
        ("H,H,H,r5/-/N,N,N,N/-", UK, WIN),
        (NEARLY, UK, ("end",)),
        (NEARLY, UK, ("leave 1", "leave 2")),
        (NEARLY, UK, ("last-turn C", *WIN)),
        (NEARLY, ON, (*WIN, "end")),
        (NEARLY, UK, (*WIN, "play-on", "end")),
        ("H,H,H,r5/N,N,N,N/H,H,H,H/N,N,N,N", SIDES, WIN),
    ],
    ids=["one left", "ended", "left", "last turn", "by the rules", "already", "sides"],
)
def test_nobody_plays_on_after_another_end(
    position: str, ruleset: RuleSet, actions: tuple[str, ...]
) -> None:
    game = after(placed(position, ruleset), *actions)
    assert (game.phase, game.may_play_on) == (Phase.OVER, False)
    with pytest.raises(IllegalAction, match="play-on does not fit: no win leaves two seats"):
        play(game, PlayOn())


def test_after_a_win_by_correction_the_seat_behind_the_winner_throws() -> None:
    game = placed("H,H,H,r5/N,N,N,N/N,N,N,N/N,N,N,N", UK, 3)
    game = after(game, "correct H,H,H,H/N,N,N,N/N,N,N,N/N,N,N,N seat 2 doublets 0")
    assert (game.phase, game.places, game.seat) == (Phase.OVER, (0,), 2)
    assert after(game, "play-on").seat == 1


def test_the_winners_other_pawns_leave_the_track_where_it_goes_on() -> None:
    game = placed("r5,20,N,N/N,N,N,N/N,N,N,N/-", replace(UK, to_win=1))
    over = after(game, *WIN)
    assert format_position(over.position) == "H,20,N,N/N,N,N,N/N,N,N,N/-"
    assert format_position(after(over, "play-on").position) == "H,N,N,N/N,N,N,N/N,N,N,N/-"


def test_undo_of_it_leads_back_to_the_end_and_the_throw_waits() -> None:
    over = after(placed(NEARLY, UK), *WIN)
    record = told(over, "play-on", "throw 4", "undo")
    assert record.game == over
    record = told(over, "play-on", "throw 4", "undo", "play-on")
    assert [one.throw.faces for one in record.waiting] == [(4,)]
    assert record.ready == record.waiting[0]


# --- a last turn ---------------------------------------------------------------------------------


def test_the_game_is_over_when_the_turn_passes_on_from_its_last_turn() -> None:
    game, facts = play(placed("20,N,N,N/-/26,N,N,N/-", UK), LastTurn(2))
    assert facts == (EndsAfter(2),)
    game = after(game, "throw 3", "move 20-23(3)", "throw 6", "move 26-32(6)", "throw 4")
    game, facts = play(game, parse_action("move 32-36(4)"))
    assert (game.phase, game.places, game.turns) == (Phase.OVER, (2, 0), 2)
    assert [type(one) for one in facts if isinstance(one, Won | TurnOf | Over)] == [Over]


@pytest.mark.parametrize(
    "actions", [(), ("throw 5 3",), ("throw 5 3", "move 3-6(3)"), ("throw 4 4",)]
)
def test_it_may_be_set_at_any_moment_of_a_turn_replaced_and_taken_back(
    actions: tuple[str, ...],
) -> None:
    game = after(placed("12,3,N,N/N,N,N,N/N,N,N,N/-")._replace(doublets=2), *actions)
    for name, seat in (("B", 1), ("C", 2), ("C", 2), ("-", None), ("-", None)):
        ahead = after(game, f"last-turn {name}")
        assert ahead == game._replace(last_turn=seat)
        assert parse_game(game_text(ahead)) == ahead


@pytest.mark.parametrize(("actions", "seat"), [((), 3), ((), 7), ((), True), (WIN, 0)])
def test_a_seat_that_does_not_play_or_has_won_has_no_last_turn(
    actions: tuple[str, ...], seat: int
) -> None:
    game = after(placed(NEARLY, ON), *actions)
    with pytest.raises(IllegalAction, match=r"last-turn . does not fit: the seats that play are"):
        play(game, LastTurn(seat))


def test_a_seat_that_has_left_is_passed_over_and_that_ends_the_game() -> None:
    game = after(placed("20,N,N,N/10,N,N,N/N,N,N,N/-", FREE), "last-turn B")
    assert game.last_to_play == 1
    game = after(game, "leave 1", "throw 4")
    assert (game.seat, game.phase, game.last_to_play) == (0, Phase.MOVE, 0)
    game = after(game, "stop")
    assert (game.phase, game.places) == (Phase.OVER, (0, 2))


def test_leaving_in_the_last_turn_ends_the_game() -> None:
    game = after(placed("20,N,N,N/10,N,N,N/N,N,N,N/-", UK), "last-turn A", "throw 4", "leave 0")
    assert (game.phase, game.places) == (Phase.OVER, (1, 2))


def test_a_correction_passes_nothing_on() -> None:
    game = after(placed("20,N,N,N/-/N,N,N,N/-", FREE), "last-turn A")
    game = after(game, "correct 20,N,N,N/-/N,N,N,N/- seat 2 doublets 0", "throw 4", "stop")
    assert (game.phase, game.seat, game.last_turn) == (Phase.THROW, 0, 0)


def test_who_wins_before_ends_the_game_and_the_others_are_counted() -> None:
    game = after(placed("H,H,H,r5/N,N,N,N/7,N,N,N/-", UK), "last-turn C", *WIN)
    assert (game.phase, game.places, game.ties) == (Phase.OVER, (0, 2, 1), ())


def test_under_play_on_it_goes_on_to_the_last_turn() -> None:
    game = placed("H,H,H,r5/N,N,N,N/7,N,N,N/-", replace(FREE, play_on=True))
    game = after(game, "last-turn B", *WIN)
    assert (game.phase, game.seat) == (Phase.THROW, 1)
    assert after(game, "throw 4", "stop").places == (0, 2, 1)


def test_end_counts_nothing() -> None:
    game = after(placed("20,N,N,N/-/26,N,N,N/-", UK), "last-turn C", "end")
    assert (game.places, game.ties, game.winners) == ((), (), ())


@pytest.mark.parametrize(
    ("position", "places", "ties"),
    [
        ("20,N,N,N/-/30,N,N,N/-", (2, 0), ()),
        ("H,N,N,N/-/30,30,30,30/-", (0, 2), ()),
        ("23,N,N,N/-/23,N,N,N/-", (0, 2), ((0, 2),)),
        ("15,15,N,N/-/20,10,N,N/-", (2, 0), ()),  # the nearest pawn decides
        ("20,11,3,N/-/20,12,2,N/-", (2, 0), ()),  # then the next
        ("0,0,N,N/-/1,N,N,N/-", (2, 0), ()),  # each enters by one space: two each, 1 is nearer
        ("9,N,N,N/7,N,N,N/9,N,N,N/7,N,N,N", (0, 2, 1, 3), ((0, 2), (1, 3))),
        ("N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", (0, 1, 2, 3), ((0, 1, 2, 3),)),
    ],
)
def test_places_are_counted(
    position: str, places: tuple[int, ...], ties: tuple[tuple[int, ...], ...]
) -> None:
    game = after(placed(position, FREE, 2), "last-turn C", "throw 4")
    game, facts = play(game, parse_action("stop"))
    assert (game.places, game.ties) == (places, ties)
    assert facts == (*facts[:1], *map(Shared, ties), Over(places))
    assert game.winners == game.ranks[0]
    assert parse_game(game_text(game)) == game


def test_a_pawn_in_the_goal_is_home_wherever_it_stands() -> None:
    ring = replace(PRESETS["pop-28"], usage="free")
    game = after(placed("r1,N,N,N/-/r4,N,N,N/-", ring, 2), "last-turn C", "throw 4", "stop")
    assert game.ties == ((0, 2),)


@pytest.mark.parametrize(
    ("position", "places", "ties", "winners"),
    [
        ("9,N,N,N/N,N,N,N/7,N,N,N/20,N,N,N", (3, 1, 0, 2), (), (1, 3)),
        ("9,N,N,N/N,N,N,N/12,N,N,N/20,N,N,N", (2, 0, 3, 1), (), (0, 2)),
        ("9,N,N,N/9,N,N,N/12,N,N,N/12,N,N,N", (2, 0, 3, 1), ((0, 1, 2, 3),), (0, 1, 2, 3)),
        ("H,H,H,H/H,H,H,20/N,N,N,N/H,H,H,N", (1, 3, 0, 2), (), (1, 3)),
    ],
)
def test_sides_are_compared_with_both_seats_pawns_together(
    position: str,
    places: tuple[int, ...],
    ties: tuple[tuple[int, ...], ...],
    winners: tuple[int, ...],
) -> None:
    game = after(placed(position, SIDES, 2), "last-turn C", "throw 4", "stop")
    assert (game.places, game.ties, game.winners) == (places, ties, winners)
    assert parse_game(game_text(game)) == game


def test_behind_a_side_that_has_won_the_others_are_counted() -> None:
    game = after(placed("H,H,H,r5/9,N,N,N/H,H,H,H/9,N,N,N", SIDES), "last-turn B", *WIN)
    assert (game.places, game.ties, game.winners) == ((2, 0, 1, 3), ((1, 3),), (0, 2))


# --- in records ----------------------------------------------------------------------------------


def test_undo_steps_over_it_and_leaves_it_in_force() -> None:
    game = placed("20,N,N,N/-/N,N,N,N/-", UK)
    record = told(game, "throw 4", "move 20-24(4)", "last-turn C", "throw 3", "undo")
    assert (record.game.phase, record.game.last_turn) == (Phase.MOVE, 2)
    assert record.game.made == ()
    assert [one.throw.faces for one in record.waiting] == [(3,)]
    assert not told(game, "throw 4", "last-turn C").undoable
    taken_back = told(game, "last-turn C", "throw 4", "move 20-24(4)", "last-turn -", "undo")
    assert taken_back.game.last_turn is None


def test_back_at_the_end_a_last_turn_in_force_lets_nobody_play_on() -> None:
    line = {
        "ruleset": "parchis",
        "position": "H,H,H,r7/17,N,N,N/N,N,N,N/51,N,N,N",
        "seat": 0,
        "late": [[34, 3]],
    }
    won = after(parse_game(json.dumps(line)), "throw 1", "move r7-H(1)")
    game = told(won, "play-on", "last-turn C", "undo").game
    assert game == won._replace(last_turn=2)
    assert parse_game(game_text(game)) == game
    with pytest.raises(IllegalAction, match="play-on does not fit"):
        play(game, PlayOn())


def test_a_throw_is_typed_anew_though_a_last_turn_was_set_since() -> None:
    record = told(placed("20,N,N,N/-/N,N,N,N/-", UK), "throw 4", "last-turn C", "retype 5")
    assert (record.game.throw, record.game.last_turn) == ((5,), 2)


def record_of(ruleset: RuleSet, seats: tuple[int, ...], *entries: str) -> list[str]:
    """The lines of a record; a clock sends every last turn."""
    record = new_record(ruleset, seats)
    rules = json.loads(ruleset_text(ruleset))
    first = {"format": "pachisi-record", "version": 1, "ruleset": rules, "seats": seats}
    lines = [json.dumps(first)]
    for entry in entries:
        record, _ = enter(record, parse_entry(entry))
        line = {"action": entry, "position": format_position(record.game.position)}
        by = {"by": "clock"} if entry.startswith("last-turn") else {}
        lines.append(json.dumps({**line, **by}))
    return lines


def test_a_record_of_a_last_turn_is_judged_and_goes_to_its_sheet_and_back() -> None:
    lines = record_of(
        replace(PRESETS["findler"], usage="free"),
        (0, 1, 2),
        "choose 0",
        "correct H,9,N,N/9,N,N,N/9,N,N,N/- seat 2 doublets 0",
        "throw 6 4",
        "last-turn B",
        "last-turn C",
        "stop",
    )
    assert judge(lines) == {
        "actions": 6,
        "position": "H,9,N,N/9,N,N,N/9,N,N,N/-",
        "over": True,
        "places": [0, 1, 2],
        "ties": [[1, 2]],
    }
    sheet = list(sheet_lines(lines))
    assert '[Result "won by A, then B and C"]' in sheet
    assert sheet[-4:] == [
        "1. C 6-4",
        "last-turn B {by clock}",
        "last-turn C {by clock}",
        "1. C (6-4): stop",
    ]
    assert list(map(json.loads, parse_sheet(sheet))) == list(map(json.loads, lines))


def test_a_record_of_playing_on_goes_to_its_sheet_and_back() -> None:
    lines = record_of(
        PRESETS["findler"],
        (0, 1, 2),
        "choose 0",
        "correct H,H,H,r7/N,N,N,N/N,N,N,N/- seat 0 doublets 0",
        "throw 1 3",
        "move r7-H(1)",
        "play-on",
        "throw 1 3",
        "stop",
    )
    assert judge(lines)["over"] is False
    sheet = list(sheet_lines(lines))
    assert sheet[-2:] == ["play-on", "2. C 1-3: stop"]
    assert '[Result "won by A, unfinished"]' in sheet
    assert list(map(json.loads, parse_sheet(sheet))) == list(map(json.loads, lines))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"last_turn": 4}, "last_turn 4 is not a seat"),
        ({"last_turn": None}, "last_turn None is not a seat"),
        ({"played_on": 1}, "played_on 1 is neither true nor false"),
        ({"ruleset": {"preset": "ludo-uk", "play_on": True}, "played_on": True}, "does not fit"),
        ({"places": [2, 0]}, "are not by what is counted"),
        ({"places": [0, 1, 2]}, "are not the seats that have finished"),
        ({"ties": []}, "ties [] are not those of the places: [[0, 2]]"),
        ({"ties": [[0, 1]]}, "ties [[0, 1]] are not those"),
        ({"standing": [[0, 9, 1]]}, "'standing' does not fit: nobody plays on after this game"),
        ({"phase": "order", "starter": "highest-die"}, "unknown key 'starter'"),
    ],
)
def test_a_line_whose_end_can_not_be_is_refused(changed: dict[str, object], said: str) -> None:
    game = after(placed("9,N,N,N/-/9,N,N,N/-", FREE, 2), "last-turn C", "throw 4", "stop")
    line = json.loads(game_text(game))
    assert (line["last_turn"], line["places"], line["ties"]) == (2, [0, 2], [[0, 2]])
    with pytest.raises(GameError, match=re.escape(said)):
        parse_game(json.dumps(line | changed))


def ends_too(game: Game, rng: random.Random) -> list[Action]:
    """Any choice, or a last turn, or playing on wherever that is legal."""
    if game.may_play_on:
        return [PlayOn()]
    if rng.random() < 0.1 and game.phase in (Phase.THROW, Phase.MOVE, Phase.PENALTY):
        playing = [seat for seat in game.seats if seat not in game.places]
        return [LastTurn(rng.choice([*playing, None]))]
    return any_choices(game, rng)


@pytest.mark.slow
@settings(max_examples=extent(40, soak=400))
@given(seed=st.integers(0, 2**32))
def test_a_game_with_any_end_reads_back_after_every_action(seed: int) -> None:
    for game in any_rules(seed, 30, ends_too):
        again = parse_game(game_text(game))
        assert again == game
        assert again.key == game.key
        assert (again.ranks, again.winners) == (game.ranks, game.winners)


def test_undo_of_all_leads_back_to_the_beginning() -> None:
    for seed in range(10):
        rules = replace(UK, starter="choose", third_doublet="undo-turn", to_win=1 + seed % 2)
        rng, record = random.Random(seed), new_record(rules, (0, 1, 2))
        begun, last = record.game, None
        for _ in range(40):
            if not (possible := ends_too(record.game, rng)):
                break
            action = rng.choice(possible)
            if isinstance(action, Throw) and record.ready:  # it waits since a correction
                action = record.ready.throw
            record, _ = enter(record, action)
            last = record.game.last_turn
        while record.undoable:
            record, _ = enter(record, Undo())
            assert parse_game(game_text(record.game)) == record.game
        assert record.game == begun._replace(last_turn=last)
