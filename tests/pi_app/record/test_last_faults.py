"""The last faults are kept next to the journal, whole and bounded, and so is how a table ended."""

import logging
import os
from pathlib import Path

import pytest

from pi_app.record.last_faults import FILE, MAX_FAULTS, keep_faults, read_faults

log = logging.getLogger("referee")


def entries(folder: Path) -> list[str]:
    """Return the kept entries without their times."""
    return [entry.partition(" ")[2] for entry in read_faults(folder / FILE)]


def test_faults_are_kept_and_what_is_no_fault_is_not(tmp_path: Path) -> None:
    with keep_faults(tmp_path, "b00t"):
        log.info("a game begins")
        log.warning("the display is dark")
    begin, *others = entries(tmp_path)
    assert begin.startswith("the table begins, in boot b00t, version ")
    assert others == ["the display is dark", "the table ends"]


def test_an_error_that_ends_the_table_is_kept(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no pins"), keep_faults(tmp_path, "b00t"):
        raise OSError("no pins")
    assert entries(tmp_path)[-1] == "the table ends: OSError('no pins')"


@pytest.mark.parametrize(
    ("boot", "how"),
    [
        ("b00t", "by the watchdog, by a crash or by somebody"),
        ("0ther", "the computer restarted or lost power"),
    ],
)
def test_a_table_that_was_stopped_without_an_end_is_seen_at_the_next_start(
    tmp_path: Path, boot: str, how: str
) -> None:
    with keep_faults(tmp_path, "b00t"):
        pass
    file = tmp_path / FILE
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))  # its end is missing
    with keep_faults(tmp_path, boot):
        pass
    assert f"the table before was stopped without an end: {how}" in entries(tmp_path)


def test_a_table_that_ended_was_not_stopped(tmp_path: Path) -> None:
    for _ in range(2):
        with keep_faults(tmp_path, "b00t"):
            pass
    assert "stopped" not in (tmp_path / FILE).read_text()


def test_only_the_last_faults_are_kept_and_a_long_one_is_cut(tmp_path: Path) -> None:
    with keep_faults(tmp_path, "b00t"):
        for number in range(MAX_FAULTS + 20):
            log.warning("fault %d\nin line 7\n%s", number, "x" * 5000)
    kept = entries(tmp_path)
    assert len(kept) == MAX_FAULTS
    assert kept[-2].startswith("fault 119\n in line 7\n xxx")
    assert (tmp_path / FILE).stat().st_size < 2100 * MAX_FAULTS


def test_a_folder_that_is_missing_or_a_file_that_is_a_pipe_stops_nobody(tmp_path: Path) -> None:
    with keep_faults(tmp_path / "none", "b00t"):
        log.warning("the display is dark")
    os.mkfifo(tmp_path / FILE)
    assert read_faults(tmp_path / FILE) == []
