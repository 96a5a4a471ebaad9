"""The game waits for a throw or a choice. Menus and tumbling dice have modes of their own."""

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from pi_app.model import screens
from pi_app.model.events import Button, DiceDrawn
from pi_app.model.screens import NOTHING, KeyHint, Message, Pawn, Screen, Seat, Text, message
from pi_app.settings.offers import all_rules
from pi_app.table.core.acting import act, join_next_game, leads_to_a_throw, only_action, rematch
from pi_app.table.core.advice import bot_choice, can_hint
from pi_app.table.core.state import Change, ForcedStep, Mode, Session, Shown, ToGame, lamps
from pi_app.table.modes.care.ending import ConfirmPlayOn, play_on_screen
from pi_app.table.modes.care.moving_back import put_back
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.last_round import with_last_round
from pi_app.table.modes.play.review_screens import curve_screen, luck_screen, review_of
from pi_app.table.modes.play.showing_throw import record_throw
from pi_app.table.modes.play.typed_dice import (
    Typing,
    dome_steps_back,
    nothing_typed,
    step_back,
    types_every_throw,
)
from pi_app.table.telling.choices import (
    DEED_TEXTS,
    GO_ON,
    MENU,
    Choice,
    ChoiceText,
    Deed,
    choice_text,
    choices,
    climbing_numbers,
    increments,
)
from pi_app.table.telling.chronicle import DOME
from pi_app.table.telling.standings import at_home, standings
from pi_app.texts import words
from rules.actions import Move, Stop, Throw
from rules.board import NEST
from rules.game import Game, Phase
from rules.increments import throw_value

Keys = tuple[KeyHint[Text], ...]

HELD = (Deed.HOLD_THROW, Deed.REMATCH, Deed.NEW_GAME, Deed.PLAY_ON)
NEW_GAME_FIRST = (Deed.NEW_GAME, Deed.PLAY_ON)
THROWING = (Phase.ORDER, Phase.THROW)
CHOOSING = (Phase.STARTER, Phase.MOVE, Phase.PENALTY)
REVIEWING = (Deed.LUCK, Deed.CURVE)
REVIEW_S = 5.0  # after the end, so that players who go on at once cost no work
CHEER_S = 4.0  # how long the winner is celebrated, unless a button is pressed
READ_S = 2.0  # how long each text is shown before the dome may confirm the screen
THINK_S = 1.0  # the voice waits so long for a bot's choice before it says that the bot thinks
DOME_BACK = KeyHint(message("press-dome"), message("do-back"))
DOME_THROWS = KeyHint(message("press-dome"), message("do-throw"))


class PlayQuestion(NamedTuple):
    """What the game asks its drivers."""

    game: Game
    drivers: tuple[int, ...]
    one_button: bool  # a driver's panel has one button
    bot_chooses: bool  # among legal steps
    choices: tuple[Choice, ...]  # what NEXT goes through
    choice_index: int
    choice: Choice  # that is shown, at `choice_index`


