"""How far each seat is: who has come home first, then by pawns at home."""

from pi_app.table.telling.standings import standings
from pi_app.texts.language import ENGLISH
from tests.pi_app.sitting import Sitting


def test_who_came_home_leads_then_whoever_has_more_pawns_at_home() -> None:
    table = Sitting()
    table.resume("H,N,N,N/H,H,7,N/H,H,H,H/H,N,N,N", 0)
    game = table.session.playing.game._replace(places=(2,))
    told = [(seat, ENGLISH.say(far)) for seat, far in standings(game)]
    assert told == [(2, "1st"), (1, "2 home"), (0, "1 home"), (3, "1 home")]
