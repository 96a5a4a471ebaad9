"""House rules at the table: made, changed, refused, named, removed, and played, by the buttons."""

import random
from copy import copy
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.commands.run import status_line
from pi_app.model.events import Resume, Setup
from pi_app.model.history import fold
from pi_app.model.screens import QrScreen
from pi_app.settings.houses import House, change_rules, offered_values, parse_house
from pi_app.settings.offers import EDITIONS, houses
from pi_app.settings.settings import Settings
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.table.modes.setup.house_rules import Changed, RefusedRules
from pi_app.texts.rule_words import OPTION_WORDS, SHORT_LIST
from rules.game import Phase
from rules.ruleset import (
    PRESETS,
    RuleSet,
    Value,
    differences,
    parse_ruleset,
)
from tests.asked import extent
from tests.pi_app.sitting import Sitting
from tests.rules.draw import house_rules
from tests.rules.from_the_texts import Options, options_of

OURS = '{"base":"pb","play_on":true}'
ONE_BUTTON = Setup(next_buttons=())
DICE = [(6, 3), (2, 1), (5, 5), (4, 4), (5, 3), (6, 6), (1, 2)] * 20
GROUP_OF = {option: group for group, options in OPTION_WORDS.items() for option in options}


def listed(base: str) -> list[str]:
    """Return the options of an edition that have another value on offer."""
    return [option for option in GROUP_OF if len(offered_values(PRESETS[base], option)) > 1]


class Fingers:
    """A's panel, whatever buttons it has; counts its presses."""

    def __init__(self, table: Sitting) -> None:
        self.table = table
        self.presses = 0

    def other(self) -> None:
        """Go on to the next choice."""
        self.presses += 1
        self.table.go_on(0)

    def do(self) -> None:
        """Do the one that is shown."""
        self.presses += 1
        self.table.confirm(0)

    def choose(self, *path: str) -> None:
        """Go through the lines of the menu by their ids."""
        for line in path:
            while self.table.marked != line:
                self.other()
            self.do()

    @property
    def line(self) -> str:
        return self.table.page.lines[self.table.page.chosen or 0]

    def up_to_all(self) -> None:
        """Go back to the groups of all options; one button goes by the top."""
        while self.path[-1:] != ("all-options",):
            self.choose("back")
            if not self.path:
                self.choose("game", "house-rules", "1", "all-options")

    @property
    def path(self) -> tuple[str, ...]:
        """The sections of the menu that are open."""
        mode = self.table.session.mode
        return mode.path if isinstance(mode, Menu) else ("not the menu",)


def close_menu(table: Sitting) -> None:
    """Hold NEXT until the menu is closed."""
    while isinstance(table.session.mode, Menu | FromMenu):
        table.hold_next(0)


def joined(setup: Setup | None = None, base: str = "royal-2023", **kept: str) -> Sitting:
    """Return a table at which A and C have joined, with these rules shown."""
    chosen = {f"house.{name}": text for name, text in kept.items()}
    table = Sitting(setup, DICE, settings=Settings({"ruleset": base, **chosen}))
    for seat in (0, 2):
        table.confirm(seat)
    return table


def making(*path: str, setup: Setup | None = None, base: str = "royal-2023") -> Fingers:
    """Return fingers that have just made house rules of these, and gone on by their lines."""
    fingers = Fingers(joined(setup, base))
    open_menu(fingers.table)
    fingers.choose("game", "house-rules", "new-house-rules", *path)
    return fingers


def open_menu(table: Sitting, seat: int = 0) -> None:
    """Open the menu: where players join, or out of turn, or as the last choice of one button."""
    table.hold_next(seat)


def setting(fingers: Fingers, option: str, value: Value) -> None:
    """Choose a value of an option whose group is open, and go on after what it carries along."""
    if value != getattr(rules(fingers.table), option):
        fingers.choose(option, str(value))
    if isinstance(fingers.table.session.mode, Changed):
        fingers.do()


