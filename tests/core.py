"""Which build of the rules a process uses: the sources, or those that `make compiled` compiles."""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import rules.game

ROOT = Path(__file__).parent.parent
COMPILED = ROOT / "build" / "compiled"


def is_compiled() -> bool:
    """Whether this process plays by the compiled rules."""
    return rules.game.__file__.endswith(tuple(EXTENSION_SUFFIXES))


def describe_core() -> str:
    """Return a sentence that names the core, and the reason if it is the pure one."""
    if is_compiled():
        return f"The rules are compiled: {rules.game.__file__}"
    reason = why_not_built() or f"{COMPILED.relative_to(ROOT)} is not first on the path"
    return f"The rules are pure Python: {reason}"


def why_not_built() -> str | None:
    """Return why no process can use the compiled rules, None if one can."""
    if any((COMPILED / "rules").glob(f"game.*{EXTENSION_SUFFIXES[-1]}")):
        return None
    return f"{COMPILED.relative_to(ROOT)} is not there; make compiled builds it"


def compiled_environment() -> dict[str, str]:
    """Return the environment in which `python -P` finds the compiled rules first."""
    return {**os.environ, "PYTHONPATH": f"{COMPILED}:{ROOT}"}
