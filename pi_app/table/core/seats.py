"""Who plays each seat, as the screens name them, and whose panel may press for it."""

from collections.abc import Iterable
from typing import NamedTuple

from pi_app.model.events import Setup
from pi_app.model.screens import NOTHING, Message, Seat, Text, message
from pi_app.model.tables import is_learned
from pi_app.settings.evening import SIDE_SIGN
from pi_app.settings.settings import LEVELS, Level, Player, Settings
from pi_app.texts.words import PAWN_NAMES, seat_letter
from rules.board import SEAT_LETTERS, SEATS
from rules.history import Record
from rules.ruleset import RuleSet

BOT_NAME = "BOX"  # all bots share one score of the evening


class Seats(NamedTuple):
    """The four seats now. record: the game on the table. facing: as in `Session`."""

    setup: Setup
    settings: Settings
    record: Record | None
    facing: int | None

    @property
    def of_panels(self) -> tuple[int, ...]:
        """The seats whose panels may open the menu: those that play, if one has a panel."""
        seats, panels = self._playing.game.seats, self.setup.panels
        return panels if set(panels).isdisjoint(seats) else seats

    @property
    def _playing(self) -> Record:
        assert self.record is not None
        return self.record

    def is_childs(self, seat: int) -> bool:
        return self.settings.seats[seat].is_childs

    def level(self, seat: int) -> Level | None:
        """Return the level of the bot at a seat, or None if there is no bot.

        In a game whose rules do not offer the chosen level, the bot has the highest that they do.
        """
        level = self.settings.seats[seat].level
        if level is None or self.record is None:
            return level
        return offered_level(level, self.record.game.ruleset)

    def has_bot(self, seat: int) -> bool:
        return self.settings.seats[seat].level is not None

    def player(self, seat: int) -> Player:
        """Return the player at a seat's panel, without a name if a bot plays the seat."""
        occupant = self.settings.seats[seat]
        return occupant.player if occupant.level is None else occupant.player._replace(name="")

    def name_of_seat(self, seat: int) -> Text:
        """Return a seat's letter with its player's name or as a bot: `A LUC`, `C bot`, `B`."""
        if self.has_bot(seat):
            return message("seat-bot", seat=Seat(seat))
        name = self.player(seat).name
        return message("seat-and-name", seat=Seat(seat), name=name) if name else seat_letter(seat)

    def side_name(self, seats: Iterable[int]) -> str:
        """Return the name of a seat, or a side of two, in the evening's score: `B`, `LUC+MIA`."""
        names = (
            BOT_NAME if self.has_bot(seat) else self.player(seat).name or seat_letter(seat)
            for seat in seats
        )
        return SIDE_SIGN.join(dict.fromkeys(names))

    def pawns_name(self, seat: int) -> Message:
        """Return the name of a seat's pawns, NOTHING if the player did not choose one."""
        return PAWN_NAMES.get(self.player(seat).pawns, NOTHING)

    def player_seat(self, seat: int) -> int:
        """Return the seat whose panel plays for a seat: its stand-in's, or its own.

        If neither is there, another player who is there plays: the partner, else the host.
        """
        panels, letter = self.setup.panels, self.settings.seats[seat].stand_in
        if letter:
            stand_in = SEAT_LETTERS.index(letter)
            if stand_in in panels and stand_in in self._playing.game.seats:
                return stand_in
        if seat in panels or self.has_bot(seat):
            return seat
        seats = self._playing.game.seats
        others = (partner(seat), self._playing.host, *seats)
        with_panel = [other for other in others if other in seats and other in panels]
        absent = [one for one in seats if self.settings.seats[one].stand_in or self.has_bot(one)]
        return next((one for one in with_panel if one not in absent), (*with_panel, *panels)[0])

    def people(self) -> tuple[int, ...]:
        """Return the seats at whose panels players sit; if that is none, all that may press."""
        seats = self._playing.game.seats
        people = {self.player_seat(seat) for seat in seats if not self.has_bot(seat)}
        return tuple(sorted(people)) or self.of_panels

    def panels_of(self, seat: int) -> tuple[int, ...]:
        """Return the seats whose panels play for a seat: all people's panels play for a bot."""
        return self.people() if self.has_bot(seat) else (self.player_seat(seat),)

    def may_press_for(self, seat: int, panel: int) -> bool:
        """Whether a panel may press on a seat's turn. On a bot's turn every seat's may."""
        return panel in (self.of_panels if self.has_bot(seat) else (self.player_seat(seat),))

    def facing_seat(self, seat: int) -> int:
        """Return the seat that the map faces on a seat's turn: the one that moves the pawns."""
        panels = self.panels_of(seat)
        return self.facing if self.facing in panels else panels[0]

    def turn_heading(self, seat: int, does: Text) -> Text:
        """Return the heading of a seat's turn: `does`, unless somebody else plays: `B for C`."""
        if self.has_bot(seat):
            return message("bot-for", who=Seat(seat))
        other = self.player_seat(seat)
        return does if other == seat else message("plays-seat", who=Seat(other), seat=Seat(seat))


def partner(seat: int) -> int:
    return (seat + 2) % SEATS


def offered_levels(ruleset: RuleSet) -> tuple[Level, ...]:
    """Return the levels of bots under a rule set; the highest needs a table that learned it."""
    return LEVELS if is_learned(ruleset) else LEVELS[:-1]


def offered_level(level: Level, ruleset: RuleSet) -> Level:
    """Return a level, or the highest that a rule set offers if that is lower."""
    offered = offered_levels(ruleset)
    return level if level in offered else offered[-1]
