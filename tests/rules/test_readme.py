"""rules/README.md: its tables are what the data says, its examples run. `--redraw` writes them."""

import contextlib
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.actions import End
from rules.game import PHASES
from rules.ruleset import IMPOSSIBLE, OPTIONS, PRESET_TABLE, RuleSet, differences

README = Path(__file__).parents[2] / "rules" / "README.md"


def word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def table(*rows: tuple[str, ...]) -> str:
    head, *rest = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *rest])


def presets() -> str:
    rows = [("preset", "stands for", "source", "fields")]
    for name, preset in PRESET_TABLE.items():
        fields = differences(RuleSet(), preset.ruleset)
        told = "; ".join(f"{field} {word(value)}" for field, value in fields.items())
        rows.append((f"`{name}`", preset.title, preset.source, told))
    return table(*rows)


def options() -> str:
    rows = [("option", "values", "meaning", "source")]
    for name, option in OPTIONS.items():
        values = ", ".join(map(word, option.values))
        if name == "blockade_limit":
            values += " to 99"
        rows.append((f"`{name}`", values, option.meaning, option.source))
    return table(*rows)


def impossible() -> str:
    return "\n".join("- " + " with ".join(f"`{n}`" for n in names.split()) for names in IMPOSSIBLE)


def phases() -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> order", "    [*] --> starter"]
    for phase, allowed in PHASES.items():
        for action, transition in allowed.items():
            if action is not End:
                verb = action.__name__.lower()
                lines += [f"    {phase} --> {to}: {verb}" for to in transition.leads_to]
    return "\n".join([*lines, "    over --> [*]", "```"])


TABLES: dict[str, Callable[[], str]] = {
    "phases": phases,
    "presets": presets,
    "options": options,
    "impossible": impossible,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_the_readme_is_what_the_data_says(name: str, redraw: bool) -> None:
    between = re.compile(rf"(<!-- {name} -->\n)(.*?)(<!-- /{name} -->)", re.DOTALL)
    text, wanted = README.read_text(encoding="utf-8"), TABLES[name]() + "\n"
    if redraw:
        README.write_text(
            between.sub(lambda m: m[1] + wanted + m[3], text), encoding="utf-8", newline="\n"
        )
        return
    found = between.search(text)
    assert found is not None
    assert found[2] == wanted, "stale: run pytest --redraw tests/rules/test_readme.py"


def test_the_readmes_python_prints_what_it_says() -> None:
    code = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code[1], str(README), "exec"), {})
    assert printed.getvalue().strip() == code[1].rsplit("# ", 1)[1].strip()
