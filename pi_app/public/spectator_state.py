"""What those are told who look on: the table, whose turn it is, what is offered. Tells no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pi_app.public.state import TURNS, is_tumbling, table_state
from pi_app.screens.screen import Message, Seat, Text, Value, message
from pi_app.settings.offers import edition_title, rules_name
from pi_app.table.core.advice import TURN
from pi_app.table.core.state import Session
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.session import Reply
from pi_app.table.telling.choices import Choice, ChoiceText, Deed, choice_text, choices, increments
from pi_app.table.telling.standings import standings
from pi_app.texts.language import Language
from pi_app.texts.words import place_words
from rules.actions import Move, Stop
from rules.board import SEATS
from rules.game import Game, Phase

CHOOSING = (Phase.STARTER, Phase.MOVE, Phase.PENALTY)
ASIDE = (Deed.MENU, Deed.OTHER_PAWN, Deed.WAIT)  # what is chosen among, but is no play


def spectator_state(reply: Reply, language: Language) -> dict[str, Any]:
    """Return what spectators are told, beside what lies on the table, in a language.

    doing, who: whose turn it is, or how it stands, and the seat that this is about. rules: the
    edition, and how far the game is. chances: each seat's to win, in hundredths, None for who
    has none; None altogether where they are not to be shown. thrown: the dice in words.
    increments: each as the panel writes it, in words for a screen reader, and its state: open,
    spent or chosen. offered: what can be chosen, and whether it is what the panel shows. more: the
    words for the last 1, 2, 3 of them where a page has no room. standings: the seats, the first
    first: `who` is letter and name, `called` the name alone, `far` how far it is.
    """
    session, tumbling = reply.session, is_tumbling(reply.screen)
    game = None if session.record is None else session.record.game
    who, doing = _thrower(session) if isinstance(session.mode, ShowingThrow) else _doing(session)
    table = table_state(reply, language)
    offered = [] if game is None or tumbling else _offered(session, game)
    words = {
        "doing": doing,
        "rules": _rules(session),
        "thrown": _thrown(tuple(die["face"] for die in table["dice"]), tumbling),
        "increments": [] if game is None or tumbling else _increments(session, game),
        "offered": offered,
        "more": [message("and-so-many-more", count=n) for n in range(1, len(offered))],
        "standings": _joined(session) if game is None else _standings(session, game),
    }
    said: dict[str, Any] = _said(words, language)
    return {**table, **said, "who": who, "chances": _chances(session)}


def _said(told: Any, language: Language) -> Any:
    """Return what is told with each message in words, however deep."""
    if isinstance(told, Message | Seat | tuple):
        return language.say(told, "page")
    if isinstance(told, dict):
        return {key: _said(value, language) for key, value in told.items()}
    return [_said(one, language) for one in told] if isinstance(told, list) else told


def looks_the_same(one: Reply, other: Reply) -> bool:
    """Whether spectators see the same: how the screen moves is the panel's alone."""
    before, after = one.session, other.session
    return (before.mode, before.record, before.settings, before.odds, one.screen) == (
        after.mode,
        after.record,
        after.settings,
        after.odds,
        other.screen,
    )


def _thrower(session: Session) -> tuple[int, Message]:
    """Return who has thrown the dice that are shown: the game knows already what follows."""
    seat = session.playing.told[-1].seat
    return seat, message("who-throws", who=session.named(seat))


def _doing(session: Session) -> tuple[int | None, Message]:
    """Return whose turn it is or who has won, and how it stands."""
    if session.record is None:
        return None, message("players-join")
    game = session.record.game
    if game.phase is Phase.OVER:
        return _ended(session, game)
    return game.seat if game.phase in TURNS else None, _asked(game, session.named(game.seat))


def _asked(game: Game, who: Text) -> Message:
    """Return what the game waits for."""
    match game.phase:
        case Phase.ORDER:
            return message("throws-for-who-begins", who=who)
        case Phase.STARTER:
            return message("who-begins-is-chosen")
        case Phase.THROW:
            return message("is-to-throw", who=who)
        case Phase.PENALTY if game.penalty is None:
            return message("two-alike-too-often", who=who)
        case Phase.PENALTY:
            return message("takes-a-pawn-back", who=who)
    return message("is-to-move", who=who)


def _ended(session: Session, game: Game) -> tuple[int | None, Message]:
    if not game.places:
        return None, message("game-has-ended")
    return game.places[0], message("has-won", who=session.named(game.places[0]))