@dataclass(frozen=True, slots=True)
class Playing(Mode):
    """The game waits for a choice: NEXT goes to the next one, OK does the one shown."""

    runs_clocks: ClassVar[bool] = True

    since: float  # when this screen came up
    index: int = 0  # how far NEXT has gone; `PlayQuestion.choice_index` is in range
    news: Text = ""  # what happened before
    last: Text = ""  # the action confirmed before, shown until the next press
    pawn: Pawn | None = None  # the pawn already chosen, whose way is chosen now
    cheers: bool = False  # the last press won the game, and nobody has pressed since

    def question(self, session: Session) -> PlayQuestion:
        """Return what the game asks now.

        On a one-button panel, the menu is the last choice. If players have chosen other rules for
        the next game, a new game comes before a rematch. If the index is out of range, the first
        choice is shown: other players may drive now, and their panels have other choices.
        """
        record, drivers = session.playing, self.drivers(session)
        game = record.game
        has_steps = game.phase is Phase.MOVE and bool(game.steps)
        bot_chooses = has_steps and session.seats.has_bot(game.seat)
        if not bot_chooses:
            offered = choices(record, session.dome, self.pawn)
        else:
            offered = (Choice(bot_choice(session) or Deed.WAIT),)
        if has_steps and session.clock_moves:
            [first, *_] = offered
            offered = (Choice(Move(first.steps[0])) if first.steps else first,)
        if game.phase is Phase.OVER and _has_other_rules_next(session):
            offered = tuple(sorted(offered, key=lambda choice: choice.deed not in NEW_GAME_FIRST))
        one_button = not set(drivers) <= set(session.setup.next_buttons)
        if one_button:
            offered = (*offered, MENU)
        index = self.index if self.index < len(offered) else 0
        return PlayQuestion(game, drivers, one_button, bot_chooses, offered, index, offered[index])

    def drivers(self, session: Session) -> tuple[int, ...]:
        record = session.playing
        game = record.game
        if game.phase is Phase.OVER:
            players = (seat for seat in game.seats if not session.seats.has_bot(seat))
            return tuple(sorted({*players, *session.seats.people()}))
        if session.clock_moves:
            return session.seats.people()
        return session.seats.panels_of(record.host if game.phase is Phase.STARTER else game.seat)

    def may_press(self, session: Session, seat: int) -> bool:
        record = session.playing
        game = record.game
        if game.phase is Phase.OVER:
            return seat in self.drivers(session)
        if session.clock_moves:
            return seat in session.seats.of_panels
        asked = record.host if game.phase is Phase.STARTER else game.seat
        return session.seats.may_press_for(asked, seat)

    def whose(self, session: Session) -> Text:
        if session.phase is Phase.OVER:
            return message("game-over")
        seat = session.playing.game.seat
        if session.seats.has_bot(seat):
            return message("bot-for", who=Seat(seat))
        return message("corrected-turn", seat=Seat(self.drivers(session)[0]))

    def holds_ok(self, session: Session, seat: int) -> bool:
        return session.phase not in CHOOSING and self.question(session).choice.deed in HELD

    def ok(self, session: Session, seat: int) -> Change:
        choice, menu = self.question(session).choice, Menu(seat, self, session.t)
        match choice.deed:
            case Deed.THROW:
                return session.refuse(message("press-the-dome"))
            case Deed.HOLD_THROW:
                return session.refuse(message("press-hold-ok"))
            case Deed.TYPE if session.ready is not None:
                return session.refuse(message("hold-thrown-already"))
            case Deed.TYPE:
                return session.lead_to(Typing(menu, nothing_typed(session.playing.game)))
            case Deed.PAWN:
                pawn = choice_text(session.playing.game, choice).origin
                return session.lead_to(Playing(session.t, pawn=pawn), pressed=seat)
            case Deed.OTHER_PAWN:
                return self._choose_other_pawn(session)
            case Deed.MENU:
                return self.menu(session, seat)
            case Deed.WAIT:
                return session.refuse(message("bot-thinks"))
            case Deed.LUCK | Deed.CURVE:
                to_next = words.next_key(session.setup.has_one_button(seat), GO_ON)
                return session.refuse(words.keys_line([to_next]))
            case Deed.NEW_GAME | Deed.REMATCH | Deed.PLAY_ON as deed:
                to_hold = KeyHint(message("press-hold-ok"), DEED_TEXTS[deed].does)
                return session.refuse(words.keys_line([to_hold]))
            case action:
                return put_back(session, act(session, action), action)

    def hold_ok(self, session: Session, seat: int) -> Change:
        match self.question(session).choice.deed:
            case Deed.REMATCH:
                return rematch(session)
            case Deed.NEW_GAME:
                return join_next_game(session, seat)
            case Deed.PLAY_ON:
                return session.lead_to(ConfirmPlayOn(Menu(seat, self, session.t)), pressed=seat)
            case Deed.HOLD_THROW:
                return _throw(session)
        return Change(session)

    def next(self, session: Session, seat: int) -> Change:
        if session.review is not None and session.review.failed:
            session = replace(session, review=None)  # another look tries again
        question = self.question(session)
        following = (question.choice_index + 1) % len(question.choices)
        if following == question.choice_index and question.bot_chooses:
            thinks = question.choice.deed is Deed.WAIT
            return session.refuse(message("bot-thinks" if thinks else "bot-has-chosen"))
        mode = replace(self, index=following, since=session.t, last="")
        return mode.pass_time(session.enter_mode(mode))

    def dome(self, session: Session) -> Change:
        if session.t < session.deaf_until:
            return Change(session)
        if session.phase in THROWING:
            return _throw(session) if session.t >= session.throws_from else Change(session)
        question, forced = self.question(session), session.forced
        if forced is not None:
            if session.t < max(forced.counts_from, session.throws_from):
                return session.refuse(message("a-moment"))
            confirmed = confirm_forced(session)
            thrown = _throw(confirmed.session)
            rows, tones = (*confirmed.rows, *thrown.rows), (*confirmed.tones, *thrown.tones)
            return replace(thrown, rows=rows, tones=tones)
        if _steps_back(session, question):
            index = (question.choice_index - 1) % len(question.choices)
            return step_back(session, replace(self, index=index, since=session.t, last=""))
        text = choice_text(question.game, question.choice)
        hint = words.keys_line(_keys(question, text)[-1:])
        return session.refuse(hint if text.does else self.whose(session))

    def dome_counts_from(self, session: Session) -> float | None:
        return _counts_from(session, self.question(session), session.forced)

    def passes_on(self, session: Session, seat: int) -> bool:
        """Whether this panel's OK goes on because no pawn can move. Only on two-button panels."""
        game = session.playing.game
        if session.setup.has_one_button(seat) or seat not in game.seats:
            return False
        return only_action(game) == Stop() and self.question(session).choice != MENU

    def pressed_now(self, session: Session, button: Button) -> Session:
        """End the celebration. The press then acts on the screen that follows."""
        seat = button.seat if button.kind == "ok" else None
        is_deaf = seat is not None and session.t < session.ok_deaf[seat]
        if is_deaf or not self.cheers:
            return session
        return session.enter_mode(replace(self, cheers=False))

    def show(self, session: Session) -> Shown:
        question = self.question(session)
        game, text = question.game, choice_text(question.game, question.choice)
        forced = self._forced_step(session, question, text)
        hints = _keys(question, text)
        if forced is not None:
            hints = (*hints, DOME_THROWS)
        elif question.choice.deed is not Deed.WAIT and _steps_back(session, question):
            hints = (*hints, DOME_BACK)
        cheers = self.cheers and session.t < self.since + CHEER_S
        match game.phase:
            case Phase.ORDER:
                screen = self._order_screen(session, game, text)
            case Phase.STARTER:
                screen = _starter_screen(session, question, hints)
            case Phase.OVER:
                screen = _over_screen(session, question, text, cheers)
            case _:
                screen = self._board_screen(session, question, text, hints)
        go_back = [*dict(text.captured), *[game.seat] * (text.walk[-1:] == (NEST,))]
        blink = (*map(session.seats.player_seat, go_back), *session.late)
        lit = lamps(question.drivers, blink=blink, cheer=game.winners if cheers else ())
        return Shown(screen, lit, _counts_from(session, question, forced), forced)

    def _board_screen(
        self, session: Session, question: PlayQuestion, text: ChoiceText, hints: Keys
    ) -> screens.BoardScreen[Text]:
        game, choice = question.game, question.choice
        by_hand = tuple([screens.ByHand(*pawn, NEST) for pawn in text.captured])
        seen_by = session.seats.facing_seat(game.seat)
        shown = screens.table_map(game, text.origin, text.target, by_hand, seat=seen_by)
        names = [name for seat in dict(text.captured) if (name := session.seats.pawns_name(seat))]
        heading, lead = _turn_words(session, game)
        note = text.note or self.news or words.comma_list(names) or words.throw_words(game)
        tip = session.hints.tip_for(game)
        best = None if tip is None else tip.action
        is_best = choice.deed == best
        if choice.deed is Deed.PAWN and isinstance(best, Move):
            is_best = choice.steps[0].origin == best.step.origin
        return screens.BoardScreen(
            board=replace(shown, walk=text.walk),
            seat=game.seat,
            heading=session.seats.turn_heading(game.seat, heading),
            dice=screens.show_throw(game.ruleset, game.throw),
            increments=increments(game, text.uses),
            words=text.words,
            lead=text.lead or lead,
            short_lead=text.short_lead,
            note=note if game.last_turn is None else with_last_round(session, note),
            last=self.last,
            keys=hints,
            star=is_best and self.hints(session),
            passing=choice.deed is Deed.WAIT and session.t < self.since + THINK_S,
        )

    def _order_screen(self, session: Session, game: Game, text: ChoiceText) -> Screen:
        """Return the throws for who begins."""
        scores: dict[int, Text] = {
            **{seat: message("out") for seat in game.seats if seat not in game.to_order},
            **{seat: str(throw_value(game.ruleset, faces)) for seat, faces in game.order_throws},
        }
        marks = tuple(screens.SeatMark(seat, scores.get(seat, NOTHING)) for seat in game.seats)
        panel, who = session.seats.player_seat(game.seat), session.seats.name_of_seat(game.seat)
        if panel != game.seat:
            who = message("plays-seat", who=Seat(panel), seat=Seat(game.seat))
        title, hint = message("who-throws", who=who), words.STARTER_RULES[game.ruleset.starter]
        return screens.TextScreen(title, text.words, hint=self.news or hint, seats=marks)

    def _choose_other_pawn(self, session: Session) -> Change:
        choosing_pawn = replace(self, since=session.t, index=0, pawn=None)
        question = choosing_pawn.question(session)
        pawns = [choice_text(question.game, choice).origin for choice in question.choices]
        following = (pawns.index(self.pawn) + 1) % len(pawns)
        return session.lead_to(replace(choosing_pawn, index=following))

    def _forced_step(
        self, session: Session, question: PlayQuestion, text: ChoiceText
    ) -> ForcedStep | None:
        """Return the step that a press of the dome confirms now, None if players must decide.

        A child's panel shows a screen text by text, and each text needs READ_S.
        """
        if question.choice.deed is Deed.MENU or session.settings.typed or not session.dome:
            return None  # the reading starts again after the menu
        game, known = question.game, session.forced
        action = bot_choice(session) if question.bot_chooses else only_action(game)
        if known is not None and (known.game, known.action) == (game, action):
            return known
        if action is None or not leads_to_a_throw(game, action):
            return None
        texts = (text.lead, *text.words, text.note or self.news, self.last)
        shown_one_by_one = all(map(session.seats.is_childs, question.drivers))
        count = sum(map(bool, texts)) if shown_one_by_one else 1
        return ForcedStep(game, action, session.t + READ_S * count)

    def shown_since(self, session: Session) -> float:
        return self.since

    def wake_at(self, session: Session) -> float | None:
        times = (self.since + after for after in (THINK_S, CHEER_S, REVIEW_S))
        return next((time for time in times if time > session.t), None)

    def pass_time(self, session: Session) -> Change:
        if types_every_throw(session):
            return session.lead_to(ToGame(self.news, self.last))
        if self.reviews(session):
            session = replace(session, review=review_of(session))
        return Change(session)

    def hints(self, session: Session) -> bool:
        """Whether the best choice is marked, because a child has to choose."""
        are_children = all(map(session.seats.is_childs, self.drivers(session)))
        return are_children and can_hint(session) and len(self.question(session).choices) > 1

    def reviews(self, session: Session) -> bool:
        """Whether somebody looks at the review, or the game has been over for a while."""
        game = session.playing.game
        if game.phase is not Phase.OVER or not game.turns:
            return False
        return session.t >= self.since + REVIEW_S or self.question(session).choice.deed in REVIEWING

    def resting(self, session: Session) -> bool:
        return session.phase not in CHOOSING


