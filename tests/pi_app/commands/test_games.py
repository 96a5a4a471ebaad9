"""`referee games`, `show`, `export`, `import`, `stats`: kept games, while a table plays or not."""

import csv
import json
import os
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from pi_app.__main__ import main
from pi_app.commands.games import format_games
from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.record.journal import FILE, load
from pi_app.record.schema import StoredRow, stored_row
from pi_app.record.summaries import Summary
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from rules.lines.replay import judge
from rules.lines.sheet import sheet_lines
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import change, commit, write_in_text
from tests.pi_app.record.test_games import AT, NEST, RECORD, SHORT, rows
from tests.pi_app.stranger import read_only, readable_folder, referee, state

pytestmark = pytest.mark.slow  # nearly each test starts a process

GAME = "".join(f"{json.dumps(line)}\n" for line in RECORD)
LAST_STEP = "H,H,H,r7/-/N,N,N,N/-"
SHEET = """\
[Record "pachisi-record 1"]
[Rules "findler"]
[Seats "A C D"]
[Host "C"]
[A "Mia"]
[C "Grandpa"]
[Started "2026-11-21T12:00:00Z"]

choose A
1. A 5-1: N-0(5) {hint step} undo N-0(5) 0-1(1)
2. D 3-4 {typed}: retype 3-5 N-0(5) 0-3(3)
3. C 6-4 {by strong}: stop {by dome}
4. A 5-5 {by D}
correct 1,N,N,N/-/3,N,N,N/3,N,N,N seat C doublets 0
undo
4. A (5-5): undo
3. C (6-4): stop {by strong}
4. A 5-5 again {by D}
leave D
4. A (5-5): N-0(5) {by C}
end
"""
SHOWN = """\
Game i1: A Mia, C Grandpa and D, played on 2026-11-21
Findler's course rules
over, nobody has won
3 throws from an unknown source, 1 throw typed in

Who begins
  A begins
Turn 1, A Mia
  A threw 5 and 1
  A entered a pawn with 5, after a hint
  undone: A's move from the nest to A's entry
  A entered a pawn with 5
  A moved 1, from A's entry to 1 past A
Turn 2, D
  D typed 3 and 4
  D corrected the dice to 3 and 5
  D entered a pawn with 5
  D moved 3, from D's entry to 3 past D
Turn 3, C Grandpa, played by a bot (strong)
  C threw 6 and 4
  C did not use 6 and 4
Turn 4, A Mia, played by D
  A threw 5 and 5
  corrected: C from the nest to 3 past C, C's turn; the throw is kept
  undone: the correction
Turn 3, C Grandpa, continued, played by a bot (strong)
  undone: the end of C's turn
  C did not use 6 and 4
Turn 4, A Mia, continued
  A threw 5 and 5, as before, played by D
  D left the game
  A entered a pawn with 5, played by C
  the game is over

Where the pawns are
  A Mia: 1 at 1 past A, 1 at A's entry, 2 in the nest
  C Grandpa: 4 in the nest
  D: off the board

The rules
  entering
    enters with: 5
    enters by: a die or the sum
    must enter: no
    5 only to enter: no
    underside enters: no
"""
Told = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A journal's folder with a short game of LUC at A with C, and a longer one of A, C and D."""
    journal, _ = load(tmp_path / "games" / FILE)
    commit(journal, SHORT, AT, puts=(("player.A", "LUC red"),))
    commit(journal, islice(rows_of_a_game(5), 40), None, t=100.0)
    journal.close()
    return tmp_path / "games"