def _rules(session: Session) -> Text:
    """Return the edition of the game and its turn, or before it the edition that is offered."""
    if session.record is None:
        return edition_title(
            session.mode.ruleset if isinstance(session.mode, Joining) else session.next_rules
        )
    game = session.record.game
    rules = edition_title(rules_name(session.settings, game.ruleset))
    return message("rules-at-turn", rules=rules, turn=game.turns) if game.turns else rules


def _thrown(faces: tuple[int, ...], tumbling: bool) -> Value:
    """Return the dice that lie on the table, "" where there are none."""
    if tumbling:
        return message("dice-tumble")
    return faces or ""


def _increments(session: Session, game: Game) -> list[dict[str, Any]]:
    uses = (
        choice_text(game, session.mode.question(session).choice, session.dome).uses
        if isinstance(session.mode, Playing)
        else ""
    )
    found = increments(game, uses)
    return [
        {"text": one.text, "words": _used(one.text, one.state), "state": one.state} for one in found
    ]


def _used(increment: Text, state: str) -> Message:
    """Return an increment for who does not see how it is marked."""
    match state:
        case "spent":
            return message("increment-used", increment=increment)
        case "chosen":
            return message("increment-shown", increment=increment)
    return message("increment-to-use", increment=increment)


def _offered(session: Session, game: Game) -> list[dict[str, Any]]:
    """Return what can be chosen; while a menu is open, what will be then."""
    if game.phase not in CHOOSING:
        return []
    asked = session.mode.question(session) if isinstance(session.mode, Playing) else None
    listed, shown = (
        (asked.choices, asked.choice) if asked else (choices(session.playing, session.dome), None)
    )
    return [
        {"words": _offer(game, one, choice_text(game, one, session.dome)), "chosen": one == shown}
        for one in listed
        if one.deed not in ASIDE
    ]


def _offer(game: Game, choice: Choice, told: ChoiceText) -> Text:
    """Return a choice as one sentence: what it uses, from where to where, who goes to the nest."""
    first, *others = told.words
    match choice.deed:
        case Move(step):
            origin = place_words(game.ruleset.layout, game.seat, step.origin)
            uses = told.uses.partition("/")[0]
            way = message("offer-move", uses=uses, origin=origin, target=first)
            also = others[0] if others else told.note
            return message("offer-and-also", offer=way, also=also) if also else way
        case Deed.PAWN:
            return message("offer-pawn", place=first, can=told.note)
        case Stop() if choice.why:
            return message("offer-no-move", why=choice.why)
        case Stop() if game.phase is Phase.MOVE:
            return told.note
        case Stop() if game.penalty is None:
            return message("offer-no-penalty", why=told.lead, also=told.note)
        case Stop():
            return message("offer-penalty", why=told.lead, place=first)
    return first


def _chances(session: Session) -> list[int | None] | None:
    """Return each seat's chance, those of the last throw while the newest are worked out."""
    if not session.setup.chances:
        return None
    game = None if session.record is None else session.record.game
    if (
        game is None
        or game.phase not in TURN
        or session.odds is None
        or session.odds.throws > game.throws
    ):
        return [None] * SEATS  # more throws: they are of the game before, or were undone
    return hundredths(session.odds.chances)


def hundredths(chances: Sequence[float | None]) -> list[int | None]:
    """Return chances as whole hundredths of all, which sum to 100: the largest rests round up."""
    known = [0.0 if one is None else 100 * one for one in chances]
    short = round(sum(known)) - sum(map(int, known))
    up = sorted(range(len(known)), key=lambda n: int(known[n]) - known[n])[:short]
    return [None if one is None else int(known[n]) + (n in up) for n, one in enumerate(chances)]


def _joined(session: Session) -> list[dict[str, Any]]:
    boxes = (
        one
        for one in session.setup.panels
        if one not in session.joined and session.level(one) is not None
    )
    return [_standing(session, seat, message("joined")) for seat in (*session.joined, *boxes)]


def _standings(session: Session, game: Game) -> list[dict[str, Any]]:
    return [_standing(session, seat, far) for seat, far in standings(game)]


def _standing(session: Session, seat: int, far: Message) -> dict[str, Any]:
    called = (
        message("box")
        if session.level(seat) is not None
        else session.player(seat).name or Seat(seat)
    )
    return {"seat": seat, "who": session.named(seat), "called": called, "far": far}
