"""A record as a sheet that people read, both ways: tags, then a line for each throw and its play.

How it is written: RECORDS.md. What is read has to be what would be written.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, starmap, takewhile
from typing import Any, NamedTuple

from .board import SEAT_LETTERS
from .fields import DECODER, FieldError, read_json
from .game import Game, Phase
from .jsonl import (
    BLANKS,
    CHECKS,
    FORMAT,
    VERSION,
    Played,
    RecordError,
    begun,
    entered,
    read_lines,
    told_at,
)
from .position import format_position

LETTERS = tuple(SEAT_LETTERS)
UNKNOWN = "unknown"  # the source of a throw that names none
OPTIONS_A_TAG = 4
# The keys of a record's first line in their order, whatever the order of their tags.
FIRST = ("format", "version", "ruleset", "seats", "host", "preset", "names", "started")
IN_PLAY = {"move", "stop", "undo", "retype"}  # what may follow a throw on its line
FINDINGS = ("Dice", "Result", "Position")  # tags that say again what the lines say

TAG = re.compile(r'\[(\w+) (".*")\]')
NUMBER = re.compile(r"\b(choose|leave|seat) ([0-3])\b")
LETTER = re.compile(r"\b(choose|leave|seat) ([A-D])\b")
FILLED = re.compile(rf"[^{BLANKS}]")
BARE = re.compile(r"[\w.:+/-]+", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\w.:+-]*", re.ASCII)
CUTS = (len("2026-11-21T18:02:"), len("2026-11-21T"))  # what times may have in common
ITEM = re.compile(
    r"""\s*(?:
    (?P<turn> \d+\.\s+[A-D]\b (?:\s+\([1-6-]+\))? )
    |(?P<move> \w+-\w+\([^()\s]*\)x? )
    |(?P<throw> [1-6](?:-[1-6])*(?![\w-]) ) (?:\s+again)?
    |(?P<words> undo|stop|end|(?:retype|choose|leave)\s+[\w-]+
        |correct\s+\S+\s+seat\s+\S+\s+doublets\s+\w+ )
    |@(?P<times> [^{}]*)
    |:
    )\s*""",
    re.VERBOSE | re.ASCII,
)


class Noted(NamedTuple):
    """An action on a sheet: what it says, the game before and after it.

    again: of a throw that was made before an undo or a correction. since: the `at` before its own.
    """

    said: dict[str, Any]
    before: Game
    after: Game
    again: bool
    since: object

    @property
    def kind(self) -> str:
        """The action's first word."""
        return str(self.said["action"]).partition(" ")[0]


# --- to text -------------------------------------------------------------------------------------


def sheet_lines(lines: Iterable[str]) -> Iterator[str]:
    """Return the sheet of a record's lines of JSON; RecordError where they can't be."""
    played = read_lines(lines)
    first = next(played)
    steps = list(starmap(_noted, pairwise(chain([first], played))))
    findings = _findings(steps, steps[-1].after if steps else first.record.game)
    usual = _usual(findings)
    tags = [*_tags(first.said), *starmap(_tag, findings.items())]
    if not isinstance(first.said["ruleset"], str):
        tags.sort(key=lambda tag: tag.startswith("[Rules "))  # who plays comes first
    return iter([*tags, "", *(_line(line, usual) for line in _by_line(steps))])


def _noted(before: Played, after: Played) -> Noted:
    again = before.record.ready is not None and after.said["action"].startswith("throw ")
    games = before.record.game, after.record.game
    return Noted(after.said, *games, again, before.said.get("at"))


def _tags(said: dict[str, Any]) -> Iterator[str]:
    yield _tag("Record", f"{said['format']} {said['version']}")
    for key, value in said.items():
        if key == "ruleset":
            yield from (_tag("Rules", text) for text in _ruleset_texts(value))
        elif key == "seats":
            yield _tag("Seats", " ".join(SEAT_LETTERS[seat] for seat in value))
        elif key == "host":
            yield _tag("Host", SEAT_LETTERS[value])
        elif key in ("preset", "started") and isinstance(value, str):
            yield _tag(key.capitalize(), value)
        elif key == "names" and _plain_names(value):
            yield from (_tag(letter, name) for letter, name in value.items())
        elif key not in ("format", "version"):
            yield _tag("Also", _pairs_text({key: value}))


def _ruleset_texts(value: str | dict[str, Any]) -> list[str]:
    """Return a preset's name, or options in as many texts as it takes."""
    if isinstance(value, str):
        return [value]
    options = list(value.items())
    starts = range(0, len(options) or 1, OPTIONS_A_TAG)
    return [_pairs_text(dict(options[start : start + OPTIONS_A_TAG])) for start in starts]


