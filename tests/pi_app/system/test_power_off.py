"""The request to switch off: made, waited for, taken back."""

from pathlib import Path
from threading import Thread

import pytest

from pi_app.system.power_off import REQUEST, PowerOffError, request_power_off

ROOT = Path(__file__).parents[3]


def test_it_stays_until_the_request_is_taken(tmp_path: Path) -> None:
    asking = Thread(target=request_power_off, args=(tmp_path, 60.0))
    asking.start()
    request = tmp_path / REQUEST
    while not request.exists():
        assert asking.is_alive()
    request.unlink()
    asking.join(60.0)
    assert not asking.is_alive()


def test_a_request_that_nobody_takes_is_taken_back_and_told(tmp_path: Path) -> None:
    with pytest.raises(PowerOffError, match=r"nobody took .*: start referee-poweroff\.path"):
        request_power_off(tmp_path, 0.0)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PowerOffError, match=r"the computer can't be switched off: .*No such file"):
        request_power_off(tmp_path / "nowhere", 0.0)


def test_the_units_watch_for_and_take_this_request() -> None:
    request = f"%t/pachisi-referee/{REQUEST}"
    path = (ROOT / "systemd" / "referee-poweroff.path").read_text()
    service = (ROOT / "systemd" / "referee-poweroff.service").read_text()
    assert f"PathExists={request}\n" in path
    assert f"ExecStart=/bin/rm {request}\n" in service