def _has_other_rules_next(session: Session) -> bool:
    """Whether the next game has rules other than those of the game on the table."""
    offered = all_rules(session.settings)
    known = session.rules in offered.values()
    return known and offered[session.next_rules] != session.rules


def _steps_back(session: Session, question: PlayQuestion) -> bool:
    """Whether the dome goes to the choice before, if it does not confirm the one shown."""
    is_asked = len(question.choices) > 1 and question.game.phase in CHOOSING
    return is_asked and dome_steps_back(session)


def _counts_from(
    session: Session, question: PlayQuestion, forced: ForcedStep | None
) -> float | None:
    """Return when a press of the dome starts to count, None if it never does."""
    if question.game.phase in THROWING:
        return max(session.deaf_until, session.throws_from)
    if forced is not None:
        return max(session.deaf_until, session.throws_from, forced.counts_from)
    return session.deaf_until if _steps_back(session, question) else None


def _keys(question: PlayQuestion, text: ChoiceText) -> Keys:
    only, index, count = question.one_button, question.choice_index, len(question.choices)
    if question.choice.deed in (Deed.WAIT, Deed.THROW):
        return words.menu_key(only)
    return words.choice_keys(only, index, count, text.does, held=question.choice.deed in HELD)


def _turn_words(session: Session, game: Game) -> tuple[Message, Text]:
    """Return what the seat that has the turn does, and a line above a throw: `LUC's turn`."""
    seat = Seat(game.seat)
    if game.phase is Phase.MOVE:
        return message("moves" if game.steps else "passes", seat=seat), NOTHING
    if game.phase is Phase.PENALTY:
        return message("oh-no", seat=seat), NOTHING
    name, lead = session.seats.player(game.seat).name, NOTHING
    if session.seats.has_bot(game.seat):
        lead = message("throw-for-it")
    elif game.memory.tries:
        lead = message("try-of", n=game.memory.tries + 1, all=game.ruleset.tries)
    elif numbers := climbing_numbers(game.ruleset, game.position[game.seat]):
        lead = message("numbers-climb", numbers=words.comma_list(tuple(map(str, numbers))))
    elif name:
        lead = message("names-turn", name=name)
    return message("throws", seat=seat), lead


