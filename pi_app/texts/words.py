"""Messages that several screens share: places, keys, news, notices. Has no state."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import get_args

from pi_app.model.events import Button, Kind
from pi_app.model.parts import Fault
from pi_app.model.screens import (
    NOTHING,
    KeyHint,
    Message,
    PatternName,
    Seat,
    Shells,
    Text,
    Value,
    message,
    show_throw,
)
from rules.actions import Move, Stop
from rules.board import HOME, NEST, ROW, SEAT_LETTERS, SEATS, board, safety_spaces, star_spaces
from rules.facts import Again, Begins, Captured, Corrected, Fact, Lapsed, Left, Tied, Won
from rules.game import Game
from rules.history import Entry
from rules.increments import GRACE, throw_value
from rules.ruleset import THIRD_DOUBLETS, RuleSet


def title_of_house_rules(name: str) -> Text:
    """Return the title of house rules: the name that was typed, or `house 1` if it is a number."""
    return message("house-name", number=name) if name.isdecimal() else name


LADDER_BOARD = "ring-56"  # the space before a seat's home row is the foot of its ladder


@lru_cache(maxsize=128)  # the screens of a turn name the same few places
def place_words(rules: RuleSet, seat: int, place: int) -> Message:
    """Return a place in at most 10 letters: `13 past C`, `C's entry`, `home row 3`.

    In the idiom NUMBERS, a language has `space 12` instead. On a page `star 4 past C`, or `bench`.
    """
    if place in (NEST, HOME):
        return message("place-nest") if place == NEST else message("place-home")
    this = board(rules.layout)
    if rules.layout == LADDER_BOARD and place == this.last:
        return message("place-foot")
    space = this.space(seat, place)
    if space is None and place in this.home:  # the row is the goal
        return message("place-goal", space=place - ROW)
    if space is None and this.has_way_out:
        if place < 0:
            return message("place-out", space=place - NEST)
        return message("place-in", space=place - ROW)
    if space is None:
        return message("place-home-row", space=place - ROW)
    owner, past = this.past_entry(space)
    number = (space - this.last - 1) % this.ring + 1  # A's tip has the last number
    if past:
        slots: dict[str, Value] = {"spaces": past, "seat": Seat(owner), "number": number}
        stars = star_spaces(rules.layout, rules.stars)
        if space in stars:
            return message("place-star", **slots)
        is_safe = space in safety_spaces(rules.layout, rules.safety)
        if is_safe and stars:
            return message("place-globe", **slots)
        if is_safe and rules.captures == "passing":
            return message("place-bench", **slots)
        return message("place-past", **slots)
    if this.has_way_out:
        return message("place-end", seat=Seat(owner))
    return message("place-entry", seat=Seat(owner), number=number)


def way_words(rules: RuleSet, seat: int, origin: int, target: int) -> Message:
    """Return a pawn's way from `origin` to `target`: `from the nest to A's entry`."""
    from_words, to_words = (place_words(rules, seat, place) for place in (origin, target))
    return message("way", origin=from_words, target=to_words)


ORDINALS = (
    message("ordinal-1st"),
    message("ordinal-2nd"),
    message("ordinal-3rd"),
    message("ordinal-4th"),
)


# What to press. On a one-button panel a tap means NEXT, and a hold means OK.


def next_key(one_button: bool, does: Text) -> KeyHint[Text]:
    """Return the key hint for NEXT; on a one-button panel it is a tap."""
    return KeyHint(message("press-tap") if one_button else message("press-next"), does)


def ok_key(one_button: bool, does: Text) -> KeyHint[Text]:
    """Return the key hint for OK; on a one-button panel it is a hold."""
    return KeyHint(message("press-hold") if one_button else message("press-ok"), does)


def hold_key(one_button: bool, does: Text) -> KeyHint[Text]:
    return KeyHint(message("press-hold") if one_button else message("press-hold-ok"), does)


def keys(one_button: bool, by_next: Text, by_ok: Text) -> tuple[KeyHint[Text], ...]:
    return next_key(one_button, by_next), ok_key(one_button, by_ok)


def question_title(seat: int, question: Text) -> Message:
    """Return the title of a question to a seat: `A: end game?`."""
    return message("of-seat", seat=Seat(seat), what=question)


def choice_keys(
    one_button: bool, index: int, count: int, does: Text, held: bool = False
) -> tuple[KeyHint[Text], ...]:
    """Return the key hints for a choice among several: NEXT `2 of 4`, OK `I moved it`.

    index, count: the choice shown, from 0, and how many there are. held: OK must be held, too, on a
    panel with two buttons.
    """
    does_it = hold_key(one_button, does) if held else ok_key(one_button, does)
    others = (next_key(one_button, position_in_list(index, count)),) if count > 1 else ()
    return (*others, does_it)


def position_in_list(index: int, count: int) -> Message:
    """Return the position in a list: `2 of 4`. index: counted from 0."""
    return message("nth-of", n=index + 1, all=count)


def is_position_in_list(text: Text) -> bool:
    return isinstance(text, Message) and text.id == "nth-of"


def menu_key(one_button: bool) -> tuple[KeyHint[Text], ...]:
    """Return the key hint for the menu, for a screen without other keys."""
    press = message("press-tap") if one_button else message("press-hold-next")
    return (KeyHint(press, message("menu")),)


def button_name(button: Button, one_button: bool) -> Message:
    """Return the name of a button: `A's OK`, `the dome`."""
    if button.seat is None:
        return message("the-dome") if button.kind == "dome" else message("power-key")
    seat = Seat(button.seat)
    if one_button:
        return message("seats-button", seat=seat)
    if button.kind == "ok":
        return message("seats-ok", seat=seat)
    return message("seats-next", seat=seat)


