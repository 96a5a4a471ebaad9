"""The game on the table waits for a choice, a throw among them. No menu, no tumbling dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pi_app.input.events import Button, DiceDrawn, Tone
from pi_app.screens.screen import (
    NOTHING,
    BoardScreen,
    ByHand,
    Die,
    KeyHint,
    Message,
    Pawn,
    Podium,
    Screen,
    Seat,
    SeatMark,
    Text,
    TextScreen,
    message,
    table_map,
)
from pi_app.table.core.acting import act, leads_to_a_throw, only_action, rematch
from pi_app.table.core.advice import bot_choice
from pi_app.table.core.state import Change, ForcedStep, Mode, Session, Shown, Tip, ToGame, lamps
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.reviewing import begin_review, curve_screen, luck_screen
from pi_app.table.modes.play.showing_throw import record_throw
from pi_app.table.modes.play.typing import Typed, Typing
from pi_app.table.modes.play.typing_each import types_every_throw
from pi_app.table.telling.choices import (
    GO_ON,
    MENU,
    Choice,
    ChoiceText,
    Deed,
    choice_of,
    choice_text,
    choices,
    increments,
)
from pi_app.table.telling.standings import standings
from pi_app.texts.words import (
    choice_keys,
    comma_list,
    hold_key,
    keys,
    keys_line,
    menu_key,
    next_key,
    ok_key,
    question_title,
    starter_rule,
    starter_score,
)
from rules.actions import Move, Throw
from rules.board import NEST
from rules.game import Game, Phase

DOME = "dome"  # who confirmed a row where its press did
NEXT_GAME = (Deed.REMATCH, Deed.NEW_GAME)
THROWING = (Phase.ORDER, Phase.THROW)
CHOOSING = (Phase.STARTER, Phase.MOVE, Phase.PENALTY)
RESTING = (*THROWING, Phase.OVER)
REVIEWING = (Deed.LUCK, Deed.CURVE)
REVIEW_S = 5.0  # after the end: whoever goes on at once wants to know nothing of it
CHEER_S = 4.0  # how long the winner is celebrated, unless a button is pressed
READ_S = 2.0  # how long each message stands of a screen that the dome confirms
THINK_S = 1.0  # a bot mostly thinks for less: by then its choice is said, and not that it thinks
STEPPED_OK_S = 0.4  # after the dome has stepped back no OK counts for so long,
STEPPED_THROW_S = 1.0  # and the dome throws nothing
BY_DOME = {
    "back": KeyHint(message("press-dome"), message("do-back")),
    "confirm": KeyHint(message("press-dome"), message("do-throw")),
}


class PlayQuestion(NamedTuple):
    """What the game asks for in a session: of whom, what can be chosen, and what is shown of it.

    only: a panel that is asked has one button. dome: a dome throws, and not a hold of OK. boxed: a
    box chooses; where no step is legal there is nothing to choose.
    """

    game: Game
    drivers: tuple[int, ...]
    only: bool
    dome: bool
    boxed: bool
    choices: tuple[Choice, ...]
    at: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class Playing(Mode):
    """The game waits for a choice: NEXT goes round them, OK does the one shown.

    `index` is where NEXT has gone to; `Asked.at` is where that is among the choices there are now.
    `since` is when this came up, `news` what happened before it, `last` what was confirmed before
    it, until the next press. `pawn` is the one chosen, where its way is chosen after it. `cheers`:
    the game was won by the press that led here, and nothing has been pressed since.
    """

    since: float
    index: int = 0
    news: Text = ""
    last: Text = ""
    pawn: Pawn | None = None
    cheers: bool = False

    def asked(self, session: Session) -> PlayQuestion:
        """Return what is asked for.

        On a panel with one button the menu is the last choice. Who chose other rules for the next
        game is offered that before a rematch. Where the choice that NEXT has gone to is gone, the
        first is shown: other players may have come to choose, whose panels have other choices.
        """
        record, drivers, dome = session.playing, self.drivers(session), session.dome
        game = record.game
        boxed = (
            game.phase is Phase.MOVE and session.level(game.seat) is not None and bool(game.steps)
        )
        listed = (choice_of(bot_choice(session)),) if boxed else choices(record, dome, self.pawn)
        if game.phase is Phase.OVER and session.other_rules:
            listed = tuple(sorted(listed, key=lambda one: one.deed is not Deed.NEW_GAME))
        only = not set(drivers) <= set(session.setup.next_buttons)
        if only:
            listed = (*listed, MENU)
        at = self.index if self.index < len(listed) else 0
        return PlayQuestion(game, drivers, only, dome, boxed, listed, at, listed[at])

    def drivers(self, session: Session) -> tuple[int, ...]:
        game = session.playing.game
        if game.phase is Phase.OVER:
            return tuple(seat for seat in game.seats if session.level(seat) is None) or game.seats
        return session.panels_of(session.playing.host if game.phase is Phase.STARTER else game.seat)

    def may_press(self, session: Session, seat: int) -> bool:
        game = session.playing.game
        if game.phase is Phase.OVER:
            return seat in self.drivers(session)
        return session.may_press_for(
            session.playing.host if game.phase is Phase.STARTER else game.seat, seat
        )

    def whose(self, session: Session) -> Text:
        if session.playing.game.phase is Phase.OVER:
            return message("game-over")
        seat = session.playing.game.seat
        if session.level(seat) is not None:
            return message("box-for", who=Seat(seat))
        return message("corrected-turn", seat=Seat(self.drivers(session)[0]))

    def holds_ok(self, session: Session, seat: int) -> bool:
        return session.playing.game.phase not in CHOOSING and _is_held(self.asked(session))

    def ok(self, session: Session, seat: int) -> Change:
        deed = self.asked(session).choice.deed
        if isinstance(deed, Deed):
            return DEEDS[deed](self, session, seat)
        return act(session, deed)

    def hold_ok(self, session: Session, seat: int) -> Change:
        asked = self.asked(session)
        if not _is_held(asked):
            return Change(session)
        if asked.choice.deed is Deed.REMATCH:
            return rematch(session)
        if asked.choice.deed is Deed.NEW_GAME:
            return Change(session.anew(), tones=(Tone(seat, "press"),))
        return _throw(session)

    def next(self, session: Session, seat: int) -> Change:
        if session.review is not None and session.review.failed:
            session = replace(session, review=None)  # who looks again has it tried again
        asked = self.asked(session)
        following = (asked.at + 1) % len(asked.choices)
        if following == asked.at and asked.boxed:
            thinks = asked.choice.deed is Deed.WAIT
            return session.refuse(message("box-thinks") if thinks else message("box-has-chosen"))
        mode = replace(self, index=following, since=session.t, last="")
        return Change(
            begin_review(session.into(mode)) if mode.reviews(session) else session.into(mode)
        )

    def dome(self, session: Session) -> Change:
        if session.t < session.deaf_until:
            return Change(session)
        if session.playing.game.phase in THROWING:
            return _throw(session) if session.t >= session.throws_from else Change(session)
        asked = self.asked(session)
        does = _by_dome(session, asked, session.forced)
        if does == "back":
            return self._step_back(session, asked)
        if does == "confirm" and session.forced is not None:
            too_soon = session.t < max(session.forced.counts_from, session.throws_from)
            return session.refuse(message("a-moment")) if too_soon else _confirm_and_throw(session)
        told = choice_text(asked.game, asked.choice, asked.dome)
        return session.refuse(
            keys_line(_keys(asked, told, does)[-1:]) if told.does else self.whose(session)
        )

    def dome_counts_from(self, session: Session) -> float | None:
        return _counts_from(session, self.asked(session), session.forced)

    def passes_on(self, session: Session, seat: int) -> bool:
        """Whether this panel's OK goes on where no pawn can be moved: two buttons suffice."""
        game = session.playing.game
        if session.only(seat) or seat not in game.seats or self.asked(session).choice == MENU:
            return False
        if game.phase is Phase.PENALTY:
            return game.penalty is None
        return game.phase is Phase.MOVE and not game.steps

    def _step_back(self, session: Session, asked: PlayQuestion) -> Change:
        """Go to the choice before.

        Whoever presses once more by mistake, or holds OK already, neither moves nor throws.
        """
        mode = replace(self, index=(asked.at - 1) % len(asked.choices), since=session.t, last="")
        deaf = (session.t + STEPPED_OK_S,) * len(session.ok_deaf)
        after = session.into(
            mode,
            ok_deaf=deaf,
            throws_from=session.t + STEPPED_THROW_S,
            fingers=session.fingers.spend(),
        )
        return Change(after, tones=(Tone(session.playing.game.seat, "press"),))

    def pressed_now(self, session: Session, button: Button) -> Session:
        """End the celebration; the press then does what it does on the screen that follows."""
        deaf = (
            button.kind == "ok"
            and button.seat is not None
            and session.t < session.ok_deaf[button.seat]
        )
        return session.into(replace(self, cheers=False)) if self.cheers and not deaf else session

    def show(self, session: Session) -> Shown:
        asked = self.asked(session)
        game, told = asked.game, choice_text(asked.game, asked.choice, asked.dome)
        forced = self._forced(session, asked, told)
        session = session.faced(asked.drivers)
        keys = _keys(asked, told, _by_dome(session, asked, forced))
        cheers = self.cheers and session.t < self.since + CHEER_S
        return Shown(
            asked.drivers,
            session.facing,
            SCREENS.get(game.phase, _table)(ScreenParts(self, session, asked, told, keys, cheers)),
            lamps(
                asked.drivers,
                blink=tuple([session.played_by(seat) for seat, _ in told.captured]),
                cheer=game.places[0] if cheers else None,
            ),
            _counts_from(session, asked, forced),
            forced,
        )

    def _forced(self, session: Session, asked: PlayQuestion, told: ChoiceText) -> ForcedStep | None:
        """Return what a press of the dome confirms now, None where there is more to decide.

        A child's panel shows the texts of a screen one by one, and each for as long.
        """
        if asked.choice.deed is Deed.MENU:
            return None  # what comes after it has to be read anew
        if session.settings.typed or not session.dome_chooses:
            return None
        game = asked.game
        action = bot_choice(session) if asked.boxed else only_action(game)
        if action is None:
            return None
        if session.forced is not None and (session.forced.game, session.forced.action) == (
            game,
            action,
        ):
            return session.forced
        if not leads_to_a_throw(game, action):
            return None
        texts = (told.lead, *told.words, told.note or self.news, self.last)
        read = sum(map(bool, texts)) if all(map(session.is_childs, asked.drivers)) else 1
        return ForcedStep(game, action, session.t + READ_S * read)

    def screen(self, session: Session) -> Screen:
        return self.show(session).screen

    def shown_since(self, session: Session) -> float:
        return self.since

    def wake_at(self, session: Session) -> float | None:
        for after in (THINK_S, CHEER_S, REVIEW_S):
            if self.since + after > session.t:
                return self.since + after
        return None

    def pass_time(self, session: Session) -> Change:
        if session.settings.typed and types_every_throw(session):
            return Change(session.at_rest(self.news, self.last))
        return Change(begin_review(session) if self.reviews(session) else session)

    def hints(self, session: Session) -> bool:
        """Whether a child is to choose, for whom what is best is marked."""
        if not session.can_hint:
            return False
        asked = self.asked(session)
        return all(map(session.is_childs, asked.drivers)) and len(asked.choices) > 1

    def reviews(self, session: Session) -> bool:
        """Whether somebody looks at it, or the game has been over for a while."""
        game = session.playing.game
        if game.phase is not Phase.OVER or not game.turns:
            return False
        return session.t >= self.since + REVIEW_S or self.asked(session).choice.deed in REVIEWING

    def resting(self, session: Session) -> bool:
        return session.playing.game.phase in RESTING


