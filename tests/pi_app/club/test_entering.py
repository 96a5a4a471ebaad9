"""What an organiser enters, as rows: complete ones, or one sentence that says what is wrong."""

from typing import Any

import pytest

from pi_app.club.entering import Change, WrongEntry, rows_for
from pi_app.club.people import Club, fold_changes
from pi_app.model.screens import Text, message
from tests.pi_app.club.test_people import PEOPLE, ROUND, TOURNAMENT, result

NAMES = [{"kind": "person", "person": one, "name": one.title()} for one in PEOPLE]


def club(*rows: Change) -> Club:
    return fold_changes((100.0 + n, row) for n, row in enumerate([*NAMES, *rows]))


def enter(what: Any, *rows: Change, tables: dict[str, list[int]] | None = None) -> list[Change]:
    return rows_for(what, club(*rows), [], tables or {}, 200.0)


def test_a_new_person_gets_an_id_and_a_known_one_keeps_it() -> None:
    [new] = enter({"kind": "person", "name": " Gus "})
    assert (new["name"], len(new["person"])) == ("Gus", 8)
    again = {"kind": "person", "person": "ann", "name": "Annie"}
    assert enter(again) == [again]


def test_a_seating_begins_now_or_when_the_one_began_that_it_corrects() -> None:
    now = {"kind": "seating", "table": "kitchen", "people": {"0": "ann", "2": "ben"}}
    assert enter(now) == [{**now, "since": 200.0}]
    assert enter({**now, "since": 150.5}) == [{**now, "since": 150.5}]


def test_a_changed_tournament_keeps_its_lots() -> None:
    [new] = enter({key: TOURNAMENT[key] for key in TOURNAMENT if key not in ("tournament", "seed")})
    assert {*new} == {*TOURNAMENT}
    [changed] = enter({**TOURNAMENT, "people": ["ann", "ben"], "seed": 6}, TOURNAMENT)
    assert changed == {**TOURNAMENT, "people": ["ann", "ben"]}


def test_the_next_round_seats_people_at_the_tables_that_are_there_in_the_seats_that_play() -> None:
    tables = {"hall": [1, 3], "kitchen": [0, 1, 2, 3], "porch": [0, 1]}
    seated, hall, kitchen = enter({"kind": "round", "tournament": "t"}, TOURNAMENT, tables=tables)
    assert (seated["at"], [len(one) for one in seated["tables"]]) == (["hall", "kitchen"], [3, 3])
    assert hall["people"] == dict(zip("130", seated["tables"][0], strict=True))
    assert kitchen["people"] == dict(zip("012", seated["tables"][1], strict=True))
    assert {hall["since"], kitchen["since"]} == {200.0}


def test_a_club_without_tables_of_its_own_can_seat_a_round() -> None:
    [seated] = enter({"kind": "round", "tournament": "t"}, TOURNAMENT)
    assert seated["at"] == [None, None]


def test_a_result_by_hand_may_have_ties() -> None:
    entry = result(["fay"], ["dan", "eve"])
    assert enter(entry, TOURNAMENT, ROUND) == [entry]


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ([], "nothing in the club is like this entry"),
        ({"kind": "round", "tournament": "x"}, "nothing in the club is like this entry"),
        ({"kind": "round", "tournament": "t"}, message("tables-still-play", count=2)),
        ({"kind": "person", "name": " "}, "a name has 1 to 40 letters"),
        ({"kind": "person", "name": "Ann"}, message("name-is-taken", name="Ann")),
        ({"kind": "person", "person": "x", "name": "Gus"}, "there is no such person"),
        ({"kind": "person", "person": [], "name": "Gus"}, "there is no such person"),
        (
            {"kind": "seating", "table": "a", "people": {"4": "ann"}},
            "a seat is a number from 0 to 3",
        ),
        ({"kind": "seating", "table": "a", "people": {"0": "x"}}, "there is no such person"),
        ({"kind": "seating", "table": "a", "people": {"0": []}}, "there is no such person"),
        (
            {"kind": "seating", "table": "a", "people": {"0": "ann", "1": "ann"}},
            "somebody is named twice",
        ),
        (
            {"kind": "seating", "table": "a", "people": {}, "since": "x"},
            "a seating begins at a time",
        ),
        ({**TOURNAMENT, "rounds": 0}, "it has 1 to 20 rounds"),
        ({**TOURNAMENT, "people": ["ann"]}, "2 to 400 people can play"),
        ({**TOURNAMENT, "scheme": "luck"}, "its scheme is places or winner"),
        ({**TOURNAMENT, "scheme": {}}, "its scheme is places or winner"),
        ({**TOURNAMENT, "tournament": "x"}, "there is no such tournament"),
        (result(["dan"], ["eve"]), "each person of the table has one place"),
        (result(["dan"], [], ["eve"], ["fay"]), "each person of the table has one place"),
        ({**result(), "round": 2}, "a result has a round, a table and tiers"),
        ({**result(), "round": 0}, "each person of the table has one place"),
        ({**result(), "tiers": 5}, "a result has a round, a table and tiers"),
    ],
)
def test_a_wrong_entry_is_refused_with_one_sentence(what: Any, why: Text) -> None:
    with pytest.raises(WrongEntry) as raised:
        enter(what, TOURNAMENT, ROUND)
    assert raised.value.why == why


def test_after_its_last_round_a_tournament_has_no_other() -> None:
    once = {**TOURNAMENT, "rounds": 1}
    with pytest.raises(WrongEntry, match="all rounds have been played"):
        enter({"kind": "round", "tournament": "t"}, once, ROUND)
