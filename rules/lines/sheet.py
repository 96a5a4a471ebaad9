"""A record as a sheet that people read: writes and parses a line for each throw and its play.

The form of a sheet: RECORDS.md. A sheet is read only if it is just as this module would write it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise, starmap, takewhile
from typing import Any, NamedTuple

from ..board import SEAT_LETTERS
from ..game import Game, Phase
from ..position import format_position
from .fields import BLANKS, DECODER, FieldError, read_json
from .jsonl import (
    FORMAT,
    VERSION,
    RecordError,
    RecordLine,
    add_action,
    add_line_number,
    begin_record,
    check_each_key,
    read_lines,
)

LETTERS = tuple(SEAT_LETTERS)
UNKNOWN = "unknown"  # the source of a throw that names none
OPTIONS_PER_TAG = 4
# The keys of a record's first line in order, whatever the order of their tags.
FIRST = ("format", "version", "ruleset", "seats", "host", "preset", "names", "started")
IN_PLAY = {"move", "stop", "undo", "retype"}  # what may follow a throw on its line
FINDINGS = ("Dice", "Result", "Position")  # tags that repeat what the lines come to

TAG = re.compile(r'\[(\w+) (".*")\]')
NUMBER = re.compile(r"\b(choose|leave|seat) ([0-3])\b")
LETTER = re.compile(r"\b(choose|leave|seat) ([A-D])\b")
FILLED = re.compile(rf"[^{BLANKS}]")
BARE = re.compile(r"[\w.:+/-]+", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\w.:+-]*", re.ASCII)
CUTS = (len("2026-11-21T18:02:"), len("2026-11-21T"))  # what times may have in common
ITEM = re.compile(
    r"""\s*(?:
    (?P<turn> \d+\.\s+[A-D]\b (?:\s+\([0-6-]+\))? )
    |(?P<move> \w+-\w+\([^()\s]*\)x? )
    |(?P<throw> [0-6](?:-[0-6])*(?![\w-]) ) (?:\s+again)?
    |(?P<words> undo|stop|end|play-on|(?:retype|choose|leave|last-turn)\s+[\w-]+
        |correct\s+\S+\s+seat\s+\S+\s+doublets\s+\w+ )
    |@(?P<times> [^{}]*)
    |:
    )\s*""",
    re.VERBOSE | re.ASCII,
)


class SheetAction(NamedTuple):
    """An action on a sheet."""

    fields: dict[str, Any]  # its object in the record
    before: Game
    again: bool  # whether it is a throw that was made before an undo or a correction
    time_before: object  # the `at` of the action before it

    @property
    def kind(self) -> str:
        """The action's first word."""
        return str(self.fields["action"]).partition(" ")[0]


# --- to text -------------------------------------------------------------------------------------


def sheet_lines(lines: Iterable[str]) -> Iterator[str]:
    """Return the sheet of a record's lines of JSON. Raises RecordError at the first wrong line."""
    record_lines = list(read_lines(lines))
    first = record_lines[0].fields
    actions = list(starmap(_compare_lines, pairwise(record_lines)))
    findings = _find_findings(actions, record_lines[-1].record.game)
    usual_source = _usual_source(findings)
    tags = [*_tags(first), *starmap(_tag, findings.items())]
    if not isinstance(first["ruleset"], str):
        tags.sort(key=lambda tag: tag.startswith("[Rules "))  # the options come last
    return iter([*tags, "", *(_line(line, usual_source) for line in _group_by_line(actions))])


def _compare_lines(before: RecordLine, after: RecordLine) -> SheetAction:
    again = before.record.ready is not None and after.fields["action"].startswith("throw ")
    return SheetAction(after.fields, before.record.game, again, before.fields.get("at"))


def _tags(fields: dict[str, Any]) -> Iterator[str]:
    yield _tag("Record", f"{fields['format']} {fields['version']}")
    for key, value in fields.items():
        if key == "ruleset" and isinstance(value, str):
            yield _tag("Rules", value)
        elif key == "ruleset":
            options = list(value.items())
            for start in range(0, len(options) or 1, OPTIONS_PER_TAG):
                yield _tag("Rules", _pairs_text(dict(options[start : start + OPTIONS_PER_TAG])))
        elif key == "seats":
            yield _tag("Seats", " ".join(SEAT_LETTERS[seat] for seat in value))
        elif key == "host":
            yield _tag("Host", SEAT_LETTERS[value])
        elif key in ("preset", "started") and isinstance(value, str):
            yield _tag(key.capitalize(), value)
        elif (
            key == "names"
            and isinstance(value, dict)
            and value
            and all(letter in LETTERS and isinstance(name, str) for letter, name in value.items())
        ):
            yield from (_tag(letter, name) for letter, name in value.items())
        elif key not in ("format", "version"):
            yield _tag("Also", _pairs_text({key: value}))


