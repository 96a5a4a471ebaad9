"""The words on the screens: places, seats, throws and what has just happened. No state."""

from collections.abc import Callable, Iterable

from rules.board import HOME, NEST, ROW, SEAT_LETTERS, board
from rules.facts import Again, Begins, Captured, Fact, Lapsed, Penalized, Tied, Won

ORDINALS = ("1st", "2nd", "3rd", "4th")

# How a throw for who begins is judged: what is compared, and the rule in words.
STARTERS: dict[str, tuple[Callable[[tuple[int, ...]], int], str]] = {
    "highest-total": (sum, "highest total begins"),
    "highest-die": (max, "highest die begins"),
    "lowest-die": (min, "lowest die begins"),
    "choose": (sum, ""),
}

PENALTIES_WITHOUT_PAWN = {
    "forfeit": "the turn ends",
    "no-move": "no move, throw again",
}


def letter(seat: int) -> str:
    """Return a seat's letter."""
    return SEAT_LETTERS[seat]


def letters(seats: Iterable[int]) -> str:
    """Return the letters of some seats: `A, C`."""
    return ", ".join(letter(seat) for seat in seats)


def where(layout: str, seat: int, place: int) -> str:
    """Return a place in full: `3 past C's entry`, `home row 3`, `nest`."""
    brief = where_in_brief(layout, seat, place)
    return f"{brief}'s entry" if " past " in brief else brief


def where_in_brief(layout: str, seat: int, place: int) -> str:
    """Return a place in at most 10 letters: `13 past C`, `C's entry`, `home row 3`."""
    if place in (NEST, HOME):
        return "nest" if place == NEST else "home"
    space = board(layout).space(seat, place)
    if space is None:
        return f"home row {place - ROW}"
    owner, past = divmod(space, board(layout).arm)
    return f"{past} past {letter(owner)}" if past else f"{letter(owner)}'s entry"


def starter_score(starter: str, faces: tuple[int, ...]) -> int:
    """Return what a throw for who begins is worth."""
    return STARTERS[starter][0](faces)


def starter_rule(starter: str) -> str:
    """Return who begins, in words."""
    return STARTERS[starter][1]


def news(facts: Iterable[Fact]) -> str:
    """Return in a few words what the players must know of what has just happened."""
    facts = tuple(facts)
    captured = [fact.seat for fact in facts if isinstance(fact, Captured)]
    lapsed = [(fact.seat, fact.spaces) for fact in facts if isinstance(fact, Lapsed)]
    lost = sum(spaces for _, spaces in lapsed)
    said = [f"{''.join(map(letter, captured))} to nest"] if captured else []
    said += [f"{letter(lapsed[0][0])} loses {lost}"] if lapsed else []
    return ", ".join([*said, *filter(None, map(_of_fact, facts))])


def _of_fact(fact: Fact) -> str:
    match fact:
        case Tied(seats):
            return f"tie: {letters(seats)} again"
        case Begins(seat):
            return f"{letter(seat)} begins"
        case Won(seat, number):
            return f"{letter(seat)} is {ORDINALS[number - 1]}"
        case Penalized(seat, place) if place is not None:
            return f"{letter(seat)} to nest"
        case Again():
            return "again"
    return ""


def keys(only: bool, by_next: str, by_ok: str) -> str:
    """Return what the two buttons do, or a tap and a hold where there is one button."""
    to_next, to_do = presses(only)
    return f"{to_next} {by_next}, {to_do} {by_ok}"


def presses(only: bool) -> tuple[str, str]:
    """Return how a panel goes to the next choice and how it does the one shown."""
    return ("tap", "hold") if only else ("NEXT", "OK")


def keys_in_brief(only: bool, count: int, does: str = "") -> str:
    """Return what to press where there are so many choices: `OK/NEXT`, `OK: go on`."""
    to_next, to_do = presses(only)
    if count == 1:
        return f"{to_do}: {does}" if does else to_do
    return f"{to_do}: {does}, {to_next}" if does else f"{to_do}/{to_next}"


def many(count: int, thing: str) -> str:
    """Return how many: `1 turn`, `2 turns`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def which_of(index: int, count: int) -> str:
    """Return which of how many is shown: `2/5`; nothing where there is one."""
    return f"{index + 1}/{count}" if count > 1 else ""


def missing_moves(count: int) -> str:
    """Return how many confirmed moves are lost: `3 moves are missing`."""
    return f"{many(count, 'move')} {'is' if count == 1 else 'are'} missing"
