"""The words on the screens: places, seats, throws and what has just happened. No state."""

from collections.abc import Callable, Iterable, Sequence

from pi_app.table.events import Button
from pi_app.table.screen import Key
from rules.actions import Move, Stop
from rules.board import HOME, NEST, ROW, SEAT_LETTERS, board
from rules.facts import Again, Begins, Captured, Corrected, Fact, Lapsed, Left, Tied, Won
from rules.game import Game
from rules.history import Entry

ORDINALS = ("1st", "2nd", "3rd", "4th")

# How a throw for who begins is judged: what is compared, and the rule in words.
STARTERS: dict[str, tuple[Callable[[tuple[int, ...]], int], str]] = {
    "highest-total": (sum, "highest total begins"),
    "highest-die": (max, "highest die begins"),
    "lowest-die": (min, "lowest die begins"),
    "choose": (sum, ""),
}

NEARLY_FULL = "disk nearly full"
SAVED_AGAIN = "saved again"
# Why a press was not taken, as the journal names it: what the screen says, and what helps.
NOT_TAKEN = {
    "disk full": ("The disk is full", "Make some room on it."),
    "read-only": ("The disk is locked", "It can only be read."),
    "no access": ("The disk is closed", "It does not let us write."),
    "disk busy": ("The disk is busy", "Another program holds it."),
    "bad disk": ("The disk has a fault", "Look after disk or card."),
    "disk gone": ("The disk is gone", "Put back disk or card."),
}
PENALTIES_WITHOUT_PAWN = {
    "forfeit": "the turn ends",
    "no-move": "throw again",
}


def letter(seat: int) -> str:
    """Return a seat's letter."""
    return SEAT_LETTERS[seat]


def letters(seats: Iterable[int]) -> str:
    """Return the letters of some seats: `A, C`."""
    return ", ".join(letter(seat) for seat in seats)


def where_in_brief(layout: str, seat: int, place: int) -> str:
    """Return a place in at most 10 letters: `13 past C`, `C's entry`, `home row 3`."""
    if place in (NEST, HOME):
        return "nest" if place == NEST else "home"
    space = board(layout).space(seat, place)
    if space is None:
        return f"home row {place - ROW}"
    owner, past = divmod(space, board(layout).arm)
    return f"{past} past {letter(owner)}" if past else f"{letter(owner)}'s entry"


def way(layout: str, seat: int, origin: int, target: int) -> str:
    """Return from where to where a pawn goes: `from the nest to A's entry`."""
    ends = (where_in_brief(layout, seat, place) for place in (origin, target))
    start, end = ("the nest" if words == "nest" else words for words in ends)
    return f"from {start} to {end}"


def listed(things: Sequence[str]) -> str:
    """Return some things in a row, as they are spoken: `6, 1 and 20`."""
    return " and ".join(filter(None, (", ".join(things[:-1]), things[-1])))


def starter_score(starter: str, faces: tuple[int, ...]) -> int:
    """Return what a throw for who begins is worth."""
    return STARTERS[starter][0](faces)


def starter_rule(starter: str) -> str:
    """Return who begins, in words."""
    return STARTERS[starter][1]


def news(facts: Iterable[Fact]) -> str:
    """Return in a few words what the players must know of what has just happened."""
    facts = tuple(facts)
    captured = [letter(fact.seat) for fact in facts if isinstance(fact, Captured)]
    unused = [str(fact.spaces) for fact in facts if isinstance(fact, Lapsed)]
    said = [f"{''.join(captured)} to nest"] if captured else []
    said += [f"{listed(unused)} not used"] if unused else []
    return ", ".join([*said, *filter(None, map(_of_fact, facts))])


