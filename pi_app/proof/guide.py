"""Leads a person through the steps of a proof, and goes on where it stopped."""

from collections.abc import Iterator
from contextlib import contextmanager

from pi_app.model.errors import UserError
from pi_app.proof.form import SKIPPED
from pi_app.proof.measures import MEASURES, Proof, StepError, run_hours
from pi_app.proof.steps import STEPS, ProofStep, find_faults
from pi_app.record.journal import keep_closed

KEYS = "Enter: begin, s: skip, q: end, or the name of a step to repeat. "
END_KEYS = "The name of a step to repeat, or Enter to end. "
COMMANDS = {"stopped": "sudo systemctl stop referee", "running": "sudo systemctl start referee"}
SEND = (
    "Look inside {}: it has no names. Attach it to a new issue of the project's repository, under "
    '"I have built one".'
)


class Ended(Exception):
    """The person has ended the proof."""


def lead(proof: Proof) -> None:
    """Do the steps that are not done yet, and those that the person repeats, one after another."""
    file = proof.file
    done = file.steps.keys() - ({"power"} if file.waiting else set())
    done |= set() if proof.config.chamber else {"chamber"}
    left = [name for name in STEPS if name not in done]
    minutes = sum(STEPS[name].minutes for name in left)
    proof.print_text(f"{len(left)} of {len(STEPS)} steps are left, some {minutes} minutes.")
    while True:
        answer = _ask_for_step(proof, left)
        if answer in STEPS:
            left.insert(0, answer)
        elif not left:
            return
        elif answer == "s":
            name = left.pop(0)
            file.waiting = None if name == "power" else file.waiting
            file.put(name, file.steps.get(name, SKIPPED))
        elif left[0] == "hours" or _try(proof, STEPS[left[0]]):
            left.pop(0)


def _ask_for_step(proof: Proof, left: list[str]) -> str:
    if left:
        proof.print_text(f"\n{STEPS[left[0]]}")
        return proof.ask(f"    {KEYS}")
    proof.print_text("\n".join(["", *_result_lines(proof), SEND.format(proof.file.path)]))
    return proof.ask(END_KEYS)


def _result_lines(proof: Proof) -> Iterator[str]:
    results = proof.file.results
    yield f"failed: {', '.join(proof.file.faults()) or 'nothing'}"
    yield f"not done: {', '.join(name for name in STEPS if name not in results) or 'nothing'}"
    if "hours" in results:
        yield f"the power bank lasted {results['hours']['readings'][-1][0] // 60} minutes"


def _try(proof: Proof, step: ProofStep) -> bool:
    """Do a step, and say what failed. Return False if it can't be done now."""
    try:
        with _hold_table(proof, step):
            result = MEASURES[step.id](proof)
    except UserError as error:
        proof.print_text(f"    {error}")
        return False
    proof.file.put(step.id, result)
    faults = ", ".join(find_faults(step.id, result))
    proof.print_text(f"    {f'failed: {faults}' if faults else 'right'}")
    return True


@contextmanager
def _hold_table(proof: Proof, step: ProofStep) -> Iterator[None]:
    """Keep the service from starting during a step for which it must be stopped.

    Raises StepError if it is not stopped, or not running, as the step needs it.
    """
    with keep_closed(proof.journal) as is_stopped:
        if is_stopped != (step.table == "stopped"):
            raise StepError(
                f"for this step the referee must be {step.table}: run `{COMMANDS[step.table]}` in "
                "another terminal, then begin the step"
            )
        yield


def keep_hours(proof: Proof) -> None:
    """Do the step `hours`, which ends with the power. Raises StepError if the service runs."""
    with _hold_table(proof, STEPS["hours"]):
        run_hours(proof)
