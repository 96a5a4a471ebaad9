"""Players: their names and what their pawns are called, entered in the menu, kept and shown."""

import pytest

from pi_app.model.events import LanguageName, Setup
from pi_app.settings.evening import Evening, Score, read_evening
from pi_app.settings.settings import LANGUAGE, PLAYERS, Player, Settings, read_player
from pi_app.table.core.speech import screen_words
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.menu.naming import GROUPS
from pi_app.table.modes.setup.players import ask_name
from pi_app.texts.words import PAWN_NAMES
from tests.pi_app.sitting import IDS, Sitting, marks, told, words

ONE_BUTTON = Setup(next_buttons=())
NESTS = "N,N,N,N/-/N,N,N,N/-"
KNOWN = Settings({"player.A": "LUC red", "player.C": "WWW quarters"})


def to_line(table: Sitting, seat: int, line: str) -> int:
    """Go on to a line and choose it; return how many presses that took."""
    presses = 1
    while not table.marked.startswith(line):
        table.go_on(seat)
        presses += 1
    table.confirm(seat)
    return presses


def to_large(table: Sitting, seat: int, large: str) -> None:
    while table.page.large != large:
        table.go_on(seat)
    table.confirm(seat)


def enter(table: Sitting, seat: int, name: str) -> None:
    """Enter a name and confirm it."""
    for letter in name:
        to_large(table, seat, next(group for group in GROUPS if letter in group))
        to_large(table, seat, letter)
    to_large(table, seat, "name-done")


