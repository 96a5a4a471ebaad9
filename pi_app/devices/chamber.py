"""The Pi's end of the line to the lit chamber: lines and the conversation. No port and no clock.

It follows firmware/PROTOCOL.md. Every function takes the conversation as it is and the time
(monotonic seconds), and returns an `Exchange`: the conversation afterwards, the lines to send and
the events to post. A new session's digits come in as `fresh`.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from dataclasses import dataclass, replace
from typing import NamedTuple

from pi_app.input.events import ChamberLine, ChamberPress, ChamberRolled, Event, Notice, Wishes
from pi_app.screens.screen import Message, message

PROTOCOL = 1
HI_S = 0.5
REPEAT_S = 0.2
ALIVE_S = 1.0
SILENCE_S = 3.0
KEEPS_LIGHTS = (0, 2, 0)  # before, ARM put the lights out
BODY_MAX = 80
LINE_MAX = 1 + BODY_MAX + 5 + 1  # dollar, body, star and checksum, CR

DEVICE = "chamber"
# A board that is there and mute: a dome that is down at power-on makes it wait for an update.
SILENT = message("chamber-silent")
OTHER_PROTOCOL = message("chamber-update")
UPDATE = (
    "chamber firmware {} is not 0.2.0 or newer: its dome throws, but can't step back or confirm; "
    'to update it, see firmware/README.md, "Updating it"'
)
ALONE = message("chamber-alone")


def refusal_notice(command: str) -> Message:
    """Return that the chamber has refused a command, by its word."""
    return message("chamber-refused", command=command)


# Lines


class ParsedInput(NamedTuple):
    """What some input held: good bodies, how much else, and the beginning of the next line."""

    bodies: tuple[str, ...]
    dropped: int
    rest: bytes


def frame_line(body: str) -> bytes:
    """The line that carries this body."""
    data = body.encode("ascii")
    return b"$%s*%04X\n" % (data, crc_hqx(data, 0xFFFF))


def split_input(rest: bytes, data: bytes) -> ParsedInput:
    """Take `data` after the `rest` of an earlier piece."""
    *ended, last = (rest + data).split(b"\n")
    bodies: list[str] = []
    dropped = 0
    for line in ended:
        body = _body(line)
        if body is not None:
            bodies.append(body)
        elif line:
            dropped += 1
    dropped += sum(_interrupted(line) for line in (*ended, last))
    return ParsedInput(tuple(bodies), dropped, _beginning(last))


def _interrupted(line: bytes) -> int:
    """How many things in this line ended where a dollar began another."""
    before, *begun = line.split(b"$")
    return len(begun) - 1 + bool(before) if begun else 0


def _body(line: bytes) -> str | None:
    _, dollar, candidate = line.removesuffix(b"\r").rpartition(b"$")
    body, check = candidate[:-5], candidate[-5:]
    if not (dollar and 1 <= len(body) <= BODY_MAX and check == b"*%04X" % crc_hqx(body, 0xFFFF)):
        return None
    printable = all(32 <= byte < 127 for byte in body) and b"*" not in body
    return body.decode("ascii") if printable else None


def _beginning(last: bytes) -> bytes:
    """What can still become a line; one byte stands for any amount of rubbish."""
    start = last[max(last.rfind(b"$"), 0) :]
    return b"?" if start and (start[:1] != b"$" or len(start) > LINE_MAX) else start


# What the chamber says


@dataclass(frozen=True, slots=True)
class Hello:
    """`HELLO 1 <firmware> <unique> <boot> <session> <alone>`"""

    firmware: str
    unique: str
    boot: str
    session: str
    alone: int

    @property
    def keeps_lights(self) -> bool:
        """Whether ARM leaves the lights as they are; what is no version counts as an old one."""
        version = _VERSION.fullmatch(self.firmware)
        return version is not None and tuple(map(int, version.groups())) >= KEEPS_LIGHTS


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """A HELLO of another protocol."""


@dataclass(frozen=True, slots=True)
class Alive:
    """`ALIVE`, and whatever else is a good line."""


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """`OK <seq>`, or `NO <seq> <reason>`."""

    seq: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PressLine:
    """`PRESS <n> <arm>`, or `ROLLED <n> <arm> <d1> [<d2>]` with the chamber's own faces."""

    n: int
    arm: int
    faces: tuple[int, ...] = ()


ChamberInput = Hello | ForeignHello | Alive | CommandAnswer | PressLine

