"""What players can't record when they correct the pawns, by house rules."""

from dataclasses import replace

from pi_app.model.screens import Seat, message
from pi_app.table.modes.care.correcting import draft_fault, draft_of
from rules.board import board
from rules.game import at
from rules.position import order_pawns, parse_position
from rules.ruleset import PRESETS


def test_no_seat_can_have_more_pawns_home_than_it_needs_to_win() -> None:
    rules = replace(PRESETS["ludo-uk"], to_win=1)
    game = at(rules, parse_position("H,20,N,N/30,N,N,N/-/-", rules), 1)
    draft = draft_of(game)
    assert not draft_fault(game, draft._replace(seat=1))
    a, *others = draft.position
    b, c, d = others
    both = order_pawns((a[0], a[0], *a[2:]), board(rules.layout))
    words = message("wins-with", seat=Seat(0), count=1)
    assert draft_fault(game, draft._replace(position=(both, b, c, d), seat=1)) == words


def test_two_of_a_side_may_stand_together_and_two_of_others_may_not() -> None:
    rules = replace(PRESETS["ludo-uk"], partners=True, stacking="two")
    game = at(rules, parse_position("30,N,N,N/20,N,N,N/8,N,N,N/N,N,N,N", rules), 0)
    draft = draft_of(game)
    a, b, c, d = draft.position
    space = board(rules.layout).space(0, 30)
    with_c = next(step for step in range(51) if board(rules.layout).space(2, step) == space)
    with_b = next(step for step in range(51) if board(rules.layout).space(1, step) == space)
    assert not draft_fault(game, draft._replace(position=(a, b, (with_c, *c[1:]), d)))
    assert draft_fault(game, draft._replace(position=(a, (with_b, *b[1:]), c, d)))