def _tag(name: str, text: str) -> str:
    return f"[{name} {_json(text)}]"


def _find_findings(actions: Sequence[SheetAction], game: Game) -> dict[str, str]:
    """Return the texts of `FINDINGS` by their names; `game` is the one after all actions."""
    throws = (one.fields for one in actions if one.kind == "throw" and not one.again)
    dice = Counter(fields.get("source") or UNKNOWN for fields in throws)
    counts = ", ".join(f"{source} {count}" for source, count in dice.most_common())
    findings = {"Dice": counts} if counts else {}
    winners = set(game.winners)
    others = [_and(seats) for seats in game.ranks if winners.isdisjoint(seats)]
    result = [f"won by {_and(game.winners)}"] * bool(winners)
    result += [f"then {', '.join(others)}"] * bool(others)
    result += ["unfinished"] * (game.phase is not Phase.OVER)
    findings["Result"] = ", ".join(result) or "ended"
    return findings | {"Position": format_position(game.position)}


def _and(seats: Iterable[int]) -> str:
    return " and ".join(SEAT_LETTERS[seat] for seat in seats)


def _usual_source(findings: dict[str, str]) -> str:
    """Return the source of a throw that names none, on a sheet with these findings."""
    return findings.get("Dice", UNKNOWN).partition(" ")[0]


def _group_by_line(actions: Iterable[SheetAction]) -> Iterator[list[SheetAction]]:
    """Yield the actions of each line: a throw and its play, or one action by itself."""
    line: list[SheetAction] = []
    for action in actions:
        game = action.before
        goes_on = line and game.throw and action.kind in IN_PLAY
        if goes_on and line[-1].kind != "throw":
            last = line[-1].before
            goes_on = line[-1].kind in IN_PLAY and last.throw and last.throws == game.throws
        if line and not goes_on:
            yield line
            line = []
        line.append(action)
    if line:
        yield line


def _line(actions: Sequence[SheetAction], usual_source: str) -> str:
    """Return the line of a throw and its play, or of an action by itself.

    usual_source: the source of a throw that names none.
    """
    times = _times(actions)
    first, *rest = [_action_text(one) + _comment(one, usual_source, bool(times)) for one in actions]
    game, kind = actions[0].before, actions[0].kind
    turn = f"{game.turns}. {SEAT_LETTERS[game.seat]}"
    if kind == "throw":
        text = f"{turn} {first}" + ":" * bool(rest)
    elif kind in IN_PLAY and game.throw:
        text = f"{turn} ({_faces(game.throw)}): {first}"
    else:
        text = first
    return " ".join([text, *rest, *times])


def _action_text(action: SheetAction) -> str:
    kind, _, rest = action.fields["action"].partition(" ")
    if kind == "throw":
        return _faces(rest.split()) + " again" * action.again
    if kind == "move":
        return str(rest)
    if kind == "retype":
        return f"retype {_faces(rest.split())}"
    text = f"{kind} {rest}".strip()
    return NUMBER.sub(lambda seat: f"{seat[1]} {SEAT_LETTERS[int(seat[2])]}", text)


def _faces(faces: Iterable[object]) -> str:
    return "-".join(map(str, faces))


def _times(actions: Sequence[SheetAction]) -> list[str]:
    """Return the times of a line's actions, each without what it has in common with the last.

    The list is empty if one of the actions has no time.
    """
    if not all(_is_time(action.fields.get("at")) for action in actions):
        return []
    times = ["@"]
    for action in actions:
        time, before = action.fields["at"], str(action.time_before)
        comparable = _is_time(action.time_before) and len(before) == len(time)
        cuts = (cut for cut in CUTS if comparable and before[:cut] == time[:cut])
        times.append(time[next(cuts, 0) :])
    return times


def _is_time(value: object) -> bool:
    return isinstance(value, str) and TIME.fullmatch(value) is not None


def _comment(action: SheetAction, usual_source: str, has_time: bool) -> str:
    """Return what else an action says: ` {typed, by strong}`, or "" if it says nothing else."""
    fields = {k: v for k, v in action.fields.items() if k not in ("action", "position")}
    parts = []
    if action.kind == "throw" and fields.get("source", UNKNOWN) is not None:
        source = fields.pop("source", UNKNOWN)
        parts += [source] * (source != usual_source)
    if has_time:
        del fields["at"]
    parts += [_pairs_text(fields)] * bool(fields)
    return f" {{{', '.join(parts)}}}" if parts else ""