_NUMBER = r"[1-9][0-9]{0,8}"
_HEX8 = r"[0-9A-Fa-f]{8}"
_VERSION = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)")
_HELLO = re.compile(rf"HELLO 1 (\S+) (\S+) ({_HEX8}) ({_HEX8}|-) (0|{_NUMBER})")
_FOREIGN = re.compile(r"HELLO ([2-9]|[1-9][0-9]+) .*")
_ANSWER = re.compile(rf"OK ({_NUMBER})|NO ({_NUMBER}) (.+)")
_PRESS = re.compile(rf"PRESS ({_NUMBER}) ({_NUMBER})")
_ROLLED = re.compile(rf"ROLLED ({_NUMBER}) ({_NUMBER}) ({_NUMBER})(?: ({_NUMBER}))?")


def parse(body: str) -> ChamberInput:
    """What a good line means; `Alive` where it means no more than that somebody is there."""
    if match := _HELLO.fullmatch(body):
        firmware, unique, boot, session, alone = match.groups()
        return Hello(firmware, unique, boot, session, int(alone))
    if _FOREIGN.fullmatch(body):
        return ForeignHello()
    if match := _ANSWER.fullmatch(body):
        return CommandAnswer(int(match[1] or match[2]), match[3])
    if match := _PRESS.fullmatch(body):
        return PressLine(int(match[1]), int(match[2]))
    if match := _ROLLED.fullmatch(body):
        n, arm, *faces = (int(word) for word in match.groups() if word)
        return PressLine(n, arm, tuple(faces))
    return Alive()


# The conversation


@dataclass(frozen=True, slots=True)
class ChamberState:
    """What the chamber has been told in this session; None where nothing was said of it.

    lights: the number of the throw that is shown, and its faces; DARK where the lights are out.
    arm: key and seat that it is armed for; HELD where presses don't count.
    """

    mode: tuple[str, int] | None = None
    lights: tuple[int, tuple[int, ...]] | None = None
    arm: tuple[int, int] | None = None
    test: int | None = None


DARK = (0, ())
HELD_ARM = (0, -1)
NO_WISHES = Wishes()
UNKNOWN_STATE = ChamberState()


class Command(NamedTuple):
    """A command without its seq: its word, what follows the seq, and what it tells."""

    word: str
    given: tuple[str, ...]
    told: ChamberState


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command under way, when it was said last, and what the chamber is told by it."""

    seq: int
    text: str
    at: float
    told: ChamberState


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where the two ends stand.

    hello: what the chamber said in this session; None while it is greeted.
    heard: when the last good line came, or when greeting began.
    arm: seq and key of the newest ARM. asked: the newest press that was posted, and its ARM's seq.
    got: the newest press that was answered. alone: boot id and the popper's throws that are known.
    notice: the line that stands on the panel for this device. up: what was posted of the line.
    """

    session: str
    heard: float
    wishes: Wishes = NO_WISHES
    hello: Hello | None = None
    hi_at: float = -HI_S
    alive_at: float = -ALIVE_S
    seq: int = 0
    order: SentCommand | None = None
    told: ChamberState = UNKNOWN_STATE
    arm: tuple[int, int] = (0, 0)
    asked: tuple[int, int] = (0, 0)
    got: int = 0
    alone: tuple[str, int] = ("", 0)
    notice: Message | None = None
    up: bool = False


class Exchange(NamedTuple):
    """The conversation after something happened, the lines to send, the events to post."""

    conversation: Conversation
    lines: tuple[bytes, ...] = ()
    events: tuple[Event, ...] = ()


def greet(old: Conversation, fresh: str, now: float) -> Conversation:
    """Begin a new session; what is wished, what is known of the popper and the notice stay."""
    return Conversation(
        session=fresh,
        heard=now,
        wishes=old.wishes,
        hi_at=old.hi_at,
        alone=old.alone,
        notice=old.notice,
        up=old.up,
    )


def lose_line(talk: Conversation, text: Message, now: float) -> Exchange:
    """Take it that nobody is there, and say why."""
    return _note(_line(Exchange(talk), False, now), text, now)


def take_wishes(talk: Conversation, wishes: Wishes, now: float) -> Exchange:
    """Take new wishes in the place of the old ones."""
    turn = Exchange(replace(talk, wishes=wishes))
    if talk.notice == ALONE and wishes.faces and wishes.throw != talk.wishes.throw:
        turn = _note(turn, None, now)
    return _go_on(turn, now)


