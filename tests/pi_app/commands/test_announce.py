"""`referee announce`: the installation's screens, left on the panel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pi_app.display.view import draw
from pi_app.table.telling import last_pages
from pi_app.texts.language import language
from tests.end_to_end.service import METAL, ROOT, on_glass

pytestmark = pytest.mark.slow  # each test starts a process

GERMAN = language("de")
SCREENS = {
    "installing": draw(last_pages.INSTALLING, GERMAN),
    "waiting": draw(last_pages.INSTALLATION_WAITS, GERMAN),
    "stopped": draw(last_pages.INSTALLATION_STOPPED, GERMAN),
}


def announce(folder: Path, state: str) -> subprocess.CompletedProcess[str]:
    config = folder / "mine.toml"
    config.write_text('[display]\n[settings]\nlanguage = "de"\n')
    return subprocess.run(
        [sys.executable, "-m", "pi_app", "announce", state, "--config", str(config)],
        env={**os.environ, "PYTHONPATH": f"{METAL}:{ROOT}", "METAL": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("state", SCREENS)
def test_the_panel_shows_the_state_in_the_configured_language_and_keeps_it(
    state: str, tmp_path: Path
) -> None:
    done = announce(tmp_path, state)
    assert (done.returncode, done.stderr) == (0, "")
    assert on_glass((tmp_path / "panel").read_bytes()).tobytes() == SCREENS[state].tobytes()


def test_a_panel_that_is_missing_is_an_error_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "absent").touch()
    done = announce(tmp_path, "installing")
    assert done.returncode == 1
    assert "the display can't be reached" in done.stderr
