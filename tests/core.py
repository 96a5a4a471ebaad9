"""Which build of the rules and players a process uses: the sources, or that in build/compiled."""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pi_app.players.features
import rules.game

ROOT = Path(__file__).parent.parent
MODULES = rules.game, pi_app.players.features  # one of the rules and one of the players
COMPILED = ROOT / "build" / "compiled"


def is_compiled() -> bool:
    """Return whether this process plays with the compiled modules."""
    suffixes = tuple(EXTENSION_SUFFIXES)
    return all((module.__file__ or "").endswith(suffixes) for module in MODULES)


def describe_core() -> str:
    """Return a sentence that names the core, and the reason if it is the pure one."""
    if is_compiled():
        return f"The rules and the players are compiled: {rules.game.__file__}"
    reason = why_not_built() or f"{COMPILED.relative_to(ROOT)} is not first on the path"
    return f"The rules and the players are pure Python: {reason}"


def why_not_built() -> str | None:
    """Return why no process can use the compiled modules, None if one can."""
    paths = [COMPILED / module.__name__.replace(".", "/") for module in MODULES]
    if all(any(path.parent.glob(f"{path.name}.*{EXTENSION_SUFFIXES[-1]}")) for path in paths):
        return None
    return f"{COMPILED.relative_to(ROOT)} is not there; make build/compiled/made builds it"


def compiled_environment() -> dict[str, str]:
    """Return the environment in which `python -P` finds the compiled modules first."""
    return {**os.environ, "PYTHONPATH": f"{COMPILED}:{ROOT}"}
