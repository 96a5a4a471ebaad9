"""Explanations."""

from rules.plays import Plays
from rules.steps import State


def explain_step(plays: Plays, state: State, text: str) -> str:
    return "no"