def _by_dome(
    session: Session, asked: PlayQuestion, forced: ForcedStep | None
) -> Literal["back", "confirm"] | None:
    """Return what a press of the dome does while something is chosen."""
    if forced is not None:
        return "confirm"
    if len(asked.choices) == 1 or asked.game.phase not in CHOOSING or not session.dome_chooses:
        return None
    return None if session.setup.rolls and session.lit else "back"


def _counts_from(session: Session, asked: PlayQuestion, forced: ForcedStep | None) -> float | None:
    """Return when a press of the dome does something, None where it never does."""
    if asked.game.phase in THROWING:
        return max(session.deaf_until, session.throws_from)
    if forced is not None:
        return max(session.deaf_until, session.throws_from, forced.counts_from)
    return session.deaf_until if _by_dome(session, asked, forced) == "back" else None


def _keys(asked: PlayQuestion, told: ChoiceText, by_dome: str | None) -> tuple[KeyHint[Text], ...]:
    """Return what to press for the choice that is shown."""
    deed = asked.choice.deed
    if deed is Deed.WAIT or (deed is Deed.THROW and asked.dome):
        return menu_key(asked.only)
    held = _is_held(asked)
    pressed = choice_keys(asked.only, asked.at, len(asked.choices), told.does, held=held)
    return pressed if by_dome is None else (*pressed, BY_DOME[by_dome])


