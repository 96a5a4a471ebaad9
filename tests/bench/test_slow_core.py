"""The control group that holds a table to a tenth of a core, made in folders like the kernel's."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.bench.slow_core import NoControlGroup, control_group

PRINTS_ITS_NUMBER = ("sh", "-c", "echo $$")


def version_2(groups: Path, handed_down: str) -> Path:
    (groups / "cgroup.controllers").write_text("cpuset cpu io\n")
    (groups / "cgroup.subtree_control").write_text(handed_down)
    return groups


def version_1(groups: Path) -> Path:
    (groups / "cpu").mkdir()
    (groups / "cpu" / "cgroup.procs").touch()
    return groups / "cpu"


def program_in_a_group_of(groups: Path, parent: Path) -> tuple[Path, dict[str, str]]:
    """Run a program in a new group; return the group, and what was written into its files.

    The files are removed here, as the kernel does when the group is removed.
    """
    with control_group(groups) as runner:
        program = subprocess.run([*runner, *PRINTS_ITS_NUMBER], capture_output=True, check=True)
        [group] = parent.glob("pachisi-*")
        written = {file.name: file.read_text().strip() for file in group.iterdir()}
        for file in group.iterdir():
            file.unlink()
    assert written.pop("cgroup.procs") == program.stdout.decode().strip()
    return group, written


@pytest.mark.parametrize("handed_down", ["", "cpu io\n"])
def test_version_2_limits_a_group_by_one_file(tmp_path: Path, handed_down: str) -> None:
    groups = version_2(tmp_path, handed_down)
    group, written = program_in_a_group_of(groups, groups)
    assert written == {"cpu.max": "1000 10000"}
    assert "cpu" in (groups / "cgroup.subtree_control").read_text()
    assert not group.exists()


def test_version_1_limits_a_group_by_two(tmp_path: Path) -> None:
    group, written = program_in_a_group_of(tmp_path, version_1(tmp_path))
    assert written == {"cpu.cfs_period_us": "10000", "cpu.cfs_quota_us": "1000"}
    assert not group.exists()


def test_without_a_cpu_controller_the_reason_is_given(tmp_path: Path) -> None:
    with pytest.raises(NoControlGroup, match="has no cpu controller"), control_group(tmp_path):
        pass


def test_a_group_that_cannot_be_made_is_a_reason_too(tmp_path: Path) -> None:
    (version_1(tmp_path) / f"pachisi-referee-bench-{os.getpid()}").mkdir()
    with pytest.raises(NoControlGroup, match="File exists"), control_group(tmp_path):
        pass