def _of_fact(fact: Fact) -> str:
    match fact:
        case Tied(seats):
            return f"tie: {letters(seats)} again"
        case Begins(seat):
            return f"{letter(seat)} begins"
        case Won(seat, number):
            return f"{letter(seat)} is {ORDINALS[number - 1]}"
        case Again():
            return "throw again"
        case Left(seat):
            return f"{letter(seat)}'s pawns off"
        case Corrected(_, anew, waits):
            more = ": use the throw anew" if anew else ": the throw waits" if waits else ""
            return f"corrected{more}"
    return ""


def confirmed(game: Game, action: Entry) -> str:
    """Return what an action has done, in two lines: `done: 12 past A`, `→ C's entry`."""
    match action:
        case Move(step):
            moved: tuple[int, int] | None = (step.origin, step.target)
        case Stop() if game.penalty is not None:
            moved = (game.penalty[1], NEST)
        case _:
            moved = None
    if moved is None:
        return ""
    origin, target = (where_in_brief(game.ruleset.layout, game.seat, place) for place in moved)
    return f"done: {origin.removeprefix('home ')}\n→ {target}"


def presses(only: bool) -> tuple[str, str]:
    """Return how a panel goes to the next choice and how it does the one shown."""
    return ("tap", "hold") if only else ("NEXT", "OK")


def keys(only: bool, by_next: str, by_ok: str) -> tuple[Key[str], ...]:
    """Return what the two buttons do: NEXT `other`, OK `do it`."""
    to_next, to_do = presses(only)
    return Key(to_next, by_next), Key(to_do, by_ok)


def choosing(
    only: bool, index: int, count: int, does: str, held: bool = False
) -> tuple[Key[str], ...]:
    """Return what to press where there are so many choices: NEXT `2 of 4`, OK `I moved it`.

    held: OK must be held, too, on a panel with two buttons.
    """
    to_next, to_do = presses(only)
    to_do = "hold OK" if held and not only else to_do
    others = (Key(to_next, f"{index + 1} of {count}"),) if count > 1 else ()
    return (*others, Key(to_do, does))


def menu_key(only: bool) -> tuple[Key[str], ...]:
    """Return how the menu is opened, for a screen on which nothing else is to be pressed."""
    return (Key("tap" if only else "hold NEXT", "menu"),)


def many(count: int, thing: str) -> str:
    """Return how many: `1 turn`, `2 turns`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def dice_count(count: int) -> str:
    """Return how many dice: `1 die`, `2 dice`."""
    return "1 die" if count == 1 else f"{count} dice"


def storage(size: int) -> str:
    """Return how much room so many bytes are: `512 MB`, `71.9 GB`."""
    return f"{size // 1_000_000} MB" if size < 1_000_000_000 else f"{size / 1e9:.1f} GB"


def as_at_first(key: str) -> str:
    """Return that a setting can't be read: `sound: as at first`; of several: `house 1 left out`."""
    family, _, name = key.partition(".")
    return f"{name} left out" if name else f"{family}: as at first"


def set_aside(file: str) -> str:
    """Return that the journal could not be used and is kept as this file."""
    return f"old game set aside: {file}"


def missing_moves(count: int, file: str = "") -> str:
    """Return how many confirmed moves are lost, and where the journal is kept that had them.

    Without a file that is at most 20 letters: `3 moves are missing`.
    """
    if file:
        return f"{many(count, 'move')} missing: old game kept as: {file}"
    are = "is " if count == 1 else "are " if count < 100 else ""
    return f"{many(count, 'move')} {are}missing"


def button_name(button: Button, only: bool) -> str:
    """Return what a button is called: `A's OK`, `the dome`. only: its panel has no other."""
    if button.seat is None:
        return "the dome" if button.kind == "dome" else "power key"
    return f"{letter(button.seat)}'s {'button' if only else button.kind.upper()}"


def stuck(name: str) -> str:
    """Return that a button has been down for too long to count: `A's OK is stuck`."""
    return f"{name} is stuck"


def unsaved(why: str) -> str:
    """Return that what is played is not kept, and why: `disk full`."""
    return f"NOT SAVED: {why}"
