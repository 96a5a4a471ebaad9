"""The language of the table: asked for at the first start, and changed in the menu at any time."""

import pytest

from pi_app.model.events import LanguageName, Resume, Setup
from pi_app.model.screens import message
from pi_app.settings.settings import LANGUAGE, NUMBERS, Settings
from pi_app.table.core.state import NO_SETTINGS
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.modes.setup.languages import UNTOUCHED_S, AskingLanguage
from pi_app.texts.language import codes, language_names
from rules import Record, parse_game
from tests.pi_app.sitting import Sitting

NAMES = (
    LanguageName("en", "English"),
    LanguageName("de", "Deutsch"),
    LanguageName("es", "Español"),
)
FIRST_START = Setup(languages=NAMES, asks_language=True)
ONE_BUTTON = Setup(languages=NAMES, asks_language=True, next_buttons=())
PLAYED = '{"ruleset": "royal-2023", "position": "20,3,N,N/-/47,44,12,N/-", "seat": 0}'
OVER = (
    '{"ruleset": "royal-2023", "position": "H,H,H,H/-/47,44,12,N/-", "seat": 0, "phase": "over",'
    ' "places": [0]}'
)


# The edition that each language offers first, and whether the numbers on its board name the spaces.
OWN = {
    "en": ("royal-2023", "off"),
    "en_GB": ("ludo-uk", "off"),
    "de": ("ludo-de", "off"),
    "es": ("parchis", "on"),
    "fr": ("petits-chevaux", "off"),
    "pt": ("ludo-uk", "off"),
    "pt_BR": ("ludo-uk", "off"),
}


def language(table: Sitting) -> str:
    return table.session.settings.get(LANGUAGE)


def test_the_first_start_asks_and_any_panel_chooses() -> None:
    table = Sitting(FIRST_START)
    assert table.page.lines == ("English", "Deutsch", "Español")
    assert (table.page.chosen, table.session.language) == (0, "en")
    table.next(3)
    table.next(1)
    table.next(0)
    assert table.page.chosen == 0
    table.next(2)
    assert (table.session.language, language(table)) == ("de", "")  # the screen is in German
    assert table.down(1, "ok").puts == (("language", "de"),)
    assert (table.session.language, language(table)) == ("de", "de")
    assert isinstance(table.session.mode, Joining)


def chosen(code: str, ruleset: str = "", settings: Settings = NO_SETTINGS) -> Sitting:
    """Return a new table at which somebody has chosen a language. ruleset: the configured one."""
    setup = Setup(languages=language_names(), asks_language=True, ruleset=ruleset)
    table = Sitting(setup, settings=settings)
    for _ in range(codes().index(code)):
        table.next(1)
    table.ok(1)
    assert language(table) == code
    return table


def offered(table: Sitting) -> tuple[str, str]:
    """Return the edition that is offered, and whether its board's numbers name the spaces."""
    return table.session.mode.chosen_rules(table.session), table.session.settings.get(NUMBERS)


def test_the_language_chosen_at_the_first_start_offers_its_own_game() -> None:
    assert {code: offered(chosen(code)) for code in codes()} == OWN


def test_a_table_that_knows_its_language_offers_that_game_until_another_is_played() -> None:
    languages = Setup(languages=language_names())
    for settings in (Settings({"language": "es"}), Settings({}, {"language": "es"})):
        assert offered(Sitting(languages, settings=settings)) == ("parchis", "off")
    german = Settings({"language": "de", "ruleset": "pb"})
    assert offered(Sitting(languages, settings=german)) == ("pb", "off")


def test_the_configuration_comes_before_the_language() -> None:
    assert offered(chosen("es", ruleset="findler")) == ("findler", "on")
    off = Settings({}, {"numbers": "off"})
    assert offered(chosen("es", settings=off)) == ("parchis", "off")


def test_the_game_played_last_comes_before_the_language() -> None:
    assert offered(chosen("de", settings=Settings({"ruleset": "pb"}))) == ("pb", "off")
    table = chosen("es")
    table.begin(0, 2, ruleset="royal-2023")
    assert table.session.next_rules == "royal-2023"
    started_again = Sitting(table.session.setup, settings=table.session.settings)
    assert offered(started_again) == ("royal-2023", "on")