def _is_held(asked: PlayQuestion) -> bool:
    """Whether OK must be held to do what is shown."""
    deed = asked.choice.deed
    return deed in NEXT_GAME or (deed is Deed.THROW and not asked.dome)


def _press_dome(mode: Playing, session: Session, seat: int) -> Change:
    return session.refuse(message("press-the-dome") if session.dome else message("press-hold-ok"))


def _type(mode: Playing, session: Session, seat: int) -> Change:
    """Type real dice in; what is thrown already comes again and can't be typed."""
    if session.playing.ready is not None:
        return session.refuse(message("hold-thrown-already"))
    return Change(
        session.into(Typing(Menu(seat, mode, session.t), Typed(session.playing.game.dice)))
    )


def _choose_pawn(mode: Playing, session: Session, seat: int) -> Change:
    pawn = _pawn_of(session, mode.asked(session).choice)
    return Change(session.into(Playing(session.t, pawn=pawn)), tones=(Tone(seat, "press"),))


def _choose_other_pawn(mode: Playing, session: Session, seat: int) -> Change:
    pawns = replace(mode, since=session.t, index=0, pawn=None)
    listed = [_pawn_of(session, choice) for choice in pawns.asked(session).choices]
    return Change(session.into(replace(pawns, index=(listed.index(mode.pawn) + 1) % len(listed))))


