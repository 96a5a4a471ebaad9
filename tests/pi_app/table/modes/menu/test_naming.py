"""A name entered with the buttons: group of letters, letter, and so on; any panel can do it."""

from dataclasses import dataclass

from pi_app.model.events import Setup
from pi_app.model.screens import Seat, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import LOOK_S, Menu
from pi_app.table.modes.menu.naming import GROUPS, Naming
from tests.pi_app.sitting import Sitting

ONE_BUTTON = Setup(next_buttons=())
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def naming(
    setup: Setup | None = None, text: str = "", length: int = 3
) -> tuple[Sitting, list[str]]:
    """Return a table whose panel A enters a name, and the list that the name is put into."""
    table, named = Sitting(setup), list[str]()
    table.resume("N,N,N,N/-/N,N,N,N/-", 0)

    @dataclass(frozen=True, slots=True)
    class NamingListed(Naming):
        """What is named is put into the list."""

        def store_name(self, session: Session, menu: Menu) -> Change:
            named.append(self.text)
            return Change(session.enter_mode(menu))

    table.session = table.session.enter_mode(
        NamingListed(
            Menu(0, table.session.mode, table.t), message("seats-name", seat=Seat(2)), length, text
        )
    )
    table.wait(0.0)
    return table, named


def go_to(table: Sitting, large: str) -> int:
    """Go on to what stands large and choose it; return how many presses that took."""
    presses = 1
    while table.page.large != large:
        table.go_on(0)
        presses += 1
    table.confirm(0)
    return presses


def enter(table: Sitting, letter: str) -> int:
    """Enter a letter; return how many presses that took."""
    group = next(group for group in GROUPS if letter in group)
    return go_to(table, "digits" if letter in "0123456789" else group) + go_to(table, letter)


def test_three_letters_are_entered_each_by_its_group_and_confirmed() -> None:
    table, named = naming()
    assert table.page.title == "what-is-it(seats-name(C))"
    assert table.page.large == "ABCDEF"
    assert table.hint == "press-next: do-other, press-ok: do-open"
    assert sum(enter(table, letter) for letter in "LUC") == 17
    assert table.page.title == "named-so-far(text=LUC, what=seats-name(C))"
    assert table.page.large == "name-done"
    assert named == []
    table.confirm(0)
    assert (named, table.page.title) == (["LUC"], "A: menu")


def test_every_letter_and_digit_can_be_entered_and_fits_large() -> None:
    table, named = naming(length=len(LETTERS))
    assert "".join(GROUPS) == LETTERS
    for letter in LETTERS:
        enter(table, letter)
        go_to(table, "name-delete")
    assert (table.page.title, named) == ("what-is-it(seats-name(C))", [])


def test_a_shorter_name_can_be_ended_early() -> None:
    table, named = naming()
    enter(table, "J")
    enter(table, "O")
    go_to(table, "name-done")
    assert named == ["JO"]


def test_nothing_can_not_be_a_name() -> None:
    table, _ = naming()
    shown = [table.page.large]
    for _ in range(5):
        table.next(0)
        shown.append(table.page.large)
    table.next(0)
    assert shown == ["ABCDEF", "GHIJK", "LMNOP", "QRSTU", "VWXYZ", "digits"]
    assert table.page.large == "ABCDEF"


def test_one_letter_is_taken_off_at_a_time() -> None:
    table, named = naming(text="LUK")
    go_to(table, "name-delete")
    enter(table, "C")
    table.confirm(0)
    assert named == ["LUC"]


def test_from_the_letters_of_a_group_one_goes_back_to_the_groups() -> None:
    table, _ = naming()
    go_to(table, "GHIJK")
    go_to(table, "name-others")
    assert (table.page.large, table.page.title) == ("GHIJK", "what-is-it(seats-name(C))")


def test_holding_next_goes_back_to_the_menu_and_names_nothing() -> None:
    table, named = naming()
    enter(table, "L")
    table.hold_next(2)
    assert table.notice == "has-the-menu(A)"
    table.hold_next(0)
    assert (table.page.title, named) == ("A: menu", [])


def test_one_button_enters_a_name_and_goes_back_to_the_menu() -> None:
    table, named = naming(ONE_BUTTON)
    assert table.hint == "press-tap: do-other, press-hold: do-open"
    for letter in "TOM":
        enter(table, letter)
    table.confirm(0)
    assert named == ["TOM"]
    table, named = naming(ONE_BUTTON, text="TOM")
    go_to(table, "menu")
    assert (table.page.title, named) == ("A: menu", [])


def test_it_stays_open_for_two_minutes_untouched() -> None:
    table, _ = naming()
    enter(table, "L")
    table.wait(LOOK_S - 1.0)
    assert table.page.title == "named-so-far(text=L, what=seats-name(C))"
    table.wait(1.0)
    assert table.table.heading == "throws(A)"