def lines(table: Sitting) -> tuple[str, ...]:
    return table.page.lines


def rules(table: Sitting, name: str = "1") -> RuleSet:
    return houses(table.session.settings)[name].ruleset


def short_list(base: str) -> list[str]:
    """Return the lines of what families change in an edition."""
    return [option for option in SHORT_LIST if option in listed(base)]


# --- made and changed ------------------------------------------------------------------------


def test_new_house_rules_are_those_of_the_next_game_and_offered_from_then_on() -> None:
    table = making().table
    assert table.page.title == "A: house-name(1)"
    assert table.choices == (
        *short_list("royal-2023"),
        *("all-options", "show", "rename", "remove", "back"),
    )
    assert table.session.settings.kept == {
        "ruleset": "1",
        "house.1": '{"base":"royal-2023"}',
    }
    close_menu(table)
    assert (table.page.lines, table.page.corner) == (("house-name(1)", "edition-royal-2023"), "1/1")
    table.next(0)
    assert table.marked == "own"
    assert table.page.lines == ("family-own",)
    assert table.page.corner == "1/5"


def test_they_are_made_of_the_rules_that_are_shown_to_who_joins() -> None:
    table = joined()
    table.choose_rules(0, "ludo-india")
    table.choose(0, "game", "house-rules", "new-house-rules")
    assert houses(table.session.settings)["1"].base == "ludo-india"


def test_made_of_house_rules_they_are_the_same() -> None:
    table = joined(base="ours", ours=OURS)
    table.choose(0, "game", "house-rules", "new-house-rules")
    assert houses(table.session.settings)["1"] == parse_house(OURS)


def test_a_line_of_the_short_list_shows_each_value_with_what_it_does() -> None:
    table = making("to_win").table
    shown = []
    for _ in range(5):
        shown.append((table.page.corner, *table.page.lines))
        table.next(0)
    assert (table.page.title, table.hint) == (
        "A: house-rule",
        "press-next: do-other, press-ok: do-this-one",
    )
    assert shown == [
        ("1/4", "option-to-win: option-to-win-1", "apart-to-win-1"),
        ("2/4", "option-to-win: option-to-win-2", "apart-to-win-2"),
        ("3/4", "option-to-win: option-to-win-3", "apart-to-win-3"),
        ("4/4", "option-to-win: option-to-win-4", "apart-to-win-4"),
        ("", "do-back"),
    ]


def test_the_value_that_is_chosen_is_taken_and_shown_in_its_line() -> None:
    fingers = making("all-options", "bonus")
    table = fingers.table
    assert table.page.lines[:2] == ("option-capture-bonus: 20", "option-finish-bonus: 10")
    fingers.choose("capture_bonus", "0")
    assert table.page.title == "A: group-bonus"
    assert fingers.line == "option-capture-bonus: option-capture-bonus-none"
    assert rules(table) == replace(PRESETS["royal-2023"], capture_bonus=0)
    text = '{"base":"royal-2023","capture_bonus":0}'
    assert table.session.settings.kept["house.1"] == text


def test_a_value_that_the_rules_refuse_says_why_and_is_not_taken() -> None:
    fingers = making("overshoot")
    table = fingers.table
    assert table.page.lines == (
        "option-overshoot: option-overshoot-back",
        "refusal-there-and-back",
    )
    fingers.do()
    assert [table.page.title, table.page.corner, *table.page.lines, table.hint] == [
        "A: can-not",
        "option-overshoot-back",
        "refusal-there-and-back",
        "press-next: do-back",
    ]
    table.wait(10)
    assert table.page.title == "A: can-not"
    assert rules(table) == PRESETS["royal-2023"]
    table.next(0)
    assert table.marked == "back"
    fingers.choose("over")
    assert rules(table).overshoot == "over"


