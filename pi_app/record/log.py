"""Finds the rows and heads in the log of a database, as SQLite writes it. It opens no file.

SQLite itself can't read a log without making files next to it. The format is described on
https://sqlite.org/fileformat2.html: a log has whole pages, and a page has records.
"""

from collections.abc import Callable, Iterator
from struct import iter_unpack, unpack_from

Value = int | str | bytes | None
Record = tuple[Value, ...]
ReadPage = Callable[[int], bytes]  # by its number, from 1

MAGIC = 0x377F0682  # its last bit: whether checksums read numbers with the high byte first
LOG_HEADER, FRAME_HEADER = 32, 24
TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR = 13, 10, 2  # the kinds of pages that have records
INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # by the type of a value
NULL, ZERO, ONE, FIRST_BLOB = 0, 8, 9, 12


def committed_pages(log: bytes) -> dict[int, bytes]:
    """Return the pages that the whole commits of a log have changed, by number.

    The first frame with a wrong checksum ends the log, as for SQLite.
    """
    if len(log) < LOG_HEADER:
        return {}
    magic, _, size, _, *salt_and_sums = unpack_from(">8I", log)
    salt, sums = salt_and_sums[:2], (salt_and_sums[2], salt_and_sums[3])
    order = ">" if magic & 1 else "<"
    if magic & ~1 != MAGIC or _add(order, log[:24], (0, 0)) != sums:
        return {}
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(LOG_HEADER, len(log) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, pages_after_commit, *frame_salt, first, second = unpack_from(">6I", log, at)
        page = log[at + FRAME_HEADER : at + FRAME_HEADER + size]
        sums = _add(order, page, _add(order, log[at : at + 8], sums))
        if frame_salt != salt or sums != (first, second):
            break
        pending[number] = page
        if pages_after_commit:
            pages |= pending
            pending = {}
    return pages


def _add(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    for even, odd in iter_unpack(f"{order}II", data):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def records(page: bytes, read_page: ReadPage) -> Iterator[Record]:
    """Yield the records of a page, but not of the first one, which has the schema.

    In a table's records the column that is the number of the record is NULL; it is filled in.
    """
    kind = page[0]
    if kind not in (TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR):
        return
    [count] = unpack_from(">H", page, 3)
    start, skipped = (12, 4) if kind == INDEX_INTERIOR else (8, 0)  # 4: the number of a page
    for pointer in unpack_from(f">{count}H", page, start):
        size, at = _varint(page, pointer + skipped)
        if kind == TABLE_LEAF:
            number, at = _varint(page, at)
            _, *values = _values(_payload(page, at, size, len(page) - 35, read_page))
            yield (number, *values)
        else:
            most = (len(page) - 12) * 64 // 255 - 23
            yield _values(_payload(page, at, size, most, read_page))


def _payload(page: bytes, at: int, size: int, most: int, read_page: ReadPage) -> bytes:
    """Return a record's bytes. most: how many can be on its page; the rest is on others."""
    if size <= most:
        return page[at : at + size]
    least = (len(page) - 12) * 32 // 255 - 23
    here = least + (size - least) % (len(page) - 4)
    here = here if here <= most else least
    payload = page[at : at + here]
    [following] = unpack_from(">I", page, at + here)
    while len(payload) < size and following:
        more = read_page(following)
        [following] = unpack_from(">I", more)
        payload += more[4:]
    return payload[:size]


def _values(payload: bytes) -> Record:
    end, at = _varint(payload, 0)
    start, values = end, list[Value]()
    while at < end:
        kind, at = _varint(payload, at)
        length = INTEGER_BYTES.get(kind, max(0, kind - FIRST_BLOB) // 2)
        data = payload[start : start + length]
        start += length
        values.append(_value(kind, data))
    return tuple(values)


def _value(kind: int, data: bytes) -> Value:
    if kind in INTEGER_BYTES:
        return int.from_bytes(data, "big", signed=True)
    if kind in (NULL, ZERO, ONE):
        return {NULL: None, ZERO: 0, ONE: 1}[kind]
    return text_or_bytes(data) if kind % 2 else data


def text_or_bytes(data: bytes) -> str | bytes:
    """Return a text; bytes, so that it has a wrong type, if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    value = 0
    for end in range(at, at + 8):
        value = value << 7 | data[end] & 0x7F
        if data[end] < 0x80:
            return value, end + 1
    return value << 8 | data[at + 8], at + 9
