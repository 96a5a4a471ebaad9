"""The seats of a game in their order, with words for how far each has come. No points."""

from pi_app.model.screens import Message, message
from pi_app.texts.words import ORDINALS
from rules.board import NEST, board
from rules.game import Game, Phase
from rules.position import has_won


def standings(game: Game) -> tuple[tuple[int, Message], ...]:
    """Return each seat with its message: first those that have finished, then who has less to go.

    The seats of a side that has won are first; a seat that has finished alone is not. Partners are
    together. Seats that are equal share their place. After a game with a winner, all others have
    their places, too.
    """
    ranked = list[tuple[int, Message]]()
    for tied in (game.winners,) if game.ruleset.partners else game.ranks:
        place = ORDINALS[len(ranked)]
        ranked += [(seat, _rank(game, seat, place)) for seat in tied]
    left = [seat for seat in game.seats if seat not in dict(ranked)]
    places = ORDINALS[1:] if game.ruleset.partners else ORDINALS[len(ranked) :]
    to_go = {side: sum(spaces_to_go(game, seat) for seat in side) for side in _sides(game, left)}
    for side, place in zip(sorted(to_go, key=to_go.__getitem__), places, strict=False):
        for seat in sorted(side, key=lambda seat: spaces_to_go(game, seat)):
            left_to_go = spaces_to_go(game, seat)
            far = message("so-many-home", pawns=_count_home(game, seat), left=left_to_go)
            if game.phase is Phase.OVER and game.winners:
                far = message("rank-so-far", place=place, left=left_to_go, far=far)
            ranked.append((seat, far))
    return tuple(ranked)


def at_home(game: Game) -> list[tuple[int, int]]:
    """Return each seat with how many of its pawns are home, in their order."""
    return [(seat, _count_home(game, seat)) for seat, _ in standings(game)]


def _rank(game: Game, seat: int, place: Message) -> Message:
    """Return a seat's place, with its pawns at home where these decided the place."""
    is_counted = game.last_turn is not None and not has_won(game.ruleset, game.position[seat])
    home = _count_home(game, seat)
    return message("rank-counted", place=place, pawns=home) if is_counted else place


def _sides(game: Game, seats: list[int]) -> set[tuple[int, ...]]:
    """Return these seats, those of partners together."""
    if not game.ruleset.partners:
        return {(seat,) for seat in seats}
    return {tuple(one for one in seats if one % 2 == seat % 2) for seat in seats}


def _count_home(game: Game, seat: int) -> int:
    home = board(game.ruleset.layout).home
    return sum(one in home for one in game.position[seat])


def spaces_to_go(game: Game, seat: int) -> int:
    """Return the spaces that all pawns of a seat have to go. In a goal each has its own place."""
    on = board(game.ruleset.layout)
    from_nest = len(on.way) - 1  # to_go has more
    left = sum(from_nest if one == NEST else on.to_go[one] for one in game.position[seat])
    return left - sum(map(on.spaces_to_go, on.home))