def test_a_change_says_what_it_carries_along_makes_it_and_takes_it_back_by_one_press() -> None:
    fingers = making("dice", base="tr-1938")
    table = fingers.table
    also = (
        "and-also(apart-entry-by-die+apart-doublet-spaces-four-when-entered+"
        "apart-doublet-home-whole-no)"
    )
    assert table.page.lines == ("option-dice: option-dice-1", "apart-dice-1", also)
    fingers.do()
    assert [table.page.title, *table.page.lines, table.hint] == [
        "A: changed",
        *("option-dice: option-dice-1", also),
        "press-next: do-undo, press-ok: do-go-on",
    ]
    one_die = replace(
        PRESETS["tr-1938"],
        dice=1,
        entry_by="die",
        doublet_spaces="four-when-entered",
        doublet_home_whole=False,
    )
    assert rules(table) == one_die
    fingers.other()
    assert (rules(table), table.marked) == (PRESETS["tr-1938"], "1")
    fingers.do()
    fingers.do()
    assert (rules(table), table.marked) == (one_die, "dice")


def test_of_many_changes_that_a_change_carries_along_two_are_said() -> None:
    fingers = making("all-options", base="one-die")
    for bonus in ("capture_bonus", "finish_bonus"):
        set_one(fingers, bonus, 0, rules(fingers.table))
    fingers.choose(GROUP_OF["captures"], "captures", "passing")
    assert fingers.table.page.lines == (
        "option-captures: option-captures-passing",
        "and-also(apart-pair-rule-off+apart-stacking-any)",
        "and-so-many-more(3)",
    )


def test_the_first_change_of_an_edition_makes_house_rules_of_it_and_undo_removes_them() -> None:
    table = joined(base="royal-2023")
    table.next(0)
    table.next(0)
    assert (table.page.title, table.page.lines, table.page.corner) == (
        "A: ask-which-game",
        ("change-rules(edition-royal-2023)",),
        "",
    )
    table.ok(0)
    assert (table.page.title, houses(table.session.settings)) == ("A: house-rules", {})
    table.choose(0, "dice", "1")
    assert rules(table).dice == 1
    table.next(0)
    assert houses(table.session.settings) == {}
    table.choose(0, "1")
    table.ok(0)
    close_menu(table)
    assert table.page.lines[0] == "house-name(1)"


def test_the_first_pawn_home_wins_is_eight_presses_from_the_game() -> None:
    """They were 15 when house rules were only in the menu."""
    table = joined()
    table.next(0)
    presses = 1 + table.go_to(0, "change-rules", "to_win", "1")
    while isinstance(table.session.mode, Menu):
        table.hold_next(0)
        presses += 1
    table.hold_ok(0)
    assert table.game.ruleset == replace(PRESETS["royal-2023"], to_win=1)
    assert presses + 1 == 8


def test_what_families_change_in_petits_chevaux_is_few_presses_from_its_house_rules() -> None:
    usual, counts = PRESETS["petits-chevaux"], list[int]()
    wishes: list[tuple[str, Value]] = [("passing", "free"), ("overshoot", "stop")]
    wishes += [("to_win", pawns) for pawns in (2, 3, 4)]
    for option, value in wishes:
        fingers = making(base="petits-chevaux")
        fingers.presses = 0
        fingers.choose(option, str(value))
        counts.append(fingers.presses)
        changed = differences(usual, rules(fingers.table))
        if option == "passing":
            assert fingers.table.page.lines[-1] == "and-also(apart-stop-behind-blockade-no)"
            assert changed.pop("stop_behind_blockade") is False
        assert changed == {option: value}
    assert max(counts) <= 9, counts


def test_the_value_that_is_set_already_is_no_change() -> None:
    table = joined(base="ours", ours=OURS)
    path = ("game", "house-rules", "ours", "all-options", "start-and-end", "starter")
    table.choose(0, *path)
    before = table.session.settings
    table.choose(0, "choose")
    assert (table.page.title, table.session.settings) == ("A: group-start-and-end", before)


