"""`referee club`: lists and merges what was collected; what it says if an option is wrong."""

from contextlib import closing
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.club.collecting import take_record
from pi_app.club.store import open_store
from tests.pi_app.club.ended import ended_game

GAMES = [ended_game(seed) for seed in (1, 2)]


@pytest.fixture
def stores(tmp_path: Path) -> list[Path]:
    """Two clubs' files: the first has one game, the second both."""
    paths = [tmp_path / "north.sqlite", tmp_path / "south.sqlite"]
    for path, games in zip(paths, (GAMES[:1], GAMES), strict=True):
        with closing(open_store(path)) as store:
            for n, game in enumerate(games):
                take_record(store, path.stem, game.id, game.records[-1], 1764273600.0 + 60 * n)
    return paths


def test_games_are_merged_and_listed(
    stores: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "all.sqlite")
    for _ in range(2):
        main(["club", "--merge", *map(str, stores), "--store", store])
        assert capsys.readouterr().out == f"{store} contains 2 games\n"
    main(["club", "--list", "--store", store])
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["game", "table", "places", "actions", "received"]
    assert [line.split()[:4] for line in lines] == [
        [GAMES[0].id, "north", "-", "15"],
        [GAMES[1].id, "south", "-", "15"],
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--list --store {}/no.sqlite", "there is no file {}/no.sqlite: name a club's store"),
        ("--merge {}/no.sqlite --store {}/b.sqlite", "there is no file {}/no.sqlite: "),
        ("--broker host:x --store {}/a.sqlite", "--broker host:x is not HOST[:PORT] "),
        ("--broker h --page x --store {}/a.sqlite", "--page 127.0.0.1:x is not HOST[:PORT] "),
        ("--broker h --tables a/# --store {}/a.sqlite", "--tables a/# is not like pachisi/+ or "),
        ("--broker h --store {}/no/a.sqlite", "{}/no/a.sqlite can't be used as a club's store "),
        ("--broker h --password {}/no --store {}/a", "{}/no: No such file or directory"),
    ],
)
def test_a_wrong_option_is_a_sentence(options: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["club", *options.replace("{}", str(tmp_path)).split()])
    assert str(ended.value).startswith(f"referee: {sentence.replace('{}', str(tmp_path))}")
    assert not list(tmp_path.glob("*.client"))