def acknowledge(talk: Conversation, n: int, now: float) -> Exchange:
    """Press n is recorded, or counts for nothing: tell the chamber.

    A press of an earlier session is forgotten there. Since its restart the chamber may have given
    the same number to another press.
    """
    if n > talk.asked[0]:
        return Exchange(talk)
    turn = Exchange(replace(talk, got=max(talk.got, n)), (frame_line(f"GOT {n}"),))
    if talk.asked == (n, talk.arm[0]):
        turn = _spent(turn)
    return _go_on(turn, now)


def due_at(talk: Conversation) -> float:
    """When `tick` has something to do, if nothing happens before."""
    if talk.hello is None:
        return talk.hi_at + HI_S
    order = (talk.order.at + REPEAT_S,) if talk.order else ()
    return min(talk.heard + SILENCE_S, talk.alive_at + ALIVE_S, *order)


def tick(talk: Conversation, now: float, fresh: str) -> Exchange:
    """Let time pass."""
    if now - talk.heard >= SILENCE_S:
        if talk.hello is not None:
            talk = greet(talk, fresh, now)
        text = OTHER_PROTOCOL if talk.notice == OTHER_PROTOCOL else SILENT
        return _greeting(lose_line(talk, text, now), now)
    if talk.hello is None:
        return _greeting(Exchange(talk), now)
    return _repeat(_alive(Exchange(talk), now), now)


def hear(talk: Conversation, body: str, now: float, fresh: str) -> Exchange:
    """Take one good line."""
    said = parse(body)
    if isinstance(said, ForeignHello):
        return _note(Exchange(talk), OTHER_PROTOCOL, now)
    if isinstance(said, Hello):
        return _hello(talk, said, now, fresh)
    if talk.hello is None:
        return Exchange(talk)  # nothing is believed before a HELLO with our session
    turn = Exchange(replace(talk, heard=now))
    if isinstance(said, CommandAnswer):
        return _answer(turn, said, now)
    if isinstance(said, PressLine):
        return _press(turn, said, talk.hello.boot, now)
    return turn


# Its parts: each takes a turn so far and adds to it.


def _say(turn: Exchange, *bodies: str) -> Exchange:
    return turn._replace(lines=turn.lines + tuple(frame_line(body) for body in bodies))


def _note(turn: Exchange, text: Message | None, now: float) -> Exchange:
    talk = turn.conversation
    if talk.notice == text:
        return turn
    event = Notice(DEVICE, text, now)
    return Exchange(replace(talk, notice=text), turn.lines, (*turn.events, event))


def _line(turn: Exchange, up: bool, now: float) -> Exchange:
    talk = turn.conversation
    if talk.up == up:
        return turn
    only_throws = talk.hello is not None and not talk.hello.keeps_lights
    event = ChamberLine(up, now, only_throws)
    return Exchange(replace(talk, up=up), turn.lines, (*turn.events, event))


def _greeting(turn: Exchange, now: float) -> Exchange:
    talk = turn.conversation
    if now - talk.hi_at < HI_S:
        return turn
    return _say(
        turn._replace(conversation=replace(talk, hi_at=now)), f"HI {PROTOCOL} {talk.session}"
    )


def _alive(turn: Exchange, now: float) -> Exchange:
    talk = turn.conversation
    if now - talk.alive_at < ALIVE_S:
        return turn
    return _say(turn._replace(conversation=replace(talk, alive_at=now)), "ALIVE")


def _repeat(turn: Exchange, now: float) -> Exchange:
    talk = turn.conversation
    if talk.order is None or now - talk.order.at < REPEAT_S:
        return turn
    order = replace(talk.order, at=now)
    return _say(turn._replace(conversation=replace(talk, order=order)), order.text)


def _hello(talk: Conversation, hello: Hello, now: float, fresh: str) -> Exchange:
    if talk.hello is None:
        # Another session's HELLO needs no answer here: our HI is said again anyway.
        return _joined(talk, hello, now) if hello.session == talk.session else Exchange(talk)
    if hello.session != talk.session or hello.boot != talk.hello.boot:
        return _greeting(Exchange(greet(talk, fresh, now)), now)
    return Exchange(replace(talk, heard=now, hello=hello))


def _joined(talk: Conversation, hello: Hello, now: float) -> Exchange:
    known = talk.alone[1] if talk.alone[0] == hello.boot else 0
    joined = replace(
        talk,
        hello=hello,
        heard=now,
        alive_at=now,
        told=ChamberState(test=talk.wishes.test),
        alone=(hello.boot, hello.alone),
    )
    turn = _note(_line(Exchange(joined), True, now), ALONE if hello.alone > known else None, now)
    return _go_on(turn, now)


