"""Leads a person through the steps of a proof, and goes on where it stopped."""

from collections.abc import Iterator
from contextlib import contextmanager

from pi_app.model.errors import UserError
from pi_app.proof.measures import MEASURES, Proof, StepError, find_needless, run_hours
from pi_app.proof.steps import STEPS, ProofStep, find_faults
from pi_app.record.journal import keep_closed

KEYS = "Enter: begin, s: skip, q: end, or the name of another step. Press Enter after each. "
END_KEYS = "The name of a step to do it again, or Enter to end. "
COMMANDS = {"stopped": "sudo systemctl stop referee", "running": "sudo systemctl start referee"}
SEND = 'Look inside {}: it has no names. Attach it to an issue of the project: "I have built one".'
NOT_READY = "{} is not ready to send: do the step `about`."


class Ended(Exception):
    """The person has ended the proof."""


def lead(proof: Proof) -> None:
    """Do what waits for a start, the steps that are not done, and those that a person repeats."""
    waiting = ["power"] if proof.file.waiting else []
    done = {*proof.file.steps, *waiting, *find_needless(proof.config)}
    left = waiting + [name for name in STEPS if name not in done]
    minutes = sum(STEPS[name].minutes for name in left)
    proof.print_text(f"{len(left)} of {len(STEPS)} steps are left, some {minutes} minutes.")
    while True:
        answer = _ask_for_step(proof, left)
        if answer in STEPS:
            left = [answer, *(name for name in left if name != answer)]
        elif not left and answer == "":
            return
        elif left and (answer == "s" or (answer == "" and _try(proof, STEPS[left[0]]))):
            left.pop(0)


def _ask_for_step(proof: Proof, left: list[str]) -> str:
    if left:
        proof.print_text(f"\n{STEPS[left[0]]}")
        return proof.ask(f"    {KEYS}")
    proof.print_text("\n".join(["", *_result_lines(proof)]))
    return proof.ask(END_KEYS)


def _result_lines(proof: Proof) -> Iterator[str]:
    steps, needless = proof.file.steps, find_needless(proof.config)
    yield f"What failed: {', '.join(proof.file.faults()) or 'nothing'}."
    not_done = (name for name in STEPS if name not in steps)
    texts = (f"{name} (this table has none)" if name in needless else name for name in not_done)
    yield f"Not done: {', '.join(texts) or 'nothing'}."
    if "hours" in steps:
        yield f"`--hours` ran for {steps['hours']['readings'][-1][0] // 60} minutes."
    yield (SEND if "about" in steps else NOT_READY).format(proof.file.path)


def _try(proof: Proof, step: ProofStep) -> bool:
    """Do a step, and say what failed. Return False if it can't be done now."""
    try:
        with _hold_table(proof, step):
            result = MEASURES[step.id](proof)
        proof.file.put(step.id, result)
    except (UserError, ValueError, OSError) as error:  # a game of another version; a stuck link
        proof.print_text(f"    {error}")
        return False
    faults = ", ".join(find_faults(step.id, result))
    proof.print_text(f"    What failed: {faults or 'nothing'}.")
    return True


@contextmanager
def _hold_table(proof: Proof, step: ProofStep) -> Iterator[None]:
    """Keep the service from starting during a step for which it must be stopped.

    Raises StepError if it is not stopped, or not running, or if the table has no part for the step.
    """
    if step.id in find_needless(proof.config):
        raise StepError("this table has no part for this step")
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