def _pawn_of(session: Session, choice: Choice) -> Pawn | None:
    """Return the pawn that a choice moves, None where it moves none."""
    if choice.steps:
        return session.playing.game.seat, choice.steps[0].origin
    if isinstance(choice.deed, Move):
        return session.playing.game.seat, choice.deed.step.origin
    return None


def _choose_menu(mode: Playing, session: Session, seat: int) -> Change:
    return session.open_menu(seat)


def _wait(mode: Playing, session: Session, seat: int) -> Change:
    return session.refuse(message("box-thinks"))


def _only_shown(mode: Playing, session: Session, seat: int) -> Change:
    return session.refuse(keys_line([next_key(session.only(seat), GO_ON)]))


def _ask_to_hold(mode: Playing, session: Session, seat: int) -> Change:
    asked = mode.asked(session)
    told = choice_text(asked.game, asked.choice, asked.dome)
    return session.refuse(keys_line([KeyHint(message("press-hold-ok"), told.does)]))


DEEDS: dict[Deed, Callable[[Playing, Session, int], Change]] = {
    Deed.THROW: _press_dome,
    Deed.TYPE: _type,
    Deed.PAWN: _choose_pawn,
    Deed.OTHER_PAWN: _choose_other_pawn,
    Deed.MENU: _choose_menu,
    Deed.WAIT: _wait,
    Deed.NEW_GAME: _ask_to_hold,
    Deed.REMATCH: _ask_to_hold,
    Deed.LUCK: _only_shown,
    Deed.CURVE: _only_shown,
}


