"""The file of a proof: each mistake in it is a sentence that says where, what, and what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from pi_app.proof.form import FILE, MOST_BYTES, ProofError, ProofFile, read_proof

DISPLAY = {"min_ms": 22.9, "median_ms": 23.1, "max_ms": 31, "errors": [[0.5, 121]]}
FRAMES = {"displays": [DISPLAY]}
BUTTON = {"button": "A.ok", "counted": 2, "elsewhere": 0, "presses": [[[0, 0], [9, 1]]]}
PULL = {"before": 1, "after": 1, "sound": True, "same_turn": True}
GAME = {"rows": 0, "minutes": None, "turns": 0, "undos": 0, "notices": 0}
ABOUT = read_proof(Path(__file__).parents[2] / "proofs/bounces.json").steps["about"]
LARGE = '{"form": 1, "steps": {}}' + " " * MOST_BYTES
WAITING = {"boot": "b", "game": 3, "rows": 7, "asides": 0, "pulls": []}
POWER = "fine or low or hot or unknown"


def kept(folder: Path, value: Any) -> Path:
    path = folder / FILE
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_what_was_put_is_read_again_and_a_step_is_a_line(tmp_path: Path) -> None:
    file = ProofFile(tmp_path / FILE, waiting=WAITING, invented=True)
    file.put("frames", FRAMES)
    file.put("signals", {"wrong": []})
    again = read_proof(file.path)
    assert again == file
    assert [line[:10] for line in file.path.read_text().splitlines()[1:]] == [
        '"frames": ',
        '"signals":',
        "}}",
    ]


def test_the_old_file_stays_whole_until_the_new_one_is(tmp_path: Path) -> None:
    file = ProofFile(tmp_path / FILE)
    file.put("frames", FRAMES)
    before = file.path.read_text()
    with file.path.open() as old:
        file.put("signals", {"wrong": []})
        assert old.read() == before


@pytest.mark.parametrize(
    ("value", "mistake"),
    [
        ([], 'it has no "steps": write {"form": 1, "steps": {...}}'),
        ({"form": 1, "steps": 3}, 'it has no "steps": write {"form": 1, "steps": {...}}'),
        (
            {"form": 2, "steps": {}},
            "its form is 2: use a version of the referee that reads it",
        ),
        ({"steps": {}}, "form is missing: add it"),
        ({"form": 1, "steps": {}, "host": "pi"}, "host is unknown: remove it"),
        ({"form": 1, "steps": {"dance": {}}}, "steps.dance is unknown: remove it"),
        ({"form": 1, "steps": {"frames": 3}}, "steps.frames is 3: write an object"),
        ({"form": 1, "steps": {"frames": {}}}, "steps.frames.displays is missing: add it"),
        (
            {"form": 1, "steps": {"frames": {"displays": {}}}},
            "steps.frames.displays is {}: write a list of at most 10000",
        ),
        (
            {
                "form": 1,
                "steps": {"hours": {"readings": [[60, 48.5, "cold"]], "bus_error_kinds": 0}},
            },
            f'steps.hours.readings[0][2] is "cold": write {POWER}',
        ),
        (
            {"form": 1, "steps": {"hours": {"readings": [[60, 48.5]], "bus_error_kinds": 0}}},
            "steps.hours.readings[0] is [60, 48.5]: write a list of 3",
        ),
        (
            {"form": 1, "steps": {"hours": {"readings": [[0, 1, "low"]], "bus_error_kinds": True}}},
            "steps.hours.bus_error_kinds is true: write a whole number",
        ),
        (
            '{"form": 1, "steps": {"temperature": {"readings": [[NaN, 0, "low"]]}}}',
            "steps.temperature.readings[0][0] is NaN: write a number",
        ),
        (
            {"form": 1, "steps": {"signals": {"wrong": ["x" * 101]}}},
            f'steps.signals.wrong[0] is "{"x" * 59}...: write a text',
        ),
        (
            {"form": 1, "steps": {"signals": {"wrong": ["a\nb"]}}},
            'steps.signals.wrong[0] is "a\\nb": write a text',
        ),
        (
            {"form": 1, "steps": {}, "waiting": WAITING | {"rows": -1}},
            "waiting.rows is -1: write a whole number",
        ),
        (
            {"form": 1, "steps": {"about": ABOUT | {"supply": 5}}},
            "steps.about.supply is 5: write the Pi's own or another supply or a power bank",
        ),
        (
            {"form": 1, "steps": {"frames": {"skipped": 1}}},
            "steps.frames.displays is missing: add it\n"
            f"{FILE}: steps.frames.skipped is unknown: remove it",
        ),
        ({"form": 1, "steps": {}, "a\n\x1b[2J": 1}, "a\\n\\u001b[2J is unknown: remove it"),
        (
            {"form": 1, "steps": {"temperature": {"readings": [[-1, 48.5, "fine"]]}}},
            "steps.temperature.readings[0][0] is -1: write a number",
        ),
        (
            {"form": 1, "steps": {"signals": {"wrong": [1] * 15_000}}},
            f"steps.signals.wrong is [{'1, ' * 19}1,...: write a list of at most 10000",
        ),
        (
            {"form": 1, "steps": {"frames": {"displays": [DISPLAY | {"min_ms": 32}]}}},
            "steps.frames: min, median and max are not in order: do the step again",
        ),
        (
            {"form": 1, "steps": {"buttons": {"dead_ms": [20, 20], "buttons": [BUTTON]}}},
            "steps.buttons: 2 presses of a contact that closed 1 times: do the step again",
        ),
        (
            {"form": 1, "steps": {"power": {"pulls": [PULL] * 7}}},
            "steps.power: more than 5 pulls: do the step again",
        ),
        (
            {"form": 1, "steps": {"game": GAME}},
            "steps.game: a game without rows: do the step again",
        ),
        (
            {"form": 1, "steps": {"hours": {"readings": [], "bus_error_kinds": 0}}},
            "steps.hours: a list without items: do the step again",
        ),
        ({"form": 1, "steps": {}, "invented": 1}, "invented is 1: write true or false"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, value: Any, mistake: str) -> None:
    with pytest.raises(ProofError) as refused:
        read_proof(kept(tmp_path, value))
    assert str(refused.value) == f"{FILE}: {mistake}"


@pytest.mark.parametrize("text", ["", '{"form": 1, "steps": {', "\x00", LARGE])
def test_what_is_no_proof_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    with pytest.raises(ProofError, match=rf"^{FILE} is not the file of a proof .* begin again$"):
        read_proof(kept(tmp_path, text))


def test_of_many_mistakes_the_first_twenty_are_told(tmp_path: Path) -> None:
    wrong = {"form": 1, "steps": {"signals": {"wrong": [1] * 1000}}}
    with pytest.raises(ProofError) as refused:
        read_proof(kept(tmp_path, wrong))
    assert len(str(refused.value).splitlines()) == 20