def _pairs_text(fields: dict[str, Any]) -> str:
    """Return keys and values: `by strong, n 5`."""
    return ", ".join(f"{_value_text(key)} {_value_text(value)}" for key, value in fields.items())


def _value_text(value: object) -> str:
    """Return a value as JSON, or a text without quotes if it is then read as the same text."""
    if isinstance(value, str) and BARE.fullmatch(value):
        with suppress(FieldError):  # NaN is no value, so a text of that name needs its quotes
            if _read_bare(value) == value:
                return value
    return _json(value)


def _read_bare(word: str) -> Any:
    """Return the value of a word without quotes: of JSON if it is that, else the word itself."""
    try:
        return DECODER.decode(word)
    except FieldError:
        raise
    except ValueError:
        return word


def _json(value: object) -> str:
    """Return JSON with the letters of all languages unescaped, unless one of them is invisible."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


# --- from text -----------------------------------------------------------------------------------


def is_sheet(lines: Iterable[str]) -> bool:
    """Whether a record is a sheet and not lines of JSON: it begins with a bracket."""
    filled = (line.strip(BLANKS) for line in lines)
    return next(filter(None, filled), "").startswith("[")


def parse_sheet(lines: Iterable[str]) -> Iterator[str]:
    """Return the record of a sheet as lines of JSON, with the positions by the rules.

    Raises RecordError at the first wrong line, before any line is returned.
    """
    return iter([_json(line.fields) for line in read_sheet(lines)])


def read_sheet(lines: Iterable[str]) -> Iterator[RecordLine]:
    """Yield what `read_lines` yields of the same record. Raises RecordError at a wrong line."""
    filled = [(n, line.strip(BLANKS)) for n, line in enumerate(lines, 1) if line.strip(BLANKS)]
    tags = list(takewhile(lambda line: line[1].startswith("["), filled))
    last, findings = _read_tags(tags)
    usual_source = _usual_source({name: text for name, (text, _) in findings.items()})
    yield last
    actions: list[SheetAction] = []
    for number, line in filled[len(tags) :]:
        with add_line_number(number):
            record_lines = _read_line(number, line, last, usual_source)
        yield from record_lines[1:]
        actions += starmap(_compare_lines, pairwise(record_lines))
        last = record_lines[-1]
    found = _find_findings(actions, last.record.game)
    for name, (text, number) in findings.items():
        if text != found.get(name):
            there = f"it is {_tag(name, found[name])}" if name in found else "there is none"
            raise RecordError(f"by the lines below {there}", number)


def _read_tags(tags: Sequence[tuple[int, str]]) -> tuple[RecordLine, dict[str, tuple[str, int]]]:
    """Return the first line of a record by its numbered tags, and each finding with its line."""
    if not tags or not tags[0][1].startswith("[Record "):
        raise RecordError(f"a sheet begins with {_tag('Record', f'{FORMAT} {VERSION}')}", 1)
    fields: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    findings: dict[str, tuple[str, int]] = {}
    for number, line in tags:
        with add_line_number(number):
            tag = TAG.fullmatch(line)
            text = read_json(tag[2]) if tag else None
            if tag is None or not isinstance(text, str):
                raise FieldError(f'{line} is not a tag: write one such as [Seats "A C"]')
            if tag[1] in FINDINGS:
                findings[tag[1]] = (text, number)
            else:
                fields = _add_tag(fields, tag[1], text)
        numbers = dict.fromkeys(fields, number) | numbers
    fields = {key: fields[key] for key in FIRST if key in fields} | fields
    checks = check_each_key(fields)
    key = next(checks)
    while key:
        with add_line_number(numbers.get(key, 1)):
            key = next(checks, "")
    with add_line_number(numbers["seats"]):
        return RecordLine(1, fields, begin_record(fields)), findings


def _add_tag(fields: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    """Return the keys of a record's first line, `fields`, with those of one more tag."""
    if name == "Record":
        form, _, version = text.partition(" ")
        return _merge(fields, {"format": form, "version": _read_bare(version)})
    if name == "Rules":
        pairs = _read_pairs(text)
        if None in pairs:
            return _merge(fields, {"ruleset": pairs[None]})
        return {**fields, "ruleset": _merge(fields.get("ruleset", {}), pairs)}
    if name == "Seats":
        return _merge(fields, {"seats": [_parse_seat(letter) for letter in text.split()]})
    if name == "Host":
        return _merge(fields, {"host": _parse_seat(text)})
    if name in ("Preset", "Started"):
        return _merge(fields, {name.lower(): text})
    if name in LETTERS:
        return {**fields, "names": _merge(fields.get("names", {}), {name: text})}
    if name == "Also":
        return _merge(fields, _read_pairs(text))
    raise FieldError(f'there is no tag {name}: what else there is to say is [Also "key value"]')


