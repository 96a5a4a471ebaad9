"""Correcting: players enter where the pawns are and whose turn it is."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple, Self

from pi_app.model import screens
from pi_app.model.screens import Message, Pawn, Seat, Text, message
from pi_app.table.core.acting import act
from pi_app.table.core.state import Change, Mode, Session, ToMenu
from pi_app.table.modes.menu.menu import LOOK_S, Choosing, with_way_out
from pi_app.texts.words import choice_keys, keys, place_words, question_title
from rules.actions import Correct
from rules.board import HOME, NEST, ROW, board
from rules.game import Game
from rules.position import Position, format_position, has_won, most_pawns, order_pawns
from rules.ruleset import THIRD_DOUBLETS

WayOut = Literal["back", "menu"]

# How many were thrown before in this turn. A third one costs the penalty.
DOUBLET_WORDS = message("no-doublets-before"), message("one-doublet-before"), message("two-before")

Item = Literal["record", "turn", "doublets", "leave"]  # the lines other than seats


class Draft(NamedTuple):
    """The position, turn and doublets as players have corrected them so far, possible or not."""

    position: Position
    seat: int
    doublets: int


def draft_of(game: Game) -> Draft:
    return Draft(game.position, game.seat, min(game.doublets, 2))


def draft_fault(game: Game, draft: Draft) -> Message:
    """Return what is impossible in a draft (`A and B: 3 past C`), NOTHING if it is possible."""
    # A key is None with a space of the ring, or a seat with a place in its home row.
    layout, pawns_by_space = board(game.ruleset.layout), dict[tuple[int | None, int], list[Pawn]]()
    to_win = game.ruleset.to_win
    for seat in game.seats:
        if sum(place in layout.home for place in draft.position[seat]) > to_win:
            return message("wins-with", seat=Seat(seat), count=to_win)
        for place in draft.position[seat]:
            if place not in (NEST, HOME):
                space = layout.space(seat, place)
                key = (None, space) if space is not None else (seat, place)
                pawns_by_space.setdefault(key, []).append((seat, place))
    for (seat_of_row, space), pawns in pawns_by_space.items():
        seats = sorted({seat for seat, _ in pawns})
        most = most_pawns(game.ruleset, set(seats), space if seat_of_row is None else None)
        if len(pawns) > most:
            where = place_words(game.ruleset, *pawns[0])
            if not most:
                return message("seats-stand-there", seats=tuple(map(Seat, seats)), place=where)
            return message("pawns-stand-there", count=len(pawns), place=where)
    if has_won(game.ruleset, draft.position[draft.seat]):
        return message("is-home", seat=Seat(draft.seat))
    return screens.NOTHING


@dataclass(frozen=True, slots=True)
class Correcting(Choosing):
    """A list of what players can correct: each seat's pawns, the turn, doublets that cost."""

    stays_s: ClassVar[float] = LOOK_S

    draft: Draft

    def lines(self, session: Session) -> dict[int | Item, Message]:
        """Return the words of each line, by seat or item; "record" for a new, possible draft."""
        game, draft = session.playing.game, self.draft
        is_new, words = draft != draft_of(game), dict[int | Item, Message]()
        if is_new and not draft_fault(game, draft):
            words["record"] = message("record-it")
        for seat in game.seats:
            words[seat] = message("pawns-of", seat=Seat(seat))
        words["turn"] = message("turn-of", seat=Seat(draft.seat))
        if THIRD_DOUBLETS[game.ruleset.third_doublet].penalty:
            words["doublets"] = DOUBLET_WORDS[draft.doublets]
        words["leave"] = message("leave-it-as-it-was" if is_new else "do-back")
        return words

    def options(self, session: Session) -> tuple[int | Item, ...]:
        return tuple(self.lines(session))

    def ok(self, session: Session, seat: int) -> Change:
        choice, draft = self.options(session)[self.index], self.draft
        if isinstance(choice, int):
            return session.lead_to(Placing(self.touched_menu(session), draft, choice))
        match choice:
            case "record":
                position = format_position(draft.position)
                return act(session, Correct(position, draft.seat, draft.doublets))
            case "turn":
                seats = session.playing.game.seats
                following = seats[(seats.index(draft.seat) + 1) % len(seats)]
                return self._replace_draft(session, draft._replace(seat=following))
            case "doublets":
                count = (draft.doublets + 1) % len(DOUBLET_WORDS)
                return self._replace_draft(session, draft._replace(doublets=count))
        return self.go_back(session)

    def _replace_draft(self, session: Session, draft: Draft) -> Change:
        """Change the draft and keep the line marked. Lines may come and go above it."""
        from_end = self.index - len(self.lines(session))
        after = self.touched(session, draft=draft)
        return session.lead_to(replace(after, index=len(after.lines(session)) + from_end))

    def screen(self, session: Session) -> screens.TextScreen[Text]:
        game, lines = session.playing.game, tuple(self.lines(session).values())
        fault, only = draft_fault(game, self.draft), self.has_one_button(session)
        hints = () if fault else keys(only, message("do-other"), message("do-choose"))
        title = question_title(self.driver, message("can-not-stand-so" if fault else "correct"))
        board = _with_draft(screens.table_map(game, still=True), self.draft)
        return screens.TextScreen(title, lines, hints, fault, chosen=self.index, board=board)