def _starter_screen(session: Session, question: PlayQuestion, hints: Keys) -> Screen:
    """Return the seats of which the host chooses who begins."""
    lines = tuple(choice_text(question.game, choice).words[0] for choice in question.choices)
    host = question.drivers[0]
    only, other = session.setup.has_one_button(host), message("do-other-seat")
    to_next = words.next_key(only, other)
    if DOME_BACK in hints:
        press = message("press-tap-or-dome" if only else "press-next-or-dome")
        to_next = KeyHint(press, other)
    title = words.question_title(host, message("ask-who-begins"))
    to_begin = words.ok_key(only, message("do-begin"))
    return screens.TextScreen(title, lines, (to_next, to_begin), chosen=question.choice_index)


def _over_screen(
    session: Session, question: PlayQuestion, text: ChoiceText, cheers: bool
) -> Screen:
    """Return the luck, the chances, or the podium with the winner."""
    game, deed, only, does = question.game, question.choice.deed, question.one_button, text.does
    if deed is Deed.MENU:
        hints = words.keys(only, GO_ON, message("menu"))
    elif deed in REVIEWING:
        hints = (words.next_key(only, does),)
    else:
        following = question.choices[question.choice_index + 1 :]
        others = message("do-luck" if following[:1] == (Choice(Deed.LUCK),) else "do-more")
        to_next = (words.next_key(only, others),) if len(question.choices) > 1 else ()
        hints = (words.hold_key(only, does), *to_next)
    if deed is Deed.LUCK:
        return luck_screen(session, hints)
    if deed is Deed.CURVE:
        return curve_screen(session, hints)
    if deed is Deed.PLAY_ON:
        return play_on_screen(game, hints)
    title = win_title(session, game)
    marks = tuple(screens.SeatMark(seat, far) for seat, far in standings(game))
    turns, throws = message("turns", count=game.turns), message("throws-made", count=game.throws)
    line = message("and-then", before=turns, then=throws)
    if game.last_turn is not None:  # the pawns at home decided the places
        homes = (message("seat-home", seat=Seat(seat), pawns=home) for seat, home in at_home(game))
        line = message("length-and-homes", length=line, homes=words.comma_list(tuple(homes)))
    return screens.Podium(game.winners, title, marks, line, hints, cheers=cheers)