def test_a_notice_says_at_which_seat_the_numbers_of_the_board_begin() -> None:
    notice = message("a-is-yellow")
    assert not chosen("de").reply.motion.notices
    table = chosen("es")
    assert table.reply.motion.notices == (notice,)
    table.ok(0)
    table.ok(2)
    assert table.reply.motion.notices == (notice,)
    table.hold_ok(0)
    assert not table.reply.motion.notices
    other = chosen("es")
    other.next(0)
    assert not other.reply.motion.notices


def test_a_one_button_panel_chooses_by_a_hold() -> None:
    table = Sitting(ONE_BUTTON)
    table.ok(2)
    assert table.page.chosen == 1
    table.hold_ok(2)
    assert language(table) == "de"


def test_an_untouched_first_start_is_english_after_a_minute() -> None:
    table = Sitting(FIRST_START)
    table.wait(40.0)
    table.next(0)
    table.wait(UNTOUCHED_S - 1.0)
    assert isinstance(table.session.mode, AskingLanguage)
    table.wait(2.0)
    assert language(table) == "en"
    assert isinstance(table.session.mode, Joining)


def test_the_minute_begins_with_the_first_event_whatever_the_clock_shows() -> None:
    table = Sitting(FIRST_START)
    fresh = Sitting(FIRST_START)
    assert fresh.session.mode == table.session.mode
    assert table.reply.wake_at == table.t + UNTOUCHED_S


@pytest.mark.parametrize(
    ("setup", "settings"),
    [
        (FIRST_START, Settings({"language": "es"})),  # the journal has one
        (FIRST_START, Settings({}, {"language": "en-GB"})),  # the configuration has one
        (Setup(languages=NAMES), Settings()),  # a simulated table
        (Setup(languages=NAMES[:1], asks_language=True), Settings()),
    ],
)
def test_nothing_is_asked_where_there_is_nothing_to_choose(
    setup: Setup, settings: Settings
) -> None:
    assert isinstance(Sitting(setup, settings=settings).session.mode, Joining)


def test_a_game_in_progress_goes_on_and_a_finished_one_waits_behind_the_question() -> None:
    playing = Sitting(FIRST_START)
    playing.tell(Resume(Record(parse_game(PLAYED), 0), 0.0))
    assert not isinstance(playing.session.mode, AskingLanguage)
    finished = Sitting(FIRST_START)
    finished.tell(Resume(Record(parse_game(OVER), 0), 0.0))
    assert isinstance(finished.session.mode, AskingLanguage)
    shown = Sitting(Setup(languages=NAMES))
    shown.tell(Resume(Record(parse_game(OVER), 0), 0.0))
    finished.ok(1)
    assert finished.reply.screen == shown.reply.screen


def test_the_menu_changes_the_language_in_mid_game_and_nothing_in_the_journal() -> None:
    table = Sitting(Setup(languages=NAMES), dice=[(6, 1), (1, 2)])
    table.begin(0, 2)
    before, rows = table.session.record, list(table.rows)
    table.choose(0, "setup", "language")
    assert table.page.lines == ("English", "Deutsch", "Español")
    table.choose(0, "Deutsch")
    assert "menu-language: Deutsch" in table.page.lines
    table.choose(0, "language")
    assert table.page.chosen == 1
    assert (language(table), table.session.language) == ("de", "de")
    assert (table.session.record, table.rows) == (before, rows)


def test_the_menu_has_no_languages_where_there_is_one() -> None:
    table = Sitting(Setup(languages=NAMES[:1]))
    table.ok(0)
    table.choose(0, "setup")
    assert not [line for line in table.page.lines if line.startswith("menu-language")]


@pytest.mark.parametrize(
    ("text", "code"), [("en-GB", "en_GB"), ("pt", "pt"), ("", ""), ("English", ""), ("../x", "")]
)
def test_a_setting_of_no_language_is_as_not_chosen(text: str, code: str) -> None:
    assert Settings({"language": text}).get(LANGUAGE) == code
