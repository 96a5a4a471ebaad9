"""What players read in more places than one, as messages: places, keys, news, notices. No state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pi_app.input.events import Button, Kind
from pi_app.rows.faults import Fault
from pi_app.screens.screen import NOTHING, KeyHint, Message, PatternName, Seat, Text, message
from rules.actions import Move, Stop
from rules.board import HOME, NEST, ROW, SEAT_LETTERS, board
from rules.facts import Again, Begins, Captured, Corrected, Fact, Lapsed, Left, Tied, Won
from rules.game import Game
from rules.history import Entry


def title_of_house_rules(name: str) -> Text:
    """Return what house rules are called: as typed, or `house 1` where they have a number."""
    return message("house-name", number=name) if name.isdecimal() else name


def place_words(layout: str, seat: int, place: int) -> Message:
    """Return a place in at most 10 letters: `13 past C`, `C's entry`, `home row 3`."""
    if place in (NEST, HOME):
        return message("place-nest") if place == NEST else message("place-home")
    space = board(layout).space(seat, place)
    if space is None:
        return message("place-home-row", space=place - ROW)
    owner, past = divmod(space, board(layout).arm)
    if past:
        return message("place-past", spaces=past, seat=Seat(owner))
    return message("place-entry", seat=Seat(owner))


def way_words(layout: str, seat: int, origin: int, target: int) -> Message:
    """Return from where to where a pawn goes: `from the nest to A's entry`."""
    if origin == NEST:
        return message("way-from-nest", target=place_words(layout, seat, target))
    if target == NEST:
        return message("way-to-nest", origin=place_words(layout, seat, origin))
    origin_of, target_of = (place_words(layout, seat, place) for place in (origin, target))
    return message("way", origin=origin_of, target=target_of)


ORDINALS = (
    message("ordinal-1st"),
    message("ordinal-2nd"),
    message("ordinal-3rd"),
    message("ordinal-4th"),
)


# What to press: with one button NEXT is a tap of OK, and OK is a hold of it.


def next_key(only: bool, does: Text) -> KeyHint[Text]:
    """Return that NEXT does this; with one button a tap does."""
    return KeyHint(message("press-tap") if only else message("press-next"), does)


def ok_key(only: bool, does: Text) -> KeyHint[Text]:
    """Return that OK does this; with one button a hold does."""
    return KeyHint(message("press-hold") if only else message("press-ok"), does)


def hold_key(only: bool, does: Text) -> KeyHint[Text]:
    """Return that a hold of OK does this."""
    return KeyHint(message("press-hold") if only else message("press-hold-ok"), does)


def keys(only: bool, by_next: Text, by_ok: Text) -> tuple[KeyHint[Text], ...]:
    """Return what the two buttons do: NEXT `other`, OK `do it`."""
    return next_key(only, by_next), ok_key(only, by_ok)


def question_title(seat: int, question: Text) -> Message:
    """Return the title of what a seat's panel is asked: `A: end game?`."""
    return message("of-seat", seat=Seat(seat), what=question)


def choice_keys(
    only: bool, index: int, count: int, does: Text, held: bool = False
) -> tuple[KeyHint[Text], ...]:
    """Return what to press where there are so many choices: NEXT `2 of 4`, OK `I moved it`.

    held: OK must be held, too, on a panel with two buttons.
    """
    does_it = hold_key(only, does) if held else ok_key(only, does)
    others = (next_key(only, position_in_list(index, count)),) if count > 1 else ()
    return (*others, does_it)


def position_in_list(index: int, count: int) -> Message:
    """Return which of so many it is, counted from 1: `2 of 4`."""
    return message("nth-of", n=index + 1, all=count)


def menu_key(only: bool) -> tuple[KeyHint[Text], ...]:
    """Return how the menu is opened, for a screen on which nothing else is to be pressed."""
    press = message("press-tap") if only else message("press-hold-next")
    return (KeyHint(press, message("menu")),)


def button_name(button: Button, only: bool) -> Message:
    """Return what a button is called: `A's OK`, `the dome`. only: its panel has no other."""
    if button.seat is None:
        return message("the-dome") if button.kind == "dome" else message("power-key")
    seat = Seat(button.seat)
    if only:
        return message("seats-button", seat=seat)
    if button.kind == "ok":
        return message("seats-ok", seat=seat)
    return message("seats-next", seat=seat)


def keys_line(keys: Sequence[KeyHint[Text]]) -> Message:
    """Return what to press and what that does as one text: `OK: join, NEXT: other rules`."""
    row = NOTHING
    for key in keys:
        one = message("key", press=key.press, does=key.does)
        row = message("two-keys", one=row, other=one) if row else one
    return row


LEVEL_NAMES = {
    "child": message("level-child"),
    "easy": message("level-easy"),
    "club": message("level-club"),
    "strong": message("level-strong"),
}

PATTERNS: dict[PatternName, Message] = {
    "all-dots": message("pattern-all-dots"),
    "the-edge": message("pattern-the-edge"),
    "checks": message("pattern-checks"),
}

# What a family calls its pawns, by the words of `PAWNS`.
PAWN_NAMES: dict[str, Message] = {
    "red": message("pawns-red"),
    "yellow": message("pawns-yellow"),
    "green": message("pawns-green"),
    "blue": message("pawns-blue"),
    "black": message("pawns-black"),
    "white": message("pawns-white"),
    "brown": message("pawns-brown"),
    "orange": message("pawns-orange"),
    "pink": message("pawns-pink"),
    "pennies": message("pawns-pennies"),
    "dimes": message("pawns-dimes"),
    "nickels": message("pawns-nickels"),
    "quarters": message("pawns-quarters"),
    "buttons": message("pawns-buttons"),
    "beans": message("pawns-beans"),
    "stones": message("pawns-stones"),
    "shells": message("pawns-shells"),
}
# The buttons of a panel, as their caps say them.
BUTTON_CAPS: dict[Kind, Message] = {"ok": message("press-ok"), "next": message("press-next")}