def opened(setup: Setup | None = None, settings: Settings | None = None) -> Sitting:
    """Return a table with four players at which C has the menu's players open."""
    table = Sitting(setup, settings=settings or Settings())
    table.resume("N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 0)
    table.open_menu(2)
    to_line(table, 2, "game")
    to_line(table, 2, "players")
    return table


def test_a_player_is_named_and_says_what_the_pawns_are_called() -> None:
    table = opened()
    lines = tuple(f"{seat}: no-name" for seat in "CABD")
    assert (table.page.title, table.page.lines) == ("C: players", lines)
    table.ok(2)
    enter(table, 2, "TOM")
    assert (table.page.title, table.page.lines[0]) == ("ask-pawns(C)", "no-word")
    to_line(table, 2, "pawns-dimes")
    assert table.page.lines[0] == "C: name-and-pawns(name=TOM, pawns=pawns-dimes)"
    assert table.session.settings.kept["player.C"] == "TOM dimes"
    table.hold_next(2)
    assert table.page.title == "C: menu-game"


def test_any_panel_names_any_seat() -> None:
    table = opened()
    to_line(table, 2, "B")
    assert table.page.title == "what-is-it(seats-name(B))"
    enter(table, 2, "EVA")
    table.ok(2)
    assert table.session.settings.get(PLAYERS[1]) == Player("EVA")


@pytest.mark.parametrize("seat", range(4))
def test_whoever_is_to_be_named_it_takes_twelve_presses_at_most(seat: int) -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume("N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 0)
    table.throw()
    table.ok(0)  # there is an undo now, and a throw on the table
    table.hold_next(2)
    lines = ("game", "players", "ABCD"[seat])
    assert sum(to_line(table, 2, line) for line in lines) <= 12
    assert table.page.title == f"what-is-it(seats-name({'ABCD'[seat]}))"


def test_a_name_is_to_be_committed_by_the_press_that_confirms_it() -> None:
    table = opened()
    table.ok(2)
    enter(table, 2, "JO")  # what the pawns are called is not asked to the end
    table.wait(31)
    assert table.session.settings.kept == {"player.C": "JO -"}


def test_who_won_before_being_named_keeps_the_score() -> None:
    table = opened(settings=Settings({"evening": "- 0 0 won C,A C:1/1 A:0/1"}))
    table.ok(2)
    enter(table, 2, "TOM")
    assert table.session.settings.kept["evening"] == "- 0 0 won TOM,A TOM:1/1 A:0/1"


def test_one_button_names_a_player_too() -> None:
    table = opened(ONE_BUTTON)
    table.confirm(2)
    enter(table, 2, "TOM")
    to_line(table, 2, "pawns-beans")
    assert table.page.lines == (
        "C: name-and-pawns(name=TOM, pawns=pawns-beans)",
        *(f"{seat}: no-name" for seat in "ABD"),
        "do-back",
    )
    to_line(table, 2, "do-back")
    assert table.page.title == "C: menu-game"


def test_a_name_is_changed_and_taken_away() -> None:
    table = opened(settings=KNOWN)
    table.ok(2)
    assert table.page.title == "named-so-far(text=WWW, what=seats-name(C))"
    assert table.page.large == "name-done"
    table.next(2)
    for _ in range(3):  # `delete` stays chosen
        table.ok(2)
    assert table.page.title == "what-is-it(seats-name(C))"
    to_large(table, 2, "name-none")
    assert table.marked == "pawns-quarters"  # as they were called
    table.ok(2)
    assert table.page.lines[0] == "C: name-and-pawns(name=no-name, pawns=pawns-quarters)"


def test_all_words_for_pawns_fit_with_the_widest_name() -> None:
    for pawns in PAWN_NAMES:
        table = opened(settings=Settings({"player.C": f"WWW {pawns}"}))
        assert table.page.lines[0] == f"C: name-and-pawns(name=WWW, pawns=pawns-{pawns})"


@pytest.mark.parametrize("text", ["LUC red", "- dimes", "7 -", "- -"])
def test_a_player_s_text_reads_back(text: str) -> None:
    assert str(read_player(text)) == text


@pytest.mark.parametrize("text", ["", "LUC", "LUCY red", "luc red", "LUC mauve", "LUC red blue"])
def test_what_is_no_player_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a player"):
        read_player(text)


# --- where they are shown --------------------------------------------------------------------


def test_who_joins_is_shown_by_name() -> None:
    table = Sitting(settings=KNOWN)
    table.ok(0)
    table.ok(1)
    assert marks(table) == "A:LUC B:joined C:- D:-"


def test_who_is_to_throw_is_named_beside_the_letter() -> None:
    table = Sitting(settings=KNOWN, dice=[(6, 3), (2, 1)])
    table.begin(0, 2)
    assert table.page.title == "who-throws(A LUC)"
    table.throw()
    assert table.page.title == "who-throws(C WWW)"
    table.throw()
    assert (table.table.heading, table.table.lead) == ("throws(A)", "names-turn(LUC)")
    assert screen_words(table.reply.screen, IDS).startswith("throws(A), names-turn(LUC)")


def test_who_has_won_is_named_on_the_podium() -> None:
    table = Sitting(settings=Settings({"player.A": "WWW -"}), dice=[(4, 6)])
    table.resume("H,H,H,r4/-/H,3,N,N/-", 0, "pb")
    table.throw()
    table.ok(0)
    assert table.podium.title == "has-won(A WWW)"


def test_pawns_to_be_moved_by_hand_are_called_what_their_player_calls_them() -> None:
    table = Sitting(settings=KNOWN, dice=[(3, 1)])
    table.resume("20,N,N,N/-/57,N,N,N/-", 0, "findler")
    table.throw()
    assert (words(table), table.table.note) == ("B+6 to-nest(C)", "pawns-quarters")
    table.ok(0)
    table.choose(0, "undo")
    shown = []
    while table.table.heading == "put-back":
        shown.append((told(table), table.table.note))
        table.ok(0)
    assert shown == [
        ("A: B+6 → B+3", "pawns-and-nth(nth=1 of 2, pawns=pawns-red)"),
        ("C: nest → B+6", "pawns-and-nth(nth=2 of 2, pawns=pawns-quarters)"),
    ]
    table.choose(2, "board", "walk")
    table.next(2)
    assert (table.table.heading, table.table.lead) == ("has(A)", "pawns-red")


GERMAN = LanguageName("de", "Deutsch", "ÄÖÜ")
FRENCH = LanguageName("fr", "Français", "ÀÂÇÈÉÊËÎÏÔŒÙÛ")


@pytest.mark.parametrize("only", [False, True], ids=["two buttons", "one button"])
@pytest.mark.parametrize("spoken", [GERMAN, FRENCH], ids=["German", "French"])
def test_a_name_may_have_the_letters_of_the_language_and_the_others_cost_no_more(
    spoken: LanguageName, only: bool
) -> None:
    setup = Setup(
        languages=(LanguageName("en", "English"), spoken), next_buttons=() if only else (0, 1, 2, 3)
    )
    table = Sitting(setup, settings=Settings({"language": spoken.code}))
    table.resume(NESTS, 0)
    naming = ask_name(Menu(0, table.session.mode, table.t), table.session, 0)
    groups = {choice.group for choice in naming.options(table.session)}
    assert groups >= {*GROUPS, spoken.letters}
    english = ask_name(naming.menu_before, table.session.set(LANGUAGE, "en"), 0)
    before = english.options(table.session.set(LANGUAGE, "en"))
    assert naming.options(table.session)[: len(GROUPS)] == before[: len(GROUPS)]
    table.session = table.session.enter_mode(naming)
    table.wait(0.0)
    for letter in (spoken.letters[0], "A", spoken.letters[-1]):
        to_large(table, 0, "ABCDEF" if letter == "A" else spoken.letters[:6])
        to_large(table, 0, letter)
    to_large(table, 0, "name-done")
    name = f"{spoken.letters[0]}A{spoken.letters[-1]}"
    assert table.session.seats.player(0).name == name
    assert read_player(f"{name} red") == Player(name, "red")


def test_a_score_keeps_the_letters_of_a_name() -> None:
    text = str(Evening(scores=(Score("ÄÖÜ", 1, 2), Score("ÉRÈ+ŒÇ", 0, 2))))
    assert str(read_evening(text)) == text