def keys_line(keys: Sequence[KeyHint[Text]]) -> Message:
    """Return key hints as one text: `OK: join, NEXT: other rules`."""
    row = NOTHING
    for key in keys:
        words = message("key", press=key.press, does=key.does)
        row = message("two-keys", one=row, other=words) if row else words
    return row


LEVEL_NAMES = {level: message(f"level-{level}") for level in ("child", "easy", "club", "strong")}

PATTERNS: dict[PatternName, Message] = {
    name: message(f"pattern-{name}") for name in get_args(PatternName)
}

# The names that a family can give its pawns.
PAWN_NAMES = {
    name: message(f"pawns-{name}")
    for name in (
        *("red", "yellow", "green", "blue", "black", "white", "brown", "orange", "pink"),
        *("pennies", "dimes", "nickels", "quarters", "buttons", "beans", "stones", "shells"),
    )
}
# The buttons of a panel, with the words on their caps.
BUTTON_CAPS: dict[Kind, Message] = {"ok": message("press-ok"), "next": message("press-next")}


# How throws for who begins are compared.
STARTER_RULES: dict[str, Message] = {
    "highest-total": message("highest-total-begins"),
    "highest-die": message("highest-die-begins"),
    "lowest-die": message("lowest-die-begins"),
    "choose": NOTHING,
}

NEARLY_FULL = message("disk-nearly-full")
GAMES_IN_MEMORY = message("games-in-memory")
SLOW_DISK = message("disk-slow")
# What is wrong with the disk, in short.
FAULTS: dict[Fault, Message] = {fault: message(f"fault-{fault}") for fault in get_args(Fault)}
# Why a press could not be saved: the reason, and what helps.
FAULT_REMEDIES: dict[Fault, tuple[Message, Message]] = {
    "disk-full": (message("disk-full"), message("disk-full-remedy")),
    "read-only": (message("disk-locked"), message("disk-locked-remedy")),
    "no-access": (message("disk-closed"), message("disk-closed-remedy")),
    "disk-busy": (message("disk-busy"), message("disk-busy-remedy")),
    "bad-disk": (message("disk-fault"), message("disk-fault-remedy")),
    "disk-gone": (message("disk-gone"), message("disk-gone-remedy")),
}
MB, GB = 1_000_000, 1_000_000_000
FEW_MOVES = 100  # a notice with a larger number is shorter, to fit one line


def seat_letter(seat: int) -> str:
    return SEAT_LETTERS[seat]


def side_words(seats: Sequence[int]) -> Message:
    """Return the two seats of a side: `A+C`."""
    return message("side", one=Seat(seats[0]), other=Seat(seats[1]))


def winners_words(seats: Sequence[int]) -> Message:
    """Return that these seats have won: the two of a side, or those that share the first place."""
    if len(seats) == 2:
        return message("side-has-won", side=side_words(seats))
    if len(seats) == SEATS:
        return message("all-have-won")
    return message("have-won", seats=tuple(map(Seat, seats)))


def shells_words(shells: Shells) -> Message:
    """Return a throw of cowries in words: `5 up: 25, throw again`."""
    values = {"up": shells.up, "value": shells.value}
    return message("shells-again" if shells.again else "shells-up", **values)


def throw_words(game: Game) -> Message:
    """Return the throw of cowries on the table in words, NOTHING for dice."""
    if not game.ruleset.throws_shells or not game.throw:
        return NOTHING
    (shells,) = show_throw(game.ruleset, game.throw)
    assert isinstance(shells, Shells)  # these rules throw no dice
    return shells_words(shells)


def faces_words(ruleset: RuleSet, faces: tuple[int, ...]) -> Value:
    """Return the faces of a throw as the slot of a message; of cowries `5 up: 25`."""
    if not ruleset.throws_shells:
        return faces
    return message("shells-up", up=faces[0], value=throw_value(ruleset, faces))


