"""A journal with one wrong bit or byte anywhere: it starts, and nothing is lost without a word."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate, islice
from pathlib import Path

import pytest

from pi_app.model.history import Row
from pi_app.record.files import memory_folder
from pi_app.record.games import open_games
from pi_app.record.journal import load
from pi_app.record.schema import connect
from pi_app.record.summaries import Summary
from pi_app.record.trouble import JournalError
from tests.asked import extent
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import NEW, START, change, commit, last_game, write

PAGE = 512  # bytes; the usual 4096 would take eight times as long to say the same
USUAL_PAGE = 4096
PAGES = 20
GAMES = tuple(
    tuple(islice(rows_of_a_game(seed, seats), 20))
    for seed, seats in enumerate([(0, 2, 3), (2, 0, 3), (3, 0, 2)])
)
FULL = recorded("throw 1 2", START, "chamber", "b00t", 1, by="B", hint="why")
PLAIN = recorded("throw 6 6", START, "kernel")
OLD = (NEW, PLAIN, FULL, *3 * [PLAIN])


@pytest.fixture
def quick() -> Iterator[Path]:
    """A journal's path in memory, where nothing waits for a disk."""
    with tempfile.TemporaryDirectory("-referee", dir=memory_folder()) as folder:
        yield Path(folder) / "folder" / "journal.db"


def write_on_pages(path: Path, size: int, *games: tuple[Row, ...]) -> dict[str, bytes]:
    """Write a journal on pages of so many bytes; return its files."""
    path.parent.mkdir()
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute("PRAGMA journal_mode = WAL")
    write(path, *games)
    change(path, "INSERT INTO settings VALUES ('brightness', 'low')")
    return {name: path.with_name(name).read_bytes() for name in ("journal.db", "journal.count")}


def listed(path: Path) -> dict[str, Summary]:
    """Return what the list says of each game, nothing where only a start can mend the journal."""
    try:
        with open_games(path) as games:
            return {one.number: one for one in games.read_summaries()}
    except JournalError:
        return {}


class Judge:
    """Lays a damaged journal out, and sees what a list and a start make of it."""

    def __init__(self, path: Path, page: int, games: tuple[tuple[Row, ...], ...]) -> None:
        self.path, self.games = path, games
        self.files = write_on_pages(path, page, *games)
        self.sound = listed(path)

    def judge(self, byte: int, value: int, lists: bool = True) -> None:
        """Put a value in the place of a byte of the database. lists: see the list of games, too."""
        data = bytearray(self.files["journal.db"])
        data[byte] = value
        for file in self.path.parent.iterdir():
            file.unlink()
        for name, kept in {**self.files, "journal.db": bytes(data)}.items():
            self.path.with_name(name).write_bytes(kept)
        if lists:
            self.see_list()
        journal, found = load(self.path)
        rows = last_game(self.path)
        commit(journal, (NEW, PLAIN), 9.0)
        journal.close()
        newest = self.games[-1]
        if rows[:1] == newest[:1]:
            assert rows == newest[: len(rows)]
            assert found.missing == len(newest) - len(rows)
        else:  # the newest game is lost whole
            assert found.missing == len(newest)
        if found.aside:
            assert self.path.with_name(found.aside).read_bytes() == data
            assert found.warning is not None
            assert "\n" not in found.warning
        else:
            assert rows == newest

    def see_list(self) -> None:
        """See that each game is listed as what it was, or as damaged."""
        for number, one in listed(self.path).items():
            assert one.is_damaged or number not in self.sound or one == self.sound[number]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("page", range(PAGES))
def test_any_bit_of_any_page_can_be_wrong(quick: Path, page: int) -> None:
    journal = Judge(quick, PAGE, GAMES)
    data = journal.files["journal.db"]
    assert len(data) >= PAGE * PAGES
    assert len({game[0] for game in GAMES}) == len(GAMES), "a first row says which game it is"
    bits = range(8 * PAGE * page, 8 * PAGE * (page + 1))
    for bit in random.Random(page).sample(bits, extent(4, soak=200)):
        byte, n = divmod(bit, 8)
        journal.judge(byte, data[byte] ^ 1 << n, lists=n == byte % 8)


COLUMNS = 12


def fields_of_a_row(data: bytes, game: int) -> list[int]:
    """Return the bytes of the row `FULL`: all that say its fields' types, the first of each field.

    They are where SQLite's fileformat2, 2.1, has them: a header with a type for each column, then
    the columns, of which game 1 is in its type.
    """
    lengths = (*([1] if game > 1 else []), 1, 29, len(str(FULL.entry)), len(FULL.position), 7, 4)
    content = data.index(f"{FULL.entry!s}{FULL.position}chamberb00t".encode()) - sum(lengths[:-4])
    header = content - 1 - COLUMNS
    assert data[header] == 1 + COLUMNS
    fields = accumulate((*lengths, 16, 1), initial=content)  # and the chain, by, hint
    return [*range(header, content), *fields]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("games", [(OLD, OLD[:2]), (OLD[:2], OLD)], ids=["old", "newest"])
def test_any_byte_of_any_field_of_a_row_can_be_wrong(
    quick: Path, games: tuple[tuple[Row, ...], ...]
) -> None:
    journal = Judge(quick, USUAL_PAGE, games)
    data = journal.files["journal.db"]
    fields = fields_of_a_row(data, 1 + games.index(OLD))
    wrong = [(byte, value) for byte in fields for value in range(256)]
    flipped = [(byte, data[byte] ^ 1) for byte in fields]  # a text whose type is that of bytes
    for byte, value in flipped + random.Random(1).sample(wrong, extent(40, soak=1000)):
        journal.judge(byte, value)


def test_settings_can_hold_any_byte(quick: Path) -> None:
    write(quick, GAMES[0])
    for value in range(256):
        text = f"CAST(x'{value:02x}' AS TEXT)"
        change(quick, f"INSERT INTO settings VALUES ('volume {value}', {text})")
        change(quick, f"INSERT INTO settings VALUES ({text}, 'loud')")
    journal, found = load(quick)
    journal.close()
    assert (found.warning, found.missing) == (None, 0)
    sound = range(128)
    volumes = {f"volume {value}": chr(value) for value in sound}
    assert journal.settings() == volumes | {chr(value): "loud" for value in sound}