def _merge(one: Any, other: dict[Any, Any]) -> dict[str, Any]:
    """Return two objects as one. Raises FieldError if both have a key, or a value has no key."""
    if not isinstance(one, dict) or one.keys() & other or None in other:
        raise FieldError("what this tag says is said before, or is not a key with its value")
    return {**one, **other}


def _parse_seat(letter: str) -> int:
    if letter not in LETTERS:
        raise FieldError(f"{letter!r} is not a seat: write A, B, C or D")
    return SEAT_LETTERS.index(letter)


def _read_line(number: int, line: str, before: RecordLine, usual_source: str) -> list[RecordLine]:
    """Return the record's line `before` this one, then a line for each of its actions.

    Raises FieldError if the line is not just as `_line` would write it.
    """
    record_lines = [before]
    for action, keys, time in _read_actions(line):
        fields: dict[str, Any] = {"action": action, "position": ""}
        source = keys.pop(None, usual_source)  # a comment's word without a key
        if action.startswith("throw ") and "source" not in keys and source != UNKNOWN:
            fields["source"] = source
        if time:
            last = record_lines[-1].fields.get("at")
            full = time if _is_time(time) else str(last)[: -len(time)] + time
            if not _is_time(full) or not (_is_time(last) or full == time):
                raise FieldError(f"{time!r} is not a time such as 2026-11-21T18:02:11Z")
            fields["at"] = full
        fields |= {key: value for key, value in keys.items() if key not in ("action", "position")}
        record = add_action(record_lines[-1].record, action, fields.get("source"))
        fields["position"] = format_position(record.game.position)
        record_lines.append(RecordLine(number, fields, record))
    right_line = _line(list(starmap(_compare_lines, pairwise(record_lines))), usual_source)
    if right_line.split() != line.split():
        raise FieldError(f"by the rules it is {right_line!r}, not {line!r}")
    return record_lines


def _read_actions(line: str) -> list[tuple[str, dict[Any, Any], str]]:
    """Return the actions of a line, each with the keys of its comment and its time or ""."""
    actions: list[tuple[str, dict[Any, Any]]] = []
    times: list[str] = []
    at = 0
    while at < len(line):
        if line[at] == "{" and actions:
            pairs, at = _read_pairs_at(line, at + 1, "}")
            actions[-1][1].update(pairs)
            continue
        item = ITEM.match(line, at)
        if item is None:
            raise FieldError(f"{line[at:]!r} is not an action: write 12. B 5-3: N-0(5), undo, ...")
        at = item.end()
        times += (item["times"] or "").split()
        words = " ".join((item["words"] or "").split())
        if item["move"]:
            action = f"move {item['move']}"
        elif item["throw"]:
            action = f"throw {item['throw'].replace('-', ' ')}"
        elif words.startswith("retype"):
            action = words.replace("-", " ")
        else:
            action = LETTER.sub(lambda seat: f"{seat[1]} {SEAT_LETTERS.index(seat[2])}", words)
        if action:
            actions.append((action, {}))
    if not actions or (times and len(times) != len(actions)):
        raise FieldError(f"{line!r} has {len(actions)} actions and {len(times)} times")
    times = times or [""] * len(actions)
    return [(*action, time) for action, time in zip(actions, times, strict=True)]


def _read_pairs(text: str) -> dict[Any, Any]:
    return _read_pairs_at(text, 0, "")[0]


def _read_pairs_at(text: str, at: int, end: str) -> tuple[dict[Any, Any], int]:
    """Return the keys and values up to a mark `end`, and the index after it.

    The key of a value without one is None.
    """
    pairs: dict[Any, Any] = {}
    while text[at : at + 1] != end:
        key, at = _read_value_at(text, at)
        if text[at : at + 1] in (",", end):
            key, value = None, key
        else:
            value, at = _read_value_at(text, at)
        if not isinstance(key, str | None) or text[at : at + 1] not in (",", end):
            raise FieldError(f"{text!r} is not key value, key value")
        pairs[key] = value
        at = _skip(",", text, at)
    return pairs, _skip(end, text, at)


def _skip(mark: str, text: str, at: int) -> int:
    """Return the index after a mark, if it is there, and after blanks."""
    filled = FILLED.search(text, at + len(mark) * text.startswith(mark, at))
    return filled.start() if filled else len(text)


def _read_value_at(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at an index, and the index after it and after blanks."""
    if word := BARE.match(text, at):
        return _read_bare(word[0]), _skip("", text, word.end())
    try:
        value, after = DECODER.raw_decode(text, at)
    except FieldError:
        raise
    except ValueError:
        raise FieldError(f"{text[at:]!r} is not a value: write a word or JSON") from None
    return value, _skip("", text, after)