def _answer(turn: Exchange, answer: CommandAnswer, now: float) -> Exchange:
    order = turn.conversation.order
    if order is None or answer.seq != order.seq:
        return turn
    turn = _told(turn, order)
    if answer.reason is not None:
        turn = _note(turn, refusal_notice(order.text.split()[0]), now)
    return _go_on(turn, now)


def _told(turn: Exchange, order: SentCommand) -> Exchange:
    """The command under way is answered: the chamber knows what it said."""
    talk = turn.conversation
    new = order.told
    told = ChamberState(
        mode=new.mode or talk.told.mode,
        lights=new.lights or talk.told.lights,
        arm=new.arm or talk.told.arm,
        test=talk.told.test if new.test is None else new.test,
    )
    return turn._replace(conversation=replace(talk, told=told, order=None))


def _spent(turn: Exchange) -> Exchange:
    """The newest ARM has had its press: whoever may throw next needs another."""
    talk = turn.conversation
    return turn._replace(conversation=replace(talk, told=replace(talk.told, arm=None)))


def _press(turn: Exchange, press: PressLine, boot: str, now: float) -> Exchange:
    talk = turn.conversation
    if talk.order is not None and talk.order.seq == press.arm:
        turn = _told(turn, talk.order)  # its OK was lost, the press says as much
        talk = turn.conversation
    if press.n == talk.asked[0] and press.n > talk.got:
        return turn  # asked already, the answer is on its way
    if press.n <= talk.got:
        return _say(turn, f"GOT {press.n}")
    asked = replace(talk, asked=(press.n, press.arm))
    if press.arm != talk.arm[0] or not _believable(talk, press):
        done = acknowledge(asked, press.n, now)
        return Exchange(done.conversation, turn.lines + done.lines, turn.events + done.events)
    return Exchange(asked, turn.lines, (*turn.events, _event(press, boot, talk.arm[1], now)))


def _believable(talk: Conversation, press: PressLine) -> bool:
    """In mode roll as many faces as there are dice, each 1 to 6; in mode press none."""
    mode, dice = talk.told.mode or ("press", 0)
    if mode == "press":
        return not press.faces
    return len(press.faces) == dice and all(1 <= face <= 6 for face in press.faces)


def _event(press: PressLine, boot: str, key: int, now: float) -> Event:
    if press.faces:
        return ChamberRolled(boot, press.n, key, press.faces, now)
    return ChamberPress(boot, press.n, key, now)


def _go_on(turn: Exchange, now: float) -> Exchange:
    """Give the next command, if there is one to give and none under way."""
    talk = turn.conversation
    if talk.hello is None or talk.order is not None:
        return turn
    command = next_command(talk.wishes, talk.told, talk.hello)
    if command is None:
        return turn
    word, given, told = command
    seq = talk.seq + 1
    order = SentCommand(seq, " ".join((word, str(seq), *given)), now, told)
    arm = (seq, talk.wishes.key) if word == "ARM" else talk.arm
    ordered = replace(talk, seq=seq, order=order, arm=arm)
    return _say(turn._replace(conversation=ordered), order.text)


def next_command(wishes: Wishes, told: ChamberState, hello: Hello) -> Command | None:
    """Return the next command, None where the chamber has been told all that is wished.

    MODE says how many faces a SHOW has. ARM and HOLD wait for SHOW and BLANK. TEST comes last,
    since a SHOW or BLANK would cut it short. A chamber whose ARM puts the lights out is not armed
    while faces are shown.
    """
    mode = (wishes.mode, wishes.dice)
    if told.mode != mode:
        return Command("MODE", (wishes.mode, str(wishes.dice)), ChamberState(mode=mode))
    lights = (wishes.throw, wishes.faces) if wishes.faces else DARK
    if told.lights != lights:
        faces = tuple(str(face) for face in wishes.faces)
        return Command("SHOW" if faces else "BLANK", faces, ChamberState(lights=lights))
    seat = wishes.seat if hello.keeps_lights or not wishes.faces else None
    arm = HELD_ARM if seat is None else (wishes.key, seat)
    if told.arm != arm:
        if seat is None:
            return Command("HOLD", (), ChamberState(arm=arm))
        return Command("ARM", (str(seat + 1),), ChamberState(arm=arm))
    if wishes.test > (told.test or 0):
        return Command("TEST", (), ChamberState(test=wishes.test))
    return None
