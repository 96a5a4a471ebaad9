"""The pages' scripts use only what their oldest browsers have, as ESLint knows it."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.interpreter import demanded, find_node, install

pytestmark = [pytest.mark.micropython, pytest.mark.slow]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRIPTS = sorted(ROOT.glob("pi_app/**/*.js"))
TOO_NEW = (
    "pawns?.length;",
    "pawns ?? [];",
    "1_000;",
    "class Pawn { seat = 0; }",
    "await pause();",
    "pawns.at(-1);",
    "board.replaceChildren();",
    "board.checkVisibility();",
    'words.replaceAll("a", "b");',
    "structuredClone(pawns);",
    'Object.hasOwn(pawns, "A");',
    "AbortSignal.timeout(1);",
    "new TextDecoderStream();",
    "new ResizeObserver(draw);",
    "new OscillatorNode(sound);",
    "new GainNode(sound);",
    "new PointerEvent(1);",
    "crypto.randomUUID();",
)


def complaints(folder: Path, files: list[Path]) -> str:
    node = demanded(find_node())
    install(node)
    program = HERE.parent / "node_modules" / "eslint" / "bin" / "eslint.js"
    config = ["--config", str(HERE / "eslint.config.mjs"), "--format", "stylish"]
    run = subprocess.run(
        [*node.node, str(program), *config, *map(str, files)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def test_the_scripts_use_nothing_that_is_too_new() -> None:
    assert len(SCRIPTS) > 6
    assert complaints(ROOT, SCRIPTS) == ""


@pytest.mark.parametrize("name", ["pi_app/web/README.md", "pi_app/README.md"])
def test_the_documents_name_the_oldest_browsers(name: str) -> None:
    [oldest] = re.findall(r"OLDEST = \[(.*)\]", (HERE / "eslint.config.mjs").read_text())
    chrome, safari, _ = re.findall(r'"(.*?)"', oldest)
    text = (ROOT / name).read_text(encoding="utf-8")
    assert chrome.replace("Chrome", "Chromium") in text
    assert safari in text


def test_each_of_the_features_that_were_too_new_is_found(tmp_path: Path) -> None:
    files = [tmp_path / f"{n}.js" for n in range(len(TOO_NEW))]
    for file, script in zip(files, TOO_NEW, strict=True):
        file.write_text(f"{script}\n")
    told = complaints(tmp_path, files)
    unseen = [TOO_NEW[n] for n, file in enumerate(files) if not re.search(rf"^{file}$", told, re.M)]
    assert unseen == []