def spent_words(uses: str) -> Value:
    """Return what a step spends as a slot of a message. uses: `5`, `4+1`, `5,3`, `3/14`, `+20`."""
    spent = uses.partition("/")[0]
    match re.split("([+,])", spent):
        case ["", _, bonus]:
            return message("plus", number=bonus)
        case [one, "+", other]:
            return message("sum", one=one, other=other)
        case [one, _, other]:
            return message("one-then-other", one=one, other=other)
    return spent


def unused_spaces(ruleset: RuleSet, facts: Iterable[Fact]) -> tuple[int, ...]:
    """Return the increments that were not used. A grace is none: often no pawn waits for it."""
    lapsed = [fact.spaces for fact in facts if isinstance(fact, Lapsed)]
    return tuple(n for n in lapsed if not (ruleset.throws_shells and n == GRACE))


def news_words(ruleset: RuleSet, facts: Iterable[Fact]) -> Text:
    """Return the news that players must know of these facts, in a few words."""
    facts, partners = tuple(facts), ruleset.partners
    captured = [seat_letter(fact.seat) for fact in facts if isinstance(fact, Captured)]
    unused = unused_spaces(ruleset, facts)
    who = "".join(captured) if len(captured) < 3 else str(len(captured))
    news = [message("to-nest", who=who)] if captured else []
    news += [message("spaces-unused", count=len(unused), spaces=unused)] if unused else []
    return comma_list([*news, *filter(None, (_fact_words(fact, partners) for fact in facts))])


def comma_list(texts: Sequence[Text]) -> Text:
    """Return short texts as one, separated by commas."""
    row: Text = NOTHING
    for text in texts:
        row = message("and-then", before=row, then=text) if row else text
    return row


def _fact_words(fact: Fact, partners: bool) -> Message:
    match fact:
        case Tied(seats):
            return message("tie-again", seats=tuple(map(Seat, seats)))
        case Begins(seat):
            return message("begins", seat=Seat(seat))
        case Won(seat) if partners:
            return message("seat-is-home", seat=Seat(seat))
        case Won(seat, number):
            return message("came-in", seat=Seat(seat), ordinal=ORDINALS[number - 1])
        case Again():
            return message("throw-again")
        case Left(seat):
            return message("pawns-off", seat=Seat(seat))
        case Corrected(_, anew, waits):
            if anew:
                return message("corrected-use-anew")
            return message("corrected-throw-waits") if waits else message("is-corrected")
    return NOTHING


def done_words(game: Game, action: Entry) -> Message:
    """Return the result of an action, in two lines: `done: 12 past A`, `→ C's entry`."""
    match action:
        case Move(step):
            way: tuple[int, int] | None = (step.origin, step.target)
        case Stop() if game.put_back and THIRD_DOUBLETS[game.ruleset.third_doublet].takes_pawn:
            way = game.put_back[0][1:]
        case _:
            way = None
    if way is None:
        return NOTHING
    origin, target = (place_words(game.ruleset, game.seat, place) for place in way)
    return message("done", origin=origin, target=target)


def tenths_words(number: float) -> Message:
    """Return a number without its sign, with one decimal: `71.9`."""
    whole, tenth = divmod(abs(round(10 * number)), 10)
    return message("decimal", whole=whole, tenth=tenth)


def size_words(size: int) -> Message:
    """Return a size on a disk: `512 MB`, `71.9 GB`. size: in bytes."""
    if size < GB:
        return message("megabytes", size=size // MB)
    return message("gigabytes", size=tenths_words(size / GB))


# Notices at the bottom of the screen.

SETTING_NAMES = {
    "sound": message("menu-sound"),
    "brightness": message("menu-brightness"),
    "dice": message("menu-dice"),
    "hints": message("menu-hints"),
    "children": message("menu-children"),
    "numbers": message("menu-numbers"),
    "turn_limit": message("menu-turn-limit"),
    "late_turn": message("menu-late-turn"),
    "last_round": message("menu-last-round"),
    "language": message("menu-language"),
    "ruleset": message("rules"),
    "evening": message("menu-score"),
}


def reset_words(key: str) -> Message:
    """Return the notice of a setting that can't be read: reset, or left out of its collection."""
    family, _, name = key.partition(".")
    if name:
        return message("left-out", name=title_of_house_rules(name))
    return message("setting-reset", setting=SETTING_NAMES[family])


def missing_moves_words(count: int, file: str = "") -> Message:
    """Return the notice of confirmed moves that are lost. file: where the old journal is kept."""
    if file:
        return message("moves-missing-kept", count=count, file=file)
    few = count < FEW_MOVES
    return message("moves-are-missing" if few else "moves-missing", count=count)
