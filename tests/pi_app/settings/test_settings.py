"""Settings: what the players chose, what the configuration says, and what can't be read."""

from hypothesis import given
from hypothesis import strategies as st

from pi_app.model.events import Notice
from pi_app.settings.settings import BRIGHTNESS, VOLUME, Settings
from pi_app.texts.words import reset_words
from tests.pi_app.sitting import Sitting


def test_what_was_never_set_is_as_the_configuration_has_it_else_as_we_ship_it() -> None:
    assert Settings().get(VOLUME) == "on"
    assert Settings(first={"sound": "off"}).get(VOLUME) == "off"
    assert Settings({"sound": "turns-only"}, {"sound": "off"}).get(VOLUME) == "turns-only"


def test_what_cannot_be_read_is_as_at_first_and_is_named() -> None:
    damaged = Settings({"sound": "loudest", "brightness": "low", "colour": "red"}, {"sound": "off"})
    assert damaged.get(VOLUME) == "off"
    assert damaged.get(BRIGHTNESS) == "low"
    assert damaged.unreadable() == ("sound",)
    assert damaged.unknown() == ("colour",)  # of a newer version: left as it is


texts = st.dictionaries(st.sampled_from(["sound", "brightness", "house.a", "b"]), st.text())


@given(texts, texts)
def test_what_is_put_makes_the_later_settings_of_the_earlier(
    before: dict[str, str], after: dict[str, str]
) -> None:
    made = dict(before)
    for key, text in Settings(after).puts_after(Settings(before)):
        if text is None:
            del made[key]
        else:
            made[key] = text
    assert made == after


def test_names_in_a_collection_are_those_set_here_and_those_configured() -> None:
    settings = Settings({"house.b": "1", "houses": "2"}, {"house.a": "3", "house.b": "4"})
    assert settings.named("house.") == ("a", "b")


def test_players_turn_the_sound_and_the_brightness_in_the_menu() -> None:
    table = Sitting()
    table.begin(0, 2)
    table.choose(2, "setup", "sound")
    assert table.page.lines[:2] == ("menu-sound: turns-only", "menu-brightness: full")
    assert table.reply.puts == ()  # it was the press, not the release, that put it
    table.choose(2, "brightness")
    settings = table.session.settings
    assert (settings.get(VOLUME), settings.get(BRIGHTNESS)) == ("turns-only", "half")


def test_a_setting_is_to_be_committed_with_the_press_that_sets_it() -> None:
    table = Sitting()
    table.begin(1, 3)
    table.choose(1, "setup")
    table.read(1)
    assert table.down(1, "ok").puts == (("sound", "turns-only"),)


def test_a_setting_that_cannot_be_recorded_stays_as_it_was() -> None:
    table = Sitting()
    table.begin(0, 2)
    table.choose(0, "setup")
    before = table.session.settings
    table.refusing = "disk-full"
    table.ok(0)
    assert table.session.settings == before
    assert table.page.title == "disk-full"


def test_a_setting_that_was_unreadable_is_no_longer_named_once_it_is_set() -> None:
    table = Sitting(settings=Settings({"sound": "?"}))
    table.begin(0, 2)
    table.tell(Notice("sound", reset_words("sound"), table.t))
    assert table.notice == "setting-reset(menu-sound)"
    table.choose(0, "setup", "sound")
    table.wait(2.0)
    assert table.notice == ""