def _plain_names(value: object) -> bool:
    """Whether it is one name or more by the letters of seats."""
    if not isinstance(value, dict) or not value:
        return False
    return all(key in LETTERS and isinstance(name, str) for key, name in value.items())


def _tag(name: str, text: str) -> str:
    return f"[{name} {_json(text)}]"


def _findings(steps: Sequence[Noted], game: Game) -> dict[str, str]:
    """Return what a game's actions come to, as texts of tags; `game` is how it stands."""
    throws = (step.said for step in steps if step.kind == "throw" and not step.again)
    dice = Counter(said.get("source") or UNKNOWN for said in throws)
    counts = ", ".join(f"{source} {count}" for source, count in dice.most_common())
    findings = {"Dice": counts} if counts else {}
    return findings | {"Result": _result(game), "Position": format_position(game.position)}


def _result(game: Game) -> str:
    """Return how a game stands: `won by C, then A`, `won by C, unfinished`, `ended`."""
    winner, *others = [SEAT_LETTERS[seat] for seat in game.places] or [""]
    parts = [f"won by {winner}"] * bool(winner) + [f"then {', '.join(others)}"] * bool(others)
    parts += ["unfinished"] * (game.phase is not Phase.OVER)
    return ", ".join(parts) or "ended"


def _usual(findings: dict[str, str]) -> str:
    """Return the source of throws that name none on a sheet with these tags."""
    return findings.get("Dice", UNKNOWN).partition(" ")[0]


def _by_line(steps: Iterable[Noted]) -> Iterator[list[Noted]]:
    """Yield the actions of each line: a throw and its play, or one action by itself."""
    line: list[Noted] = []
    for step in steps:
        if line and not _goes_on(line[-1], step):
            yield line
            line = []
        line.append(step)
    if line:
        yield line


def _goes_on(last: Noted, step: Noted) -> bool:
    """Whether an action belongs to the play of the one before it."""
    game = step.before
    if not game.throw or step.kind not in IN_PLAY:
        return False
    same = game.throws == last.before.throws and last.before.throw
    return last.kind == "throw" or bool(last.kind in IN_PLAY and same)


def _line(steps: Sequence[Noted], usual: str) -> str:
    """Return the line of a throw and its play, or of an action by itself."""
    times = _times(steps)
    first, *rest = [_action_text(step) + _comment(step, usual, bool(times)) for step in steps]
    game = steps[0].before
    turn, kind = f"{game.turns}. {SEAT_LETTERS[game.seat]}", steps[0].kind
    if kind == "throw":
        text = f"{turn} {first}" + ":" * bool(rest)
    elif kind in IN_PLAY and game.throw:
        text = f"{turn} ({_faces(game.throw)}): {first}"
    else:
        text = first
    return " ".join([text, *rest, *times])


def _action_text(step: Noted) -> str:
    kind, _, rest = step.said["action"].partition(" ")
    if kind == "throw":
        return _faces(rest.split()) + " again" * step.again
    if kind == "move":
        return str(rest)
    if kind == "retype":
        return f"retype {_faces(rest.split())}"
    return NUMBER.sub(
        lambda seat: f"{seat[1]} {SEAT_LETTERS[int(seat[2])]}", f"{kind} {rest}".strip()
    )


def _faces(faces: Iterable[object]) -> str:
    return "-".join(map(str, faces))


def _times(steps: Sequence[Noted]) -> list[str]:
    """Return the times of a line's actions, what they have in common left out.

    Where an action has none, there are none.
    """
    if not all(_is_time(step.said.get("at")) for step in steps):
        return []
    return ["@", *(_short(step.said["at"], step.since) for step in steps)]


def _is_time(value: object) -> bool:
    return isinstance(value, str) and TIME.fullmatch(value) is not None


def _short(time: str, before: object) -> str:
    """Return the end of a time in which it differs from the one before."""
    if not _is_time(before) or len(str(before)) != len(time):
        return time
    cuts = (cut for cut in CUTS if str(before)[:cut] == time[:cut])
    return time[next(cuts, 0) :]


def _comment(step: Noted, usual: str, timed: bool) -> str:
    """Return what else an action says: ` {typed, by strong}`, nothing where it says no more."""
    said = {k: v for k, v in step.said.items() if k not in ("action", "position")}
    parts = []
    if step.kind == "throw" and said.get("source", UNKNOWN) is not None:
        source = said.pop("source", UNKNOWN)
        parts += [source] * (source != usual)
    if timed:
        del said["at"]
    parts += [_pairs_text(said)] * bool(said)
    return f" {{{', '.join(parts)}}}" if parts else ""


