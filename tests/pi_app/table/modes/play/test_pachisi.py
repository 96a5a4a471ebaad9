"""Pachisi at the table: cowries, the way out, partners, and what is said of them."""

from itertools import cycle

import pytest

from pi_app.display.celebration import confetti_pieces
from pi_app.model.events import ChamberLine, ChamberRolled, Setup
from pi_app.model.screens import Podium, Shells, TextScreen, message
from pi_app.players.choosing import LEVELS
from pi_app.settings.settings import EVENING, STAND_INS, Settings
from pi_app.table.core.speech import screen_words
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.wishes import wishes_of
from pi_app.texts.language import ENGLISH
from pi_app.web.spectator_state import spectator_state
from pi_app.web.state import say_all
from rules.game import Phase
from tests.pi_app.sitting import IDS, Sitting, told

MITRA, MODERN = "pachisi-mitra", "pachisi-modern"
WAITING = "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"


def playing(
    ruleset: str,
    position: str,
    *dice: tuple[int, ...],
    setup: Setup | None = None,
    seat: int = 0,
) -> Sitting:
    """Return a table on which a seat is to throw in this position."""
    table = Sitting(setup, dice)
    table.resume(position, seat, ruleset)
    return table


def thrown(ruleset: str, position: str, up: int) -> Sitting:
    """Return the table after A's throw, with the shells at rest."""
    table = playing(ruleset, position, (up,))
    table.press(None, "dome")
    table.wait(3)
    return table


@pytest.mark.parametrize(
    ("ruleset", "up", "said"),
    [
        (MITRA, 5, "shells-again(up=5, value=25)"),
        (MODERN, 5, "shells-up(up=5, value=5)"),
        (MODERN, 0, "shells-again(up=0, value=25)"),
    ],
)
def test_a_throw_of_cowries_is_shown_and_said_once(ruleset: str, up: int, said: str) -> None:
    table = thrown(ruleset, "12,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", up)
    (shells,) = table.table.dice
    assert isinstance(shells, Shells)
    assert shells.up == up
    assert screen_words(table.reply.screen, IDS).count(said) == 1


def test_shells_tumble_as_dice_do_and_then_rest() -> None:
    table = playing(MITRA, WAITING, (5,))
    table.press(None, "dome")
    assert table.table.dice == (Shells(5, 25, again=True, tumbling=True),)
    first = table.frame.image.tobytes()
    table.wait(0.2)
    assert table.frame.image.tobytes() != first
    table.wait(0.5)
    assert table.table.dice == (Shells(5, 25, again=True),)


