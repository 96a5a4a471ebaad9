"""Records judged: every line is played by the rules, and the first that can't be is told."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.actions import Choose, Correct, End, Leave, Move, Stop, Throw
from rules.board import HOME, NEST, ROW, SEATS, board
from rules.game import Game, Phase
from rules.history import Entry, Record, Retype, Undo, enter, new_record
from rules.position import PAWNS, PositionError, format_position, ordered, parse_position
from rules.record import game_text, parse_game
from rules.replay import judge
from rules.ruleset import PRESETS, ruleset_text

BEGUN = "N,N,N,N/-/N,N,N,N/-"
ENTERED = "0,N,N,N/-/N,N,N,N/-"
FIRST = {"format": "pachisi-record", "version": 1, "ruleset": "findler", "seats": [0, 2]}
CHOSEN = {"action": "choose 0", "position": BEGUN}


def record_of(*lines: dict[str, Any]) -> list[str]:
    return [json.dumps(line) for line in (FIRST, *lines)]


@pytest.mark.parametrize(
    ("lines", "number", "why"),
    [
        ([], 1, "nothing is there"),
        (["{}"], 1, "format"),
        (["5"], 1, "an object"),
        (["{"], 1, "not JSON"),
        ([json.dumps({**FIRST, "version": 2})], 1, "version 2"),
        ([json.dumps({**FIRST, "seats": [0]})], 1, "two to four"),
        ([json.dumps({**FIRST, "seats": [0, 2, 0]})], 1, "twice"),
        ([json.dumps({**FIRST, "seats": "0,2"})], 1, "not a list"),
        ([json.dumps({**FIRST, "host": 1})], 1, "host 1"),
        ([json.dumps({**FIRST, "ruleset": "nobody"})], 1, "nobody"),
        (record_of({"action": "choose 0"}), 2, "'position' is missing"),
        (record_of({"action": 5, "position": BEGUN}), 2, "action 5 is not a text"),
        (record_of({"action": "jump", "position": BEGUN}), 2, "is no action"),
        (record_of({"action": "undo", "position": BEGUN}), 2, "no choice has been confirmed"),
        (record_of(CHOSEN, {"action": "throw 5 3", "position": ENTERED}), 3, "the rules say N,N"),
        (
            record_of(CHOSEN, {"action": "throw 5 3", "position": BEGUN, "source": "sleeve"}),
            3,
            "source 'sleeve'",
        ),
        ([*record_of(CHOSEN), "", "{}"], 4, "'action' is missing"),
    ],
)
def test_the_first_line_that_can_not_be_is_told(lines: list[str], number: int, why: str) -> None:
    verdict = judge(lines)
    assert verdict["line"] == number
    assert why in verdict["error"]


def test_a_throw_made_a_second_time_is_told() -> None:
    throw = {"action": "throw 6 4", "position": BEGUN}
    other = {"action": "throw 5 5", "position": BEGUN}
    undone = {"action": "undo", "position": BEGUN}
    assert judge(record_of(CHOSEN, throw, undone, CHOSEN, throw))["actions"] == 5
    assert judge(record_of(CHOSEN, throw, undone, CHOSEN, other)) == {
        "error": "throw 5 5 does not fit: seat 0 has thrown, throw 6 4",
        "line": 6,
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_whatever_a_table_records_is_judged_to_stand_so(preset: str) -> None:
    rng = random.Random(f"records of {preset}")
    for _ in range(6):
        seats = rng.sample(range(SEATS), rng.randint(2, 4))
        record = new_record(PRESETS[preset], sorted(seats))
        lines: list[dict[str, Any]] = []
        while len(lines) < 40 and (entry := drawn(record, rng)) is not None:
            source = rng.choice(("kernel", "typed")) if isinstance(entry, Throw) else None
            record, _ = enter(record, entry, source)
            position = format_position(record.game.position)
            lines.append({"action": str(entry), "position": position, "source": source})
            assert parse_game(game_text(record.game)) == record.game
        first = {**FIRST, "ruleset": json.loads(ruleset_text(PRESETS[preset])), "seats": seats}
        assert judge(map(json.dumps, [first, *lines])) == {
            "actions": len(lines),
            "position": format_position(record.game.position),
            "over": record.game.phase is Phase.OVER,
            "places": list(record.game.places),
        }


def drawn(record: Record, rng: random.Random) -> Entry | None:
    """Return an entry that is legal now, the table's own more often than at a table."""
    game, kind = record.game, rng.random()
    if record.undoable and (kind < 0.12 or game.phase is Phase.OVER):
        return Undo()
    if kind < 0.2 and record.typed:
        return Retype(tuple(rng.randint(1, 6) for _ in range(record.past[-1].before.dice)))
    if kind < 0.35 and game.phase in (Phase.THROW, Phase.MOVE, Phase.PENALTY):
        return correction(game, rng)
    if kind < 0.37 and game.phase in (Phase.THROW, Phase.MOVE, Phase.PENALTY) and not game.made:
        return Leave(rng.choice([seat for seat in game.seats if seat not in game.places]))
    if game.phase in (Phase.ORDER, Phase.THROW):
        faces = tuple(rng.randint(1, 6) for _ in range(game.dice))
        return record.ready.throw if record.ready else Throw(faces)
    if game.phase is Phase.STARTER:
        return Choose(rng.choice(game.seats))
    if game.phase is Phase.OVER:
        return None
    choices: list[Entry] = [*map(Move, game.steps), *[Stop()] * game.may_stop, End()]
    return rng.choice(choices)


def correction(game: Game, rng: random.Random) -> Correct:
    """Return a correction to a position that can stand, often in another seat's turn."""
    on = board(game.ruleset.layout)
    places = [NEST, HOME, *range(on.last + 1), *range(ROW + 1, ROW + 8)]
    while True:
        a, b, c, d = (
            ordered(tuple(rng.choices(places, k=PAWNS)), on) if seat in game.seats else ()
            for seat in range(SEATS)
        )
        text, seat = format_position((a, b, c, d)), rng.choice((game.seat, *game.seats))
        try:
            parse_position(text, game.ruleset)
        except PositionError:
            continue
        if (a, b, c, d)[seat] != (HOME,) * PAWNS:
            return Correct(text, seat, rng.choice((game.doublets, 0, 2)))


# --- the command ---------------------------------------------------------------------------------


def replay(*arguments: str, text: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "rules", "replay", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_record_is_judged_from_a_file_or_standard_input(tmp_path: Path) -> None:
    text = "\n".join(record_of(CHOSEN))
    (tmp_path / "game.jsonl").write_text(text)
    verdict = f'{{"actions": 1, "position": "{BEGUN}", "over": false, "places": []}}\n'
    assert replay(str(tmp_path / "game.jsonl")) == (0, verdict, "")
    assert replay(text=text) == (0, verdict, "")
    assert replay(text="nothing")[0] == 1


def test_a_file_that_can_not_be_read_is_one_sentence(tmp_path: Path) -> None:
    status, out, err = replay(str(tmp_path / "nothing"))
    assert (status, out) == (2, "")
    assert err.startswith("rules: ")
    assert "can't be read (No such file or directory): name another file" in err
