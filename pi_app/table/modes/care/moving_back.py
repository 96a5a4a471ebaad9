"""Players move the pawns on the board to where an undo, or a win, has them in the game."""

from dataclasses import dataclass, replace

from pi_app.model import screens
from pi_app.model.screens import Seat, Text, message
from pi_app.table.core.acting import left_to_move
from pi_app.table.core.state import Change, Lamps, Mode, Session, ToGame, lamps
from pi_app.texts.words import choice_keys, place_words, position_in_list
from rules.actions import Action
from rules.board import NEST
from rules.game import Phase
from rules.history import Record

TO_GAME = ToGame()
PUT_BACK = message("put-back")


@dataclass(frozen=True, slots=True)
class MovingBack(Mode):
    """Shows each pawn to move by hand. The last OK goes on to the mode `next_mode`."""

    moves: tuple[screens.ByHand, ...]
    since: float
    next_mode: Mode
    index: int = 0
    heading: screens.Message = PUT_BACK

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.seats.people()

    def whose(self, session: Session) -> Text:
        return message("pawns-go-back-first")

    def ok(self, session: Session, seat: int) -> Change:
        if self.index + 1 == len(self.moves):
            record = replace(session.playing, displaced=None)
            return session.lead_to(self.next_mode, pressed=seat, record=record)
        return self.next(session, seat)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.moves)
        return session.lead_to(replace(self, index=following, since=session.t))

    def screen(self, session: Session) -> screens.BoardScreen[Text]:
        game = session.playing.game
        seat, origin, target, *_ = self.moves[self.index]
        shown = screens.table_map(game, (seat, origin), (seat, target))
        from_words, to_words = (place_words(game.ruleset, seat, one) for one in (origin, target))
        nth = position_in_list(self.index, len(self.moves))
        pawns = session.seats.pawns_name(seat)
        note: Text = nth if len(self.moves) > 1 else pawns
        if pawns and note is nth:
            note = message("pawns-and-nth", pawns=pawns, nth=nth)
        return screens.BoardScreen(
            board=replace(shown, hand="moved"),
            seat=seat,
            heading=self.heading,
            words=(to_words,),
            lead=message("pawn-from", seat=Seat(seat), origin=from_words, target=to_words),
            note=note,
            keys=choice_keys(session.setup.has_one_button(game.seat), 0, 1, message("do-moved")),
        )

    def lamps(self, session: Session) -> Lamps:
        return lamps(self.drivers(session), blink=(self.moves[self.index].seat,))

    def shown_since(self, session: Session) -> float:
        return self.since


def resume_after_undo(session: Session, record: Record, next_mode: Mode = TO_GAME) -> Session:
    """Return the session with a game, in `next_mode` after players have moved pawns of an undo."""
    now = record.game.position
    before = record.displaced or now
    # A seat whose pawns were off the board takes them from its nest.
    a, b, c, d = (was or (NEST,) * len(pawns) for was, pawns in zip(before, now, strict=True))
    moves = screens.moved_pawns((a, b, c, d), now)
    mode = MovingBack(moves, session.t, next_mode) if moves else next_mode
    return session.enter_mode(mode, record=record)


def put_back(before: Session, change: Change, action: Action) -> Change:
    """Return a change after which players move the pawns that its action leaves to be moved."""
    was, record = before.playing.game, change.session.playing
    moves, on_board = left_to_move(was, action, record.game)
    if not moves:
        return change
    record = replace(record, displaced=on_board)  # until they are moved, undo finds them there
    heading = PUT_BACK if was.phase is Phase.PENALTY else message("clear-away")
    mode = MovingBack(moves, before.t, change.session.mode, heading=heading)
    return replace(change, session=change.session.enter_mode(mode, record=record))
