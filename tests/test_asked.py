"""The variables CI, SOAK and SHORT mean the same however they are written."""

import pytest

from tests.asked import asked, can_not_run, extent, in_short


@pytest.mark.parametrize("value", ["1", "true", "TRUE", "yes"])
def test_in_ci_what_can_not_run_is_a_failure(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CI", value)
    with pytest.raises(pytest.fail.Exception, match="no browser"):
        can_not_run("no browser")


@pytest.mark.parametrize("value", ["", "0", "false", "False", None])
def test_elsewhere_it_is_skipped_with_a_word(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("CI", raising=False)
    if value is not None:
        monkeypatch.setenv("CI", value)
    assert not asked("CI")
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        can_not_run("no browser")


def test_a_soak_does_all_of_it_and_other_runs_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOAK", "1")
    assert extent(20, soak=200) == 200
    monkeypatch.setenv("SOAK", "0")
    assert extent(20, soak=200) == 20


def test_a_short_run_does_a_few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHORT", "1")
    assert in_short(20, 2) == 2
    monkeypatch.setenv("SHORT", "")
    assert in_short(20, 2) == 20
