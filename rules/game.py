"""The game: whose turn it is, what a seat may do now, and what an action changes. Throws no dice.

`play(game, action)` returns the next game and the facts of what happened. The table `PHASES` has
the actions that each phase allows and the phases that they lead to.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import StrEnum
from functools import partial
from itertools import chain, groupby, takewhile
from typing import Any, Final, NamedTuple

from . import facts as fact
from .actions import Action, Choose, Correct, End, LastTurn, Leave, Move, PlayOn, Stop, Throw
from .board import HOME, NEST, ROW, SEATS, board, safety_spaces
from .errors import InputError
from .increments import is_doublet, throw_value
from .memory import NOTHING, Memory, add_arrivals, keep_start, keep_unchanged, turn_start
from .plays.ground import terrain
from .plays.plays import Plays, plays_of
from .plays.situation import State, new_tuple
from .position import (
    Position,
    PositionError,
    format_position,
    has_won,
    leave_track,
    parse_position,
    starting_position,
)
from .ruleset import LOTS, STARTERS, THIRD_DOUBLETS, RuleSet
from .steps import Step

DOUBLETS_BEFORE_PENALTY: Final = 2
SIDES: Final = ((0, 2), (1, 3))  # the seats that are partners where the option says so


class IllegalAction(InputError):
    """An action that the game does not allow now: one sentence that names the action and why."""


Outcome = tuple["Game", tuple[fact.Fact, ...]]


# --- the game --------------------------------------------------------------------------------


class Phase(StrEnum):
    """What the game waits for."""

    ORDER = "order"
    STARTER = "starter"
    THROW = "throw"
    MOVE = "move"
    PENALTY = "penalty"
    OVER = "over"


class StandingBlockade(NamedTuple):
    """A blockade that has stood on a ring space through so many of its owner's turns."""

    seat: int
    space: int
    turns: int


