"""The system of a computer, by its own files."""

from pathlib import Path

from pi_app.system.computer import read_system


def test_raspberry_pi_os_is_told_from_debian(tmp_path: Path) -> None:
    issue = tmp_path / "rpi-issue"
    issue.write_text("Raspberry Pi reference 2025-05-13\nGenerated using pi-gen\n")
    assert (
        read_system(issue) == f"{read_system(tmp_path / 'none')}, Raspberry Pi reference 2025-05-13"
    )
