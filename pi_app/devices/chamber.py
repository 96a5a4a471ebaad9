"""The Pi's side of the chamber's protocol, as pure functions: it opens no port and reads no clock.

firmware/PROTOCOL.md defines the protocol. The functions take a conversation and the time
(monotonic seconds) and return an `Exchange`: the conversation afterwards, the lines to send and
the events to post. `fresh` is the id of a new session: 8 hexadecimal digits.
"""

import re
from binascii import crc_hqx
from dataclasses import dataclass, replace
from typing import NamedTuple

from pi_app.model.events import ChamberLine, ChamberPress, ChamberRolled, Event, Notice, Wishes
from pi_app.model.screens import Message, message

PROTOCOL = 1
HI_S = 0.5
REPEAT_S = 0.2
ALIVE_S = 1.0
SILENCE_S = 3.0
BODY_MAX = 80
LINE_MAX = 1 + BODY_MAX + 5 + 1  # dollar, body, star and checksum, CR

DEVICE = "chamber"
# The board is there but sends nothing: it waits for an update if the dome is down at power-on.
SILENT = message("chamber-silent")
REFUSED = message("chamber-update")
REFUSED_TEXT = (
    "the chamber's firmware has another protocol: update it as in firmware/README.md, "
    '"Updating it"'
)
ALONE = message("chamber-alone")


def refusal_notice(command: str) -> Message:
    return message("chamber-refused", command=command)


# Lines


class ParsedInput(NamedTuple):
    """The valid bodies of some input, the number of invalid lines, and the next line's start."""

    bodies: tuple[str, ...]
    dropped: int
    partial_line: bytes


def frame_line(body: str) -> bytes:
    """Return the line that carries a body: `$`, the body, `*`, its CRC-16 and a newline."""
    data = body.encode("ascii")
    return b"$%s*%04X\n" % (data, crc_hqx(data, 0xFFFF))


def split_input(partial_line: bytes, data: bytes) -> ParsedInput:
    """Parse input. `partial_line` is what the previous call returned as such."""
    *ended, last = (partial_line + data).split(b"\n")
    bodies: list[str] = []
    dropped = 0
    for line in ended:
        _, dollar, candidate = line.removesuffix(b"\r").rpartition(b"$")
        body, check = candidate[:-5], candidate[-5:]
        is_whole = dollar and 1 <= len(body) <= BODY_MAX
        is_printable = all(32 <= byte < 127 for byte in body) and b"*" not in body
        if is_whole and is_printable and check == b"*%04X" % crc_hqx(body, 0xFFFF):
            bodies.append(body.decode("ascii"))
        elif line:
            dropped += 1
    for line in (*ended, last):  # each dollar but the first ends what is before it
        before, *begun = line.split(b"$")
        dropped += len(begun) - 1 + bool(before) if begun else 0
    start = last[max(last.rfind(b"$"), 0) :]
    if start and (start[:1] != b"$" or len(start) > LINE_MAX):
        start = b"?"  # no longer a line: one byte is enough to count it as invalid
    return ParsedInput(tuple(bodies), dropped, start)


# What the chamber sends


class Hello(NamedTuple):
    """`HELLO 1 <firmware> <unique> <boot> <session> <alone>`"""

    firmware: str
    unique: str
    boot: str
    session: str
    alone: int


class ForeignHello(NamedTuple):
    """A HELLO of another protocol."""


class CommandAnswer(NamedTuple):
    """`OK <seq>`, or `NO <seq> <reason>`."""

    seq: int
    reason: str | None = None


class PressLine(NamedTuple):
    """`PRESS <n> <arm>`, or `ROLLED <n> <arm> <d1> [<d2>]` with the chamber's own faces."""

    n: int
    arm: int
    faces: tuple[int, ...] = ()


ChamberInput = Hello | ForeignHello | CommandAnswer | PressLine

