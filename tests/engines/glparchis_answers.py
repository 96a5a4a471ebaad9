"""Answers requests of the analysis protocol under `parchis` by glparchis's rules.

Run as a process of its own with glparchis on the path. Its screens are left out: every name of
OpenGL and Qt stands for nothing. An answer has `results` and `again`; a third six is not asked.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any
from unittest.mock import MagicMock

from tests.rules.from_the_texts import NEST, Board, options_of, position_of

MODULES = (
    "OpenGL",
    "OpenGL.GL",
    "OpenGL.GLU",
    "PyQt6",
    "PyQt6.QtCore",
    "PyQt6.QtGui",
    "PyQt6.QtMultimedia",
    "PyQt6.QtWidgets",
    "colorama",
    "pydicts",
)


class Plain:
    """Stands for Qt's base class: what its children keep, say or translate goes nowhere."""

    def __init__(self, *_: object) -> None: ...

    def tr(self, text: str) -> str:
        return text


for module in MODULES:
    sys.modules[module] = MagicMock(QObject=Plain)

from glparchis.libglparchis import Mem4, TiradaTurno  # noqa: E402

BOARD = Board(options_of("parchis"))  # a pawn's way is counted alike, but for the nest, which is 0


class Table:
    """One glparchis game, set up anew for each line of play."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.seats = position_of(BOARD, request["position"])
        self.seat: int = request["seat"]
        self.mem = Mem4()
        self.results: set[str] = set()

    def set_up(self) -> None:
        """Put every pawn where the request has it, who came last to a shared space last."""
        for square in self.mem.casillas.arr:
            square.buzon = [None] * square.maxfichas
            square.UltimaFichaEnLlegar = None
        late = dict(self.request.get("late", []))
        known = set(late.values())
        others = [(self.seat + turns) % 4 for turns in (3, 2, 1, 0)]
        pawns = []
        for order, seat in enumerate(others):
            player = self.mem.jugadores.arr[seat]
            player.movimientos_acumulados = None
            player.tiradaturno = TiradaTurno()
            places = self.seats[seat] or (NEST,) * 4
            for pawn, place in zip(player.fichas.arr, places, strict=True):
                came_last = late.get(BOARD.spot(seat, place)) == seat
                pawns.append((came_last, order, pawn, max(place, 0)))
        assert known <= set(others)
        for _, _, pawn, index in sorted(pawns, key=lambda entry: entry[:2]):
            pawn.mover(index, False, True)
        self.player = self.mem.jugadores.actual = self.mem.jugadores.arr[self.seat]
        for die in [*[6] * self.request.get("doublets", 0), *self.request["throw"]]:
            self.player.tirarDado(die)

    def position(self) -> str:
        return "/".join(
            ",".join(
                BOARD.text(pawn.posruta or NEST)
                for pawn in sorted(player.fichas.arr, key=lambda pawn: -pawn.posruta)
            )
            if self.seats[seat]
            else "-"
            for seat, player in enumerate(self.mem.jugadores.arr)
        )

    def play(self, made: list[int]) -> list[int]:
        """Move those pawns one after another; the pawns that may move next."""
        self.set_up()
        movable = self.movable()
        for number in made:
            pawn = self.player.fichas.arr[number]
            target = pawn.posruta + pawn.estaAutorizadaAMover()[1]
            if pawn.come(self.mem, target) or pawn.mete(target):
                movable = self.movable()
            else:
                pawn.mover(target)
                movable = []
        return movable

    def movable(self) -> list[int]:
        pawns = self.player.fichas.arr
        return [number for number in range(4) if pawns[number].estaAutorizadaAMover()[0]]

    def search(self, made: list[int]) -> None:
        movable = self.play(made)
        if not movable:
            self.results.add(self.position())
        for number in movable:
            self.search([*made, number])

    def answer(self) -> dict[str, Any]:
        with contextlib.redirect_stdout(sys.stderr):
            self.search([])
            six = self.player.tiradaturno.ultimoEsSeis()
        return {"results": sorted(self.results), "again": six}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(Table(json.loads(line)).answer()), flush=True)
