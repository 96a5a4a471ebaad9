"""Who may import whom, and which folders there are. Imports point one way."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"LICENSES", "firmware", "hardware", "pi_app", "rules", "systemd", "tests"}
MADE = {"build", "dist", "node_modules"}  # what tools leave behind

# The rooms of pi_app, each with those that it knows, all above it here, and its libraries.
ROOMS = {
    "model": ("", ""),
    "system": ("model", ""),
    "texts": ("model", ""),
    "settings": ("model texts", ""),
    "config": ("model texts settings", ""),
    "record": ("model system", ""),
    "players": ("model", ""),
    "table": ("model texts settings", ""),
    "display": ("model texts", "PIL segno"),
    "devices": ("model system config", "PIL gpiozero luma serial"),
    "runtime": (
        "model system texts settings config record players table display devices",
        "PIL",
    ),
    "proof": ("model system texts config record table display devices runtime", "PIL"),
    "mqtt": ("system", "paho"),
    "web": ("model system texts settings config record players table", "starlette uvicorn"),
    "club": ("model system texts settings record table mqtt web", "openskill starlette"),
    "simulate": (
        "model texts settings config record table devices runtime web",
        "PIL luma starlette",
    ),
    "commands": (
        "model system texts settings config record players table devices runtime proof mqtt web "
        "club simulate",
        "",
    ),
    "__main__": ("model system commands", ""),
    "launch": ("__main__", ""),
}
# The wings of the table, each of which knows only those before it.
WINGS = ["__init__", "telling", "core", "modes", "wishes", "session", "session_text"]
# What each module of the runtime knows. Only `assembly` joins them with everything else.
RUNTIME = {
    "debounce": "model",
    "dice": "",
    "adviser": "model system table",
    "recorder": "model record table",
    "wiring": "model config debounce",
    "loop": "model system record table debounce dice",
    "outputs": "model texts settings table display devices",
}
ONE_LIBRARY = {"devices/oled": {"luma", "PIL"}}  # the others of `devices` have one at most
# The standard library's way to clocks, chance, files, threads and the net.
WORLD = {
    "asyncio",
    "datetime",
    "io",
    "os",
    "pathlib",
    "queue",
    "random",
    "secrets",
    "select",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
}
PURE = (
    "rules",
    "pi_app/mqtt/messages.py",
    *(f"pi_app/{room}" for room in ("model", "texts", "settings", "players", "table", "display")),
    "pi_app/runtime/debounce.py",
)
# The values of the model that the bots know.
QUESTIONS = {"advice", "hint_reasons", "reviews", "tables"}
MAY_READ_FILES = {"rules/__main__.py"}


def files(*places: str) -> list[Path]:
    """Return the Python files of some folders, or the file itself."""
    found = [path for place in places for path in [ROOT / place, *(ROOT / place).rglob("*.py")]]
    kept = [path for path in found if not MADE & set(path.relative_to(ROOT).parts)]
    return sorted(path for path in kept if path.suffix == ".py" and path.exists())


def name_of(path: Path) -> str:
    """Return a file's name within the tree: `pi_app/texts/words.py`."""
    return path.relative_to(ROOT).as_posix()


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return what a file imports, for types too, as dotted names of modules."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = package_of(path, node)
            yield from (module(package, name.name) for name in node.names)


def package_of(path: Path, node: ast.ImportFrom) -> str:
    """Return what an import reads from, as a dotted name. Only `rules` may import relatively."""
    if node.level == 0:
        return node.module or ""
    within = path.relative_to(ROOT).parts[: -node.level]
    assert within[:1] == ("rules",), f"{path} imports relatively"
    return ".".join([*within, *([node.module] if node.module else [])])


def module(package: str, name: str) -> str:
    """Return what `from package import name` reads: a module of that name, or the package."""
    inside = ROOT / package.replace(".", "/") / name
    return f"{package}.{name}" if inside.with_suffix(".py").exists() or inside.is_dir() else package


def room(name: str) -> str:
    """Return the room of a module of ours: `pi_app.texts.words` is in `texts`."""
    return name.removeprefix("pi_app.").partition(".")[0]


OURS = files("pi_app")


def top(name: str) -> str:
    return name.partition(".")[0]


def imported(*places: str, strange: Callable[[Path, str], bool]) -> list[str]:
    """Return the imports below some folders that are strange, each with its file."""
    return [
        f"{name_of(path)}: {name}"
        for path in files(*places)
        for name in imports(path)
        if strange(path, name)
    ]


def test_the_folders_are_the_ones_named() -> None:
    found = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert {name for name in found if not name.endswith(".egg-info")} - MADE <= FOLDERS


def test_the_rules_import_nothing_but_themselves_and_the_standard_library() -> None:
    allowed = {*sys.stdlib_module_names, "rules"}
    assert imported("rules", strange=lambda path, name: top(name) not in allowed) == []