_NUMBER = r"[1-9][0-9]{0,8}"
_HEX8 = r"[0-9A-Fa-f]{8}"
_HELLO = re.compile(rf"HELLO 1 (\S+) (\S+) ({_HEX8}) ({_HEX8}|-) (0|{_NUMBER})")
_FOREIGN = re.compile(r"HELLO ([2-9]|[1-9][0-9]+) .*")
_ANSWER = re.compile(rf"OK ({_NUMBER})|NO ({_NUMBER}) (.+)")
_PRESS = re.compile(rf"PRESS ({_NUMBER}) ({_NUMBER})")
_ROLLED = re.compile(rf"ROLLED ({_NUMBER}) ({_NUMBER}) ({_NUMBER})(?: ({_NUMBER}))?")


def parse(body: str) -> ChamberInput | None:
    """Return what the body of a valid line means; None if only that the chamber is there."""
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
    return None


# The conversation


class ChamberState(NamedTuple):
    """What our commands have set in the chamber in this session; None is not set yet."""

    mode: tuple[str, int] | None = None  # "press" or "roll", and the number of dice
    lights: tuple[int, tuple[int, ...]] | None = None  # a throw's number, and its faces; or DARK
    arm: tuple[int, int] | None = None  # the key and the seat; HELD_ARM if presses don't count
    test: int | None = None  # the number of the newest light test


DARK = (0, ())
HELD_ARM = (0, -1)
NO_WISHES = Wishes()
UNKNOWN_STATE = ChamberState()

# A command without its seq: its word, the arguments after the seq, and the state that it sets.
Command = tuple[str, tuple[str, ...], ChamberState]


class SentCommand(NamedTuple):
    """A command without an answer yet, when it was last sent, and the state it sets."""

    seq: int
    text: str
    sent_at: float
    state: ChamberState


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that this side knows of the conversation."""

    session: str
    last_received_at: float  # when the last valid line came, or when greeting began
    wishes: Wishes = NO_WISHES
    hello: Hello | None = None  # the chamber's in this session; None until it comes
    hi_at: float = -HI_S  # when HI was last sent
    alive_at: float = -ALIVE_S  # when ALIVE was last sent
    seq: int = 0  # of the newest command
    command: SentCommand | None = None  # the one without an answer
    state: ChamberState = UNKNOWN_STATE  # what the answered commands have set
    arm: tuple[int, int] = (0, 0)  # seq and key of the newest ARM
    press: tuple[int, int] = (0, 0)  # the newest posted one, and its ARM's seq
    acknowledged: int = 0  # the newest press that a GOT has answered
    alone: tuple[str, int] = ("", 0)  # a boot id, and how many of its popper's throws are known
    notice: Message | None = None  # this device's line on the display
    up: bool = False  # what the last posted ChamberLine reported


class Exchange(NamedTuple):
    """The conversation after something happened, the lines to send, the events to post."""

    conversation: Conversation
    lines: tuple[bytes, ...] = ()
    events: tuple[Event, ...] = ()

    def with_talk(self, conversation: Conversation) -> "Exchange":
        return self._replace(conversation=conversation)

    def send(self, body: str) -> "Exchange":
        return self._replace(lines=(*self.lines, frame_line(body)))

    def post(self, event: Event) -> "Exchange":
        return self._replace(events=(*self.events, event))


def greet(old: Conversation, fresh: str, now: float) -> Conversation:
    """Return a new session. It keeps the wishes, the popper's throws and the notice."""
    new = Conversation(fresh, now, old.wishes, hi_at=old.hi_at, alone=old.alone)
    return replace(new, notice=old.notice, up=old.up)


def lose_connection(talk: Conversation, text: Message, now: float) -> Exchange:
    """Post that the chamber is away, and `text`, the reason, as its notice."""
    return _set_notice(_set_up(Exchange(talk), False, now), text, now)


def take_wishes(talk: Conversation, wishes: Wishes, now: float) -> Exchange:
    exchange = Exchange(replace(talk, wishes=wishes))
    if talk.notice == ALONE and wishes.faces and wishes.throw != talk.wishes.throw:
        exchange = _set_notice(exchange, None, now)
    return _send_command(exchange, now)


