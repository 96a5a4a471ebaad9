"""Why a step is the best: each reason of the players has its words, which fit the panel."""

import pytest

from pi_app.display.lettering import NOTES, wrap
from pi_app.model.hint_reasons import KINDS, KINDS_WITH_SEATS, HintReason
from pi_app.texts.language import ENGLISH
from pi_app.texts.reasons import hint_words

BESIDE_THE_MAP = 66  # pixels
SMALL_LINES = 4


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (HintReason("wins"), "you win"),
        (HintReason("captures", (2,)), "captures C"),
        (HintReason("captures-later", (1, 3)), "then captures B and D"),
        (HintReason("safer", many=10, of=36), "fewer hits: 10 of 36 throws"),
        (HintReason("more-throws-capture", many=1), "1 more throw could capture"),
        (HintReason("more-throws-capture", many=12), "12 more throws could capture"),
        (HintReason("more-on-safe-spaces", many=1), "1 more on a safe space"),
        (HintReason("more-on-safe-spaces", many=2), "2 more on safe spaces"),
        (HintReason("more-throws-bring-home", many=1), "1 more throw could bring one home"),
        (HintReason("fewer-behind", many=1), "1 fewer pawn behind you"),
        (HintReason("fewer-behind", many=3), "3 fewer pawns behind you"),
        (HintReason("farther", many=1), "1 space farther ahead"),
        (HintReason("farther", many=2), "2 spaces farther ahead"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, HintReason) else "",
)
def test_a_reason_in_words(why: HintReason, words: str) -> None:
    assert ENGLISH.say(hint_words(why)) == words


def test_they_fit_beside_the_map() -> None:
    for kind in KINDS:
        seats = (0, 1, 3) if kind in KINDS_WITH_SEATS else ()
        words = ENGLISH.say(hint_words(HintReason(kind, seats, 36, 36)))
        assert len(wrap(NOTES, words, BESIDE_THE_MAP)) <= SMALL_LINES, words
