"""hardware/proof.md: its steps are the command's, its table has the proofs that were sent."""

import json
import re
from pathlib import Path
from shutil import copy

import pytest

from hardware.built import BUILT, NOBODY, built_table, steps_table
from hardware.lists import HERE
from pi_app.proof.form import FILE, ProofError
from pi_app.proof.steps import STEPS
from tests.hardware.kept import check_table

ROOT = HERE.parent
PROOF = HERE / "proof.md"
INVENTED = ROOT / "tests" / "proofs"


def sent(folder: Path, name: str, **changes: object) -> None:
    """Put an invented proof into a folder as if somebody had sent it."""
    value = json.loads((INVENTED / name).read_text()) | changes
    value = {key: one for key, one in value.items() if one is not None}
    (folder / name).write_text(json.dumps(value))


def test_the_tables_are_those_of_the_steps_and_of_the_proofs_that_were_sent(redraw: bool) -> None:
    check_table("steps", steps_table(), redraw, PROOF)
    check_table("built", built_table(), redraw, PROOF)


def test_without_a_proof_it_says_how_to_be_the_first(tmp_path: Path) -> None:
    assert built_table(tmp_path) == built_table(tmp_path / "none") == NOBODY


def test_a_proof_is_a_row_with_what_failed(tmp_path: Path) -> None:
    sent(tmp_path, "bus-errors.json", invented=None)
    sent(tmp_path, "bounces.json", invented=None)
    heads, _, *rows = built_table(tmp_path).splitlines()
    assert heads == ("| proof | Pi | system | displays | version | what failed | not done |")
    pi, system = "`Raspberry Pi 4 Model B Rev 1.5`", "`Debian GNU/Linux 13 (trixie)`"
    device = f"{pi} | {system} | `ssd1309, i2c` | `1.0.0`"
    assert [row.removesuffix(" |").rsplit(" | ", 1)[0] for row in rows] == [
        f"| [bounces](built/bounces.json) | {device} | nothing",
        f"| [bus-errors](built/bus-errors.json) | {device} | `frames: display 1: bus errors (9)`",
    ]


def test_an_invented_proof_never_enters_the_table(tmp_path: Path) -> None:
    for path in INVENTED.iterdir():
        copy(path, tmp_path)
        with pytest.raises(ProofError, match=f"{path.name} is invented"):
            built_table(tmp_path)
        (tmp_path / path.name).unlink()


def test_a_proof_that_does_not_say_what_was_built_is_refused(tmp_path: Path) -> None:
    sent(tmp_path, "bounces.json", invented=None, steps={})
    with pytest.raises(ProofError, match="do the step `about`"):
        built_table(tmp_path)


def test_a_text_can_not_break_the_table(tmp_path: Path) -> None:
    about = json.loads((INVENTED / "bounces.json").read_text())["steps"]["about"]
    pi = "<b>`a | ![b](https://example.org)"
    sent(tmp_path, "bounces.json", invented=None, steps={"about": about | {"pi": pi}})
    assert "| `<b>'a / ![b](https://example.org)` |" in built_table(tmp_path)


def test_of_many_faults_of_a_step_the_first_three_are_in_the_table(tmp_path: Path) -> None:
    about = json.loads((INVENTED / "bounces.json").read_text())["steps"]["about"]
    steps = {"about": about, "signals": {"wrong": [f"tone {n}" for n in range(15)]}}
    sent(tmp_path, "bounces.json", invented=None, steps=steps)
    failed = "`signals: tone 0`; `signals: tone 1`; `signals: tone 2`; `signals: and 12 more`"
    assert f"| {failed} |" in built_table(tmp_path)


def test_the_proofs_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    sent(tmp_path, "bounces.json", invented=None)
    for number in (1, 2, 10):
        copy(tmp_path / "bounces.json", tmp_path / f"{number}.json")
    (tmp_path / "bounces.json").unlink()
    assert re.findall(r"built/(\d+)", built_table(tmp_path)) == ["1", "2", "10"]


def test_the_folder_of_what_was_sent_has_nothing_else() -> None:
    assert [
        path.name for path in BUILT.glob("*") if not re.fullmatch(r"\d+\.json", path.name)
    ] == []


def test_the_protocol_names_the_file_and_the_issue_s_form() -> None:
    text = PROOF.read_text()
    assert f"`{FILE}`" in text
    form = (ROOT / ".github/ISSUE_TEMPLATE/proof.yml").read_text()
    [name] = re.findall("^name: (.*)$", form, re.M)
    assert f'choose "{name}"' in text
    assert FILE in form


def test_each_unproven_line_names_the_steps_that_would_prove_it() -> None:
    """Where no step does, the line says why. Each step proves a line."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    section = re.findall(r"^### Not yet proven\n\n(.*?)^### ", changelog, re.M | re.S)[0]
    points = [" ".join(point.split()) for point in re.split("^- ", section, flags=re.M)[1:]]
    points[-1] = points[-1].partition(" If you build")[0]  # the paragraph below the list
    ending = r"\((?:steps? ([^()]*)|no step proves it: [^()]+)\)\.?$"
    proofs = [re.findall(ending, point) for point in points]
    assert all(len(one) == 1 for one in proofs), points
    named = [name for [one] in proofs for name in re.findall("`([a-z]+)`", one)]
    assert set(named) == set(STEPS)