def acknowledge(talk: Conversation, n: int, now: float) -> Exchange:
    """Send that press `n` is recorded or ignored.

    A press of an earlier session is not acknowledged: the chamber may have restarted since, and
    given the same number to another press.
    """
    if n > talk.press[0]:
        return Exchange(talk)
    known = replace(talk, acknowledged=max(talk.acknowledged, n))
    if talk.press == (n, talk.arm[0]):  # each ARM is good for one press
        known = replace(known, state=known.state._replace(arm=None))
    return _send_command(Exchange(known).send(f"GOT {n}"), now)


def due_at(talk: Conversation) -> float:
    """Return when `tick` must be called next, if nothing happens before."""
    if talk.hello is None:
        return talk.hi_at + HI_S
    repeat = (talk.command.sent_at + REPEAT_S,) if talk.command else ()
    return min(talk.last_received_at + SILENCE_S, talk.alive_at + ALIVE_S, *repeat)


def tick(talk: Conversation, now: float, fresh: str) -> Exchange:
    """Do what is due: greet a silent chamber, send ALIVE, send a command again."""
    if now - talk.last_received_at >= SILENCE_S:
        if talk.hello is not None:
            talk = greet(talk, fresh, now)
        text = REFUSED if talk.notice == REFUSED else SILENT
        return _send_hi(lose_connection(talk, text, now), now)
    if talk.hello is None:
        return _send_hi(Exchange(talk), now)
    exchange = Exchange(talk)
    if now - talk.alive_at >= ALIVE_S:
        exchange = Exchange(replace(talk, alive_at=now)).send("ALIVE")
    if talk.command is not None and now - talk.command.sent_at >= REPEAT_S:
        command = talk.command._replace(sent_at=now)
        repeated = replace(exchange.conversation, command=command)
        exchange = exchange.with_talk(repeated).send(command.text)
    return exchange


def receive(talk: Conversation, body: str, now: float, fresh: str) -> Exchange:
    """Take the `body` of one valid line. fresh: the id of a new session, if one begins."""
    received = parse(body)
    if isinstance(received, ForeignHello):
        return _set_notice(Exchange(talk), REFUSED, now)
    if isinstance(received, Hello):
        return _receive_hello(talk, received, now, fresh)
    if talk.hello is None:
        return Exchange(talk)  # nothing counts before a HELLO with our session
    exchange = Exchange(replace(talk, last_received_at=now))
    if isinstance(received, CommandAnswer):
        command = talk.command
        if command is None or received.seq != command.seq:
            return exchange
        exchange = _end_command(exchange, command)
        if received.reason is not None:
            exchange = _set_notice(exchange, refusal_notice(command.text.split()[0]), now)
        return _send_command(exchange, now)
    if isinstance(received, PressLine):
        return _receive_press(exchange, received, talk.hello.boot, now)
    return exchange


# Parts of the above. Most take an exchange so far and add to it.


def _set_notice(exchange: Exchange, text: Message | None, now: float) -> Exchange:
    talk = exchange.conversation
    if talk.notice == text:
        return exchange
    return exchange.with_talk(replace(talk, notice=text)).post(Notice(DEVICE, text, now))


def _set_up(exchange: Exchange, up: bool, now: float) -> Exchange:
    talk = exchange.conversation
    if talk.up == up:
        return exchange
    return exchange.with_talk(replace(talk, up=up)).post(ChamberLine(up, now))


def _send_hi(exchange: Exchange, now: float) -> Exchange:
    talk = exchange.conversation
    if now - talk.hi_at < HI_S:
        return exchange
    return exchange.with_talk(replace(talk, hi_at=now)).send(f"HI {PROTOCOL} {talk.session}")