def _with_draft(shown: screens.BoardMap, draft: Draft) -> screens.BoardMap:
    """Return the map with the draft's position. It marks the pawns that the game has elsewhere."""
    also = screens.moved_pawns(shown.position, draft.position)
    return replace(shown, position=draft.position, also=also)


@dataclass(frozen=True, slots=True)
class Placing(Choosing):
    """Three choices in turn: a pawn of the seat, a landmark near its place, the place itself.

    A landmark is the nest, a safety, the home row or home; its places reach up to the next one. A
    hold of NEXT goes back one choice. On a one-button panel the last line goes back, and others
    lead to the menu.

    pawn: the place of the chosen pawn. landmark: the chosen one. Both are None before the choice.
    """

    stays_s: ClassVar[float] = LOOK_S

    draft: Draft
    seat: int
    pawn: int | None = None
    landmark: int | None = None

    def choose_pawn(self, session: Session, pawn: int) -> Self:
        """Return the choice of a landmark for this pawn. The last one up to its place is marked."""
        near = max(mark for mark in landmarks(session.playing.game, self.seat) if mark <= pawn)
        placing = replace(self, pawn=pawn)
        return replace(placing, index=placing.options(session).index(near))

    def options(self, session: Session) -> tuple[int | WayOut, ...]:
        """Return the places to choose from, and on a one-button panel the ways out."""
        game = session.playing.game
        if self.pawn is None:
            places = tuple(dict.fromkeys(reversed(self.draft.position[self.seat])))
        elif self.landmark is None:
            places = landmarks(game, self.seat)
        else:
            places = spaces(game, self.seat, self.landmark)
        if not self.has_one_button(session):
            return places
        menu: WayOut = "menu"
        return (*with_way_out(places, menu, only=True), menu, "back")

    def ok(self, session: Session, seat: int) -> Change:
        chosen = self.options(session)[self.index]
        placing = self.touched(session)
        if chosen == "menu":
            return session.lead_to(ToMenu(seat, placing), pressed=seat)
        if isinstance(chosen, str):
            return session.lead_to(placing.choice_before(session))
        if self.pawn is None:
            return session.lead_to(placing.choose_pawn(session, chosen))
        if self.landmark is None and len(spaces(session.playing.game, self.seat, chosen)) > 1:
            return session.lead_to(replace(placing, landmark=chosen, index=0))
        return session.lead_to(placing.place_pawn(session.playing.game, chosen))

    def hold_next(self, session: Session) -> Change:
        return session.lead_to(self.touched(session).choice_before(session))

    def choice_before(self, session: Session) -> Mode:
        """Return the previous choice, with what was chosen there marked."""
        if self.landmark is not None:
            before, chosen = replace(self, landmark=None), self.landmark
        elif self.pawn is not None:
            before, chosen = replace(self, pawn=None), self.pawn
        else:
            correcting = Correcting(self.menu_before, self.draft)
            return replace(correcting, index=correcting.options(session).index(self.seat))
        return replace(before, index=before.options(session).index(chosen))

    def place_pawn(self, game: Game, place: int) -> Correcting:
        """Return the list of what to correct, with the pawn on this place in the draft."""
        assert self.pawn is not None
        pawns = list(self.draft.position[self.seat])
        pawns[pawns.index(self.pawn)] = place
        seats = list(self.draft.position)
        seats[self.seat] = order_pawns(tuple(pawns), board(game.ruleset.layout))
        a, b, c, d = seats
        return Correcting(self.menu_before, self.draft._replace(position=(a, b, c, d)))

    def screen(self, session: Session) -> screens.BoardScreen[Text]:
        game = session.playing.game
        options, only = self.options(session), self.has_one_button(session)
        chosen, count = options[self.index], len(options)
        place = None if isinstance(chosen, str) else chosen
        origin, target = (place, None) if self.pawn is None else (self.pawn, place)
        begin, end = (None if one is None else (self.seat, one) for one in (origin, target))
        shown = screens.table_map(game, begin, end, seat=self.driver)
        if isinstance(chosen, str):
            words = message("do-back" if chosen == "back" else "menu")
        else:
            words = self._landmark_words(game, chosen)
        lead: Text = ""
        if self.pawn is not None:
            from_words = place_words(game.ruleset, self.seat, self.pawn)
            lead = message("pawn-from", seat=Seat(self.seat), origin=from_words, target=words)
        question = message("which-pawn") if self.pawn is None else message("where-to")
        return screens.BoardScreen(
            board=_with_draft(shown, self.draft),
            seat=self.seat,
            heading=question_title(self.seat, question),
            words=(words,),
            lead=lead,
            note=self._note(game, place),
            keys=choice_keys(only, self.index, count, message("do-this-one")),
        )

    def _landmark_words(self, game: Game, place: int) -> Message:
        """Return the words for a place. The home row's first place stands for the whole row."""
        is_row = place == ROW + 1 and self.pawn is not None and self.landmark is None
        return message("home-row") if is_row else place_words(game.ruleset, self.seat, place)

    def _note(self, game: Game, place: int | None) -> Message:
        """Return the line below a place: how many pawns it has, or that further places follow.

        On a cloth the end of a seat's arm is a place on the way out, and once more homeward.
        """
        if place is None:
            return screens.NOTHING
        if self.pawn is None:
            count = self.draft.position[self.seat].count(place)
            return message("pawns", count=count) if count > 1 else screens.NOTHING
        on = board(game.ruleset.layout)
        if on.has_way_out and place == on.last:
            return message("lies-on-its-side")
        has_several = self.landmark is None and len(spaces(game, self.seat, place)) > 1
        return message("or-soon-after") if has_several else screens.NOTHING


def landmarks(game: Game, seat: int) -> tuple[int, ...]:
    """Return the places near which others are chosen, along a seat's way from the nest."""
    layout = board(game.ruleset.layout)
    safe = max(layout.safety.values(), key=len)
    steps = range(layout.ring if game.ruleset.second_circuit else layout.last + 1)
    home = (HOME,) if HOME in layout.places else ()
    return (NEST, *(step for step in steps if layout.space(seat, step) in safe), ROW + 1, *home)


def spaces(game: Game, seat: int, landmark: int) -> tuple[int, ...]:
    """Return the places from a landmark up to the one before the next landmark."""
    layout = board(game.ruleset.layout)
    next_mark = min(mark for mark in (*landmarks(game, seat), HOME + 1) if mark > landmark)
    beyond_tip = () if game.ruleset.second_circuit else range(layout.last + 1, ROW)
    near = (place for place in layout.places if landmark <= place < next_mark)
    return tuple(place for place in near if place not in beyond_tip)
