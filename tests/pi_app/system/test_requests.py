"""A request to systemd: made, waited for, withdrawn, answered."""

from pathlib import Path
from threading import Thread

import pytest

from pi_app.model.events import Answer
from pi_app.system.requests import ANSWER, RequestError, ask, make_request


def test_it_stays_until_the_request_is_taken(tmp_path: Path) -> None:
    asking = Thread(target=make_request, args=(tmp_path, "power-off", 60.0))
    asking.start()
    request = tmp_path / "power-off"
    while not request.exists():
        assert asking.is_alive()
    request.unlink()
    asking.join(60.0)
    assert not asking.is_alive()


def test_a_request_that_nobody_takes_is_taken_back_and_told(tmp_path: Path) -> None:
    path = r"start referee-request@power-off\.path"
    with pytest.raises(RequestError, match=rf"nobody took .*: {path}"):
        make_request(tmp_path, "power-off", 0.0)
    assert ask(tmp_path, "page-on", 0.0) == Answer("not-taken")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"power-off can't be requested: .*No such file"):
        make_request(tmp_path / "nowhere", "power-off", 0.0)


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        (str(Answer("done", 12)), Answer("done", 12)),
        ("what 1", Answer("failed")),
        ("", Answer("failed")),
    ],
)
def test_the_answer_is_that_of_the_unit_and_not_an_older_one(
    tmp_path: Path, written: str, answer: Answer
) -> None:
    (tmp_path / ANSWER).write_text("not-taken 0")

    def unit() -> None:
        while not (tmp_path / "page-on").exists():
            pass
        assert not (tmp_path / ANSWER).exists()
        (tmp_path / "page-on").unlink()
        (tmp_path / "half").write_text(written)
        (tmp_path / "half").replace(tmp_path / ANSWER)

    Thread(target=unit).start()
    assert ask(tmp_path, "page-on", 60.0, 60.0) == answer