def test_done_is_always_offered_and_never_first() -> None:
    table = thrown(MITRA, "12,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 1)
    offered = []
    for _ in range(3):
        offered.append(table.table.words[0])
        table.next(0)
    assert offered == ["A+2", "B+5", "stop-here"]


def test_the_value_of_a_throw_decides_who_begins() -> None:
    table = Sitting(Setup(ruleset=MITRA), [(6,), (5,)])
    for seat in (0, 2):
        table.ok(seat)
    table.hold_ok(0)
    table.press(None, "dome")
    table.wait(1)
    assert table.table.words == ("throws-score(12)",)
    table.wait(2)
    table.press(None, "dome")
    table.wait(3)
    assert (table.game.phase, table.game.seat) == (Phase.THROW, 2)


def test_real_cowries_are_typed_from_none_to_six() -> None:
    table = Sitting(settings=Settings({"dice": "typed"}))
    table.resume(WAITING, 0, MITRA)
    seen = []
    for _ in range(8):
        seen.append(table.table.words[0])
        table.next(0)
    assert seen == [f"mouths-up({up})" for up in (*range(7), 0)]
    table.ok(0)
    assert (table.game.throw, table.game.phase) == ((1,), Phase.MOVE)


def test_the_lit_chamber_throws_shells_and_stays_dark() -> None:
    table = playing(MITRA, WAITING, (2,), setup=Setup(dome=False, rolls=True, chamber=True))
    table.tell(ChamberLine(up=True, t=table.t))
    wishes = wishes_of(table.session)
    assert (wishes.mode, wishes.dice, wishes.seat, wishes.faces) == ("press", 1, 0, ())
    table.tell(ChamberRolled("boot", 1, table.session.moment, (3,), table.t))
    assert table.game.phase is Phase.THROW


def test_a_chamber_that_rolls_is_said_once_to_throw_no_cowries() -> None:
    table = Sitting(Setup(rolls=True, ruleset=MITRA), cycle([(2,), (3,)]))
    for seat in (0, 2):
        table.ok(seat)
    table.hold_ok(0)
    assert [key for key, _ in table.session.notices] == ["shells"]
    table.press(None, "dome")
    assert table.session.notices == ()


def test_a_pawn_that_turns_home_is_laid_on_its_side() -> None:
    home = thrown(MITRA, "67,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 4)
    assert (home.table.words, home.table.note) == (("place-in(3)",), "lies-on-its-side")
    end = thrown(MITRA, "64,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 4)
    assert (end.table.words, end.table.note) == (("place-end(A)",), "lies-on-its-side")
    lying = thrown(MITRA, "68,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 4)
    assert (lying.table.words, lying.table.note) == (("place-in(4)",), "shells-up(up=4, value=4)")
    out = thrown(MITRA, "o3,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 4)
    assert (out.table.lead, out.table.words) == ("4: place-out(3) →", ("place-out(7)",))


def test_a_capture_of_three_names_each_pawn_on_its_line_and_lights_each_lamp() -> None:
    table = thrown(MODERN, "2,N,N,N/56,56,N,N/N,N,N,N/22,N,N,N", 3)
    assert table.table.words == ("A+5", "to-nest(3)")
    assert table.table.note == "to-nest(B)\nto-nest(B)\nto-nest(D)"
    assert table.reply.lamps == ("on", "blink", "off", "blink")


def test_words_for_cowries_do_not_speak_of_dice() -> None:
    for ruleset, said in ((MITRA, "cowries"), ("royal-2023", "dice")):
        language = ENGLISH.in_idioms(*playing(ruleset, WAITING).session.idioms)
        assert language.say(message("menu-dice")) == said


# --- partners ------------------------------------------------------------------------------------


def joined(*seats: int, ruleset: str = MODERN) -> Sitting:
    """Return the table that these seats have joined, in order."""
    table = Sitting(Setup(ruleset=ruleset), cycle([(5,), (1,), (2,), (3,)]))
    for seat in seats:
        table.ok(seat)
    return table


def double(table: Sitting, *letters: str) -> None:
    """Let the player opposite play these seats, after the four levels of bots."""
    table.choose(0, "game", "bots", *(letter for letter in letters for _ in range(5)))
    table.wait(60)


def test_partners_do_not_begin_without_four_seats() -> None:
    table = joined(0, 1)
    table.hold_ok(0)
    assert isinstance(table.session.mode, Joining)
    assert isinstance(table.screen, TextScreen)
    assert table.screen.lines == ("fill-four-seats",)


def test_who_fills_a_seat_is_no_longer_told_to() -> None:
    table = joined(0, 1)
    table.hold_ok(0)
    double(table, "C")
    assert table.page.lines != ("fill-four-seats",)


def test_two_players_hold_two_opposite_panels_each() -> None:
    table = joined(0, 1, 2, 3)
    table.hold_ok(0)
    assert table.game.seats == (0, 1, 2, 3)


def test_two_players_drive_two_seats_each_from_one_panel() -> None:
    table = joined(0, 1)
    double(table, "C", "D")
    by_others = "seat-played-by(A)", "seat-played-by(B)"
    assert [mark.text for mark in table.page.seats] == ["joined", "joined", *by_others]
    table.hold_ok(0)
    assert table.game.seats == (0, 1, 2, 3)
    assert [table.session.seats.player_seat(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_in_mitra_s_game_two_seats_of_a_player_are_no_side() -> None:
    table = joined(0, 1, ruleset=MITRA)
    double(table, "C")
    table.hold_ok(0)
    assert table.game.seats == (0, 1, 2)
    assert not table.game.ruleset.partners


def test_a_side_wins_with_its_second_seat_and_is_named_everywhere() -> None:
    table = thrown(MODERN, "H,H,H,r6/12,N,N,N/H,H,H,H/H,H,H,r7", 2)
    table.ok(0)
    assert isinstance(table.screen, Podium)
    assert table.screen.title == "side-has-won(A+C)"
    assert [(mark.seat, mark.text) for mark in table.screen.seats] == [
        *((0, "ordinal-1st"), (2, "ordinal-1st")),
        (3, "rank-so-far(far=so-many-home(left=1, pawns=3), left=1, place=ordinal-2nd)"),
        (1, "rank-so-far(far=so-many-home(left=316, pawns=0), left=316, place=ordinal-2nd)"),
    ]
    assert table.reply.lamps == ("cheer", "breathe", "cheer", "breathe")
    assert table.game.places == (2, 0)
    scores = table.session.settings.get(EVENING).scores
    assert [(score.who, score.wins) for score in scores] == [("A+C", 1), ("B+D", 0)]


def test_both_seats_of_a_side_are_celebrated_on_the_panel_and_on_pages() -> None:
    table = thrown(MODERN, "H,H,H,r6/12,N,N,N/H,H,H,H/H,H,H,r7", 2)
    table.ok(0)
    assert say_all(spectator_state(table.reply), ENGLISH)["cheer"] == [0, 2]
    seats = (0, 2, 3, 1)
    for frame in (0, 10):
        pieces = [piece.seat for piece in confetti_pieces((0, 2), seats, frame)]
        assert [pieces.count(seat) for seat in range(4)] == [12, 4, 12, 4]


def test_a_partner_who_leaves_gets_a_stand_in_and_no_other_choice() -> None:
    table = playing(MODERN, WAITING)
    table.choose(0, "game", "someone-leaves", "A")
    assert table.page.lines == tuple(f"plays-for(seat=A, who={who})" for who in "BCD")


A_IS_HOME = "H,H,H,H/20,N,N,N/12,N,N,N/10,N,N,N"


def doubled(position: str, ruleset: str = MODERN, seat: int = 0) -> Sitting:
    """Return a game in which A also plays C, and B also plays D. seat: is to throw."""
    table = playing(ruleset, position, seat=seat)
    for seat, player in ((2, "A"), (3, "B")):
        if table.game.position[seat]:
            table.session = table.session.set(STAND_INS[seat], player)
    return table


def players(table: Sitting) -> list[int]:
    """Return the seat of who plays each seat."""
    return [table.session.seats.player_seat(seat) for seat in table.game.seats]


def test_a_player_of_two_seats_leaves_both_to_the_stand_in_and_takes_each_back() -> None:
    table = doubled(WAITING)
    table.choose(0, "game", "someone-leaves", "A", "plays-for(seat=A, who=B)")
    assert table.page.lines == (
        "plays-for-them(seats=A+C, who=B)",
        "until-back(count=2, seats=A+C)",
    )
    table.hold_ok(0)
    assert players(table) == [1, 1, 1, 1]
    for seat in "AC":
        table.choose(1, "game", "someone-leaves", f"is-back({seat})")
    assert players(table) == [0, 1, 2, 1]


def test_a_player_whose_own_seat_is_home_leaves_the_partner_s_to_the_stand_in() -> None:
    table = doubled(A_IS_HOME, seat=1)
    table.choose(1, "game", "someone-leaves", "A", "plays-for(seat=A, who=B)")
    table.hold_ok(1)
    assert players(table) == [1, 1, 1, 1]


def test_a_player_whose_own_seat_is_home_stands_in_for_others() -> None:
    table = doubled(A_IS_HOME, seat=1)
    table.choose(1, "game", "someone-leaves", "B")
    assert table.page.lines == ("plays-for(seat=B, who=A)",)
    four = playing(MODERN, A_IS_HOME, seat=1)
    four.choose(2, "game", "someone-leaves", "C")
    assert four.page.lines == tuple(f"plays-for(seat=C, who={who})" for who in "DAB")


def test_who_plays_two_seats_of_mitra_s_game_takes_only_the_own_pawns_off() -> None:
    table = doubled("12,N,N,N/20,N,N,N/30,N,N,N/-", MITRA)
    table.choose(0, "game", "someone-leaves", "A", "pawns-off-the-board")
    table.hold_ok(0)
    assert (table.game.seats, players(table)) == ((1, 2), [1, 1])


def test_with_two_panels_nobody_is_back_whose_seat_has_none() -> None:
    table = Sitting(Setup(panels=(0, 1), next_buttons=(0, 1)), dice=cycle([(3,), (1,)]))
    table.session = table.session.set(STAND_INS[2], "A").set(STAND_INS[3], "B")
    table.resume(WAITING, 0, MODERN)
    table.choose(0, "game", "someone-leaves")
    assert table.page.lines == ("A", "B")
    table.choose(0, "A", "plays-for(seat=A, who=B)")
    table.hold_ok(0)
    assert players(table) == [1, 1, 1, 1]
    table.choose(0, "game", "someone-leaves", "is-back(A)")
    assert players(table) == [0, 1, 0, 1]


# --- bots, hints and the review -------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", [MITRA, MODERN])
@pytest.mark.parametrize("level", LEVELS)
def test_bots_of_every_level_play_at_the_table(ruleset: str, level: str) -> None:
    settings = Settings({f"box.{letter}": level for letter in "BCD"})
    table = Sitting(dice=cycle([(1,), (3,), (2,), (4,)]), settings=settings)
    table.resume("12,N,N,N/20,N,N,N/30,N,N,N/40,N,N,N", 1, ruleset)
    while table.game.seat != 0:
        table.throw()
        table.ok(0)
    assert table.game.turns > 1
    assert {row.by for row in table.rows} == {level}


@pytest.mark.parametrize("ruleset", [MITRA, MODERN])
def test_a_hint_may_be_to_stop_early(ruleset: str) -> None:
    table = thrown(ruleset, f"64,N,N,N/46,45,N,N/{'N,N,N,N'}/10,N,N,N", 2)
    table.choose(0, "hint")
    assert told(table) == "what-is-left unused"


@pytest.mark.parametrize("ruleset", [MITRA, MODERN])
def test_luck_and_losses_of_a_game_are_on_the_page_after_it(ruleset: str) -> None:
    partner = "H,H,H,H" if ruleset == MODERN else "H,H,H,20"
    table = thrown(ruleset, f"H,H,H,r6/12,N,N,N/{partner}/H,H,H,r7", 2)
    table.ok(0)
    while getattr(table.screen, "title", "") != "luck-and-skill":
        table.next(0)
    assert table.page.lines[0].startswith("luck-of(")
