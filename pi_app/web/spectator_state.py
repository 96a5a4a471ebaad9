"""What spectators see: the table, whose turn it is, the choices. Has no keys to press."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pi_app.model.advice import Chances
from pi_app.model.events import Kind
from pi_app.model.reviews import chances_of_sides
from pi_app.model.screens import NOTHING, Message, Seat, Text, message
from pi_app.model.tables import has_table
from pi_app.settings.evening import SIDE_SIGN
from pi_app.settings.offers import edition_title, find_house, rules_lines, rules_name
from pi_app.table.core.advice import BOARD_PHASES
from pi_app.table.core.state import Session
from pi_app.table.modes.play.play import Playing, win_title
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.session import Reply
from pi_app.table.telling.choices import Choice, Deed, choice_text, choices, increments
from pi_app.table.telling.chronicle import entry_lines
from pi_app.table.telling.standings import spaces_to_go, standings
from pi_app.texts.words import place_words, seat_letter, side_words, spent_words, throw_words
from pi_app.web.state import doing_words, is_tumbling, table_state
from rules.actions import Move, Stop
from rules.board import SEATS, board
from rules.facts import CameHome, Captured, Penalized
from rules.game import Game, Phase
from rules.history import EntryReport, Record
from rules.position import format_position, starting_position
from rules.ruleset import OPTIONS, THIRD_DOUBLETS, RuleSet

VERSION = 1  # of the state: STATE.md has each key, and what changes this number
SWING = 5  # hundredths by which a chance changes so much that a sentence says why
CHOOSING = (Phase.STARTER, Phase.MOVE, Phase.PENALTY)
NEEDS = ("disk", "power", "chamber", "button")  # the most urgent first
# By the beginning of a notice's key, up to a dot.
NEEDS_OF_NOTICES = {"journal": "disk", "disk": "disk", "chamber": "chamber"} | dict.fromkeys(
    get_args(Kind), "button"
)
ASIDE = (Deed.MENU, Deed.OTHER_PAWN, Deed.WAIT)  # choices that are no play


def spectator_state(reply: Reply) -> dict[str, Any]:
    """Return the state for spectators, with messages. STATE.md describes its keys.

    language: the table's own, by the name of its catalog; `say_all` removes it. A page fills the
    slots {before} and {after} in the words of `changed`, and {chance} in those of `wins`.
    """
    session, tumbling = reply.session, is_tumbling(reply.screen)
    game = None if session.record is None else session.record.game
    table = table_state(reply)
    turn, winners = table["turn"], () if game is None else game.winners
    faces = tuple(die["face"] for die in table["dice"] if "face" in die)
    shells = NOTHING if game is None else throw_words(game)
    offered = [] if game is None or tumbling else _offered(session, game)
    return {
        **table,
        "language": session.language,
        "version": VERSION,
        "game": _numbers(reply, tumbling),
        "needs": _needs(session),
        "who": list(winners) if turn is None else [turn],
        "chances": (chances := _chances(session)),
        "changed": _changed(session) if chances and any(chances) else None,
        "doing": _doing(session),
        "rules": _rules(session, tumbling),
        **_house(session),
        "thrown": message("dice-tumble") if tumbling else faces or shells,
        "increments": [] if game is None or tumbling else _increments(session, game),
        "offered": offered,
        "more": [message("and-so-many-more", count=n) for n in range(1, len(offered))],
        "standings": _standings(session),
    }


def looks_the_same(reply: Reply, other: Reply) -> bool:
    """Whether spectators see no difference between two replies. They do not see motion."""
    return _seen(reply) == _seen(other)


def _seen(reply: Reply) -> tuple[object, ...]:
    now = reply.session
    return now.mode, now.record, now.settings, now.odds, reply.screen, reply.number, _needs(now)


def _needs(session: Session) -> str | None:
    """Return the part that a person must see to, None if all is well."""
    noticed = {NEEDS_OF_NOTICES.get(key.partition(".")[0]) for key, _ in session.notices}
    if session.unsaved or isinstance(session.mode, RefusedPress):
        noticed.add("disk")
    if any(finding.part == "power" and finding.good is False for finding in session.findings):
        noticed.add("power")
    return next((part for part in NEEDS if part in noticed), None)


def _numbers(reply: Reply, tumbling: bool) -> dict[str, Any] | None:
    """Return the game without words, None without one."""
    record = reply.session.record
    if record is None:
        return None
    game = _seen_game(record, tumbling)
    rows = record.told[-1].number + 1 if record.told else 0
    left, home = game.grant_left, board(game.ruleset.layout).home
    nests = starting_position(game.seats)
    dice = [(spaces, 0 if spent else left or spaces) for spaces, spent in game.increments]
    return {
        "number": None if reply.number is None else str(reply.number),
        "row": rows - tumbling,
        "edition": rules_name(reply.session.settings, game.ruleset),
        "phase": game.phase,
        "seat": game.seat,
        "turn": game.turns,
        "throws": game.throws,
        "throw": list(game.throw),
        "increments": [
            {"spaces": spaces, "left": left}
            for spaces, left in (*dice, *((bonus, bonus) for bonus in game.bonuses))
        ],
        "seats": list(game.seats),
        "position": format_position(game.position),
        "to_go": [spaces_to_go(game, n) if n in game.seats else None for n in range(SEATS)],
        "all_to_go": spaces_to_go(game._replace(position=nests), game.seat),
        "home": [sum(one in home for one in pawns) for pawns in game.position],
        "finished": list(game.places),
        "winners": list(game.winners),
        **({} if game.last_turn is None else {"last_turn": game.last_turn}),
        **({"played_on": True} if game.played_on else {}),
        **({"ties": list(map(list, game.ties))} if game.ties else {}),
    }


def _doing(session: Session) -> Message:
    if isinstance(session.mode, ShowingThrow):  # the game is already at what follows the throw
        return message("who-throws", who=session.seats.name_of_seat(session.mode.seat))
    if session.record is None:
        return message("players-join")
    game = session.record.game
    if game.phase is Phase.OVER and game.winners:
        return win_title(session, game)
    who = session.seats.name_of_seat(game.seat)
    undoes_turn = THIRD_DOUBLETS[game.ruleset.third_doublet].undoes_turn
    if game.phase is Phase.PENALTY and (undoes_turn or len(game.put_back) != 1):
        return message("two-alike-too-often", who=who)
    return doing_words(game.phase, who)


def _seen_game(record: Record, tumbling: bool) -> Game:
    """Return the game as people see it: while dice tumble, the one before the throw."""
    return record.past[-1].before if tumbling else record.game


def _rules(session: Session, tumbling: bool) -> Text:
    if session.record is None:
        return edition_title(session.mode.chosen_rules(session))
    game = _seen_game(session.record, tumbling)
    rules = edition_title(rules_name(session.settings, game.ruleset))
    words = message("rules-at-turn", rules=rules, turn=game.turns) if game.turns else rules
    if (last := game.last_to_play) is None or game.phase is Phase.OVER:
        return words
    return message("and-then", before=words, then=message("last-round", seat=Seat(last)))


def _house(session: Session) -> dict[str, Any]:
    """Return the line and the words of the house rules that are played or chosen, if any."""
    name = session.mode.chosen_rules(session)
    if session.record is not None:
        name = rules_name(session.settings, session.record.game.ruleset) or ""
    house = find_house(session.settings, name)
    if house is None:
        return {}
    return {"house": {"line": house.line, "words": list(rules_lines(house, len(OPTIONS)))}}


def _increments(session: Session, game: Game) -> list[dict[str, Any]]:
    uses = (
        choice_text(game, session.mode.question(session).choice).uses
        if isinstance(session.mode, Playing)
        else ""
    )
    entries = []
    for increment in increments(game, uses):
        text = increment.text
        words = {
            "open": message("increment-to-use", increment=text),
            "chosen": message("increment-shown", increment=text),
            "spent": message("increment-used", increment=text),
        }[increment.state]
        entries.append({"text": text, "words": words, "state": increment.state})
    return entries


def _offered(session: Session, game: Game) -> list[dict[str, Any]]:
    """Return the choices; while a menu is open, those after it."""
    if game.phase not in CHOOSING:
        return []
    asked = session.mode.question(session) if isinstance(session.mode, Playing) else None
    listed, shown = (
        (asked.choices, asked.choice) if asked else (choices(session.playing, session.dome), None)
    )
    return [
        {"words": _offer(game, choice), "chosen": choice == shown}
        for choice in listed
        if choice.deed not in ASIDE
    ]


def _offer(game: Game, choice: Choice) -> Text:
    text = choice_text(game, choice)
    first, *others = text.words
    match choice.deed:
        case Move(step):
            origin = place_words(game.ruleset, game.seat, step.origin)
            uses = spent_words(text.uses)
            way = message("offer-move", uses=uses, origin=origin, target=first)
            by_passing = game.ruleset.captures == "passing"  # the note says whom and where
            also = text.note if by_passing or not others else others[0]
            return message("offer-and-also", offer=way, also=also) if also else way
        case Deed.PAWN:
            return message("offer-pawn", place=first, can=text.note)
        case Stop() if game.phase is Phase.PENALTY:
            if choice.why:
                return message("offer-no-penalty", why=text.lead, also=choice.why)
            return message("offer-penalty", why=text.lead, also=first)
        case Stop() if choice.why:
            return message("offer-no-move", why=choice.why)
        case Stop():
            return text.note
    return first


def _chances(session: Session) -> list[int | None] | None:
    """Return each seat's chance; the ones before the last throw until the new ones are ready."""
    game = None if session.record is None else session.record.game
    if not session.setup.chances or (game is not None and not has_table(game.ruleset)):
        return None
    odds = session.odds
    if game is None or game.phase not in BOARD_PHASES or odds is None or odds.throws > game.throws:
        return [None] * SEATS  # more throws: of the game before, or undone
    return _hundredths_of(game.ruleset, odds.chances)


def _hundredths_of(ruleset: RuleSet, chances: Chances) -> list[int | None]:
    if ruleset.partners:
        return 2 * hundredths(chances_of_sides(ruleset, chances)[:2])
    return hundredths(chances)


def _changed(session: Session) -> dict[str, Any] | None:
    """Return what the newest play did to the chance of a seat; None for less than SWING."""
    odds = session.odds
    assert odds is not None
    rules = session.playing.game.ruleset
    after = _hundredths_of(rules, odds.chances)
    before = _hundredths_of(rules, odds.before or odds.chances)
    for seat, sign, what in _causes(rules, odds.play):
        was, now = before[seat], after[seat]
        if was is not None and now is not None and sign * (now - was) >= SWING:
            who = side_words((seat % 2, seat % 2 + 2)) if rules.partners else Seat(seat)
            slots = {"what": what, "who": who, "before": "{before}", "after": "{after}"}
            words = message("chance-changed", **slots)
            return {"words": words, "seat": seat, "before": was, "after": now}
    return None


def _causes(rules: RuleSet, play: Sequence[EntryReport]) -> Iterator[tuple[int, int, Message]]:
    """Yield a seat, 1 or -1, and what of a play may have raised or lowered its chance."""
    on = board(rules.layout)
    for report in play:
        for fact in report.facts:
            match fact:
                case Captured(seat, place, by):
                    back = len(on.way) - 1 - on.to_go[place]
                    words = message("sent-back", by=Seat(by), seat=Seat(seat), count=back)
                    yield from ((seat, -1, words), (by, 1, words))
                case CameHome(seat):
                    yield seat, 1, entry_lines(rules, report)[0]
                case Penalized(seat, _):
                    yield seat, -1, entry_lines(rules, report)[0]
    for report in play[:1]:
        yield from ((report.seat, sign, entry_lines(rules, report)[0]) for sign in (1, -1))


