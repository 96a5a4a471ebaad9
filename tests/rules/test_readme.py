"""The documents of rules/: tables say what the data says, examples run. `--redraw` writes them."""

import ast
import contextlib
import doctest
import inspect
import io
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import rules
from rules.__main__ import SOURCES
from rules.actions import Correct, End, LastTurn, Leave, PlayOn
from rules.board import BOARDS
from rules.game import PHASES
from rules.lines import analyse, record
from rules.lines.analyse import answer_line
from rules.memory import Memory
from rules.ruleset import IMPOSSIBLE, OPTIONS, PRESET_TABLE, PRESETS, RuleSet, differences

FOLDER = Path(__file__).parents[2] / "rules"
README, NOTATION, PROTOCOL, RECORDS, OPTIONS_PAGE, COUNTS_PAGE = (
    FOLDER / f"{name}.md"
    for name in ("README", "NOTATION", "PROTOCOL", "RECORDS", "OPTIONS", "COUNTS")
)
FILES = sorted(path for path in FOLDER.rglob("*.py") if "build" not in path.parts)
MODULES = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts): path
    for path in FILES
    if path.stem != "__init__"
}


def word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def table(*rows: tuple[str, ...]) -> str:
    head, *rest = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *rest])


def games() -> str:
    rows = [("edition", "preset", "board", "thrown", "source")]
    for name, preset in reversed(PRESET_TABLE.items()):
        on = preset.ruleset
        thrown = "six cowries" if on.throws_shells else "one die" if on.dice == 1 else "two dice"
        rows.append((preset.title, f"`{name}`", f"`{on.layout}`", thrown, preset.source))
    return table(*rows)


def presets() -> str:
    rows = [("preset", "options")]
    for name, ruleset in PRESETS.items():
        fields = differences(RuleSet(), ruleset)
        told = "; ".join(f"{field} {word(value)}" for field, value in fields.items())
        rows.append((f"`{name}`", told))
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
    """A row for the first option of each combination, with the others that it has there."""
    others: dict[str, list[str]] = {}
    for names in IMPOSSIBLE:
        first, *rest = names.split("+")
        others.setdefault(first, []).append(" and ".join(f"`{name}`" for name in rest))
    return table(
        ("option", "impossible with some values of"),
        *((f"`{first}`", "; ".join(rest)) for first, rest in others.items()),
    )


def sources() -> str:
    lines = SOURCES.splitlines()
    return "\n".join(f"- {line}" if re.match(r"S\d", line) else f"  {line}" for line in lines)


def phases() -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> order", "    [*] --> starter"]
    for phase, allowed in PHASES.items():
        for action, transition in allowed.items():
            if action not in (Correct, Leave, LastTurn, End):
                verb = "play-on" if action is PlayOn else action.__name__.lower()
                lines += [f"    {phase} --> {to}: {verb}" for to in transition.leads_to]
    return "\n".join([*lines, "    over --> [*]", "```"])


def boards() -> str:
    rows: list[tuple[str, ...]] = [
        ("layout", "arm", "ring", "tip at step", "home row", "way from the entry", "guard")
    ]
    for name, on in BOARDS.items():
        counts = (on.arm, on.ring, on.last, on.row, on.spaces_to_go(0), on.guard or "")
        rows.append((f"`{name}`", *map(str, counts)))
    return table(*rows)


def modules() -> str:
    rows = [("module", "what it is", "names")]
    for name in MODULES:
        module = import_module(f"rules.{name}")
        assert module.__doc__ is not None
        first = module.__doc__.split("\n")[0].removesuffix(".")
        names = [f"`{public}`" for public in PUBLIC if HOMES[public] == name]
        rows.append((f"`{name}`", first, ", ".join(names)))
    return table(*rows)


def names_of(module: str) -> Iterator[str]:
    """What a module defines, the imported left out."""
    for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            yield from map(ast.unparse, node.targets)
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name


HOMES = {name: module for module in MODULES for name in names_of(module)}
PUBLIC = {
    name: value
    for name, value in vars(rules).items()
    if not name.startswith("_") and not inspect.ismodule(value)
}


COUNTS = FOLDER.parent / "tests" / "rules" / "counts"