def win_title(session: Session, game: Game) -> Message:
    """Return the title of a finished game: a player or a side has won, or nobody."""
    match game.winners:
        case ():
            return message("game-ended")
        case (seat,):
            return message("has-won", who=session.seats.name_of_seat(seat))
    return words.winners_words(game.winners)


def _throw(session: Session) -> Change:
    """Record the throw that is ready for this seat; otherwise have new dice drawn."""
    ready = session.ready
    if ready is None:
        return Change(session, draw=session.playing.game.dice)
    last: Text = session.mode.last if isinstance(session.mode, ToGame) else NOTHING
    return record_throw(session, ready.throw, ready.source, last)


def confirm_forced(session: Session) -> Change:
    """Do the forced step. Its row names the dome, or the bot whose turn it is."""
    assert session.forced is not None
    change = act(session, session.forced.action)
    if session.seats.has_bot(session.playing.game.seat):
        return change  # the row gets the bot's level later
    return replace(change, rows=tuple(replace(row, by=DOME) for row in change.rows))


def record_dice(session: Session, event: DiceDrawn) -> Change:
    """Record the drawn dice as the throw of this seat; ignore dice that nobody waits for."""
    if not isinstance(session.mode, Playing) or session.phase not in THROWING:
        return Change(session)
    count, thrown = session.playing.game.dice, len(event.faces)
    if thrown != count:
        return session.refuse(message("wrong-dice", count=count, thrown=thrown))
    ready = session.ready
    throw, source = (ready.throw, ready.source) if ready else (Throw(event.faces), event.source)
    last = session.mode.last if session.mode.since == session.t else NOTHING  # of this press
    change = record_throw(session, throw, source, last)
    rows = (replace(row, boot=event.boot, n=event.n) for row in change.rows)
    return replace(change, rows=tuple(rows))