def test_the_rules_import_one_another_relatively_as_they_have_two_names() -> None:
    for path in files("rules"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        named = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
        named += [
            node.module or ""
            for node in nodes
            if isinstance(node, ast.ImportFrom) and not node.level
        ]
        assert {top(name) for name in named} & {"rules", "pachisi_rules"} == set(), path


@pytest.mark.parametrize("name", ["chamber", "link"])
def test_the_chambers_logic_imports_nothing(name: str) -> None:
    assert imports(ROOT / "firmware" / f"{name}.py") == ()


def test_every_room_has_its_row_and_knows_only_rooms_above_it() -> None:
    found = {room(".".join(path.relative_to(ROOT).with_suffix("").parts)) for path in OURS}
    assert found - {"__init__"} == set(ROOMS)
    above: set[str] = set()
    for name, (known, _) in ROOMS.items():
        assert set(known.split()) <= above, name
        above.add(name)


def is_unknown_to_its_room(path: Path, name: str) -> bool:
    own = path.relative_to(ROOT / "pi_app").with_suffix("").parts[0]
    rooms, libraries = ROOMS.get(own, ("", ""))
    if top(name) == "pi_app":
        return room(name) not in {"pi_app", own, *rooms.split()}  # the package: its version
    return top(name) not in {*sys.stdlib_module_names, "rules", *libraries.split()}


def test_a_module_imports_only_what_its_room_knows() -> None:
    assert imported("pi_app", strange=is_unknown_to_its_room) == []


def test_the_rooms_that_are_known_are_used() -> None:
    for own, (rooms, libraries) in ROOMS.items():
        here = files(f"pi_app/{own}", f"pi_app/{own}.py")
        used = {name for path in here for name in imports(path)}
        assert {room(name) for name in used if top(name) == "pi_app"} >= set(rooms.split()), own
        assert {top(name) for name in used} >= set(libraries.split()), own


def is_of_a_later_wing(path: Path, name: str) -> bool:
    here = path.relative_to(ROOT / "pi_app" / "table").with_suffix("").parts[0]
    before = WINGS[: WINGS.index(here) + 1]
    return name.startswith("pi_app.table.") and name.split(".")[2] not in before


def test_a_wing_of_the_table_knows_only_those_before_it() -> None:
    assert imported("pi_app/table", strange=is_of_a_later_wing) == []


def test_a_module_of_the_runtime_knows_only_its_own_part() -> None:
    for name, known in RUNTIME.items():
        used = imports(ROOT / "pi_app/runtime" / f"{name}.py")
        ours = {one.removeprefix("pi_app.runtime.") for one in used if top(one) == "pi_app"}
        assert set(map(room, ours)) == set(known.split()), name


def test_every_module_of_the_runtime_is_named() -> None:
    found = {path.stem for path in files("pi_app/runtime")}
    assert found - {"__init__", "assembly"} == set(RUNTIME)


def test_a_device_is_one_file_with_one_library() -> None:
    for path in files("pi_app/devices"):
        here = name_of(path).removeprefix("pi_app/").removesuffix(".py")
        libraries = {top(name) for name in imports(path)} - {*sys.stdlib_module_names, "pi_app"}
        assert len(libraries - {"rules"}) <= 1 or libraries == ONE_LIBRARY[here], here


def test_no_imports_go_round_in_a_circle() -> None:
    known = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files("rules", "pi_app")
    }
    graph = {name: {one for one in imports(path) if one in known} for name, path in known.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(known)  # else CycleError


def is_a_way_to_the_world(path: Path, name: str) -> bool:
    return name_of(path) not in MAY_READ_FILES and top(name) in WORLD


def test_what_decides_and_what_draws_have_no_clock_no_chance_and_no_files() -> None:
    assert imported(*PURE, strange=is_a_way_to_the_world) == []


def test_the_players_know_rules_and_questions_alone_and_never_see_a_generator_of_dice() -> None:
    ours = files("pi_app/players")
    known = {name for path in ours for name in imports(path)}
    assert {"random", "secrets", "uuid"} & set(map(top, known)) == set()
    assert {top(name) for name in known} <= {*sys.stdlib_module_names, "pi_app", "rules"}
    values = {name for name in known if top(name) == "pi_app" and room(name) != "players"}
    assert {name.removeprefix("pi_app.model.") for name in values} == QUESTIONS
    assert all(".dice" not in name for name in known)


def test_what_pages_show_is_made_without_a_server() -> None:
    for name in ("state", "spectator_state", "kept_games", "game_file", "geometry"):
        libraries = {top(one) for one in imports(ROOT / "pi_app/web" / f"{name}.py")}
        assert libraries, name
        assert libraries & {"starlette", "uvicorn"} == set(), name


def test_only_the_pages_know_what_browsers_are_shown() -> None:
    knowing = {
        name_of(path)
        for path in OURS
        if not name_of(path).startswith(("pi_app/web/", "pi_app/club/"))
        and any(room(name) == "web" for name in imports(path))
    }
    pages = {"simulate/page_state", "simulate/page"}
    pages |= {"commands/run", "commands/export", "commands/simulate"}
    assert knowing == {f"pi_app/{page}.py" for page in pages}


def test_the_table_has_no_words_outside_the_room_of_texts() -> None:
    for path in files("pi_app/model", "pi_app/settings", "pi_app/table"):
        if path.name == "history.py":
            continue  # its texts are for journals
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts = {one for node in ast.walk(tree) if no_player_reads(node) for one in ast.walk(node)}
        texts = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts
        ]
        words = [text for text in texts if " " in text and re.search("[A-Za-z]", text)]
        assert words == [], path


def no_player_reads(node: ast.AST) -> bool:
    """Whether a part of the code is a docstring, an exception that is raised or a pattern."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    is_pattern = isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
    return is_pattern or isinstance(node, ast.Raise)


def test_a_folder_says_in_a_sentence_what_it_is_and_keeps_out() -> None:
    for path in OURS:
        if path.name == "__init__.py":
            says = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
            assert says is not None, path
            assert says.count("\n") == 0, path
            assert says.endswith("."), path


def test_no_public_class_name_stands_twice() -> None:
    names = Counter(
        node.name
        for path in files("rules", "pi_app")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []
