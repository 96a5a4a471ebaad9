"""The screens of a game as it is really played, from joining to the end, each a kept picture."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from hardware import scene
from hardware.sheets import STEPS
from pi_app.display.view import draw, frame
from pi_app.model.advice import Chances, ReviewQuestion, ThrowReview
from pi_app.model.events import (
    Address,
    AdviceGiven,
    Answer,
    Button,
    ChamberLine,
    Finding,
    Kind,
    LanguageName,
    Notice,
    PartChecked,
    Request,
    RequestAnswered,
    Result,
    Resume,
    Setup,
    Stuck,
)
from pi_app.model.parts import Fault, LinkState, PowerState
from pi_app.model.reviews import review_questions
from pi_app.model.screens import Podium, Screen, message
from pi_app.players.tables import load_judge
from pi_app.players.value import Judge
from pi_app.settings.settings import CHILDREN, Settings
from pi_app.table.core.advice import next_question
from pi_app.table.core.speech import screen_words
from pi_app.table.core.state import SEATS
from pi_app.table.modes.play.play import CHEER_S
from pi_app.table.modes.setup.requesting import Requesting
from pi_app.table.telling import last_pages
from pi_app.table.telling.findings import (
    chamber_finding,
    journal_finding,
    power_finding,
    voice_finding,
)
from pi_app.texts.language import codes, language
from rules.ruleset import PRESETS, parse_ruleset
from tests.pi_app.kept import SCREENS, check_picture
from tests.pi_app.players.played import strong_game
from tests.pi_app.sitting import Sitting
from tests.pi_app.texts.shown import Shown, note_shown

CROWDED = "H,r3,12,N/45,45,7,N/20,3,N,N/-"
CAPTURED_OR_ENTERED = "H,40,13,N/N,N,N,N/52,N,N,N/N,N,N,N"
LANGUAGES = (
    LanguageName("en", "English"),
    LanguageName("en_GB", "English (UK)"),
    LanguageName("de", "Deutsch"),
    LanguageName("es", "Español"),
    LanguageName("fr", "Français"),
)
CAPTURE = "30,12,N,N/1,N,N,N/N,N,N,N/-"


def joined() -> Sitting:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    return table


def neighbours() -> Sitting:
    table = Sitting()
    table.ok(0)
    table.ok(1)
    table.hold_ok(0)
    return table


def ordering() -> Sitting:
    table = Sitting(dice=[(6, 4), (5, 5), (2, 1)])
    table.begin(0, 1, 2)
    table.throw()
    table.throw()
    return table


def tied() -> Sitting:
    table = Sitting(dice=[(6, 4), (5, 5)])
    table.begin(0, 2)
    table.throw()
    table.throw()
    return table


def choosing_starter() -> Sitting:
    table = Sitting()
    table.begin(0, 1, 2, ruleset="findler")
    table.next(0)
    return table


def at(position: str, ruleset: str = "royal-2023", *dice: tuple[int, ...]) -> Sitting:
    table = Sitting(dice=dice)
    table.resume(position, 0, ruleset)
    return table


def thrown(position: str, dice: tuple[int, ...], ruleset: str = "royal-2023") -> Sitting:
    table = at(position, ruleset, dice)
    table.throw()
    return table


def tumbling() -> Sitting:
    table = at(CROWDED, "royal-2023", (5, 3))
    table.wait(2.0)
    table.dome()
    table.wait(0.2)
    return table


def capturing() -> Sitting:
    table = thrown(CAPTURE, (6, 2), "findler")
    while "to-nest(B)" not in table.table.words:
        table.next(0)
    return table


def captured() -> Sitting:
    table = capturing()
    table.ok(0)
    return table


def keyed(table: Sitting, key: str) -> Sitting:
    """Return a table once its panel shows a key that begins so: keys are shown in turn."""
    while not table.keys[table.beat % len(table.keys)].startswith(key):
        table.wait(0.5)
    return table


def other_rules() -> Sitting:
    """Return a table at which A chooses the family of the next game."""
    table = joined()
    table.next(0)
    return table


def other_edition() -> Sitting:
    """Return a table at which A chooses an edition of Ludo."""
    table = other_rules()
    table.choose(0, "ludo")
    table.next(0)
    return table


def second_try() -> Sitting:
    table = thrown("N,N,N,N/0,N,N,N/-/-", (3, 3), "ludo-de")
    table.ok(0)
    return table


def third_six() -> Sitting:
    table = thrown("40,10,3,N/N,N,N,N/-/-", (6, 6), "parchis")
    for _ in range(2):
        table.ok(0)
        table.dice = iter([(6, 6)])
        table.throw()
    return table


def passed() -> Sitting:
    table = thrown("H,r3,12,5/45,45,7,N/20,3,N,N/-", (6, 3))
    while table.game.seat == 0:
        table.ok(0)
    return table


def others_won() -> Sitting:
    table = Sitting(dice=[(2, 1)])
    table.resume("H,H,H,r6/H,3,N,N/20,3,N,N/H,H,r1,2", 0)
    table.throw()
    table.ok(0)
    table.wait(CHEER_S)
    return table


def bonus() -> Sitting:
    table = captured()
    while not any(one.text == "+20" and one.state == "chosen" for one in table.table.increments):
        table.next(0)
    return table


def penalty() -> Sitting:
    table = Sitting(dice=[(4, 4)])
    table.resume(CROWDED, 0, doublets=2)
    table.throw()
    return table


def menu() -> Sitting:
    table = captured()
    table.hold_next(0)
    return table


def undone() -> Sitting:
    return entered("undo")


def confirming_end() -> Sitting:
    return entered("game", "end")


def entered(*path: str) -> Sitting:
    return chosen(menu(), 0, *path)


def chosen(table: Sitting, seat: int, *path: str) -> Sitting:
    table.choose(seat, *path)
    return table


def choosing_language() -> Sitting:
    table = Sitting(Setup(languages=LANGUAGES))
    table.resume(CROWDED, 0)
    return chosen(table, 0, "setup", "language")


def comparing() -> Sitting:
    return entered("board", "walk")


def walking() -> Sitting:
    table = comparing()
    table.next(0)
    for _ in range(2):
        table.ok(0)
    return table


def correcting() -> Sitting:
    return entered("board", "correct")


def away() -> Sitting:
    table = captured()
    table.tell(Resume(table.record, table.t, walk=True))
    return table


def which_pawn() -> Sitting:
    table = chosen(correcting(), 0, "pawns-of(B)")
    table.next(0)
    return table


def near_what() -> Sitting:
    table = which_pawn()
    table.ok(0)
    table.next(0)
    return table


def which_space() -> Sitting:
    table = near_what()
    table.ok(0)
    table.next(0)
    table.next(0)
    return table


def corrected() -> Sitting:
    table = which_space()
    table.ok(0)
    return table


def two_on_a_space() -> Sitting:
    table = chosen(correcting(), 0, "pawns-of(C)")
    table.ok(0)
    while "B+0" not in table.table.words:
        table.next(0)
    table.ok(0)
    table.next(0)
    table.ok(0)
    return table


def typing() -> Sitting:
    table = at(CROWDED)
    table.hold_next(0)
    chosen(table, 0, "dice", "type")
    for _ in range(3):
        table.next(0)
    return table


def second_die() -> Sitting:
    table = typing()
    table.ok(0)
    table.next(0)
    return table


def throw_with() -> Sitting:
    table = joined()
    table.choose(2, "dice", "dice")
    return table


def typing_each() -> Sitting:
    table = throw_with()
    table.hold_next(2)
    table.hold_next(2)
    table.hold_ok(0)
    return table


def type_to_menu() -> Sitting:
    table = Sitting(Setup(next_buttons=()), settings=Settings({"dice": "typed"}))
    table.resume(CROWDED, 0)
    for _ in range(6):
        table.ok(0)
    return table


def childs(table: Sitting, seconds: float) -> Sitting:
    """Make all panels children's and wait for the line that is shown after so long."""
    settings = table.session.settings.put(CHILDREN, "ABCD")
    table.session = replace(table.session, settings=settings)
    table.wait(0.0)
    table.wait(seconds)
    return table


def watching(
    host: str, known: bool = True, only: bool = False, number: str | None = None
) -> Sitting:
    """Return a table of which a page is served, and a panel that shows where."""
    page = Address(host, known, number)
    table = Sitting(Setup(page=page, next_buttons=() if only else SEATS))
    table.resume(CROWDED, 0)
    hold, tap = (table.hold_ok, table.ok) if only else (table.ok, table.next)
    (table.hold_ok if only else table.hold_next)(2)
    for words in ("board", "watch"):
        while table.marked != words:
            tap(2)
        hold(2)
    return table


def version() -> Sitting:
    table = Sitting(Setup(requests=("power-off",), version="1.0.0"))
    table.ok(0)
    table.choose(0, "setup", "version")
    return table


RESTORING = ("no-backup", "not-restored")  # the results of a restore alone


def requesting(request: Request, answer: Answer | None = None, made: bool = True) -> Sitting:
    """Return a table whose menu asks for this, then has made the request, then has an answer."""
    page = Address("pachisi.local", known=True) if request == "page-off" else None
    table = Sitting(Setup(requests=get_args(Request), page=page))
    table.ok(0)
    table.choose(0, "setup", request.partition("-")[0])
    table.read(0)
    if made:
        table.ok(0)
    if answer is not None:
        mode = table.session.mode
        assert isinstance(mode, Requesting)
        table.tell(RequestAnswered(answer, mode.made_at or 0.0, table.t))
    return table


def board_with_a_page() -> Sitting:
    table = Sitting(Setup(page=Address("pachisi.local", known=True)))
    table.resume(CROWDED, 0)
    table.choose(0, "board")
    while table.marked != "watch":
        table.next(0)
    return table


def choosing_children() -> Sitting:
    table = joined()
    table.choose(2, "setup", "children")
    return table


def no_dome() -> Sitting:
    table = Sitting(Setup(dome=False))
    table.resume(CROWDED, 0)
    return table


def with_power(*seats: int) -> Sitting:
    table = Sitting(Setup(requests=("power-off",)))
    for seat in seats:
        table.ok(seat)
    return table


def counting_down() -> Sitting:
    table = with_power()
    table.down(None, "power")
    table.wait(1.4)
    return table


def switched_off() -> Sitting:
    table = counting_down()
    table.wait(2.0)
    return table


def confirming_off() -> Sitting:
    table = with_power(0)
    table.hold_next(0)
    return chosen(table, 0, "setup", "off")


def tapped_power() -> Sitting:
    table = with_power(0, 2)
    table.press(None, "power")
    return table


def asking(table: Sitting, answered: str) -> Sitting:
    """Ask why not, until the answer has these words."""
    table.hold_next(0)
    chosen(table, 0, "board", "why")
    while answered not in " ".join(table.table.words):
        table.next(0)
    return table


def self_test(title: str, *found: Finding, setup: Setup | None = None) -> Sitting:
    """Return a self test that A has begun while joining, at the step of this name."""
    table = Sitting(setup or Setup(chamber=True))
    table.tell(ChamberLine(True, table.t))
    table.ok(0)
    table.hold_next(0)
    table.choose(0, "setup", "self-test")
    for finding in found:
        table.tell(PartChecked(finding, table.t))
    while title not in screen_words(table.reply.screen):
        table.read(0)
        table.press(0, "ok")
    table.wait(0.1)
    return table


def pressing(*presses: tuple[int | None, Kind]) -> Sitting:
    table = self_test("Press each")
    for seat, kind in presses:
        table.press(seat, kind)
    return table


EVERY: list[tuple[int | None, Kind]] = [
    *((seat, kind) for seat in SEATS for kind in ("ok", "next")),
    (None, "dome"),
    (None, "power"),
]


def pressed_all() -> Sitting:
    table = pressing(*EVERY)
    table.wait(2.0)
    return table


def house_rules(*path: str) -> Sitting:
    """Make house rules before a game, and go through their lines."""
    table = joined()
    return chosen(table, 0, "game", "house-rules", "new-house-rules", *path)


def change_rules() -> Sitting:
    """Come to the line of the list of games that changes the rules."""
    table = other_rules()
    table.go_on(0)
    return table


def all_house_rules() -> Sitting:
    return chosen(joined_by_house_rules(), 0, "game", "house-rules")


def shown_as_line(table: Sitting) -> Sitting:
    """Press OK where house rules are shown in words."""
    table.ok(0)
    return table


def joined_by_house_rules(*path: str) -> Sitting:
    table = house_rules(*path)
    table.wait(31)
    return table


def somebody_else() -> Sitting:
    table = thrown(CROWDED, (5, 3))
    table.ok(1)
    return table


def missing() -> Sitting:
    table = thrown(CROWDED, (5, 3))
    table.tell(Notice("chamber", message("chamber-missing"), table.t))
    return table


def untaken(setup: Setup | None = None, refusing: Fault = "disk-full") -> Sitting:
    table = Sitting(setup, dice=[(5, 3)])
    table.resume(CROWDED, 0)
    table.refusing = refusing
    table.wait(2.0)
    table.dome()
    return table


def unsaved() -> Sitting:
    table = untaken()
    table.hold_ok(2)
    table.dome()
    table.wait(4.3)
    return table


def saved() -> Sitting:
    table = unsaved()
    table.refusing = ""
    table.wait(0.0)
    return table


def stuck() -> Sitting:
    table = at(CROWDED)
    table.tell(Stuck(Button(0, "ok"), table.t))
    return table


def one_button() -> Sitting:
    table = Sitting(Setup(next_buttons=()), dice=[(5, 3)])
    table.resume(CROWDED, 0)
    table.throw()
    return table


def celebrating() -> Sitting:
    table = thrown("H,H,H,r6/N,N,N,N/20,3,N,N/-", (2, 1))
    table.ok(0)
    table.wait(1.0)
    return table


def celebrating_a_side() -> Sitting:
    table = thrown("H,H,H,r6/12,N,N,N/H,H,H,H/H,H,H,r7", (2,), "pachisi-modern")
    table.ok(0)
    table.wait(1.0)
    return table


def won() -> Sitting:
    table = celebrating()
    table.wait(CHEER_S)
    return table


def won_of_three(*steps: str) -> Sitting:
    """Return a table at which C and D may play on. steps: next and holds of C."""
    table = Sitting(dice=[(1, 3)], advise=None)
    table.resume("H,H,H,r7/-/12,N,N,N/20,N,N,N", 0, "findler")
    table.throw()
    table.ok(0)
    table.wait(CHEER_S)
    for step in steps:
        (table.next if step == "next" else table.hold_ok)(2)
    return table


def last_round(limit: str = "now", thrown_by: str = "") -> Sitting:
    """Return a table at which A has chosen when the last round comes."""
    table = chosen(at(CROWDED, "royal-2023", (5, 3)), 0, "last-round", limit)
    table.wait(4.0 if thrown_by else 0.0)
    return table


def out_of_time(late: str, seat: int = 0, dice: tuple[int, int] | None = (5, 3)) -> Sitting:
    """Return a table at which a player has not thrown, or not moved, for too long."""
    settings = Settings({"turn_limit": "30", "late_turn": late})
    table = Sitting(dice=[dice] if dice else [], settings=settings)
    table.resume(CROWDED, seat)
    if dice:
        table.throw()
    table.wait(31)
    return table


def undone_turn(presses: int = 0) -> Sitting:
    """Return a table at which a third six undoes a turn in which A has entered and captured."""
    rules = replace(PRESETS["ludo-india"], third_doublet="undo-turn")
    table = Sitting(dice=[(6,)] * 3)
    table.resume("N,N,N,N/-/32,N,N,N/-", 0, rules)
    for _ in range(2):
        table.throw()
        table.ok(0)
    table.throw()
    for _ in range(presses):
        table.ok(0)
    return table


def by_house_rules(
    position: str, faces: tuple[int, ...], base: str = "ludo-uk", **options: object
) -> Sitting:
    """Return a table at which A has thrown these dice by an edition with other options."""
    table = Sitting(dice=[faces])
    table.resume(position, 0, parse_ruleset({"preset": base, **options}))
    table.throw()
    return table


def below_ladder() -> Sitting:
    """Return a table at which A is to throw in petits chevaux, with pawns on foot and ladder."""
    table = Sitting()
    table.resume("r5,r3,r1,55/-/r2,N,N,N/-", 0, "petits-chevaux")
    return table


def open_pawns(position: str, presses: int = 0) -> Sitting:
    """Return a table at which A throws its third six in Eile mit Weile."""
    table = Sitting(dice=[(6,)])
    table.resume(position, 0, "ludo-ch", doublets=2)
    table.throw()
    for _ in range(presses):
        table.ok(0)
    return table


def winners_pawn() -> Sitting:
    """Return a table at which A has won by one pawn, and another one leaves the track."""
    position = "r5,20,N,N/N,N,N,N/N,N,N,N/-"
    table = by_house_rules(position, (1,), to_win=1, play_on=True)
    table.ok(0)
    return table


def shared_first(position: str, ruleset: str = "royal-2023") -> Sitting:
    """Return a table at which the last round ends after A's turn."""
    table = at(position, ruleset, (1, 2))
    table.choose(0, "last-round", "now")
    table.tell(Resume(replace(table.record, game=table.game._replace(last_turn=0)), table.t))
    table.throw()
    while not isinstance(table.screen, Podium):
        table.ok(0)
    return table


NAMES = {"player.A": "LUC red", "player.B": "WWW quarters", "player.C": "TOM dimes"}


def known(setup: Setup | None = None, *dice: tuple[int, ...], seat: int = 0) -> Sitting:
    """Return a table whose players have names, where this seat is to throw."""
    kept = {**NAMES, "evening": "- 0 0 won - LUC:2/3 TOM:1/3 WWW:0/2"}
    table = Sitting(setup, dice, settings=Settings(kept))
    table.resume(CROWDED, seat)
    return table


def naming(*presses: str) -> Sitting:
    """Return a table where B's name is entered."""
    table = chosen(at(CROWDED), 1, "game", "players")
    for press in ("ok", *presses):
        (table.ok if press == "ok" else table.next)(1)
    return table


def joined_by_name() -> Sitting:
    table = Sitting(settings=Settings(NAMES))
    for seat in range(3):
        table.ok(seat)
    return table


def capturing_by_name() -> Sitting:
    table = Sitting(dice=[(6, 2)], settings=Settings(NAMES))
    table.resume(CAPTURE, 0, "findler")
    table.throw()
    while "to-nest(B)" not in table.table.words:
        table.next(0)
    return table


def played_on() -> Sitting:
    table = chosen(known(None, (5, 3), seat=2), 1, "game", "someone-leaves", "C TOM")
    table.next(1)
    table.ok(1)
    table.hold_ok(1)
    return table


def handing_over() -> Sitting:
    """Return a table at which D asks to play for B, who plays for C."""
    table = Sitting(settings=Settings(NAMES | {"stand-in.C": "B"}))
    table.resume("12,N,N,N/22,5,N,N/3,N,N,N/N,N,N,N", 0, "findler")
    return chosen(table, 3, "game", "someone-leaves", "B WWW", "plays-for(seat=B, who=D)")


def played_on_and_thrown() -> Sitting:
    table = played_on()
    table.throw()
    return table


def won_by_name() -> Sitting:
    table = Sitting(dice=[(2, 1)], settings=Settings(NAMES))
    table.resume("H,H,H,r6/N,N,N,N/20,3,N,N/-", 0)
    table.throw()
    table.ok(0)
    table.wait(CHEER_S)
    return table


def seated() -> Sitting:
    table = Sitting()
    table.ok(0)
    table.choose(0, "game", "bots", "C", "C", "C")
    return table


def joined_with_a_bot() -> Sitting:
    table = seated()
    table.hold_next(0)
    table.hold_next(0)
    return table


def bot_orders() -> Sitting:
    table = joined_with_a_bot()
    table.dice = iter([(6, 4)])
    table.hold_ok(0)
    table.throw()
    return table


def bot_plays(
    *dice: tuple[int, ...],
    position: str = "20,N,N,N/N,N,N,N/3,N,N,N/-",
    setup: Setup | None = None,
    children: str = "",
) -> Sitting:
    """Return a table at which a bot is to throw for C, or has thrown these dice."""
    settings = Settings({"box.C": "club", "children": children})
    table = Sitting(setup, dice, settings=settings)
    table.resume(position, 2, "findler")
    for _ in dice:
        table.throw()
    return table


def bot_thinks(children: str = "") -> Sitting:
    table = bot_plays(children=children)
    table.advise, table.dice = None, iter([(6, 3)])
    table.throw()
    return table


def bot_has_won() -> Sitting:
    table = bot_plays((1, 4), position="12,N,N,N/-/H,H,H,r7/-")
    table.ok(0)
    table.wait(CHEER_S)
    return table


def bot_chose() -> Sitting:
    table = bot_plays((6, 3))
    table.next(0)
    return table


def hint(next_presses: int, position: str = CAPTURED_OR_ENTERED, *faces: int) -> Sitting:
    table = thrown(position, (faces[0], faces[1]) if faces else (6, 5), "findler")
    table.choose(0, "hint")
    for _ in range(next_presses):
        table.next(0)
    return table


def hint_awaited() -> Sitting:
    table = thrown(CAPTURED_OR_ENTERED, (6, 5), "findler")
    table.advise = None
    table.choose(0, "hint")
    return table


def best_for_a_child() -> Sitting:
    table = childs(thrown(CAPTURED_OR_ENTERED, (6, 5), "findler"), 0.0)
    while not table.table.star:
        table.next(0)
    return table


def chances_after(question: ReviewQuestion, judge: Judge) -> Chances:
    """The chances after a play, without the mean of all next throws: that takes 10 s for a game."""
    found = judge.chances(question.ended, question.first) if question.ended else {}
    return tuple(map(found.get, range(4)))


def over(next_presses: int, share: float) -> Sitting:
    """A game that is over, of which so much is known: any luck, but real chances."""
    table = Sitting(advise=None)
    table.tell(Resume(strong_game(5), table.t))
    for _ in range(next_presses + table.game.may_play_on):
        table.next(0)
    asked, judge = review_questions(table.record), load_judge(table.record.game.ruleset)
    known = tuple(
        ThrowReview(n % 7 - 2.9 - one.seat / 40, n % 5 / 9, (), chances_after(one, judge))
        for n, one in enumerate(asked[: round(share * len(asked))])
    )
    review = table.session.review
    if known and review is not None:  # of many answers the last
        table.session = replace(table.session, review=review._replace(found=known[:-1]))
        question = next_question(table.session)
        assert question is not None
        table.tell(AdviceGiven(question, known[-1], table.t))
    return table


PLAYED: dict[str, Callable[[], Sitting]] = {
    "nobody-joined": Sitting,
    "joined": joined,
    "other-rules": other_rules,
    "other-edition": other_edition,
    "second-try": second_try,
    "third-six": third_six,
    "last-unknown": lambda: thrown("N,N,N,N/51,N,N,N/34,N,N,N/-", (5, 5), "parchis"),
    "open-first": lambda: thrown("40,10,10,2/N,N,N,N/-/-", (6, 6), "parchis"),
    "clear-first": lambda: thrown("20,0,N,N/N,N,N,N/-/-", (3, 3), "ludo-de"),
    "neighbours": neighbours,
    "who-begins": ordering,
    "tied": tied,
    "starter": choosing_starter,
    "to-throw": lambda: at(CROWDED),
    "tumbling": tumbling,
    "choose": lambda: thrown(CROWDED, (5, 3)),
    "enter-by-sum": lambda: thrown("12,N,N,N/N,N,N,N/-/-", (4, 1)),
    "four-seats": lambda: thrown(scene.POSITION, scene.DICE),
    "capture": capturing,
    "capture-dome": lambda: keyed(capturing(), "press-dome"),
    "captured": captured,
    "passed": passed,
    "bonus": bonus,
    "four-increments": lambda: thrown("r3,40,22,12/45,45,7,N/-/-", (2, 2)),
    "grant": lambda: thrown("40,22,12,N/45,45,7,N/-/-", (2, 2), "tr-1938"),
    "no-move": lambda: thrown("N,N,N,N/N,N,N,N/-/-", (6, 1)),
    "no-move-dome": lambda: keyed(thrown("N,N,N,N/N,N,N,N/-/-", (6, 1)), "press-dome"),
    "penalty": penalty,
    "menu": menu,
    "menu-board": lambda: entered("board"),
    "walk-compare": comparing,
    "walk": walking,
    "walk-asked": away,
    "correct": correcting,
    "correct-pawn": which_pawn,
    "correct-landmark": near_what,
    "correct-space": which_space,
    "correct-record": corrected,
    "correct-impossible": two_on_a_space,
    "type-first": typing,
    "type-second": second_die,
    "throw-with": throw_with,
    "type-each": typing_each,
    "type-to-menu": type_to_menu,
    "menu-children": choosing_children,
    "menu-board-page": board_with_a_page,
    "version": version,
    "page-on": lambda: requesting("page-on", made=False),
    "page-off": lambda: requesting("page-off", made=False),
    "page-restarts": lambda: requesting("page-on"),
    "page-not-taken": lambda: requesting("page-on", Answer("not-taken")),
    "page-failed": lambda: requesting("page-on", Answer("failed")),
    "backup": lambda: requesting("backup", made=False),
    "backup-runs": lambda: requesting("backup"),
    **{
        f"backup-{result}": partial(
            requesting, "restore" if result in RESTORING else "backup", Answer(result, 12)
        )
        for result in get_args(Result)
        if result not in ("not-taken", "failed")
    },
    "restore": lambda: requesting("restore", made=False),
    "restore-runs": lambda: requesting("restore"),
    "page-code": lambda: watching("pachisi.local"),
    "page-code-port": lambda: watching("192.168.178.123:8337", only=True),
    "page-code-longest": lambda: watching("parcheesi-table.fritz.example.org:65535"),
    "page-code-number": lambda: watching("pachisi.local", number="192.168.178.23"),
    "page-name-number": lambda: watching("raspberrypi.local", False, number="192.168.178.23"),
    "page-name": lambda: watching("raspberrypi.local", known=False),
    "page-no-network": lambda: watching("pachisi.local", number=""),
    "page-name-longest": lambda: watching(f"{'w' * 64}.local:8337", known=False),
    "child-page-code": lambda: childs(watching("pachisi.local"), 0.0),
    "child-page-name": lambda: childs(watching("raspberrypi.local", known=False), 6.0),
    "child-choose": lambda: childs(thrown(CROWDED, (5, 3)), 0.0),
    "child-from": lambda: childs(thrown(CROWDED, (5, 3)), 2.0),
    "child-to": lambda: childs(thrown(CROWDED, (5, 3)), 4.0),
    "child-from-and-to": lambda: childs(capturing(), 2.0),
    "child-capture": lambda: childs(capturing(), 6.0),
    "child-no-move": lambda: childs(thrown("N,N,N,N/N,N,N,N/-/-", (6, 1)), 8.0),
    "child-to-throw": lambda: childs(at(CROWDED), 2.0),
    "child-menu": lambda: childs(menu(), 0.0),
    "child-joined": lambda: childs(joined(), 2.0),
    "child-walk": lambda: childs(walking(), 2.0),
    "child-type": lambda: childs(second_die(), 2.0),
    "child-not-your-turn": lambda: childs(somebody_else(), 0.0),
    "child-walk-asked": lambda: childs(away(), 0.0),
    "no-dome": no_dome,
    "why-blocked": lambda: asking(thrown("12,9,N,N/-/47,47,N,N/-", (5, 3)), "blocked"),
    "why-entry-blocked": lambda: asking(thrown("12,N,N,N/-/34,34,N,N/-", (4, 1)), "entry"),
    "why-must-enter": lambda: asking(thrown(CROWDED, (5, 3)), "must"),
    "why-can": lambda: asking(thrown("12,N,N,N/N,N,N,N/-/-", (4, 1)), "A+0"),
    "why-can-of-14": lambda: asking(
        thrown("40,22,12,N/45,45,7,N/-/-", (2, 2), "tr-1938"), "as-far-as"
    ),
    "next-game": lambda: entered("game", "next-game"),
    "house-rules": all_house_rules,
    "house-rules-joined": joined_by_house_rules,
    "house-rules-groups": house_rules,
    "house-rules-all": lambda: house_rules("all-options"),
    "house-rules-group": lambda: house_rules("all-options", "two-alike"),
    "house-rules-values": lambda: house_rules("all-options", "two-alike", "doublet_spaces"),
    "house-rules-turned": lambda: house_rules("all-options", "bonus", "capture_bonus", "0"),
    "house-rules-refused": lambda: house_rules("overshoot", "back"),
    "house-rules-to-win": lambda: house_rules("to_win"),
    "house-rules-carried": lambda: house_rules("dice"),
    "house-rules-changed": lambda: house_rules("dice", "1"),
    "house-rules-change": change_rules,
    "house-rules-shown": lambda: house_rules("to_win", "1", "must_capture", "True", "show"),
    "house-rules-line": lambda: shown_as_line(house_rules("to_win", "1", "show")),
    "house-rules-long-line": lambda: shown_as_line(
        house_rules("to_win", "1", "must_capture", "True", "third_doublet", "undo-turn", "show")
    ),
    "house-rules-joined-changed": lambda: joined_by_house_rules("to_win", "1"),
    "house-rules-remove": lambda: house_rules("remove"),
    "house-rules-rename": lambda: house_rules("rename"),
    "undone": undone,
    "confirm-end": confirming_end,
    "not-your-turn": somebody_else,
    "chamber-missing": missing,
    "untaken": untaken,
    "untaken-locked": lambda: untaken(refusing="read-only"),
    "untaken-one-button": lambda: untaken(Setup(next_buttons=()), "disk-gone"),
    "unsaved": unsaved,
    "saved-again": saved,
    "stuck": stuck,
    "one-button": one_button,
    "one-die": lambda: thrown("40,22,12,N/45,45,7,N/-/-", (6,), "one-die"),
    "switch-off": counting_down,
    "switching-off": switched_off,
    "shut-down": confirming_off,
    "power-tapped": tapped_power,
    "test-display": lambda: self_test("Display"),
    "test-all-dots": lambda: self_test("all dots"),
    "test-edge": lambda: self_test("the edge"),
    "test-checks": lambda: self_test("checks"),
    "test-lamps": lambda: self_test("Lamp and tone"),
    "test-voice": lambda: self_test("Voice", voice_finding(True), setup=Setup(voice=True)),
    "test-voice-silent": lambda: self_test("Voice", voice_finding(False), setup=Setup(voice=True)),
    "test-voice-not-begun": lambda: self_test(
        "Voice", voice_finding(None), setup=Setup(voice=True)
    ),
    "test-lights": lambda: self_test("Dice lights"),
    "test-chamber": lambda: self_test(
        "Dice chamber",
        chamber_finding(LinkState(True, commands=14, dropped=2, own_throws=0, round_trip_s=0.0034)),
    ),
    "test-chamber-gone": lambda: self_test(
        "Dice chamber", chamber_finding(LinkState(is_connected=False))
    ),
    "test-journal": lambda: self_test("Disk", journal_finding(None, 12_345_678_901, False, False)),
    "test-journal-full": lambda: self_test("Disk", journal_finding("disk-full", 0, True, False)),
    "test-journal-in-memory": lambda: self_test("Disk", journal_finding(None, None, False, True)),
    "test-power": lambda: self_test("Power", power_finding(PowerState())),
    "test-power-low": lambda: self_test("Power", power_finding(PowerState(was_low=True))),
    "test-buttons": lambda: self_test("Press each"),
    "test-buttons-named": lambda: pressing((0, "next"), (1, "ok"), (1, "next"), (None, "dome")),
    "test-buttons-all": pressed_all,
    "test-one-button": lambda: self_test(
        "Press each", setup=Setup(next_buttons=(0,), dome=False, power=False)
    ),
    "hint-pawn": lambda: hint(0),
    "hint-step": lambda: hint(1),
    "hint-why": lambda: hint(2),
    "hint-safer": lambda: hint(2, "16,12,N,N/-/44,N,N,N/-", 2, 1),
    "hint-awaited": hint_awaited,
    "child-best": best_for_a_child,
    "child-best-to": lambda: childs(best_for_a_child(), 4.0),
    "luck": lambda: over(2, 1.0),
    "luck-looked-at": lambda: over(2, 0.4),
    "luck-begun": lambda: over(2, 0.0),
    "chances": lambda: over(3, 1.0),
    "chances-so-far": lambda: over(3, 0.4),
    "won-new-game": lambda: over(1, 0.0),
    "won": won,
    "won-cheered": celebrating,
    "won-cheered-side": celebrating_a_side,
    "won-by-name": won_by_name,
    "menu-game": lambda: chosen(known(), 0, "game"),
    "players": lambda: chosen(known(), 0, "game", "players"),
    "name-group": lambda: naming("next", "next"),
    "name-letter": lambda: naming("next", "ok", "next"),
    "name-done": lambda: naming(*["ok", "ok"] * 3),
    "name-pawns": lambda: naming(*["ok", "ok"] * 3, "ok", "next"),
    "joined-by-name": joined_by_name,
    "to-throw-by-name": known,
    "capture-by-name": capturing_by_name,
    "score": lambda: chosen(known(), 0, "game", "score"),
    "who-leaves": lambda: chosen(known(), 2, "game", "someone-leaves"),
    "what-of-pawns": lambda: chosen(known(), 2, "game", "someone-leaves", "B WWW"),
    "pawns-off": lambda: chosen(
        known(),
        2,
        "game",
        "someone-leaves",
        "B WWW",
        "pawns-off-the-board",
    ),
    "hand-over": handing_over,
    "played-on": played_on,
    "played-on-thrown": played_on_and_thrown,
    "won-by-four": others_won,
    "play-on": lambda: won_of_three("next"),
    "play-on-asked": lambda: won_of_three("next", "hold"),
    "played-on-for-places": lambda: won_of_three("next", "hold", "hold"),
    "menu-last-round": lambda: chosen(at(CROWDED), 0, "last-round"),
    "menu-last-round-set": lambda: last_round("30 minutes"),
    "last-round-said": last_round,
    "last-round": lambda: last_round("now", "A"),
    "last-round-ended": lambda: shared_first("20,N,N,N/-/18,5,N,N/-"),
    "shared-first": lambda: shared_first("20,N,N,N/-/23,N,N,N/-"),
    "menu-turn-limit": lambda: chosen(at(CROWDED), 0, "setup", "turn_limit"),
    "late-to-throw": lambda: out_of_time("remind", dice=None),
    "late-to-move": lambda: out_of_time("remind"),
    "clock-moves": lambda: out_of_time("move"),
    "there-and-back": lambda: by_house_rules("r4,N,N,N/-/N,N,N,N/-", (5,), overshoot="back"),
    "there-and-here": lambda: by_house_rules("r4,N,N,N/-/N,N,N,N/-", (4,), overshoot="back"),
    "too-much-for-home": lambda: by_house_rules(
        "r4,20,N,N/-/N,N,N,N/-", (6,), "parchis", overshoot="over"
    ),
    "six-is-twelve": lambda: by_house_rules(
        "H,r2,30,8/-/N,N,N,N/-", (6,), doublet_spaces="twelve-when-entered"
    ),
    "two-dice-on-40": lambda: by_house_rules(
        "7,N,N,N/-/N,N,N,N/-", (1, 6), "ludo-de", dice=2, entry_also=1
    ),
    "mixed-pair": lambda: by_house_rules(
        "40,36,N,N/20,N,N,N/6,N,N,N/N,N,N,N", (4,), "parchis", partners=True
    ),
    "winner-s-pawn-off": winners_pawn,
    "turn-undone": undone_turn,
    "turn-undone-own": lambda: undone_turn(1),
    "turn-undone-captured": lambda: undone_turn(2),
    "passes-four": lambda: by_house_rules("1,N,N,N/53,53,0,N/-/20,20,N,N", (6,), "ludo-ch"),
    "heaven-and-back": lambda: by_house_rules("r6,N,N,N/-/-/11,N,N,N", (6,), "ludo-ch"),
    "bench-barred": lambda: by_house_rules("H,H,H,5/58,58,N,N/-/-", (4,), "ludo-ch"),
    "all-on-one-space": lambda: by_house_rules(
        "10,10,10,9/61,61,61,61/44,44,44,44/27,27,27,27", (4,), "ludo-ch"
    ),
    "third-six-open": lambda: open_pawns("r2,20,20,12/-/-/N,N,N,N"),
    "third-six-each": lambda: open_pawns("r2,20,20,12/-/-/N,N,N,N", 1),
    "third-six-none": lambda: open_pawns("r2,12,0,N/-/-/N,N,N,N"),
    "by-a-star": lambda: by_house_rules("0,N,N,N/N,N,N,N/4,N,N,N/-", (4,), "ludo-dk"),
    "sent-back": lambda: by_house_rules("11,N,N,N/1,1,N,N/-/-", (3,), "ludo-dk"),
    "star-sends-back": lambda: by_house_rules("0,N,N,N/50,50,N,N/30,N,N,N/-", (4,), "ludo-dk"),
    "globe-sends-back": lambda: by_house_rules("5,N,N,N/47,N,N,N/30,N,N,N/-", (3,), "ludo-dk"),
    "two-stars-capture": lambda: by_house_rules("0,N,N,N/50,43,N,N/-/-", (4,), "ludo-dk"),
    "foot-and-back": lambda: by_house_rules("52,N,N,N/-/10,3,N,N/-", (4,), "petits-chevaux"),
    "stops-before": lambda: by_house_rules("49,0,N,N/39,N,N,N/-/-", (5,), "petits-chevaux"),
    "stops-before-own": lambda: by_house_rules("55,52,N,N/-/r2,N,N,N/-", (3,), "petits-chevaux"),
    "onto-the-ladder": lambda: by_house_rules("55,9,N,N/-/r2,N,N,N/-", (1,), "petits-chevaux"),
    "up-the-ladder": lambda: by_house_rules("r3,9,N,N/-/r2,N,N,N/-", (4,), "petits-chevaux"),
    "ladder-stops": lambda: by_house_rules("r3,N,N,N/-/r2,N,N,N/-", (5,), "petits-chevaux"),
    "numbers-climb": below_ladder,
    "the-last-six": lambda: by_house_rules("r6,20,9,N/30,N,N,N/r2,N,N,N/-", (6,), "petits-chevaux"),
    "bot-seated": seated,
    "bot-joined": joined_with_a_bot,
    "bot-orders": bot_orders,
    "bot-to-throw": bot_plays,
    "bot-thinks": bot_thinks,
    "bot-moves": lambda: bot_plays((6, 3)),
    "bot-chose": bot_chose,
    "bot-captures": lambda: bot_plays((6, 1), position="N,N,N,N/56,N,N,N/33,N,N,N/-"),
    "bot-one-button": lambda: bot_plays((6, 3), setup=Setup(next_buttons=())),
    "bot-child-to-throw": lambda: bot_plays(children="ABCD"),
    "bot-child-moves": lambda: bot_plays((6, 3), children="ABCD"),
    "bot-child-thinks": lambda: bot_thinks("ABCD"),
    "bot-has-won": bot_has_won,
    "language-asked": lambda: Sitting(Setup(languages=LANGUAGES, asks_language=True)),
    "menu-language": choosing_language,
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_screen_of_play_is_its_picture(name: str, redraw: bool, tmp_path: Path) -> None:
    check_picture(f"play-{name}", PLAYED[name]().frame.image, redraw, tmp_path)


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("code", [code for code in codes() if code != "en" and "_" not in code])
def test_a_screen_on_a_player_s_card_is_kept_in_each_language(
    code: str, name: str, redraw: bool, tmp_path: Path
) -> None:
    table = PLAYED[name.removeprefix("play-")]()
    spoken = language(code).in_idioms(*table.session.idioms)
    drawn = frame(table.reply.screen, table.reply.motion, table.t, spoken).image
    check_picture(f"{code}/{name}", drawn, redraw, tmp_path)


LAST: dict[str, Screen] = {
    "installing": last_pages.INSTALLING,
    "installation-waits": last_pages.INSTALLATION_WAITS,
    "installation-stopped": last_pages.INSTALLATION_STOPPED,
    "safe-to-unplug": last_pages.SAFE_TO_UNPLUG,
    "wrong-settings": last_pages.wrong_settings("112"),
    "wrong-pins": last_pages.WRONG_PINS,
    "no-pins": last_pages.NO_PINS,
    "newer-games": last_pages.newer_games("0.3.0"),
    "no-journal": last_pages.no_journal("disk-full"),
}


@pytest.mark.parametrize("name", LAST)
def test_a_page_that_stays_when_no_table_runs_is_its_picture(
    name: str, redraw: bool, tmp_path: Path
) -> None:
    note_shown(Shown(LAST[name]))
    check_picture(f"last-{name}", draw(LAST[name]), redraw, tmp_path)


def test_every_picture_of_play_has_its_screen() -> None:
    assert {path.stem for path in SCREENS.glob("play-*.png")} <= {f"play-{one}" for one in PLAYED}
