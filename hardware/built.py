"""The tables of `proof.md`: the steps of a proof, and the referees that somebody has built."""

from collections.abc import Iterable
from pathlib import Path

from hardware.lists import HERE, markdown_table
from pi_app.proof.form import ProofError, ProofFile, read_proof
from pi_app.proof.steps import STEPS

BUILT = HERE / "built"  # the proofs that people have sent
HARMLESS = str.maketrans("|`", "/'")
NOBODY = "Nobody has sent a proof yet. Be the first: [how](#send-it).\n"


def steps_table() -> str:
    rows = [
        [f"`{step.id}`", str(step.minutes), step.table, step.todo.format(times=step.times)]
        for step in STEPS.values()
    ]
    return markdown_table([["step", "minutes", "the referee is", "what you do"], *rows])


def built_table(folder: Path = BUILT) -> str:
    """Return a row for each proof in a folder, in the order of their numbers.

    Raises ProofError if a proof has a mistake, lacks the step `about`, or is invented.
    """
    paths = sorted(folder.glob("*.json"), key=lambda path: (len(path.stem), path.stem))
    rows = [_row(read_proof(path)) for path in paths]
    heads = ["proof", "Pi", "system", "displays", "version", "what failed", "not done"]
    return markdown_table([heads, *rows]) if rows else NOBODY


def _row(proof: ProofFile) -> list[str]:
    name, results = proof.path.name, proof.steps
    if proof.invented:
        raise ProofError(f"{name} is invented: the table has only real referees")
    if "about" not in results:
        raise ProofError(f"{name} does not say what was built: do the step `about`")
    about = results["about"]
    device = [[about["pi"]], [about["system"]], about["displays"], [about["version"]]]
    not_done = ", ".join(step for step in STEPS if step not in results) or "nothing"
    return [f"[{proof.path.stem}](built/{name})", *map(_cell, [*device, proof.faults()]), not_done]


def _cell(texts: Iterable[str]) -> str:
    """Return texts that others have written, as code, in which nothing is a link or a tag."""
    return "; ".join(f"`{text.translate(HARMLESS)}`" for text in texts) or "nothing"