def _pairs_text(said: dict[str, Any]) -> str:
    """Return keys and values: `by strong, n 5`."""
    return ", ".join(f"{_value_text(key)} {_value_text(value)}" for key, value in said.items())


def _value_text(value: object) -> str:
    """Return a value as JSON, a text without quotes where nothing else could be meant."""
    return value if isinstance(value, str) and _means_itself(value) else _json(value)


def _means_itself(text: str) -> bool:
    """Whether a text that stands without quotes is read as that text."""
    try:
        return BARE.fullmatch(text) is not None and _bare_value(text) is text
    except FieldError:
        return False


def _bare_value(word: str) -> Any:
    try:
        return DECODER.decode(word)
    except FieldError:
        raise
    except ValueError:
        return word


def _json(value: object) -> str:
    """Return JSON in which the letters of all languages stand as they are, if all is in sight."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


# --- from text -----------------------------------------------------------------------------------


def is_sheet(lines: Iterable[str]) -> bool:
    """Whether a record is a sheet rather than lines of JSON: it begins with a bracket."""
    filled = (line.strip(BLANKS) for line in lines)
    return next(filter(None, filled), "").startswith("[")


def parse_sheet(lines: Iterable[str]) -> Iterator[str]:
    """Return a sheet's record as lines of JSON, the positions by the rules.

    RecordError where a line can't be, before the first is returned.
    """
    return iter([_json(played.said) for played in read_sheet(lines)])


def read_sheet(lines: Iterable[str]) -> Iterator[Played]:
    """Yield what `read_lines` does of the same record; RecordError at what can't be."""
    filled = [(n, line.strip(BLANKS)) for n, line in enumerate(lines, 1) if line.strip(BLANKS)]
    tags = list(takewhile(lambda line: line[1].startswith("["), filled))
    last, findings = _read_tags(tags)
    usual = _usual({name: text for name, (text, _) in findings.items()})
    yield last
    steps: list[Noted] = []
    for number, line in filled[len(tags) :]:
        with told_at(number):
            played = _read_line(number, line, last, usual)
        yield from played[1:]
        steps += starmap(_noted, pairwise(played))
        last = played[-1]
    found = _findings(steps, last.record.game)
    for name, (text, number) in findings.items():
        if text != found.get(name):
            there = f"it is {_tag(name, found[name])}" if name in found else "there is none"
            raise RecordError(f"by the lines below {there}", number)


def _read_tags(tags: Sequence[tuple[int, str]]) -> tuple[Played, dict[str, tuple[str, int]]]:
    """Return what the tags say of a record's first line, and the findings with their lines."""
    if not tags or not tags[0][1].startswith("[Record "):
        raise RecordError(f"a sheet begins with {_tag('Record', f'{FORMAT} {VERSION}')}", 1)
    said: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    findings: dict[str, tuple[str, int]] = {}
    for number, line in tags:
        with told_at(number):
            name, text = _read_tag(line)
            if name in FINDINGS:
                findings[name] = (text, number)
            else:
                said = _with_tag(said, name, text)
        numbers = dict.fromkeys(said, number) | numbers
    said = {key: said[key] for key in FIRST if key in said} | said
    for key, check in CHECKS.items():
        with told_at(numbers.get(key, 1)):
            check(said)
    with told_at(numbers["seats"]):
        return Played(1, said, begun(said)), findings


def _read_tag(line: str) -> tuple[str, str]:
    tag = TAG.fullmatch(line)
    text = read_json(tag[2]) if tag else None
    if tag is None or not isinstance(text, str):
        raise FieldError(f'{line} is no tag: write one such as [Seats "A C"]')
    return tag[1], text


