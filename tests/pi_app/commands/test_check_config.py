"""`referee check-config`: what it prints of a file that can be used."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pi_app.__main__ import main


def test_a_former_name_is_warned_of_once_and_is_not_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "old.toml"
    path.write_text(f"panel.A.ok = 17\npanel.C.ok = 16\ntable.journal = '{tmp_path}'\n")
    with caplog.at_level(logging.WARNING):
        main(["check-config", str(path)])
    assert capsys.readouterr().out == f"{path} has no mistakes\n"
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}, line 3: table.journal is the former name: write table.journal_folder"
    ]