def counts() -> str:
    rows = [("file", "rule set", "positions", "throws each", "sum of counts")]
    for file in sorted(COUNTS.glob("*.json")):
        kept = json.loads(file.read_text(encoding="utf-8"))
        results = [position["results"] for position in kept["positions"]]
        [throws] = {len(counted) for counted in results}
        total = sum(sum(counted.values()) for counted in results)
        ruleset = (
            kept["ruleset"] if isinstance(kept["ruleset"], str) else json.dumps(kept["ruleset"])
        )
        rows.append((file.stem, f"`{ruleset}`", str(len(results)), str(throws), f"{total:,}"))
    return table(*rows)


TABLES: dict[str, tuple[Path, Callable[[], str]]] = {
    "phases": (README, phases),
    "games": (README, games),
    "sources": (README, sources),
    "modules": (README, modules),
    "presets": (OPTIONS_PAGE, presets),
    "options": (OPTIONS_PAGE, options),
    "impossible": (OPTIONS_PAGE, impossible),
    "counts": (COUNTS_PAGE, counts),
    "boards": (NOTATION, boards),
}


def marked(name: str, text: str) -> re.Match[str]:
    """What stands between a table's two marks."""
    found = re.search(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", text, re.DOTALL)
    assert found is not None, name
    return found


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_what_the_data_says(name: str, redraw: bool) -> None:
    path, drawn = TABLES[name]
    text, wanted = path.read_text(encoding="utf-8"), drawn() + "\n"
    found = marked(name, text)
    if redraw:
        text = text[: found.start()] + wanted + text[found.end() :]
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    assert found[0] == wanted, "stale: run pytest --redraw tests/rules/test_readme.py"


# --- examples ----------------------------------------------------------------------------------


def blocks(path: Path, language: str) -> list[str]:
    """The examples in a language, with the name that the package has in a checkout."""
    text = path.read_text(encoding="utf-8").replace("pachisi_rules", "rules")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_first_program_prints_what_it_says() -> None:
    (program,) = blocks(README, "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, str(README), "exec"), {})
    assert printed.getvalue().strip() == program.rsplit("# ", 1)[1].strip()


def test_the_first_program_has_about_ten_lines() -> None:
    (program,) = blocks(README, "python")
    assert len([line for line in program.splitlines() if line.strip()]) <= 12


@pytest.mark.parametrize("path", [README, NOTATION, COUNTS_PAGE], ids=lambda path: path.name)
def test_what_is_typed_at_the_prompt_answers_as_it_says(path: Path) -> None:
    session = "\n".join(blocks(path, "pycon"))
    examples = doctest.DocTestParser().get_doctest(session, {}, path.name, str(path), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=said.append)
    assert "".join(said) == ""
    assert len(examples.examples) >= 3


def test_the_counts_of_the_page_are_a_line_of_their_file() -> None:
    (line,) = blocks(COUNTS_PAGE, "json")
    kept = json.loads((COUNTS / "royal-2023.json").read_text(encoding="utf-8"))
    assert json.loads(line) in kept["positions"]


def test_the_record_of_the_page_is_judged_as_it_says() -> None:
    played, verdict, wrong = blocks(RECORDS, "json")
    assert json.dumps(rules.judge(played.splitlines())) == verdict.strip()
    lines = played.splitlines()
    lines[4] = lines[4].replace("N,N,N,N/-/N", "0,N,N,N/-/N")
    assert json.dumps(rules.judge(lines)) == wrong.strip()


def test_the_sheet_of_the_page_is_read_and_written_as_it_says() -> None:
    written, wrong = blocks(RECORDS, "text")
    sheet = written.splitlines()
    assert list(rules.sheet_lines(rules.parse_sheet(sheet))) == sheet
    sheet[12] = sheet[12].replace("C", "A")
    assert rules.judge(sheet) == {"error": wrong.strip(), "line": 13}


def test_each_tag_of_a_sheet_has_its_row() -> None:
    text = RECORDS.read_text(encoding="utf-8").split("| tag |")[1].split("Then each")[0]
    first: dict[str, object] = {"format": "pachisi-record", "version": 1}
    first |= {"ruleset": "findler", "seats": [0, 2]}
    first |= {"host": 0, "names": {"A": "Mia"}, "preset": "findler", "started": "today", "x": 1}
    lines: list[dict[str, object]] = [
        first,
        {"action": "choose 0"},
        {"action": "throw 5 3", "source": "kernel"},
    ]
    nests = {"position": "N,N,N,N/-/N,N,N,N/-"}
    *tags, _, _, _ = rules.sheet_lines(json.dumps({**line, **nests}) for line in lines)
    rows = re.findall(r"^\| `(\w+)`", text, re.MULTILINE)
    assert sorted(rows) == sorted(
        tag[1:].partition(" ")[0] for tag in tags if "position" not in tag
    )


def test_each_entry_of_a_record_is_written_as_its_table_says() -> None:
    text = RECORDS.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` \| .* \| `(.+)` \|$", text, re.MULTILINE)
    assert len(rows) == 2
    for written, python in rows:
        assert rules.parse_entry(written) == eval(python, {"rules": rules})
        assert str(rules.parse_entry(written)) == written


def exchanges() -> list[tuple[str, str]]:
    """The lines of the protocol's examples: a request and its answer, in turn."""
    lines = "".join(blocks(PROTOCOL, "json")).splitlines()
    return list(zip(lines[::2], lines[1::2], strict=True))


@pytest.mark.parametrize(("request_line", "answered"), exchanges())
def test_an_example_of_the_protocol_is_answered_so(request_line: str, answered: str) -> None:
    assert json.dumps(answer_line(request_line)) == answered


def test_the_protocol_names_each_key_of_a_request_and_of_an_answer() -> None:
    answers = [json.loads(answered) for _, answered in exchanges()]
    named = re.findall(r"^\| `(\w+)` \|", PROTOCOL.read_text(encoding="utf-8"), re.MULTILINE)
    keys = dict.fromkeys(key for answer in answers for key in answer)
    assert named == [*analyse.KEYS, *Memory._fields, *keys]


def test_the_notation_names_each_key_of_a_game() -> None:
    _, text = NOTATION.read_text(encoding="utf-8").split("## A whole game")
    named = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert sorted(named) == sorted((*record.KEYS, *Memory._fields))
    assert set(named[:6]) <= set(analyse.KEYS)


def rows(name: str, path: Path) -> list[list[str]]:
    """What each row of a marked table has in backquotes, the head left out."""
    lines = marked(name, path.read_text(encoding="utf-8"))[0].splitlines()[2:]
    return [re.findall(r"`([^`]+)`", line) for line in lines]


@pytest.mark.parametrize("row", rows("steps", NOTATION), ids=lambda row: row[0])
def test_a_step_of_the_table_is_legal_where_it_says(row: list[str]) -> None:
    options = [word for word in row if word in rules.OPTIONS]
    step, ruleset, position, throw, *play = [word for word in row if word not in options]
    faces = [int(face) for face in throw.split()]
    asked = {"ruleset": ruleset, "position": position, "seat": 0, "throw": faces, "play": play}
    assert step in rules.answer(asked)["steps"]


def test_each_action_is_written_as_the_table_says() -> None:
    _, text = NOTATION.read_text(encoding="utf-8").split("## Actions")
    table_rows = re.findall(r"^\| .* \| `(.+)` \| `(.+)` \|$", text, re.MULTILINE)
    assert len(table_rows) == 10
    for written, python in table_rows:
        assert rules.parse_action(written) == eval(python, {"rules": rules})


# --- names ---------------------------------------------------------------------------------------


def test_a_public_name_has_a_docstring() -> None:
    bare = [
        name
        for name, documented in PUBLIC.items()
        if inspect.isclass(documented) or inspect.isfunction(documented)
        if (inspect.getdoc(documented) or name).startswith(name)  # as dataclasses write it
    ]
    assert bare == []


def test_no_file_names_a_document_that_is_not_there() -> None:
    root = FOLDER.parent
    for folder in ("tests", "pi_app"):
        for path in (root / folder).rglob("*.py"):
            for named in re.findall(r"\brules/\w+\.md\b", path.read_text(encoding="utf-8")):
                assert (root / named).exists(), path
    for path in FILES:
        for named in re.findall(r"\b[\w/]+\.md\b", path.read_text(encoding="utf-8")):
            assert (FOLDER / named).exists(), path