class ScreenParts(NamedTuple):
    """What a screen is made of: the mode, the session, what is asked and how that is told."""

    mode: Playing
    session: Session
    asked: PlayQuestion
    told: ChoiceText
    keys: tuple[KeyHint[Text], ...]
    cheers: bool


def _table(seen: ScreenParts) -> BoardScreen[Text]:
    mode, session, asked, told, keys, _ = seen
    game, by_hand = asked.game, tuple([ByHand(*pawn, NEST) for pawn in told.captured])
    shown = table_map(game, told.origin, told.target, by_hand, seat=session.seen_by(game.seat))
    return BoardScreen(
        board=shown,
        seat=game.seat,
        heading=session.turn(game.seat, _does(game)),
        dice=tuple(map(Die, game.throw)),
        increments=increments(game, told.uses),
        words=told.words,
        lead=told.lead or _whose_throw(session, game),
        short_lead=told.short_lead,
        note=told.note or mode.news or _called(session, told),
        last=mode.last,
        keys=keys,
        star=session.best is not None
        and mode.hints(session)
        and _is_best(session.best, asked.choice),
        passing=asked.choice.deed is Deed.WAIT and session.t < mode.since + THINK_S,
    )


def _is_best(best: Tip, choice: Choice) -> bool:
    """Whether a choice is the best, or the pawn of which one way is."""
    if choice.deed is Deed.PAWN and isinstance(best.action, Move):
        return choice.steps[0].origin == best.action.step.origin
    return choice.deed == best.action


def _whose_throw(session: Session, game: Game) -> Text:
    """Return the name of who is to throw, for whom there is room: `LUC's turn`."""
    if game.phase is Phase.THROW and session.level(game.seat) is not None:
        return message("throw-for-it")
    name = session.player(game.seat).name
    return message("names-turn", name=name) if name and game.phase is Phase.THROW else NOTHING


def _called(session: Session, told: ChoiceText) -> Text:
    """Return what the captured pawns are called, which are to be taken off the board by hand."""
    return comma_list([name for seat in dict(told.captured) if (name := session.called(seat))])


def _does(game: Game) -> Message:
    """Return what the seat whose turn it is does in this phase."""
    seat = Seat(game.seat)
    if game.phase is Phase.MOVE:
        return message("moves", seat=seat) if game.steps else message("passes", seat=seat)
    if game.phase is Phase.PENALTY:
        return message("oh-no", seat=seat)
    return message("throws", seat=seat)


def _who_begins(seen: ScreenParts) -> TextScreen[Text]:
    session, game = seen.session, seen.asked.game
    thrown = dict(game.order_throws)
    starter = game.ruleset.starter
    said: dict[int, Text] = {
        **{seat: message("out") for seat in game.seats if seat not in game.to_order},
        **{seat: str(starter_score(starter, faces)) for seat, faces in thrown.items()},
    }
    marks = tuple(SeatMark(seat, said.get(seat, NOTHING)) for seat in game.seats)
    lines = (_in_a_line(seen.told),)
    other, seat = session.played_by(game.seat), Seat(game.seat)
    for_other = message("plays-seat", who=Seat(other), seat=seat)
    who = session.named(game.seat) if other == game.seat else for_other
    hint = seen.mode.news or starter_rule(starter)
    return TextScreen(message("who-throws", who=who), lines, hint=hint, seats=marks)


def _who_is_chosen(seen: ScreenParts) -> TextScreen[Text]:
    session, asked = seen.session, seen.asked
    lines = tuple(_in_a_line(choice_text(asked.game, one, asked.dome)) for one in asked.choices)
    host = asked.drivers[0]
    only, other, begin = session.only(host), message("do-other"), message("do-begin")
    to_next = next_key(only, other)
    if BY_DOME["back"] in seen.keys:
        press = message("press-tap-or-dome") if only else message("press-next-or-dome")
        to_next = KeyHint(press, other)
    title = question_title(host, message("ask-who-begins"))
    return TextScreen(title, lines, (to_next, ok_key(only, begin)), chosen=asked.at)