def test_a_change_that_the_disk_refuses_is_not_made() -> None:
    fingers = making("to_win")
    fingers.table.refusing = "disk-full"
    fingers.do()
    assert fingers.table.page.title == "disk-full"
    assert rules(fingers.table) == PRESETS["royal-2023"]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(
    ("setup", "base"),
    [
        (Setup(), "royal-2023"),
        (ONE_BUTTON, "royal-2023"),
        (ONE_BUTTON, "pachisi-modern"),
        (Setup(), "pachisi-mitra"),
    ][:: extent(2, soak=1)],
)
def test_every_value_on_offer_is_reached_and_set_or_refused_by_the_buttons(
    setup: Setup, base: str
) -> None:
    made = making("all-options", setup=setup, base=base).table
    for option in listed(base):
        group = Fingers(copy(made))
        group.choose(GROUP_OF[option])
        for value in offered_values(PRESETS[base], option)[1:]:
            fingers = Fingers(copy(group.table))
            setting(fingers, option, value)
            now = rules(fingers.table)
            if isinstance(fingers.table.session.mode, RefusedRules):
                assert now == PRESETS[base], (option, value)
                fingers.other()
                assert fingers.path[0] == "game"
            else:
                assert now == change_rules(PRESETS[base], option, value), (option, value)


def test_rules_with_cowries_offer_no_dice_and_rules_with_dice_no_cowries() -> None:
    mitra, royal = PRESETS["pachisi-mitra"], PRESETS["royal-2023"]
    assert offered_values(mitra, "lots") == ("cowries-mitra", "cowries-modern")
    assert offered_values(mitra, "grace") == ("value", "enter")
    assert {"layout", "dice", "capture_bonus", "stacking"}.isdisjoint(listed("pachisi-mitra"))
    assert {"lots", "grace", "free_entry"}.isdisjoint(listed("royal-2023"))
    assert offered_values(royal, "entry_by") == ("die-or-sum", "sum", "die")


def test_the_number_of_dice_is_changed_and_what_a_doublet_is_follows() -> None:
    fingers = making("all-options", "board-and-dice")
    setting(fingers, "dice", 1)
    assert rules(fingers.table) == replace(PRESETS["royal-2023"], entry_by="die", dice=1)
    assert rules(fingers.table).doublet_number == 6
    setting(fingers, "dice", 2)
    assert rules(fingers.table) == replace(PRESETS["royal-2023"], entry_by="die")


def test_partners_of_house_rules_need_four_seats_and_without_partners_two_play() -> None:
    fingers = making("partners", "True", base="pachisi-mitra")
    close_menu(fingers.table)
    fingers.table.hold_ok(0)
    assert fingers.table.page.lines == ("fill-four-seats",)
    open_menu(fingers.table)
    fingers.choose("game", "house-rules", "1", "partners", "False")
    close_menu(fingers.table)
    fingers.table.hold_ok(0)
    assert (fingers.table.game.seats, fingers.table.game.ruleset.partners) == ((0, 2), False)