def hundredths(chances: Sequence[float | None]) -> list[int | None]:
    """Return chances as whole hundredths that sum to 100: the largest remainders round up."""
    known = [0.0 if chance is None else 100 * chance for chance in chances]
    short = round(sum(known)) - sum(map(int, known))
    up = sorted(range(len(known)), key=lambda seat: int(known[seat]) - known[seat])[:short]
    return [
        None if chance is None else int(known[seat]) + (seat in up)
        for seat, chance in enumerate(chances)
    ]


def _standings(session: Session) -> list[dict[str, Any]]:
    rows: Sequence[tuple[int, Message]]
    if session.record is not None:
        rows = standings(session.record.game)
    else:
        empty = (seat for seat in session.setup.panels if seat not in session.joined)
        bots = (seat for seat in empty if session.seats.has_bot(seat))
        rows = [(seat, message("joined")) for seat in (*session.joined, *bots)]
    wins = _wins(session, [seat for seat, _ in rows])
    return [
        {
            "seat": seat,
            "who": session.seats.name_of_seat(seat),
            "called": message("bot")
            if session.seats.has_bot(seat)
            else session.seats.player(seat).name or Seat(seat),
            "far": far,
            "wins": wins[seat][0],
            "side": wins[seat][1],
        }
        for seat, far in rows
    ]


def _wins(session: Session, seats: Sequence[int]) -> dict[int, tuple[Message, str]]:
    """Return the text with the chance of each seat, or of its side with the first one; the side."""
    if session.record is None or not session.record.game.ruleset.partners:
        return dict.fromkeys(seats, (message("wins", chance="{chance}"), ""))
    wins = {}
    for n, seat in enumerate(seats):
        side = (seat % 2, seat % 2 + 2)
        text = message("side-wins", side=side_words(side), chance="{chance}")
        is_first = not {*side} & {*seats[:n]}
        wins[seat] = (text, SIDE_SIGN.join(map(seat_letter, side))) if is_first else (NOTHING, "")
    return wins