def _with_tag(said: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    """Return what a tag says of a record, and those before it, which is `said`."""
    if name == "Record":
        form, _, version = text.partition(" ")
        return _joined(said, {"format": form, "version": _bare_value(version)})
    if name == "Rules":
        pairs = _pairs(text)
        if None in pairs:
            return _joined(said, {"ruleset": pairs[None]})
        return {**said, "ruleset": _joined(said.get("ruleset", {}), pairs)}
    if name == "Seats":
        return _joined(said, {"seats": [_seat(letter) for letter in text.split()]})
    if name == "Host":
        return _joined(said, {"host": _seat(text)})
    if name in ("Preset", "Started"):
        return _joined(said, {name.lower(): text})
    if name in LETTERS:
        return {**said, "names": _joined(said.get("names", {}), {name: text})}
    if name == "Also":
        return _joined(said, _pairs(text))
    raise FieldError(f'there is no tag {name}: what else there is to say is [Also "key value"]')


def _joined(one: Any, other: dict[Any, Any]) -> dict[str, Any]:
    """Return two objects as one; FieldError where they say the same twice."""
    if not isinstance(one, dict) or one.keys() & other or None in other:
        raise FieldError("what this tag says is said before, or is not a key with its value")
    return {**one, **other}


def _seat(letter: str) -> int:
    if letter not in LETTERS:
        raise FieldError(f"{letter!r} is no seat: write A, B, C or D")
    return SEAT_LETTERS.index(letter)


def _read_line(number: int, line: str, before: Played, usual: str) -> list[Played]:
    """Return what was before a line and its actions; FieldError where it is not as we write it."""
    played = [before]
    for action, keys, time in _read_actions(line):
        said = {"action": action, "position": "", **_source_of(action, keys, usual)}
        if time:
            said["at"] = _full(time, played[-1].said.get("at"))
        said |= {key: value for key, value in keys.items() if key not in ("action", "position")}
        record = entered(played[-1].record, action, said.get("source"))
        said["position"] = format_position(record.game.position)
        played.append(Played(number, said, record))
    written = _line(list(starmap(_noted, pairwise(played))), usual)
    if written.split() != line.split():
        raise FieldError(f"by the rules it is {written!r}, not {line!r}")
    return played


def _source_of(action: str, keys: dict[Any, Any], usual: str) -> dict[str, str]:
    """Return where a throw's dice came from by its comment's one word, which is taken out."""
    marked = keys.pop(None, usual)
    if action.startswith("throw ") and "source" not in keys and marked != UNKNOWN:
        return {"source": marked}
    return {}


def _full(time: str, before: object) -> str:
    """Return a time whose beginning may have been left out."""
    full = time if _is_time(time) else str(before)[: -len(time)] + time
    if not _is_time(full) or not (_is_time(before) or full == time):
        raise FieldError(f"{time!r} is no time such as 2026-11-21T18:02:11Z")
    return full


def _read_actions(line: str) -> list[tuple[str, dict[Any, Any], str]]:
    """Return a line's actions, each with what its comment says and its time, "" for none."""
    actions: list[tuple[str, dict[Any, Any]]] = []
    times: list[str] = []
    at = 0
    while at < len(line):
        if line[at] == "{" and actions:
            pairs, at = _pairs_at(line, at + 1, "}")
            actions[-1][1].update(pairs)
            continue
        item = ITEM.match(line, at)
        if item is None:
            raise FieldError(f"{line[at:]!r} is no action: write 12. B 5-3: N-0(5), undo, ...")
        at = item.end()
        times += (item["times"] or "").split()
        if action := _notation(item):
            actions.append((action, {}))
    if not actions or (times and len(times) != len(actions)):
        raise FieldError(f"{line!r} has {len(actions)} actions and {len(times)} times")
    return [
        (*action, time) for action, time in zip(actions, times or [""] * len(actions), strict=True)
    ]


def _notation(item: re.Match[str]) -> str:
    """Return an item's action as NOTATION.md has it, "" where it is none."""
    if item["move"]:
        return f"move {item['move']}"
    if item["throw"]:
        return f"throw {item['throw'].replace('-', ' ')}"
    words = " ".join((item["words"] or "").split())
    if words.startswith("retype"):
        return words.replace("-", " ")
    return LETTER.sub(lambda seat: f"{seat[1]} {SEAT_LETTERS.index(seat[2])}", words)


def _pairs(text: str) -> dict[Any, Any]:
    return _pairs_at(text, 0, "")[0]


def _pairs_at(text: str, at: int, end: str) -> tuple[dict[Any, Any], int]:
    """Return keys and values up to an end, and where what follows begins.

    A value without a key has None for one.
    """
    pairs: dict[Any, Any] = {}
    while text[at : at + 1] != end:
        key, at = _value_at(text, at)
        if text[at : at + 1] in (",", end):
            key, value = None, key
        else:
            value, at = _value_at(text, at)
        if not isinstance(key, str | None) or text[at : at + 1] not in (",", end):
            raise FieldError(f"{text!r} is not key value, key value")
        pairs[key] = value
        at = _past(",", text, at)
    return pairs, _past(end, text, at)


def _past(mark: str, text: str, at: int) -> int:
    """Return where a text goes on after a mark, if it is there, and blanks."""
    filled = FILLED.search(text, at + len(mark) * text.startswith(mark, at))
    return filled.start() if filled else len(text)


def _value_at(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins there, and where what follows it begins."""
    if word := BARE.match(text, at):
        return _bare_value(word[0]), _past("", text, word.end())
    try:
        value, after = DECODER.raw_decode(text, at)
    except FieldError:
        raise
    except ValueError:
        raise FieldError(f"{text[at:]!r} is no value: write a word or JSON") from None
    return value, _past("", text, after)