class Game(NamedTuple):
    """A game at one moment.

    Every action makes one; as a frozen dataclass of this size, that took three times as long.
    """

    ruleset: RuleSet
    seats: tuple[int, ...]
    position: Position
    phase: Phase
    seat: int  # who throws, chooses or moves
    throw: tuple[int, ...] = ()  # the faces on the table
    doublets: int = 0  # how many the seat threw before it in this turn
    made: tuple[Step, ...] = ()  # the steps since the throw
    to_order: tuple[int, ...] = ()  # the seats still to throw for who begins
    order_throws: tuple[tuple[int, tuple[int, ...]], ...] = ()  # what others threw in this round
    places: tuple[int, ...] = ()  # the seats in order of finishing
    turns: int = 0  # from the start
    throws: int = 0  # from the start, those for who begins included
    standing: tuple[StandingBlockade, ...] = ()  # blockades that `blockade_limit` counts
    memory: Memory = NOTHING  # as it was before the throw on the table
    last_turn: int | None = None  # the seat with whose running or next turn the game ends
    played_on: bool = False  # whether the others play on after a win that by the rules ends it
    ties: tuple[tuple[int, ...], ...] = ()  # the seats that share a place, of those in `places`
    search: Plays | None = None  # of the throw; it can be found again, so that it is not compared
    reached: State | None = None  # the state that the steps made lead to

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return False
        return self[:-2] == other[:-2] and self.reached == other.reached

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-2])

    def __repr__(self) -> str:
        fields = zip(self._fields[:-2], self[:-2], strict=True)
        return f"Game({', '.join(f'{name}={value!r}' for name, value in fields)})"

    @property
    def key(self) -> Hashable:
        """All that the rest of the game depends on, without counts and without its past.

        Games with equal keys allow the same actions, which lead to equal keys again. The order of
        the dice, and the order of steps that lead to the same, make no difference.
        """
        counts = bool(THIRD_DOUBLETS[self.ruleset.third_doublet].penalty)
        limit = self.ruleset.blockade_limit
        return (
            self.ruleset,
            self.seats,
            self.thrown_in,
            self.phase,
            self.seat,
            tuple(sorted(self.throw)),
            min(self.doublets, DOUBLETS_BEFORE_PENALTY) if counts else 0,
            self.reached,
            self.to_order,
            self.order_throws,
            self.places,
            frozenset(one._replace(turns=min(one.turns, limit)) for one in self.standing),
            self.memory_now,
            self.last_turn,
            self.played_on,
        )

    @property
    def memory_now(self) -> Memory:
        """What the rule set asks for, with the steps made since the throw."""
        if self.search is None or not self.made:
            return self.memory
        terrain = self.search.stepper.terrain
        asked = terrain.remembers
        if not asked:
            return self.memory
        late = self.memory.late
        if "late" in asked:
            late = add_arrivals(late, terrain.board, self.position, self.seat, self.made)
        moved = self.made[-1].target  # into the nest if its own step sent it back
        last = moved if "last" in asked and moved != NEST else None
        memory = Memory(late, last, self.memory.tries)
        if "began" not in asked:
            return memory
        return keep_start(memory, self.position, *turn_start(self.memory, self.thrown_in))

    @property
    def thrown_in(self) -> Position:
        """The position in which the dice on the table were thrown, else the one now."""
        return self.search.stepper.position if self.search else self.position

    @property
    def last_to_play(self) -> int | None:
        """The seat whose turn is the last: that of `last_turn`, or the one before if it is out."""
        before = () if self.last_turn is None else _following(self.ruleset, self.last_turn)[::-1]
        playing = [seat for seat in before if seat in self.seats and seat not in self.places]
        return playing[0] if playing else None

    @property
    def plays_on(self) -> bool:
        """Whether the others play on for the places after a win."""
        return self.ruleset.play_on or self.played_on

    @property
    def ranks(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each place, the first place first; several seats where they share it."""
        shared = {seat: tied for tied in self.ties for seat in tied}
        return tuple(dict.fromkeys([shared.get(seat, (seat,)) for seat in self.places]))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won: the first to finish, the first side, or all that are tied."""
        first = self.ranks[0] if self.ranks else ()
        return first if len(first) > 1 else winning_seats(self.ruleset, self.places)

    @property
    def may_play_on(self) -> bool:
        """Whether `PlayOn` is legal now: a win has ended the game, and two seats have not won."""
        ended_by_win = self.phase is Phase.OVER and self.places and self.last_turn is None
        ends_at_win = not (self.plays_on or self.ruleset.partners)
        return bool(ended_by_win and ends_at_win and len(self.seats) - len(self.places) > 1)

    @property
    def dice(self) -> int:
        """How many dice the next throw has."""
        one_die = self.phase is Phase.ORDER and STARTERS[self.ruleset.starter].one_die
        return 1 if one_die else self.ruleset.dice

    @property
    def plays(self) -> tuple[Plays, State]:
        """The plays of the throw on the table, and the state of this one; only while moving."""
        if self.search is None or self.reached is None:
            raise IllegalAction(f"no throw is on the table: the game is at {self.phase}")
        return self.search, self.reached

    @property
    def steps(self) -> tuple[Step, ...]:
        """The legal steps now; `()` unless the seat is moving."""
        if self.search is None or self.reached is None:
            return ()
        return tuple(self.search.steps(self.reached))

    @property
    def may_stop(self) -> bool:
        """Whether `Stop` is legal now."""
        if self.search is None or self.reached is None:
            return self.phase is Phase.PENALTY
        return self.search.may_stop(self.reached)

    @property
    def increments(self) -> tuple[tuple[int, bool], ...]:
        """Each granted dice increment, faces first, and whether it is spent."""
        if self.search is None or self.reached is None:
            return ()
        stepper, open_dice = self.search.stepper, list(self.reached.dice)
        if stepper.grant:
            return ((stepper.grants, open_dice[0] == 0),)
        marked = []
        for number in stepper.increments:
            spent = number not in open_dice
            if not spent:
                open_dice.remove(number)
            marked.append((number, spent))
        return tuple(marked)

    @property
    def bonuses(self) -> tuple[int, ...]:
        """The open bonus increments, in spaces."""
        return self.reached.bonuses if self.reached else ()

    @property
    def grant_left(self) -> int | None:
        """How many spaces of a 14-space grant are left; None if there is no such grant."""
        if self.search is None or self.reached is None or not self.search.stepper.grant:
            return None
        return self.reached.dice[0]

    @property
    def put_back(self) -> tuple[fact.PutBack, ...]:
        """Each pawn that the third doublet sends back, to its nest or to where the turn began.

        Those of the seat come first, then those that it has captured.
        """
        if self.phase is not Phase.PENALTY:
            return ()
        last, began = self.memory.last, self.memory.began
        after = penalty_position(self.ruleset, self.position, self.seat, last, began)
        moves: list[fact.PutBack] = []
        for seat in [self.seat, *[other for other in self.seats if other != self.seat]]:
            now, then = Counter(self.position[seat]), Counter(after[seat])
            pairs = zip((now - then).elements(), (then - now).elements(), strict=True)
            moves += [fact.PutBack(seat, origin, target) for origin, target in pairs]
        return tuple(moves)


_FIELDS: Final = {name: number for number, name in enumerate(Game._fields)}


def _change(game: Game, **changes: Any) -> Game:
    """Return the game with other values of some fields.

    For what each turn does: it takes two thirds of the time of `_replace`, whose names mypy checks.
    """
    values = list(game)
    for name, value in changes.items():
        values[_FIELDS[name]] = value
    return new_tuple(Game, values)


def new_game(ruleset: RuleSet, seats: Iterable[int]) -> Game:
    """Return a new game. Raises IllegalAction unless the seats are two to four of 0 to 3."""
    named = tuple(seats)
    known = all(type(seat) is int and seat in range(SEATS) for seat in named)
    taken = tuple(sorted(set(named))) if known else ()
    if len(taken) < 2:
        raise IllegalAction(f"seats {named} can't play: two to four of 0, 1, 2 and 3 can")
    if ruleset.partners and len(taken) < SEATS:
        raise IllegalAction(f"seats {named} can't play: with partners all four seats are taken")
    position = starting_position(taken, ruleset.start_out)
    game = Game(ruleset, taken, position, Phase.STARTER, taken[0])
    if ruleset.starter == "choose":
        return game
    round_table = [taken[0]]
    while len(round_table) < len(taken):
        round_table.append(next_seat(game, round_table[-1]))
    return game._replace(phase=Phase.ORDER, to_order=tuple(round_table))


def at(
    ruleset: RuleSet, position: Position, seat: int, doublets: int = 0, memory: Memory = NOTHING
) -> Game:
    """Return a game in which a seat is to throw in a position.

    doublets: how many it has thrown before in this turn. memory: what the rule set asks for.
    Raises IllegalAction if the seat can't throw.
    """
    taken = tuple(one for one in range(SEATS) if position[one])
    home = tuple(one for one in taken if has_won(ruleset, position[one]))
    if type(seat) is not int or seat not in taken or seat in home:
        where = format_position(position)
        why = "it is empty or has won" if type(seat) is int else "a seat is an int from 0 to 3"
        raise IllegalAction(f"seat {seat} can't throw in {where}: {why}")
    if type(doublets) is not int or doublets < 0:
        raise IllegalAction(f"{doublets} doublets can't have been thrown: an int of 0 or more can")
    game = Game(ruleset, taken, position, Phase.THROW, seat, doublets=doublets, turns=1)
    return _add_blockades(game._replace(places=home, memory=memory))


def play(game: Game, action: Action) -> Outcome:
    """Return the game after an action, and the facts in order.

    Raises IllegalAction if the game does not allow the action now.
    """
    transition = PHASES[game.phase].get(type(action))
    if transition is None:
        names = (re.sub(r"\B([A-Z])", r"-\1", kind.__name__) for kind in PHASES[game.phase])
        allowed = ", ".join(names).lower()
        raise IllegalAction(
            f"{action} does not fit: the game is at {game.phase}, allowing {allowed}"
        )
    return transition.make(game, action)


def victims(game: Game, step: Step) -> tuple[tuple[int, int], ...]:
    """Return seat and place of each pawn that a legal step captures, counted by its own seat."""
    if not step.captures:
        return ()
    plays, state = game.plays
    return plays.stepper.opponents.find(state.lone & ~plays.steps(state)[step].lone)


def find_holder(game: Game, place: int) -> int | None:
    """Return the opponent that keeps a place by two pawns, or by one on a safety space, or None."""
    on, rules = board(game.ruleset.layout), game.ruleset
    space = on.space(game.seat, place)
    others = [seat for seat in game.seats if seat != game.seat and space is not None]
    here = Counter(who for who in others for at in game.position[who] if on.space(who, at) == space)
    least = 1 if space in safety_spaces(rules.layout, rules.safety) else 2
    return next((seat for seat, count in here.items() if count >= least), None)


def walk_of(game: Game, step: Step) -> tuple[int, ...]:
    """Return the places that the pawn of a legal step touches, its target last; `()` from the nest.

    Return `()` also for a step that spends more than one number, or a part of one.
    """
    rules, target = game.ruleset, step.target
    if step.origin == NEST or not step.spent.isdigit():
        return ()
    for walk in terrain(rules).all_walks[step.origin][int(step.spent)]:
        stars = terrain(rules).next_star
        jump = (stars[walk.target],) if walk.target in stars else ()
        if walk.target == target or jump == (target,):
            return walk.places + jump
        if target == NEST:
            is_held = find_holder(game, walk.target) is not None
            return (*walk.places, *(() if is_held else jump), NEST)
        if target in walk.places:  # the pawn stops short
            return walk.places[: walk.places.index(target) + 1]
    return ()


def next_seat(game: Game, seat: int) -> int:
    """Return the next seat in the order of turns that plays and has not won."""
    for following in _following(game.ruleset, seat):
        if following in game.seats and following not in game.places:
            return following
    raise IllegalAction("no seat is left to play")


def _following(ruleset: RuleSet, seat: int) -> tuple[int, ...]:
    """Return all seats in the order of turns, the given one last."""
    left = -1 if ruleset.travel == "counterclockwise" else 1
    way = left if ruleset.turn_order == "left" else -left
    return tuple((seat + way * distance) % SEATS for distance in range(1, SEATS + 1))


def winning_seats(ruleset: RuleSet, places: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that have won, `()` if nobody has yet. places: in order of finishing."""
    if not ruleset.partners:
        return tuple(places[:1])
    finished = [side for side in SIDES if set(side) <= set(places)]
    return min(finished, key=lambda side: max(map(places.index, side)), default=())


def is_penalized(ruleset: RuleSet, doublets: int, faces: tuple[int, ...]) -> bool:
    """Whether a throw costs a penalty after so many doublets in the same turn."""
    if doublets < DOUBLETS_BEFORE_PENALTY or not is_doublet(ruleset, faces):
        return False
    return bool(THIRD_DOUBLETS[ruleset.third_doublet].penalty)


def penalized_places(
    ruleset: RuleSet, position: Position, seat: int, last: int | None
) -> tuple[int, ...]:
    """Return the places of the pawns that a third doublet sends to their nest.

    last: where the pawn is that moved last in this turn.
    """
    cost, pawns = THIRD_DOUBLETS[ruleset.third_doublet], position[seat]
    if cost.takes_open:
        on = board(ruleset.layout)
        spared = {None, *on.safety[ruleset.safety]}
        return tuple(place for place in pawns if on.space(seat, place) not in spared)
    if not cost.takes_pawn:
        return ()
    if cost.last_moved:
        return (last,) if last in pawns and last < ROW else ()
    nearest = next((place for place in pawns if place != HOME), NEST)
    return () if nearest == NEST or (cost.spares_row and nearest > ROW) else (nearest,)


def penalty_position(
    ruleset: RuleSet, position: Position, seat: int, last: int | None, began: Position | None = None
) -> Position:
    """Return the position after a third doublet; `last` is that of `penalized_places`.

    began: where the pawns were when the turn began, if that is known and not as now.
    """
    if THIRD_DOUBLETS[ruleset.third_doublet].undoes_turn:
        return began or position
    pawns, gone = list(position[seat]), penalized_places(ruleset, position, seat, last)
    for place in gone:
        pawns.remove(place)
    seats = list(position)
    seats[seat] = (*pawns, *[NEST] * len(gone))
    a, b, c, d = seats
    return a, b, c, d


# --- who begins ------------------------------------------------------------------------------


def _throw_for_order(game: Game, action: Throw) -> Outcome:
    _check_faces(game, action)
    thrown = (*game.order_throws, (game.seat, action.faces))
    facts: tuple[fact.Fact, ...] = (fact.Thrown(game.seat, action.faces),)
    game = game._replace(throws=game.throws + 1, order_throws=thrown, to_order=game.to_order[1:])
    if game.to_order:
        return game._replace(seat=game.to_order[0]), facts
    pick = min if STARTERS[game.ruleset.starter].lowest_wins else max
    values = [(seat, throw_value(game.ruleset, faces)) for seat, faces in thrown]
    best_value = pick(value for _, value in values)
    best = tuple(seat for seat, value in values if value == best_value)
    if len(best) == 1:
        game, begin_facts = _begin(game, best[0])
        return game, facts + begin_facts
    return game._replace(seat=best[0], to_order=best, order_throws=()), (*facts, fact.Tied(best))


def _choose(game: Game, action: Choose) -> Outcome:
    if type(action.seat) is not int:
        raise IllegalAction(f"{action!r} does not fit: a seat is an int from 0 to 3")
    if action.seat not in game.seats:
        raise IllegalAction(f"{action} does not fit: the seats taken are {game.seats}")
    return _begin(game, action.seat)


def _begin(game: Game, seat: int) -> Outcome:
    game = game._replace(phase=Phase.THROW, seat=seat, turns=1, order_throws=())
    return game, (fact.Begins(seat),)


# --- a turn ----------------------------------------------------------------------------------


def _throw(game: Game, action: Throw) -> Outcome:
    _check_faces(game, action)
    faces, ruleset, seat = action.faces, game.ruleset, game.seat
    facts = (fact.Thrown(seat, faces),)
    if is_penalized(ruleset, game.doublets, faces):
        return game._replace(phase=Phase.PENALTY, throw=faces, throws=game.throws + 1), facts
    overdue = sum(
        1 << board(ruleset.layout).seen_from(seat, standing.space)
        for standing in game.standing
        if standing.seat == seat and standing.turns >= ruleset.blockade_limit
    )
    plays = plays_of(ruleset, game.position, seat, faces, overdue, game.memory)
    moving = _change(
        game,
        phase=Phase.MOVE,
        throw=faces,
        throws=game.throws + 1,
        made=(),
        search=plays,
        reached=plays.start,
    )
    return moving, facts


def _check_faces(game: Game, action: Throw) -> None:
    if type(action.faces) is not tuple or not set(map(type, action.faces)) <= {int}:
        raise IllegalAction(f"{action!r} does not fit: the faces are a tuple of ints from 1 to 6")
    table = LOTS[game.ruleset.lots]
    if len(action.faces) != game.dice or not table.keys() >= set(action.faces):
        dice = "one die" if game.dice == 1 else f"{game.dice} dice"
        dice = dice if game.ruleset.lots == "dice" else "one number of mouths up,"
        raise IllegalAction(f"{action} does not fit: {dice} of {min(table)} to 6 fit now")


def _move(game: Game, action: Move) -> Outcome:
    plays, state = game.plays
    after = plays.steps(state).get(action.step)
    if after is None:
        raise IllegalAction(f"{action} is not legal in {format_position(game.position)}")
    stepper, seat, step = plays.stepper, game.seat, action.step
    facts: list[fact.Fact] = [fact.Moved(seat, step)]
    earned: list[int] = []
    if caught := state.lone & ~after.lone:
        captured = stepper.opponents.find(caught)
        facts += [fact.Captured(other, place, seat) for other, place in captured]
        earned += [game.ruleset.capture_bonus] * len(captured)
    if step.origin < stepper.terrain.first_home <= step.target:
        facts.append(fact.CameHome(seat))
        earned.append(game.ruleset.finish_bonus)
    if any(earned):
        facts += [fact.Earned(seat, spaces) for spaces in earned if spaces]
    position, made = stepper.position_after(after), (*game.made, step)
    game = _change(game, position=position, made=made, reached=after)
    more: tuple[fact.Fact, ...] = ()
    if stepper.has_won(after):
        game, more = _win(game)
    elif not plays.steps(after):
        game, more = _end_play(game)
    return game, (*facts, *more)


def _stop(game: Game, action: Stop) -> Outcome:
    plays, state = game.plays
    if not plays.may_stop(state):
        steps = ", ".join(map(str, plays.steps(state)))
        raise IllegalAction(f"{action} is not legal while a step must be made: {steps}")
    return _end_play(game)


def _end_play(game: Game) -> Outcome:
    plays, state = game.plays
    lapsed = state.dice[:1] if plays.stepper.grant else state.dice
    facts = tuple([fact.Lapsed(game.seat, n) for n in (*lapsed, *state.bonuses) if n])
    if plays.throws_again(state):
        game = _update_blockades(game)
        doublets = game.doublets + 1 if plays.stepper.doublet else 0
        memory = game.memory_now
        if game.ruleset.tries > 1:
            without = min(memory.tries + 1, game.ruleset.tries - 1)  # sixes may be more than tries
            memory = memory._replace(tries=0 if game.made else without)
        return _to_throw(game, doublets, memory=memory), (*facts, fact.Again(game.seat))
    game, more = _next_turn(game)
    return game, facts + more


def _to_throw(game: Game, doublets: int, **also: Any) -> Game:
    return _change(
        game,
        phase=Phase.THROW,
        throw=(),
        doublets=doublets,
        made=(),
        search=None,
        reached=None,
        **also,
    )


def _next_turn(game: Game) -> Outcome:
    """Pass the turn on, or end the game where it passes on from its last turn."""
    seat, memory = next_seat(game, game.seat), Memory(game.memory_now.late)
    if game.last_turn is not None and game.last_turn in _passed_on(game, seat):
        last = game.seat if game.seat in game.seats else seat  # it may have left
        return _finish(place_rest(game._replace(seat=last)))
    game = _update_blockades(game, turns=1)
    game = _to_throw(game, 0, seat=seat, turns=game.turns + 1, memory=memory)
    return _add_blockades(game), (fact.TurnOf(seat),)


def _passed_on(game: Game, to: int) -> set[int]:
    """Return the seats whose turns end where the turn passes on to a seat."""
    passed = takewhile(lambda one: one != to, _following(game.ruleset, game.seat))
    return {game.seat, *passed}


def _win(game: Game) -> Outcome:
    places = (*game.places, game.seat)
    won: tuple[fact.Fact, ...] = (fact.Won(game.seat, len(places)),)
    game = game._replace(places=places)
    if _is_decided(game):
        game, more = _finish(place_rest(game))
    else:
        position = leave_track(game.ruleset, game.position, game.seat)
        game, more = _next_turn(game._replace(position=position))
    return game, won + more


def _is_decided(game: Game) -> bool:
    left = [seat for seat in game.seats if seat not in game.places]
    if game.ruleset.partners:
        return len({seat % 2 for seat in left}) < 2
    return len(left) <= 1 or bool(game.places and not game.plays_on)


def place_rest(game: Game) -> Game:
    """Return the game with its other seats placed, where they played on or had a last turn.

    Behind the seats that have won come those nearer home; of partners the side that is.
    """
    if game.last_turn is None and not game.plays_on:
        return game
    units: list[tuple[int, ...]] = [(seat,) for seat in game.seats if seat not in game.places]
    ahead = game.places
    if game.ruleset.partners and not game.winners:
        ahead, units = (), list(SIDES)
    distance = partial(_count_distance, game)
    units.sort(key=distance)
    ordered = [seat for unit in units for seat in sorted(unit, key=lambda seat: distance((seat,)))]
    equal = [list(chain(*tied)) for _, tied in groupby(units, distance)]
    ties = tuple(tuple(sorted(seats)) for seats in equal if len(seats) > len(units[0]))
    return game._replace(places=(*ahead, *ordered), ties=ties)


def _count_distance(game: Game, seats: tuple[int, ...]) -> list[int]:
    """Return what seats are compared by: less if more pawns are home, or fewer spaces are to go."""
    on = board(game.ruleset.layout)
    nest = on.spaces_to_go(NEST + 1 if on.has_way_out else 0) + 1
    pawns = [place for seat in seats for place in game.position[seat]]
    to_go = {**on.to_go, NEST: nest, **dict.fromkeys(on.home, 0)}
    ways = [to_go[place] for place in pawns]
    return [-ways.count(0), sum(ways), *sorted(ways)]


def _finish(game: Game) -> Outcome:
    memory = Memory(game.memory_now.late)
    over = _to_throw(game, 0, to_order=(), order_throws=(), memory=memory)
    over = over._replace(phase=Phase.OVER)
    if not over.may_play_on:
        over = over._replace(standing=(), memory=NOTHING)
    return over, (*map(fact.Shared, over.ties), fact.Over(over.places))


def _play_on(game: Game, action: PlayOn) -> Outcome:
    if not game.may_play_on:
        raise IllegalAction(f"{action} does not fit: no win leaves two seats that may play on")
    winner, position = game.places[0], game.position
    for seat in game.places:
        position = leave_track(game.ruleset, position, seat)
    game = _put_pawns(game, position)._replace(seat=winner, played_on=True)
    game, more = _next_turn(game)
    return game, (fact.PlaysOn(winner), *more)


def _set_last_turn(game: Game, action: LastTurn) -> Outcome:
    seat: Any = action.seat  # compiled code would take True for 1
    playing = [one for one in game.seats if one not in game.places]
    if seat is not None and (type(seat) is not int or seat not in playing):
        raise IllegalAction(f"{action} does not fit: the seats that play are {tuple(playing)}")
    return game._replace(last_turn=seat), (fact.EndsAfter(seat),)


def _accept_penalty(game: Game, action: Stop) -> Outcome:
    last, cost = game.memory.last, THIRD_DOUBLETS[game.ruleset.third_doublet]
    back = game.put_back
    costs = [fact.Penalized(game.seat, one.origin) for one in back if not cost.undoes_turn]
    facts: tuple[fact.Fact, ...] = tuple(costs) or (fact.Penalized(game.seat, None),)
    facts += back if cost.undoes_turn else ()
    if cost.keeps_turn:
        return _to_throw(game, game.doublets), (*facts, fact.Again(game.seat))
    position = penalty_position(game.ruleset, game.position, game.seat, last, game.memory.began)
    _, late = turn_start(game.memory, game.position)
    game = _put_pawns(game, position)
    if cost.undoes_turn:
        game = game._replace(memory=Memory(late))
    game, more = _next_turn(game)
    return game, facts + more


# --- corrections and leaving -------------------------------------------------------------------


def _put_pawns(game: Game, position: Position) -> Game:
    """Put the pawns on other places. Forget who came last to a space that changes."""
    on, late = board(game.ruleset.layout), game.memory_now.late
    late = keep_unchanged(late, on, game.position, position) if late else ()
    return game._replace(position=position, made=(), memory=game.memory._replace(late=late))


def _correct(game: Game, action: Correct) -> Outcome:
    """Go on from another position; the throw on the table stays if the turn is the same."""
    position = _read_correction(game, action)
    home = [seat for seat in game.seats if has_won(game.ruleset, position[seat])]
    known = [seat for seat in game.places if seat in home]
    places = (*known, *(seat for seat in home if seat not in known))
    keeps = (game.seat, game.doublets) == (action.seat, action.doublets)
    throw = game.throw if keeps else ()
    facts = (fact.Corrected(action.seat, anew=bool(throw), waits=bool(game.throw) and not keeps),)
    game = _put_pawns(game, position)._replace(places=places, seat=action.seat)
    game = _to_throw(_update_blockades(game), action.doublets, memory=Memory(game.memory.late))
    game = _add_blockades(game)
    if not _is_decided(game):
        return _throw_anew(game, throw), facts
    game, more = _finish(place_rest(game))
    return game, (*facts, *more)


def _read_correction(game: Game, action: Correct) -> Position:
    numbers = (type(action.seat), type(action.doublets)) == (int, int)
    if type(action.position) is not str or not numbers or action.doublets < 0:
        raise IllegalAction(
            f"{action!r} does not fit: a position's text, a seat, 0 doublets or more"
        )
    try:
        position = parse_position(action.position, game.ruleset)
    except PositionError as error:
        raise IllegalAction(f"correct does not fit: {error}") from None
    if tuple(seat for seat in range(SEATS) if position[seat]) != game.seats:
        raise IllegalAction(f"{action} does not fit: the seats that play are {game.seats}")
    if action.seat not in game.seats or has_won(game.ruleset, position[action.seat]):
        raise IllegalAction(f"{action} does not fit: seat {action.seat} is empty or has won")
    return position


def _leave(game: Game, action: Leave) -> Outcome:
    """Take a seat and its pawns out. If it is its turn, its throw lapses and the turn passes on."""
    gone = action.seat
    if type(gone) is not int or gone not in game.seats or gone in game.places:
        raise IllegalAction(f"{action} does not fit: seat {gone} does not play")
    if game.made and gone != game.seat:
        raise IllegalAction(f"{action} does not fit: seat {game.seat} is in the middle of its play")
    if game.ruleset.partners:
        raise IllegalAction(f"{action} does not fit: with partners all four seats play on")
    facts: tuple[fact.Fact, ...] = (fact.Left(gone),)
    throw = game.throw
    if next_seat(game, gone) == gone:
        raise IllegalAction(f"{action} does not fit: no other seat plays")
    began, late = turn_start(game.memory, game.position)
    still = _without(began, gone)
    late = keep_unchanged(late, board(game.ruleset.layout), began, still)
    game = _put_pawns(game, _without(game.position, gone))
    game = game._replace(
        memory=keep_start(game.memory, game.position, still, late),
        seats=tuple(seat for seat in game.seats if seat != gone),
        standing=tuple(standing for standing in game.standing if standing.seat != gone),
    )
    left = [seat for seat in game.seats if seat not in game.places]
    if len(left) == 1:
        won = tuple(fact.Won(seat, place) for place, seat in enumerate(left, len(game.places) + 1))
        game, more = _finish(game._replace(places=(*game.places, *left), seat=left[0]))
        facts = (*facts, *won)
    elif gone == game.seat:
        game, more = _next_turn(game)
    else:
        game, more = _throw_anew(game, throw), ()
    return game, (*facts, *more)


def _without(position: Position, gone: int) -> Position:
    a, b, c, d = (() if seat == gone else position[seat] for seat in range(SEATS))
    return a, b, c, d


def _throw_anew(game: Game, throw: tuple[int, ...]) -> Game:
    """Return the game with a throw on the table whose play begins in the position now."""
    if not throw:
        return game
    begun = _to_throw(game, game.doublets)
    return play(begun, Throw(throw))[0]._replace(throws=game.throws)


# --- blockades that have stood too long ----------------------------------------------------------


def _find_blockades(game: Game, seat: int) -> set[int]:
    """Return the ring spaces on which two pawns of a seat stand and bar the way."""
    this, bars = board(game.ruleset.layout), terrain(game.ruleset).bars[0]
    spaces = [this.space(seat, place) for place in game.position[seat]]
    pairs = {space for space in spaces if space is not None and spaces.count(space) == 2}
    return {space for space in pairs if bars >> this.seen_from(seat, space) & 1}


def _add_blockades(game: Game) -> Game:
    """Begin to count the blockades of the seat whose turn begins."""
    if not game.ruleset.blockade_limit:
        return game
    known = {standing.space for standing in game.standing if standing.seat == game.seat}
    found = sorted(_find_blockades(game, game.seat) - known)
    new = (StandingBlockade(game.seat, space, 0) for space in found)
    return game._replace(standing=(*game.standing, *new))


def _update_blockades(game: Game, turns: int = 0) -> Game:
    """Forget the blockades that no longer stand; add turns to those of the seat that do."""
    if not game.standing:
        return game
    standing = (
        one._replace(turns=one.turns + turns) if one.seat == game.seat else one
        for one in game.standing
        if one.space in _find_blockades(game, one.seat)
    )
    return game._replace(standing=tuple(standing))


# --- which phase allows what ----------------------------------------------------------------------


class Transition(NamedTuple):
    """What an action does in a phase, and the phases that it may lead to."""

    make: Callable[..., Outcome]
    leads_to: tuple[Phase, ...]


_END: Final = Transition(lambda game, _: _finish(game), (Phase.OVER,))
_CORRECT: Final = Transition(_correct, (Phase.THROW, Phase.MOVE, Phase.PENALTY, Phase.OVER))

_ON: Final = (Phase.THROW, Phase.OVER)


def _always(phase: Phase) -> dict[type[Action], Transition]:
    """Return what is allowed at any time of a turn."""
    leave = Transition(_leave, tuple(dict.fromkeys((phase, *_ON))))
    last_turn = Transition(_set_last_turn, (phase,))
    return {Correct: _CORRECT, Leave: leave, LastTurn: last_turn, End: _END}


PHASES: Final[dict[Phase, dict[type[Action], Transition]]] = {
    Phase.ORDER: {Throw: Transition(_throw_for_order, (Phase.ORDER, Phase.THROW)), End: _END},
    Phase.STARTER: {Choose: Transition(_choose, (Phase.THROW,)), End: _END},
    Phase.THROW: {Throw: Transition(_throw, (Phase.MOVE, Phase.PENALTY)), **_always(Phase.THROW)},
    Phase.MOVE: {
        Move: Transition(_move, (Phase.MOVE, *_ON)),
        Stop: Transition(_stop, _ON),
        **_always(Phase.MOVE),
    },
    Phase.PENALTY: {Stop: Transition(_accept_penalty, _ON), **_always(Phase.PENALTY)},
    Phase.OVER: {PlayOn: Transition(_play_on, (Phase.THROW,))},
}