# How a throw for who begins is judged: what is compared, and the rule in words.
STARTER_RULES: dict[str, tuple[Callable[[tuple[int, ...]], int], Message]] = {
    "highest-total": (sum, message("highest-total-begins")),
    "highest-die": (max, message("highest-die-begins")),
    "lowest-die": (min, message("lowest-die-begins")),
    "choose": (sum, NOTHING),
}

NEARLY_FULL = message("disk-nearly-full")
# What is wrong with the disk, in a few letters.
FAULTS: dict[Fault, Message] = {
    "disk-full": message("fault-disk-full"),
    "read-only": message("fault-read-only"),
    "no-access": message("fault-no-access"),
    "disk-busy": message("fault-disk-busy"),
    "bad-disk": message("fault-bad-disk"),
    "disk-gone": message("fault-disk-gone"),
}
# Why a press was not taken: what the screen says, and what helps.
FAULT_REMEDIES: dict[Fault, tuple[Message, Message]] = {
    "disk-full": (message("disk-full"), message("disk-full-remedy")),
    "read-only": (message("disk-locked"), message("disk-locked-remedy")),
    "no-access": (message("disk-closed"), message("disk-closed-remedy")),
    "disk-busy": (message("disk-busy"), message("disk-busy-remedy")),
    "bad-disk": (message("disk-fault"), message("disk-fault-remedy")),
    "disk-gone": (message("disk-gone"), message("disk-gone-remedy")),
}
MB, GB = 1_000_000, 1_000_000_000
FEW_MOVES = 100  # of more, the notice says less, so that it fits one line
PENALTIES_WITHOUT_PAWN = {
    "forfeit": message("turn-ends"),
    "no-move": message("throw-again"),
}


def seat_letter(seat: int) -> str:
    """Return a seat's letter."""
    return SEAT_LETTERS[seat]


def starter_score(starter: str, faces: tuple[int, ...]) -> int:
    """Return what a throw for who begins is worth."""
    return STARTER_RULES[starter][0](faces)


def starter_rule(starter: str) -> Message:
    """Return who begins, in words."""
    return STARTER_RULES[starter][1]


def news_words(facts: Iterable[Fact]) -> Text:
    """Return in a few words what the players must know of what has just happened."""
    facts = tuple(facts)
    captured = [seat_letter(fact.seat) for fact in facts if isinstance(fact, Captured)]
    unused = tuple([fact.spaces for fact in facts if isinstance(fact, Lapsed)])
    said = [message("to-nest", who="".join(captured))] if captured else []
    said += [message("spaces-unused", spaces=unused)] if unused else []
    return comma_list([*said, *filter(None, map(_of_fact, facts))])


def comma_list(said: Sequence[Text]) -> Text:
    """Return short texts as one, with a comma between two."""
    row: Text = NOTHING
    for one in said:
        row = message("and-then", before=row, then=one) if row else one
    return row


def _of_fact(fact: Fact) -> Message:
    match fact:
        case Tied(seats):
            return message("tie-again", seats=tuple(map(Seat, seats)))
        case Begins(seat):
            return message("begins", seat=Seat(seat))
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
    """Return what an action has done, in two lines: `done: 12 past A`, `→ C's entry`."""
    match action:
        case Move(step):
            moved: tuple[int, int] | None = (step.origin, step.target)
        case Stop() if game.penalty is not None:
            moved = (game.penalty[1], NEST)
        case _:
            moved = None
    if moved is None:
        return NOTHING
    layout = game.ruleset.layout
    origin, target = (place_words(layout, game.seat, place) for place in moved)
    if board(layout).space(game.seat, moved[0]) is None and moved[0] not in (NEST, HOME):
        return message("done-from-row", space=moved[0] - ROW, target=target)
    return message("done", origin=origin, target=target)


def size_words(size: int) -> Message:
    """Return how much room so many bytes are: `512 MB`, `71.9 GB`."""
    if size < GB:
        return message("megabytes", size=size // MB)
    return message("gigabytes", size=f"{size / GB:.1f}")


# Notices, which go by at the bottom of the screen.

SETTING_NAMES = {
    "sound": message("menu-sound"),
    "brightness": message("menu-brightness"),
    "dice": message("menu-dice"),
    "hints": message("menu-hints"),
    "children": message("menu-children"),
    "ruleset": message("rules"),
    "evening": message("menu-score"),
}


def reset_words(key: str) -> Message:
    """Return that a setting can't be read: `sound: as at first`; of several: `house 1 left out`."""
    family, _, name = key.partition(".")
    if name:
        return message("left-out", name=title_of_house_rules(name))
    return message("setting-as-at-first", setting=SETTING_NAMES[family])


def set_aside_words(file: str) -> Message:
    """Return that the journal could not be used and is kept as this file."""
    return message("game-set-aside", file=file)


def missing_moves_words(count: int, file: str = "") -> Message:
    """Return how many confirmed moves are lost, and where the journal is kept that had them."""
    if file:
        return message("moves-missing-kept", count=count, file=file)
    few = count < FEW_MOVES
    return message("moves-are-missing" if few else "moves-missing", count=count)


def stuck_words(button: Message) -> Message:
    """Return that a button has been down for too long to count: `A's OK is stuck`."""
    return message("is-stuck", button=button)


def unsaved_words(fault: Fault) -> Message:
    """Return that what is played is not kept, and why."""
    return message("not-saved", why=FAULTS[fault])