@pytest.mark.parametrize(
    ("path", "most", "median"), [((), 13, 10), (("all-options",), 28, 21)], ids=["short", "all"]
)
def test_the_last_value_of_any_option_is_few_presses_from_the_house_rules(
    path: tuple[str, ...], most: int, median: int
) -> None:
    counts = []
    for option in listed("royal-2023") if path else short_list("royal-2023"):
        fingers = making()
        last = offered_values(rules(fingers.table), option)[-1]
        fingers.presses = 0
        fingers.choose(*path, *(GROUP_OF[option],) * len(path), option, str(last))
        counts.append(fingers.presses)
    assert (max(counts), sorted(counts)[len(counts) // 2]) == (most, median)


# --- shown and taken to another table --------------------------------------------------------


def test_house_rules_are_shown_in_words_then_as_a_line_and_a_code() -> None:
    fingers = making("to_win", "1", "must_capture", "True", "show", base="ludo-uk")
    table = fingers.table
    assert [*table.page.lines] == ["edition-ludo-uk", "apart-to-win-1", "apart-must-capture-yes"]
    fingers.do()
    code = table.screen
    assert isinstance(code, QrScreen)
    assert (code.scanned, code.text) == (
        "LUDO-UK TO-WIN:1 MUST-CAPTURE:YES",
        "ludo-uk to-win:1 must-capture:yes",
    )
    assert parse_house(code.scanned).ruleset == rules(table)
    fingers.other()
    assert table.marked == "show"


def shown_line(line: str) -> Fingers:
    """Return the fingers of A, with the first screen of a line on the display."""
    table = joined(base="ours", ours=str(parse_house(line)))
    table.choose(0, "game", "house-rules", "ours", "show")
    return Fingers(table)


def test_a_line_too_long_to_stand_beside_its_code_is_read_after_it() -> None:
    line = "parchis third-doublet:undo-turn partners:yes to-win:2 must-capture:yes"
    fingers = shown_line(line)
    fingers.do()
    code = fingers.table.screen
    assert isinstance(code, QrScreen)
    assert (code.scanned, code.lead, code.text) == (line.upper(), "scan", "")
    fingers.do()
    assert fingers.table.page.lines == (line,)
    fingers.do()
    assert fingers.table.marked == "show"


def test_a_line_too_long_to_read_is_on_the_page() -> None:
    fingers = shown_line(
        "ludo-uk third-doublet:undo-turn again-capture:yes again-home:yes play-on:yes tries:3"
        " again:never bonus-timing:after-dice"
    )
    fingers.do()
    assert fingers.table.page.lines == ("line-too-long", "page-has-the-line")


def test_who_joins_reads_the_edition_of_house_rules_and_what_differs_in_turn() -> None:
    table = joined(base="ours", ours='{"base":"ludo-uk","to_win":1,"tries":3,"dice":2}')
    assert [*table.page.lines] == [
        *("ours", "edition-ludo-uk", "apart-to-win-1"),
        "and-so-many-more(2)",
    ]
    pictures = {table.frame.image.tobytes()}
    for _ in range(3):
        table.wait(2.0)
        pictures.add(table.frame.image.tobytes())
    assert len(pictures) == 4


# --- named and removed -----------------------------------------------------------------------


def test_they_are_renamed_with_the_buttons_and_stay_those_of_the_next_game() -> None:
    fingers = making()
    fingers.choose("rename")
    table = fingers.table
    assert table.page.title == "what-is-it(name)"
    for large in ("LMNOP", "L", "name-done"):
        while table.page.large != large:
            table.next(0)
        table.ok(0)
    assert table.page.title == "A: L"
    assert table.session.settings.kept == {"ruleset": "L", "house.L": '{"base":"royal-2023"}'}
    close_menu(table)
    assert table.page.lines[0] == "L"


def named(table: Sitting, text: str) -> None:
    """Enter a name on A's panel, letter by letter."""
    for letter in text:
        while letter not in table.page.large:
            table.next(0)
        table.ok(0)
        while table.page.large != letter:
            table.next(0)
        table.ok(0)
    while table.page.large != "name-done":
        table.next(0)
    table.ok(0)


def test_no_name_is_given_twice_nor_that_of_an_edition() -> None:
    table = joined(LUC=OURS, X=OURS)
    table.choose(0, "game", "house-rules", "X", "rename")
    named(table, "LUC")
    assert " ".join(table.page.lines) == "rules-there"
    table.next(0)
    table.choose(0, "rename")
    named(table, "SCA")
    assert " ".join(table.page.lines) == "name-of-an-edition"
    table.next(0)
    table.choose(0, "rename")
    named(table, "X")
    assert (table.page.title, sorted(houses(table.session.settings))) == ("A: X", ["LUC", "X"])


def test_they_are_removed_only_by_holding_ok_when_asked_again() -> None:
    fingers = making()
    fingers.choose("remove")
    table = fingers.table
    assert (table.page.title, table.page.lines) == ("A: what-is-it(remove)", ("house-name(1)",))
    table.ok(0)
    assert table.notice == "hold-to-remove"
    assert list(houses(table.session.settings)) == ["1"]
    table.hold_ok(0)
    assert (table.page.title, table.page.lines) == ("A: house-rules", ("new-rules", "do-back"))
    close_menu(table)
    assert table.page.lines == ("edition-royal-2023",)


def test_those_of_the_configuration_are_changed_and_are_as_at_first_again() -> None:
    table = Sitting(settings=Settings(first={"house.ours": OURS}))
    for seat in (0, 2):
        table.ok(seat)
    path = ("game", "house-rules", "ours")
    table.choose(0, *path)
    assert table.choices[-3:] == ("all-options", "show", "back")  # neither renamed nor removed
    table.choose(0, "all-options", "start-and-end", "play_on", "False")
    assert rules(table, "ours") == PRESETS["pb"]
    table.choose(0, "back", "back", "remove")
    table.hold_ok(0)
    assert rules(table, "ours") == parse_house(OURS).ruleset
    assert "house.ours" not in table.session.settings.kept


def test_what_is_damaged_is_not_offered_and_may_be_removed() -> None:
    table = joined(ours="{", base="ours")
    assert lines(table) == ("edition-royal-2023",)
    table.choose(0, "game", "house-rules", "ours")
    assert lines(table) == ("remove", "do-back")
    table.choose(0, "remove")
    table.hold_ok(0)
    assert lines(table) == ("new-rules", "do-back")


# --- for the next game -----------------------------------------------------------------------


def begun(setup: Setup | None = None) -> Sitting:
    table = joined(setup, ours=OURS)
    table.hold_ok(0)
    return table


def test_in_a_game_the_rules_of_the_next_one_are_chosen() -> None:
    table = begun()
    table.choose(2, "game")
    assert table.page.lines[3] == "menu-next-game: edition-royal-2023"
    table.choose(2, "next-game")
    assert table.page.lines == (
        "family-parcheesi",
        "family-parchis",
        "family-ludo",
        "family-pachisi",
        "family-own",
        "do-back",
    )
    table.choose(2, "own", "ours")
    assert (table.marked, table.page.lines[3]) == ("next-game", "menu-next-game: ours")
    table.choose(2, "end")
    table.hold_ok(2)
    assert table.game.ruleset == PRESETS["royal-2023"]
    table.hold_ok(0)
    assert table.page.title == "ask-who-plays"
    assert next(iter(table.page.lines)) == "ours"


def test_the_game_after_a_game_has_the_same_rules() -> None:
    table = begun()
    table.choose(0, "game", "end")
    table.hold_ok(0)
    table.next(0)
    table.hold_ok(0)
    assert table.page.lines == ("edition-royal-2023",)


def test_the_rules_that_a_game_began_with_are_offered_first_from_then_on() -> None:
    table = joined(base="ours", ours=OURS)
    table.choose_rules(0, "sr-1942")
    table.hold_ok(0)
    kept = table.session.settings.kept
    assert kept["ruleset"] == "sr-1942"
    assert Sitting(settings=Settings(kept)).page.lines == ("edition-sr-1942",)


def test_those_of_the_configuration_are_not_kept_so_that_another_one_counts() -> None:
    table = begun()
    kept = table.session.settings.kept
    assert "ruleset" not in kept
    other = Sitting(Setup(ruleset="pb"), settings=Settings(kept))
    assert other.page.lines == ("edition-pb",)


def test_the_configuration_may_name_house_rules() -> None:
    table = Sitting(Setup(ruleset="ours"), settings=Settings(first={"house.ours": OURS}))
    assert (table.page.lines[0], table.page.corner) == ("ours", "1/1")
    table.begin(0, 2)
    assert table.game.ruleset == parse_house(OURS).ruleset


# --- a game keeps its own --------------------------------------------------------------------


def test_a_game_is_the_same_whatever_becomes_of_its_house_rules() -> None:
    table = joined(base="ours", ours=OURS)
    table.hold_ok(0)
    own = parse_house(OURS).ruleset
    assert (table.game.ruleset, status_line(table.session)) == (own, "ours, who begins is chosen")
    table.choose(0, "game", "house-rules", "ours", "must_capture", "True")
    assert (table.game.ruleset, rules(table, "ours").must_capture) == (own, True)
    table.choose(0, "remove")
    table.hold_ok(0)
    assert status_line(table.session) == "house rules, who begins is chosen"
    again = Sitting()  # after a power cut, with none of the settings
    again.tell(Resume(fold(table.rows), 0.0))
    assert again.game == table.game
    again.ok(0)
    assert again.game.ruleset == own


# --- any house rules -------------------------------------------------------------------------


def set_all(fingers: Fingers, wanted: RuleSet) -> None:
    """Set one option after the other, those that are refused again when others are set."""
    for _ in GROUP_OF:
        now = rules(fingers.table)
        for option in GROUP_OF:
            value = getattr(wanted, option)
            if value in offered_values(now, option)[1:]:
                set_one(fingers, option, value, now)
                now = rules(fingers.table)
        if now == wanted:
            return
    raise AssertionError(f"{rules(fingers.table)} does not become {wanted}")


def set_one(fingers: Fingers, option: str, value: Value, before: RuleSet) -> None:
    fingers.choose(GROUP_OF[option])
    setting(fingers, option, value)
    if isinstance(fingers.table.session.mode, RefusedRules):
        assert rules(fingers.table) == before
        fingers.other()
    else:
        assert getattr(rules(fingers.table), option) == value
    fingers.up_to_all()


def play_on(table: Sitting, choices: int) -> None:
    """Do what the game waits for, so many times."""
    for _ in range(choices):
        if table.game.phase in (Phase.ORDER, Phase.THROW):
            table.throw()
        else:
            driver = table.session.mode.drivers(table.session)[0]
            table.confirm(driver)


def house_rules_of_two(seed: int) -> Options:
    """Return drawn house rules without partners, who would need four players."""
    rng = random.Random(seed)
    while options_of(drawn := house_rules(rng))["partners"]:
        pass
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize("setup", [Setup(), ONE_BUTTON], ids=["two buttons", "one button"])
@settings(max_examples=extent(3, soak=25), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_any_house_rules_are_made_by_presses_and_played(setup: Setup, seed: int) -> None:
    drawn = house_rules_of_two(seed)
    wanted, base = parse_ruleset(drawn), PRESETS[drawn["preset"]]
    edition = next(name for name in EDITIONS if EDITIONS[name] == base)
    fingers = making("all-options", setup=setup, base=edition)
    set_all(fingers, wanted)
    table = fingers.table
    table.wait(31)
    table.hold_ok(0)
    assert table.game.ruleset == wanted
    play_on(table, 30)
    assert fold(table.rows) == table.record


@pytest.mark.slow
@settings(max_examples=extent(10, soak=100), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_any_house_rules_of_the_configuration_are_played(seed: int) -> None:
    drawn = house_rules_of_two(seed)
    made = House(drawn["preset"], parse_ruleset(drawn))
    table = Sitting(Setup(ruleset="x"), DICE, settings=Settings(first={"house.x": str(made)}))
    table.begin(0, 2)
    play_on(table, 30)
    assert table.game.ruleset == made.ruleset
    assert fold(table.rows) == table.record