def _in_a_line(told: ChoiceText) -> Text:
    """Return the words of a choice, which are two lines at most, as one."""
    first, *others = told.words
    return message("in-one-line", one=first, other=others[0]) if others else first


def _game_over(seen: ScreenParts) -> Screen:
    """Return who has won, or what came of the game in luck and skill."""
    deed, does = seen.asked.choice.deed, _end_keys(seen)
    if deed is Deed.LUCK:
        return luck_screen(seen.session, does)
    if deed is Deed.CURVE:
        return curve_screen(seen.session, does)
    return _podium(seen)


def _podium(seen: ScreenParts) -> Podium[Text]:
    session, game = seen.session, seen.asked.game
    winner = game.places[0] if game.places else None
    title = (
        message("game-ended") if winner is None else message("has-won", who=session.named(winner))
    )
    marks = tuple(SeatMark(seat, far) for seat, far in standings(game))
    turns, throws = message("turns", count=game.turns), message("throws-made", count=game.throws)
    line = message("and-then", before=turns, then=throws)
    return Podium(winner, title, marks, line, _end_keys(seen), cheers=seen.cheers)


def _end_keys(seen: ScreenParts) -> tuple[KeyHint[Text], ...]:
    """Return what to hold for the next game, and that there is more."""
    only, deed, does = seen.asked.only, seen.asked.choice.deed, seen.told.does
    if deed is Deed.MENU:
        return keys(only, GO_ON, message("menu"))
    if deed in REVIEWING:
        return (next_key(only, does),)
    short = deed is Deed.NEW_GAME and not only  # as there is room
    others = message("do-on") if short else message("do-more")
    to_next = (next_key(only, others),) if len(seen.asked.choices) > 1 else ()
    return (hold_key(only, does), *to_next)


SCREENS: dict[Phase, Callable[[ScreenParts], Screen]] = {
    Phase.ORDER: _who_begins,
    Phase.STARTER: _who_is_chosen,
    Phase.OVER: _game_over,
}


def _throw(session: Session) -> Change:
    """Throw: the dice that wait for this seat, else new ones must be drawn."""
    ready = session.ready
    if ready is None:
        return Change(session, draw=session.playing.game.dice)
    last: Text = session.mode.last if isinstance(session.mode, ToGame) else NOTHING
    return record_throw(session, ready.throw, ready.source, last=last)


def confirm_forced(session: Session) -> Change:
    """Do the one thing that is left, as the dome's press says, too."""
    assert session.forced is not None
    change = act(session, session.forced.action)
    if session.level(session.playing.game.seat) is not None:
        return change  # a row of a box's says so
    return replace(change, rows=tuple(replace(row, by=DOME) for row in change.rows))


def _confirm_and_throw(session: Session) -> Change:
    confirmed = confirm_forced(session)
    thrown = _throw(confirmed.session)
    rows, tones = (*confirmed.rows, *thrown.rows), (*confirmed.tones, *thrown.tones)
    return replace(thrown, rows=rows, tones=tones)


def record_dice(session: Session, event: DiceDrawn) -> Change:
    """Record the dice drawn for the seat that is to throw; dice at any other time don't count."""
    if not isinstance(session.mode, Playing) or session.playing.game.phase not in THROWING:
        return Change(session)
    if len(event.faces) != session.playing.game.dice:
        return session.refuse(
            message("wrong-dice", thrown=len(event.faces), dice=session.playing.game.dice)
        )
    ready = session.ready
    throw, source = (ready.throw, ready.source) if ready else (Throw(event.faces), event.source)
    last = (
        session.mode.last if session.mode.since == session.t else NOTHING
    )  # else a press came after it
    return record_throw(session, throw, source, event.boot, event.n, last)
