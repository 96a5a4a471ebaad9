"""The pseudo-language: what it makes of a text, and what is found to be no message's."""

from pi_app.model.screens import Seat, message
from tests.pi_app.texts.pseudo import pseudo, pseudo_text, stray_words


def test_a_text_is_bracketed_accented_and_a_third_longer_and_its_slots_stay() -> None:
    assert pseudo_text("{seat} goes on") == "[{seat} ğóóéš óñ]"
    plain = "No game is here yet"
    assert len(pseudo_text(plain)) - len("[]") >= len(plain) * 5 / 4


def test_messages_in_slots_have_brackets_of_their_own() -> None:
    places = {"origin": message("place-nest"), "target": message("place-entry", seat=Seat(1))}
    said = pseudo().say(message("pawn-goes", seat=Seat(0), way=message("way", **places)), "page")
    assert said.count("[") == said.count("]") == 4
    assert stray_words(said) == []


def test_each_form_of_a_plural_is_made() -> None:
    one, many = (pseudo().say(message("turns", count=count)) for count in (1, 2))
    assert one != many
    assert stray_words(one + many) == []


def test_words_outside_brackets_are_found_but_for_those_allowed() -> None:
    assert stray_words("[a [word] here] and A 12 there") == ["and", "there"]
    assert stray_words("Pachisi Referee [is]", ["Pachisi Referee"]) == []