def _receive_hello(talk: Conversation, hello: Hello, now: float, fresh: str) -> Exchange:
    if talk.hello is not None:
        if hello.session != talk.session or hello.boot != talk.hello.boot:
            return _send_hi(Exchange(greet(talk, fresh, now)), now)
        return Exchange(replace(talk, last_received_at=now, hello=hello))
    if hello.session != talk.session:
        return Exchange(talk)  # of another session: our HI is sent again anyway
    known = talk.alone[1] if talk.alone[0] == hello.boot else 0
    joined = replace(
        talk,
        hello=hello,
        last_received_at=now,
        alive_at=now,
        state=ChamberState(test=talk.wishes.test),
        alone=(hello.boot, hello.alone),
    )
    notice = ALONE if hello.alone > known else None
    return _send_command(_set_notice(_set_up(Exchange(joined), True, now), notice, now), now)


def _end_command(exchange: Exchange, command: SentCommand) -> Exchange:
    """Note that the open command is answered: the chamber has the state that it sets."""
    talk = exchange.conversation
    news = {name: value for name, value in command.state._asdict().items() if value is not None}
    return exchange.with_talk(replace(talk, state=talk.state._replace(**news), command=None))


def _receive_press(exchange: Exchange, press: PressLine, boot: str, now: float) -> Exchange:
    talk = exchange.conversation
    if talk.command is not None and talk.command.seq == press.arm:
        exchange = _end_command(exchange, talk.command)  # its OK was lost: the press replaces it
        talk = exchange.conversation
    if press.n == talk.press[0] and press.n > talk.acknowledged:
        return exchange  # posted already; the acknowledgement will come
    if press.n <= talk.acknowledged:
        return exchange.send(f"GOT {press.n}")
    pressed = replace(talk, press=(press.n, press.arm))
    mode, dice = talk.state.mode or ("press", 0)
    has_all_faces = len(press.faces) == (0 if mode == "press" else dice)
    is_possible = has_all_faces and all(1 <= face <= 6 for face in press.faces)
    if press.arm != talk.arm[0] or not is_possible:
        ignored = acknowledge(pressed, press.n, now)
        return Exchange(
            ignored.conversation, exchange.lines + ignored.lines, exchange.events + ignored.events
        )
    key = talk.arm[1]
    if press.faces:
        event: Event = ChamberRolled(boot, press.n, key, press.faces, now)
    else:
        event = ChamberPress(boot, press.n, key, now)
    return exchange.with_talk(pressed).post(event)


def _send_command(exchange: Exchange, now: float) -> Exchange:
    """Send the next command, if there is one and every earlier command is answered."""
    talk = exchange.conversation
    if talk.hello is None or talk.command is not None:
        return exchange
    next_one = next_command(talk.wishes, talk.state)
    if next_one is None:
        return exchange
    word, arguments, state = next_one
    seq = talk.seq + 1
    command = SentCommand(seq, " ".join((word, str(seq), *arguments)), now, state)
    arm = (seq, talk.wishes.key) if word == "ARM" else talk.arm
    sent = replace(talk, seq=seq, command=command, arm=arm)
    return exchange.with_talk(sent).send(command.text)


def next_command(wishes: Wishes, state: ChamberState) -> Command | None:
    """Return the next command that fulfils a wish, or None if the chamber has all wishes.

    MODE comes first: it sets how many faces a SHOW has. ARM and HOLD come after SHOW and BLANK,
    and TEST comes last, because a SHOW or BLANK would end it.
    """
    mode = (wishes.mode, wishes.dice)
    if state.mode != mode:
        return "MODE", (wishes.mode, str(wishes.dice)), ChamberState(mode=mode)
    lights = (wishes.throw, wishes.faces) if wishes.faces else DARK
    if state.lights != lights:
        faces = tuple(str(face) for face in wishes.faces)
        return "SHOW" if faces else "BLANK", faces, ChamberState(lights=lights)
    arm = HELD_ARM if wishes.seat is None else (wishes.key, wishes.seat)
    if state.arm != arm:
        if wishes.seat is None:
            return "HOLD", (), ChamberState(arm=arm)
        return "ARM", (str(wishes.seat + 1),), ChamberState(arm=arm)
    if wishes.test > (state.test or 0):
        return "TEST", (), ChamberState(test=wishes.test)
    return None
