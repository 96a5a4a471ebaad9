"""Children's panels: larger words, one line at a time, and longer holds."""

from dataclasses import replace

import pytest

from pi_app.display import large
from pi_app.display.lettering import WORDS
from pi_app.display.moment import FrameTime
from pi_app.model.events import Setup
from pi_app.model.screens import BoardScreen, TextScreen
from pi_app.settings.settings import CHILDREN, Settings, seat_letters
from tests.pi_app.keyed import key
from tests.pi_app.sitting import Sitting, filled

POSITION = "30,12,N,N/1,N,N,N/N,N,N,N/-"


def childs(letters: str, setup: Setup | None = None, *dice: tuple[int, ...]) -> Sitting:
    table = Sitting(setup, dice, settings=Settings({"children": letters}))
    table.resume(POSITION, 0, "findler")
    return table


def moving(letters: str) -> Sitting:
    table = childs(letters, None, (6, 2))
    table.throw()
    return table


def line(table: Sitting) -> str:
    """Return the line that a child reads now, or that there is a map or a page."""
    assert isinstance(table.screen, BoardScreen | TextScreen)
    shown = table.line
    if isinstance(shown, large.LargeLine):
        return f"{shown.lead} / {shown.text}" if shown.lead else shown.text
    return "the map" if isinstance(shown, BoardScreen) else "the page"


def lines(table: Sitting, count: int) -> list[str]:
    """Return what is read in so many times two seconds."""
    read = []
    for _ in range(count):
        read.append(line(table))
        table.wait(2.0)
    return read


# --- larger words --------------------------------------------------------------------------------


def test_on_a_childs_turn_the_map_and_each_line_come_in_turn() -> None:
    table = moving("A")
    assert (table.table.lead, table.table.words[1:]) == ("6: A+12 →", ("to-nest(B)",))
    assert lines(table, 5) == ["the map", "6: A+12 →", "B+1", "to-nest(B)", "the map"]


def test_the_next_choice_is_read_from_its_map_on() -> None:
    table = moving("A")
    table.wait(2.5)
    assert line(table) != "the map"
    table.next(0)
    assert line(table) == "the map"


def test_on_anybody_elses_turn_all_is_there_at_once() -> None:
    table = moving("C")
    assert table.line == table.table
    table.wait(2.5)
    assert table.line == table.table


def test_a_screen_that_several_may_answer_is_a_childs_if_all_of_them_are() -> None:
    for letters, large_words in (("A", False), ("ABCD", True)):
        table = Sitting(settings=Settings({"children": letters}))
        assert (table.reply.motion.read_since is not None) is large_words


def test_the_menu_is_read_line_by_line_with_its_place() -> None:
    table = moving("A")
    table.press(0, "next", 2.1)
    assert table.line == large.LargeLine("A: menu", "menu-hint", "1/7", key("press-next: do-other"))
    table.wait(4.0)
    assert line(table) == "menu-hint"


def test_both_keys_are_told() -> None:
    table = moving("A")
    keys = set()
    for _ in range(12):
        shown = table.line
        keys |= {shown.key} if isinstance(shown, large.LargeLine) else set()
        table.wait(2.0)
    assert keys == set(table.table.keys)


def shown_at(page: TextScreen[str], n: int) -> large.LargeLine | BoardScreen[str] | TextScreen[str]:
    """Return what a child is shown of a page after so many lines."""
    return large.visible_part(page, FrameTime(n * large.LINE_S, 0.0), 0.0)


def test_no_line_is_cut_however_long_its_words_are() -> None:
    long = TextScreen("A: menu", ("supercalifragilistic", "a line of many a word"))
    texts = []
    for n in range(4):
        shown = shown_at(long, n)
        assert isinstance(shown, large.LargeLine)
        texts.append(shown.text)
        assert large.draw_line(shown).getbbox() is not None
    assert texts == ["supercalifragilistic", "a line of", "many a", "word"]
    assert WORDS.width(texts[0]) <= 124


def test_before_a_colon_words_are_as_large_as_those_after_it() -> None:
    turned = TextScreen("A: dice", ("throw with: real dice",), chosen=0)
    texts = [getattr(shown_at(turned, n), "text", "") for n in range(3)]
    assert texts == ["throw", "with:", "real dice"]


def test_which_of_how_many_it_is_leaves_a_long_title_alone() -> None:
    shown = large.LargeLine("A: can not stand so", "pawns-of(A)", "1/6")
    assert large.draw_line(shown).tobytes() == large.draw_line(replace(shown, corner="")).tobytes()
    short = large.LargeLine("A: correct", "pawns-of(A)", "1/6")
    assert large.draw_line(short).tobytes() != large.draw_line(replace(short, corner="")).tobytes()


# --- holds ---------------------------------------------------------------------------------------


def test_a_child_holds_for_two_seconds_and_others_for_one() -> None:
    table = childs("A")
    table.press(0, "next", 1.1)
    assert table.table.heading == "throws(A)"
    table.hold_next(2)
    assert table.page.title == "C: menu"
    table.hold_next(2)
    table.press(0, "next", 2.1)
    assert table.page.title == "A: menu"


def test_the_bar_fills_in_two_seconds() -> None:
    table = childs("A")
    table.down(0, "next")
    table.wait(1.0)
    assert filled(table) == pytest.approx(0.5)


def test_one_button_is_held_for_two_seconds() -> None:
    table = childs("A", Setup(next_buttons=()), (6, 2))
    table.throw()
    table.press(0, "ok", 1.1)
    assert table.game.increments == ((6, False), (2, False))
    table.press(0, "ok", 2.1)
    assert (6, True) in table.game.increments


def test_what_is_held_for_longer_still_is() -> None:
    table = childs("A", Setup(requests=("power-off",)))
    table.press(0, "next", 2.1)
    while not (isinstance(table.screen, TextScreen) and table.page.title.endswith("menu-setup")):
        shown = table.page
        if shown.lines[shown.chosen or 0] == "menu-setup":
            table.ok(0)
        else:
            table.next(0)
    while table.marked != "off":
        table.next(0)
    table.ok(0)
    table.read(0)
    table.press(0, "ok", 2.5)
    assert not table.session.mode.off
    table.press(0, "ok", 3.1)
    assert table.session.mode.off


# --- chosen in the menu --------------------------------------------------------------------------


def test_a_panel_chooses_it_for_itself_then_for_the_table_then_for_nobody() -> None:
    table = Sitting()
    table.begin(0, 2)
    table.choose(2, "setup")
    seen = []
    for _ in range(4):
        seen += [one for one in table.page.lines if one.startswith("menu-children")]
        table.choose(2, "children")
    assert seen == [
        f"menu-children: {chosen}" for chosen in ("off", "children-panel", "children-table", "off")
    ]


def test_each_of_several_panels_may_be_a_childs() -> None:
    table = childs("D")
    table.choose(0, "setup", "children")
    assert table.session.settings.get(CHILDREN) == "AD"


@pytest.mark.parametrize("text", ["E", "CA", "AA", "a", "A,C"])
def test_what_is_no_panels_in_order_is_as_at_first(text: str) -> None:
    assert Settings({"children": text}, {"children": "C"}).get(CHILDREN) == "C"
    with pytest.raises(ValueError, match="in order"):
        seat_letters(text)
