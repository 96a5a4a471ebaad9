"""What to buy: bom.csv and the boards to order, as tables with prices. Draws nothing."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hardware.lists import EVENING, LISTED, ORDERED, TIERS, WAYS, markdown_table
from hardware.pcb.circuit import KINDS
from hardware.pcb.place import BOARDS, Board

FIVE = 5  # boards: the least that most makers sell
# Euro for an order of five, estimated: two layers up to 100 x 100 mm; 8 $ to set up, and 1.50 $ for
# a stencil; up to 3 $ for each kind of part that is not always on the maker's machines.
# https://support.jlcpcb.com/article/83-smt-assembly-faqs
BARE, SET_UP, LOAD = 5.0, 8.75, 2.75
NAMES = {"pi": "the Pi's board", "dice": "the dice's board"}
ALWAYS_LOADED = ("Resistor_SMD:R_0805", "Capacitor_SMD:")


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the shopping list. counts: how many by tier or way; euro: for one."""

    name: str
    value: str
    counts: dict[str, int]
    euro: float
    remark: str


def items() -> Iterator[Item]:
    """Yield what to buy: bom.csv, what one solders onto the boards to order, and these boards.

    A kind of the boards' parts that bom.csv lists, too, is counted there.
    """
    boards = [board() for board in BOARDS]
    by_hand = Counter(kind for board in boards for kind in fitted(board) if not KINDS[kind].small)
    for part in LISTED.values():
        counts = {**part.counts, ORDERED: part.counts[ORDERED] + by_hand.pop(part.name, 0)}
        yield Item(part.name, part.value, counts, part.euro, part.remark)
    for name, count in by_hand.items():
        kind = KINDS[name]
        value = f"{kind.value}; {kind.maker} {kind.number}"
        yield Item(name, value, {ORDERED: count}, kind.euro, kind.remark)
    for board in boards:
        wide, deep = size(board)
        value = f"five of {wide:g} x {deep:g} mm, their small parts soldered"
        remark = 'the least that most makers sell; see "Boards to order"'
        euro = order_price(board, soldered=True)
        yield Item(NAMES[board.name], value, {ORDERED: 1}, euro, remark)


def fitted(board: Board) -> list[str]:
    """Return the kind of each part that is soldered onto a board, by a machine or by hand."""
    return [part.kind for part, _ in board.parts if KINDS[part.kind].fitted]


def size(board: Board) -> tuple[float, float]:
    xs, ys = zip(*board.outline, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def order_price(board: Board, *, soldered: bool) -> float:
    """Return the price of five boards in euro, bare or with their small parts soldered."""
    small = [kind for kind in fitted(board) if KINDS[kind].small] if soldered else []
    loaded = {kind for kind in small if not KINDS[kind].footprint.startswith(ALWAYS_LOADED)}
    parts = FIVE * sum(KINDS[kind].euro for kind in small)
    return BARE + (SET_UP if soldered else 0) + LOAD * len(loaded) + parts


def price(way: str) -> float:
    """Return the price of all parts of a tier, a way or the first evening, in euro."""
    return sum(item.euro * item.counts.get(way, 0) for item in items())


def table() -> str:
    """Return the parts as a Markdown table, with each way's counts and total price."""
    rows = [["part", "what to buy", *WAYS, "euro each", "good to know"]]
    for item in items():
        counts = [str(item.counts.get(way) or "") for way in WAYS]
        if any(counts):
            rows.append([item.name, item.value, *counts, f"{item.euro:.2f}", item.remark])
    totals = [f"**{price(way):.2f} €**" for way in WAYS]
    return markdown_table([*rows, ["**together**", "", *totals, "", ""]])


def evening_table() -> str:
    """Return the parts of the first evening as a Markdown table, with their total price."""
    rows = [["part", "what to buy", "how many", "euro each", "later"]]
    for part in LISTED.values():
        if count := part.counts[EVENING]:
            tiers = [tier for tier in TIERS if part.counts[tier]]
            later = "in every tier" if len(tiers) == len(TIERS) else ", ".join(tiers) or "no"
            rows.append([part.name, part.value, str(count), f"{part.euro:.2f}", later])
    return markdown_table([*rows, ["**together**", "", "", f"**{price(EVENING):.2f} €**", ""]])


def order_table() -> str:
    """Return the prices of five boards of each kind as a Markdown table."""
    rows = [["five boards", "bare", "with the small parts soldered"]]
    for board in (one() for one in BOARDS):
        prices = (order_price(board, soldered=soldered) for soldered in (False, True))
        rows.append([NAMES[board.name], *(f"{euro:.2f} €" for euro in prices)])
    return markdown_table(rows)