@pytest.fixture
def told(folder: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command on this folder; return what it prints."""

    def run(*arguments: object) -> str:
        main([*map(str, arguments), "--folder", str(folder)])
        return capsys.readouterr().out

    return run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record from elsewhere."""
    (tmp_path / "theirs.jsonl").write_text(GAME)
    return tmp_path / "theirs.jsonl"


# While a table plays.


def test_a_stranger_reads_all_games_while_the_table_plays() -> None:
    with readable_folder() as here:
        games = here / "games"
        with open_simulation(load_config(DEFAULT), 2, games) as played:
            player = SimulatedPlayer(played, Random(2))
            player.begin((0, 2))
            while player.game.throws < 3:
                player.act()
            with read_only(games):
                before = state(games)
                done = {
                    one: referee(*one.split(), "--folder", games)
                    for one in ("games", "show 1", "export 1", "stats")
                }
                assert state(games) == before
            player.act()
        assert [one.stderr for one in done.values()] == [""] * 4
        assert done["games"].stdout.splitlines()[1].split()[2:6] == ["A,", "C", "not", "over"]
        verdict = judge(done["export 1"].stdout.splitlines())
        assert verdict["over"] is False
        assert verdict["actions"] == done["export 1"].stdout.count("\n") - 1
        assert done["show 1"].stdout.startswith("Game 1: A and C")
        assert "simulated: " in done["stats"].stdout


def test_a_record_is_imported_while_the_table_plays_and_its_game_goes_on(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_simulation(load_config(DEFAULT), 2, tmp_path / "games") as played:
        player = SimulatedPlayer(played, Random(2))
        player.begin((0, 2))
        main(["import", str(file), "--folder", str(tmp_path / "games")])
        player.act()
        there = player.game
    with open_simulation(load_config(DEFAULT), 2, tmp_path / "games") as played:
        assert SimulatedPlayer(played, Random(2)).game == there
    assert capsys.readouterr().out.endswith("is now game i1: `referee show i1` prints it\n")


# List and show.


def test_games_are_listed_with_players_result_day_and_how_long(told: Told, file: Path) -> None:
    told("import", file)
    assert told("games").splitlines() == [
        "game  rules       players    result    date        length    throws",
        "   1  findler     LUC, C     not over  2025-11-20  0 s            1",
        "   2  royal-2023  LUC, C, D  not over  -           0 s           11",
        "  i1  findler     LUC, C     not over  2025-11-20  imported       1",
    ]


def test_programs_get_the_games_and_their_counts_as_numbers(told: Told, file: Path) -> None:
    told("import", file)
    first, second, imported = json.loads(told("games", "--json"))["games"]
    assert first == {
        "number": "1",
        "ruleset": "findler",
        "seats": ["A", "C"],
        "names": {"A": "LUC"},
        "over": False,
        "winners": [],
        "started": "2025-11-20T00:53:20+00:00",
        "duration_s": 0.0,
        "throws": 1,
        "imported": False,
        "damaged": False,
    }
    assert (second["started"], imported["imported"]) == (None, True)
    counted = json.loads(told("stats", "1", "--json"))
    zeros = dict.fromkeys(("doublets", "waited", "captures", "captured"), 0)
    assert counted == {
        "games": 1,
        "throws": 1,
        "dice": [{"source": "kernel", "shells": False, "counts": [1, 0, 0, 0, 1, 0]}],
        "seats": [
            {"seat": "A", "throws": 1, "entries": 1, **zeros},
            {"seat": "C", "throws": 0, "entries": 0, **zeros},
        ],
    }


def test_damaged_games_are_listed_as_damaged_and_the_others_are_counted(
    told: Told, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder / FILE, "UPDATE rows SET action = CAST(x'ff' AS TEXT) WHERE game = 1 AND n = 3")
    assert told("games").splitlines() == [
        "game  rules       players    result    date        length  throws",
        "   1  findler     LUC, C     damaged   2025-11-20  -            -",
        "   2  royal-2023  LUC, C, D  not over  -           0 s         11",
    ]
    main(["stats", "--folder", str(folder)])
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "1 game, 12 throws"
    assert said.err == (
        f"referee: game 1 in {folder / FILE} is damaged "
        "(row 3 of game 1 is not as it was recorded): not counted\n"
    )


def test_a_fifo_in_place_of_the_journal_is_one_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    with pytest.raises(SystemExit) as raised:
        main(["games", "--folder", str(tmp_path)])
    assert raised.value.code == (
        f"referee: {tmp_path / FILE} is not a file: move it away or name another folder"
    )


@pytest.mark.parametrize("started", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_day_that_no_calendar_here_has_is_left_out_of_the_list(
    told: Told, tmp_path: Path, started: str
) -> None:
    odd = ({**RECORD[0], "started": started}, *RECORD[1:])
    (tmp_path / "odd.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in odd))
    told("import", tmp_path / "odd.jsonl")
    assert told("games").splitlines()[-1].split()[-3:] == ["-", "imported", "1"]


def test_a_list_fits_80_columns_whatever_the_games_are_called() -> None:
    names = dict.fromkeys("ABCD", "Wilhelmina the Great")
    long = Summary("i12", "encyclopedia", (0, 1, 2, 3), names, True, (2,), None, 86400.0, 1234)
    lines = format_games([long, long._replace(number="1", winners=())])
    assert max(map(len, lines)) <= 80
    assert [line[39:].split()[:2] for line in lines[1:]] == [["Wilhelm", "won"], ["nobody", "won"]]
    assert "1440 min" in lines[2]


def test_where_no_game_was_played_the_list_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(tmp_path / FILE)[0].close()
    main(["games", "--folder", str(tmp_path)])
    assert capsys.readouterr().out == "there are no games yet\n"


def test_a_game_is_shown_turn_by_turn_as_the_panel_tells_it_with_the_rules_last(
    told: Told, tmp_path: Path
) -> None:
    (tmp_path / "sheet.txt").write_text(SHEET)
    told("import", tmp_path / "sheet.txt")
    shown = told("show", "i1")
    assert shown.startswith(SHOWN)
    assert shown.endswith("    pawns go: counterclockwise\n")
    assert "all in nest" not in shown  # of the later options only those that are not the default


def test_a_game_of_a_newer_set_is_shown_with_the_options_that_set_it_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = load(tmp_path / FILE)
    commit(journal, rows("ludo-de", (0, 2), "throw 6", "throw 1"), None)
    journal.close()
    main(["show", "1", "--folder", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "    all in nest: three throws\n" in shown
    assert "    share safe space" not in shown


def test_a_game_is_shown_in_the_words_of_its_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = load(tmp_path / FILE)
    throws = ("throw 6", "throw 1", "throw 6", "stop", "throw 6", "stop", "throw 6", "stop")
    commit(journal, rows("ludo-ch", (0, 2), *throws), None)
    commit(journal, rows("ludo-dk", (0, 2), "throw 6", "throw 1"), None)
    journal.close()
    main(["show", "1", "--folder", str(tmp_path)])
    main(["show", "2", "--folder", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "  A threw a third six\n" in shown
    assert "    globes are: entries and 8 past\n" in shown


def test_who_begins_is_told_before_the_first_turn_and_only_what_was_done_has_a_doer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = load(tmp_path / FILE)
    throws = ("throw 2", "throw 2", "throw 3", "throw 1")
    signed = (
        replace(row, by="club" if n in (2, 4) else None)
        for n, row in enumerate(rows("one-die", (0, 2), *throws))
    )
    commit(journal, signed, None)
    journal.close()
    main(["show", "1", "--folder", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[5:12] == [
        "Who begins",
        "  A threw 2",
        "  C threw 2, played by a bot (club)",
        "  tie: A and C throw again",
        "  A threw 3",
        "  C threw 1, played by a bot (club)",
        "  A begins",
    ]


def test_a_throw_that_was_typed_again_belongs_to_who_begins_though_that_seemed_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = load(tmp_path / FILE)
    throws = ("throw 3", "throw 1", "retype 5", "throw 6")
    commit(journal, rows("one-die", (0, 2), *throws, dice="typed"), None)
    journal.close()
    main(["show", "1", "--folder", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[5:13] == [
        "Who begins",
        "  A typed 3",
        "  C typed 1",
        "  A begins",
        "  C corrected the dice to 5",
        "  C begins",
        "Turn 1, C",
        "  C typed 6",
    ]


def test_a_game_of_this_table_says_who_has_won_and_counts_each_kind_of_throw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = load(tmp_path / FILE)
    entries = ("choose 0", "throw 6 4", "stop", f"correct {LAST_STEP} seat 0 doublets 0")
    commit(journal, rows("findler", (0, 2), *entries, "throw 1 2", "move r7-H(1)"), None)
    journal.close()
    main(["show", "1", "--folder", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "Game 1: A and C",
        "Findler's course rules",
        "A has won",
        "2 throws by the referee",
    ]
    assert "  A: 4 home" in lines
    assert "  C: 4 in the nest" in lines


@pytest.mark.parametrize("command", ["show", "export", "stats"])
def test_a_game_that_is_not_there_is_one_sentence(folder: Path, command: str) -> None:
    with pytest.raises(SystemExit) as raised:
        main([command, "i1", "--folder", str(folder)])
    assert raised.value.code == (
        "referee: there is no game i1: there are 1 to 2; `referee games` lists them"
    )


@pytest.mark.parametrize("command", ["show", "stats"])
def test_a_game_that_the_rules_do_not_know_any_more_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    journal, _ = load(tmp_path / FILE)
    commit(journal, (*SHORT[:3], recorded("move N-2(5)", "2,N,N,N/-/N,N,N,N/-")), AT)
    journal.close()
    with pytest.raises(SystemExit) as raised:
        main([command, "1", "--folder", str(tmp_path)])
    assert raised.value.code == (
        "referee: game 1 breaks the rules of this version (line 4: "
        "move N-2(5) is not legal in N,N,N,N/-/N,N,N,N/-): `referee export 1` can still "
        "write its record"
    )
    main(["export", "1", "--folder", str(tmp_path)])
    assert capsys.readouterr().out.count("\n") == 4


def test_a_game_by_options_that_are_not_known_any_more_is_listed_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = StoredRow(0, "", 'new {"odd": 5} seats 0,2', NEST)
    write_in_text(tmp_path / FILE, odd, *(stored_row(0, "", row) for row in SHORT[1:3]))
    main(["games", "--folder", str(tmp_path)])
    assert capsys.readouterr().out.splitlines()[1].split()[:5] == ["1", "house", "rules", "A,", "C"]
    main(["export", "1", "--folder", str(tmp_path)])
    assert '"ruleset": {"odd": 5}, "seats": [0, 2]' in capsys.readouterr().out
    with pytest.raises(
        SystemExit, match=r"^referee: game 1 breaks .* \(line 1: ruleset has no field"
    ):
        main(["show", "1", "--folder", str(tmp_path)])


# Export and import.


def test_what_is_exported_imported_and_exported_again_is_the_same_byte_for_byte(
    told: Told, tmp_path: Path
) -> None:
    exported = tmp_path / "exported.jsonl"
    assert told("export", "2", exported) == f"wrote the record of game 2 to {exported}\n"
    told("import", exported)
    told("export", "i1", tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == exported.read_bytes()
    assert told("export", "i1") == told("export", "2")


def test_the_newest_game_is_exported_as_a_page_that_no_other_file_gives_way_to(
    told: Told, tmp_path: Path
) -> None:
    page = tmp_path / "game.html"
    assert told("export", "--html", "2", page) == (
        f"wrote game 2 as a page to {page}: open it in a browser\n"
    )
    assert '"first":"en","texts":{"en":' in page.read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match=f"^referee: {page} exists already"):
        told("export", "--html", "2", page)
    assert told("export") == told("export", "2")


def test_a_record_that_is_written_otherwise_comes_back_as_it_was_given(
    told: Told, tmp_path: Path
) -> None:
    odd = GAME.replace('"seats": [0, 2]', '"seats":[0,  2], "weather": "ra\\u0069n"')
    odd = odd.replace("\n", "\r\n\n").replace('"action"', '"mood": ["☺"], "action"').rstrip()
    (tmp_path / "odd.jsonl").write_bytes(odd.encode())
    told("import", tmp_path / "odd.jsonl")
    told("export", "i1", tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == odd.encode()


def test_a_second_import_says_that_the_game_is_there(told: Told, file: Path) -> None:
    assert told("import", file) == f"{file} is now game i1: `referee show i1` prints it\n"
    assert told("import", file) == f"{file} is stored already, as game i1\n"
    assert told("games").count("imported") == 1


def test_a_sheet_of_a_game_is_imported_as_the_record_that_it_shows(
    told: Told, tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("\n".join(sheet_lines(told("export", "2").splitlines())))
    told("import", sheet)
    assert told("export", "i1") == told("export", "2")
    assert told("import", sheet) == f"{sheet} is stored already, as game i1\n"


WRONG = {
    "a shopping list\n": "line 1: not JSON",
    "": "line 1: the record is empty",
    GAME.replace('"undo"', '"undone"'): "line 5: ",
    GAME.replace("N-0(5)", "N-0(1)"): "line 4: ",
    GAME.replace('"host": 2', '"host": 1'): "line 1: host 1 is not one of the seats [0, 2]",
    GAME[:-40]: "line 6: ",
    '[Record "pachisi-record 1"]\n[Rules "findler"]\n[Seats "A C"]\n1. B 5-3: stop\n': "line 4: ",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_a_file_that_is_no_game_is_one_sentence_and_nothing_is_imported(
    told: Told, folder: Path, file: Path, text: str
) -> None:
    file.write_text(text)
    with pytest.raises(SystemExit) as raised:
        told("import", file)
    said = str(raised.value.code)
    assert said.startswith(f"referee: {file}, {WRONG[text]}")
    assert said.endswith(": nothing was imported; correct the file or name another")
    assert "\n" not in said
    assert not (folder / "imported").exists()


def test_a_line_that_is_not_text_is_told_by_its_number(told: Told, file: Path) -> None:
    file.write_bytes(GAME.encode().replace(b"kernel", b"kern\xffl"))
    with pytest.raises(
        SystemExit, match=r"line 3: it is not text in UTF-8: nothing was imported; "
    ):
        told("import", file)


def test_a_file_that_is_not_there_or_far_too_long_is_one_sentence(told: Told, file: Path) -> None:
    with pytest.raises(SystemExit, match=r"none can't be read \(No such file or directory\): name"):
        told("import", file.with_name("none"))
    with pytest.raises(SystemExit, match=r"can't be read \(Is a directory\): name another file"):
        told("import", file.parent)
    with pytest.raises(
        SystemExit, match=r"has more than 2,000,000 bytes, too many for a game: name"
    ):
        told("import", "/dev/zero")


def test_who_may_not_write_there_is_told_what_helps(file: Path) -> None:
    with readable_folder() as here:
        (here / "theirs.jsonl").write_text(GAME)
        (here / "theirs.jsonl").chmod(0o644)
        load(here / "games" / FILE)[0].close()
        with read_only(here / "games"):
            done = referee("import", here / "theirs.jsonl", "--folder", here / "games")
        assert done.stderr == (
            f"referee: {here}/games/imported can't be written (Permission denied): "
            "use sudo, or name another folder\n"
        )


# Statistics.


def test_statistics_are_of_the_tables_own_games_unless_others_are_named(
    told: Told, file: Path
) -> None:
    told("import", file)
    own = told("stats").splitlines()
    assert own[:2] == ["2 games, 13 throws", ""]
    assert told("stats", "i1").splitlines()[0] == "1 game, 1 throw"
    assert told("stats", "1", "i1", "1").splitlines() == [
        "2 games, 2 throws",
        "",
        "kernel: 2 throws, 4 dice",
        "  face              1      2      3      4      5      6",
        "  how often         2      0      0      0      2      0",
        "  fewer than 30 dice say nothing of whether they are fair",
        "",
        "A throw that was repeated after an undo or a correction counts once.",
        "For each seat:",
        "",
        "seat  throws  doublets  entry numbers  throws in nest  captures  pawns lost",
        "A          2         0              2               0         0           0",
        "C          0         0              0               0         0           0",
    ]


def test_typed_throws_are_told_apart_from_the_boxs_own(told: Told, tmp_path: Path) -> None:
    typed = tmp_path / "typed.jsonl"
    again = [
        {"action": "undo", "position": NEST},
        {"action": "move N-0(5)", "position": "0,N,N,N/-/N,N,N,N/-"},
        {"action": "stop", "position": "0,N,N,N/-/N,N,N,N/-"},
        {"action": "throw 6 6", "position": "0,N,N,N/-/N,N,N,N/-", "source": "typed"},
    ]
    again[2:3] = [{"action": "move 0-1(1)", "position": "1,N,N,N/-/N,N,N,N/-"}]
    again[3]["position"] = "1,N,N,N/-/N,N,N,N/-"
    typed.write_text(GAME + "".join(f"{json.dumps(line)}\n" for line in again))
    told("import", typed)
    lines = told("stats", "i1").splitlines()
    assert [line for line in lines if line.endswith("dice")] == [
        "kernel: 1 throw, 2 dice",
        "typed: 1 throw, 2 dice",
    ]


def test_each_throw_is_a_line_of_csv_for_who_doubts(told: Told) -> None:
    rows = list(csv.DictReader(StringIO(told("stats", "--csv"))))
    assert rows[0] == {
        "game": "1",
        "throw": "1",
        "seat": "A",
        "source": "kernel",
        "at": "2025-11-20T00:53:20Z",
        "die1": "5",
        "die2": "1",
        "cowries": "",
    }
    assert [row["game"] for row in rows] == ["1"] + ["2"] * 12


def test_seats_that_share_a_place_after_a_last_round_are_named_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = "correct 12,N,N,N/H,N,N,N/9,N,N,N/- seat 2 doublets 0"
    entries = ("choose 0", there, "throw 1 2", "last-turn C", "move 9-10(1)", "move 10-12(2)")
    journal, _ = load(tmp_path / FILE)
    commit(journal, rows("findler", (0, 1, 2), *entries), None)
    journal.close()
    main(["show", "1", "--folder", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "B has won, A is 2nd, C is 2nd"
    assert "  last round: C is last" in lines
    assert "  A and C share a place" in lines
