"""The tables of `proof.md`: the steps of a proof, and the referees that somebody has built."""

from html import escape
from pathlib import Path

from hardware.lists import HERE, markdown_table
from pi_app.proof.form import ProofError, ProofFile, read_proof
from pi_app.proof.steps import STEPS

BUILT = HERE / "built"  # the proofs that people have sent
NOBODY = "Nobody has sent a proof yet. Be the first: [how](#send-it).\n"


def steps_table() -> str:
    rows = [
        [f"`{step.id}`", str(step.minutes), step.table, step.todo.format(times=step.times)]
        for step in STEPS.values()
    ]
    return markdown_table([["step", "minutes", "the referee is", "what you do"], *rows])


def built_table(folder: Path = BUILT) -> str:
    """Return a row for each proof in a folder, in the order of their names.

    Raises ProofError if a proof has a mistake, lacks the step `about`, or is invented.
    """
    rows = [_row(read_proof(path)) for path in sorted(folder.glob("*.json"))]
    heads = ["proof", "Pi", "system", "displays", "version", "what failed", "not done"]
    return markdown_table([heads, *rows]) if rows else NOBODY


def _row(proof: ProofFile) -> list[str]:
    name, results = proof.path.name, proof.results
    if proof.invented:
        raise ProofError(f"{name} is invented: the table has only real referees")
    if "about" not in results:
        raise ProofError(f"{name} does not say what was built: do the step `about`")
    about = results["about"]
    texts = [about["pi"], about["system"], "; ".join(about["displays"]), about["version"]]
    failed = "; ".join(proof.faults()) or "nothing"
    texts += [failed, ", ".join(step for step in STEPS if step not in results) or "nothing"]
    return [f"[{proof.path.stem}](built/{name})", *(_cell(text) for text in texts)]


def _cell(text: str) -> str:
    return escape(text, quote=False).replace("|", "/")
