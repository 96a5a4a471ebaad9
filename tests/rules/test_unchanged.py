"""The editions answer and record to the byte what they did before."""

import json

import pytest

from rules.ruleset import PRESETS
from tests.asked import extent
from tests.rules.editions import EDITIONS, RELATIVES
from tests.rules.unchanged import DIGESTS, KINDS, PARTS, digest

STORED = json.loads(DIGESTS.read_text(encoding="utf-8"))


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("edition", [*EDITIONS, *RELATIVES][:: extent(8, soak=1)])
def test_an_edition_answers_what_it_always_did(edition: str, kind: str) -> None:
    for part in PARTS[: extent(1, soak=len(PARTS))]:
        assert digest(KINDS[kind](edition, part)) == STORED[edition][kind][part]


def test_every_edition_is_stored() -> None:
    assert list(STORED) == list(PRESETS), "run python -m tests.rules.unchanged digests"
