"""Messages that go into others: places, ways, ordinals. Of each there is one."""

from __future__ import annotations

from collections.abc import Sequence

from pi_app.input.events import Button, Kind
from pi_app.screens.message import NOTHING, Message, Seat, Text, message
from pi_app.screens.screen import Key, PatternName
from rules.board import HOME, NEST, ROW, board


def house_title(name: str) -> Text:
    """Return what house rules are called: as typed, or `house 1` where they have a number."""
    return message("house-name", number=name) if name.isdecimal() else name


def place_of(layout: str, seat: int, place: int) -> Message:
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


def way_of(layout: str, seat: int, origin: int, target: int) -> Message:
    """Return from where to where a pawn goes: `from the nest to A's entry`."""
    if origin == NEST:
        return message("way-from-nest", target=place_of(layout, seat, target))
    if target == NEST:
        return message("way-to-nest", origin=place_of(layout, seat, origin))
    origin_of, target_of = (place_of(layout, seat, place) for place in (origin, target))
    return message("way", origin=origin_of, target=target_of)


ORDINALS = (
    message("ordinal-1st"),
    message("ordinal-2nd"),
    message("ordinal-3rd"),
    message("ordinal-4th"),
)


# What to press: with one button NEXT is a tap of OK, and OK is a hold of it.


def next_key(only: bool, does: Text) -> Key[Text]:
    """Return that NEXT does this; with one button a tap does."""
    return Key(message("press-tap") if only else message("press-next"), does)


def ok_key(only: bool, does: Text) -> Key[Text]:
    """Return that OK does this; with one button a hold does."""
    return Key(message("press-hold") if only else message("press-ok"), does)


def hold_key(only: bool, does: Text) -> Key[Text]:
    """Return that a hold of OK does this."""
    return Key(message("press-hold") if only else message("press-hold-ok"), does)


def keys(only: bool, by_next: Text, by_ok: Text) -> tuple[Key[Text], ...]:
    """Return what the two buttons do: NEXT `other`, OK `do it`."""
    return next_key(only, by_next), ok_key(only, by_ok)


def asks(seat: int, question: Text) -> Message:
    """Return the title of what a seat's panel is asked: `A: end game?`."""
    return message("of-seat", seat=Seat(seat), what=question)


def choosing(
    only: bool, index: int, count: int, does: Text, held: bool = False
) -> tuple[Key[Text], ...]:
    """Return what to press where there are so many choices: NEXT `2 of 4`, OK `I moved it`.

    held: OK must be held, too, on a panel with two buttons.
    """
    does_it = hold_key(only, does) if held else ok_key(only, does)
    others = (next_key(only, nth_of(index, count)),) if count > 1 else ()
    return (*others, does_it)


def nth_of(index: int, count: int) -> Message:
    """Return which of so many it is, counted from 1: `2 of 4`."""
    return message("nth-of", n=index + 1, all=count)


def menu_key(only: bool) -> tuple[Key[Text], ...]:
    """Return how the menu is opened, for a screen on which nothing else is to be pressed."""
    press = message("press-tap") if only else message("press-hold-next")
    return (Key(press, message("menu")),)


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


def row_of(keys: Sequence[Key[Text]]) -> Message:
    """Return what to press and what that does as one text: `OK: join, NEXT: other rules`."""
    row = NOTHING
    for key in keys:
        one = message("key", press=key.press, does=key.does)
        row = message("two-keys", one=row, other=one) if row else one
    return row


LEVELS_ARE = {
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
PAWNS_ARE: dict[str, Message] = {
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
CAPS: dict[Kind, Message] = {"ok": message("press-ok"), "next": message("press-next")}
