"""Joining: players choose who plays and by which rules. The first to join begins the game."""

from dataclasses import dataclass, replace
from functools import partial

from pi_app.model import screens
from pi_app.model.screens import Seat, Text, TextScreen, message
from pi_app.settings import offers
from pi_app.settings.settings import BOTS, NUMBERS, RULESET, STAND_INS
from pi_app.table.core.acting import begin
from pi_app.table.core.seats import offered_level, partner
from pi_app.table.core.state import SEATS, Change, Lamps, Mode, Session, lamps
from pi_app.table.modes.menu.menu import Line, Menu, MenuItem, MenuSection
from pi_app.table.modes.setup.house_rules import rules_to_change
from pi_app.texts.rule_words import distinctions
from pi_app.texts.words import LEVEL_NAMES, keys, keys_line, next_key, seat_letter
from rules.history import new_record


@dataclass(frozen=True, slots=True)
class Joining(Mode):
    """Players join with OK. The player who joined first begins the game by holding OK.

    Whoever has joined leaves by the menu: a tap where OK must be held is too easy to make.

    NEXT opens the list of rules, so that players of yesterday's game need not press it.

    ruleset: the name of the next game's rules. seats: those who have joined, in order. asks_again:
    two neighbours want to begin, and read that opposite seats are usual. doubled: seats that the
    player opposite plays too, in a game with cowries. needs_four: partners want to begin without
    four seats, and read how to fill them.
    """

    ruleset: str
    seats: tuple[int, ...] = ()
    asks_again: bool = False
    doubled: tuple[int, ...] = ()
    needs_four: bool = False

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.seats

    def chosen_rules(self, session: Session) -> str:
        return self.ruleset

    def with_rules(self, name: str) -> Mode:
        return replace(self, ruleset=name)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.setup.panels

    def holds_ok(self, session: Session, seat: int) -> bool:
        return seat in self.seats

    def ok(self, session: Session, seat: int) -> Change:
        if seat in self.seats:
            return session.refuse(self._how_to_begin(session))
        session = session.unset(BOTS[seat].key)  # the player replaces a bot
        return self._change_seats(session, (*self.seats, seat), seat)

    def leave(self, session: Session, seat: int) -> Change:
        return self._change_seats(session, tuple(one for one in self.seats if one != seat), seat)

    def _change_seats(self, session: Session, seats: tuple[int, ...], seat: int) -> Change:
        """Replace the seats that have joined, and end a refusal: it was about the seats before."""
        doubled = tuple([one for one in self.doubled if partner(one) in seats and one not in seats])
        joining = Joining(self.ruleset, seats, doubled=doubled)
        return session.lead_to(joining, pressed=seat, whisper=None)

    def hold_ok(self, session: Session, seat: int) -> Change:
        playing = self._playing(session)
        if len(playing) < 2 or seat != self.seats[0]:
            return session.refuse(self._how_to_begin(session))
        rules = offers.all_rules(session.settings)[self.ruleset]
        if rules.partners and len(playing) < len(SEATS):
            after = session.enter_mode(replace(self, needs_four=True))
            return after.refuse(message("four-seats"))
        are_neighbours = len(playing) == 2 and sum(playing) % 2 == 1
        if are_neighbours and not self.asks_again:
            return session.lead_to(replace(self, asks_again=True), pressed=seat)
        for other in set(playing) & set(self.doubled):
            session = session.set(STAND_INS[other], seat_letter(partner(other)))
        record = new_record(rules, playing)
        session = session.with_notice(NUMBERS.key, None).unset(RULESET.key)
        # Store only unusual rules, so that a change in the configuration counts at once.
        if self.ruleset != offers.offered_first(session.settings, session.setup):
            session = session.set(RULESET, self.ruleset)
        return begin(session, record)

    def next(self, session: Session, seat: int) -> Change:
        if session.setup.has_one_button(seat) and seat not in self.seats:
            return self.ok(session, seat)
        back = replace(self, asks_again=False, needs_four=False)
        menu = RulesMenu(seat, back, session.t)
        return session.with_notice(NUMBERS.key, None).lead_to(menu, pressed=seat)

    def whose(self, session: Session) -> Text:
        return message("tap-joins" if self.has_one_button(session) else "ok-joins")

    def dome(self, session: Session) -> Change:
        hints, begin_hint = self._key_hints(session)
        return session.refuse(begin_hint or keys_line(hints))

    def screen(self, session: Session) -> TextScreen[Text]:
        family = offers.family_of(session.settings, self.ruleset)
        names = offers.names_in_family(session.settings, family)
        corner = f"{names.index(self.ruleset) + 1}/{len(names)}"
        marks: list[screens.SeatMark[Text]] = []
        rules = offers.all_rules(session.settings)[self.ruleset]
        playing = self._playing(session)
        for seat in sorted({*session.setup.panels, *playing}):
            level = session.seats.level(seat)
            text: Text = LEVEL_NAMES[offered_level(level, rules)] if level else screens.NOTHING
            if seat in self.seats:
                text = session.seats.player(seat).name or message("joined")
            elif seat in self.doubled and seat in playing:
                text = message("seat-played-by", seat=Seat(partner(seat)))
            marks.append(screens.SeatMark(seat, text))
        house = offers.find_house(session.settings, self.ruleset)
        about = offers.rules_lines(house, 3) if house else ()
        lines = (offers.edition_title(self.ruleset), *about)
        if self.asks_again or self.needs_four:
            lines = (message("fill-four-seats" if self.needs_four else "opposite-seats"),)
        title = message("ask-who-plays")
        return TextScreen(title, lines, *self._key_hints(session), tuple(marks), corner=corner)

    def lamps(self, session: Session) -> Lamps:
        return lamps(self.drivers(session), on=self.seats)

    def resting(self, session: Session) -> bool:
        return True

    def _playing(self, session: Session) -> tuple[int, ...]:
        """Return the seats of the game: of players, then their second seats, then of bots."""
        shells = offers.all_rules(session.settings)[self.ruleset].throws_shells
        bots = (seat for seat in session.setup.panels if session.seats.has_bot(seat))
        return (*self.seats, *(self.doubled if shells else ()), *bots)

    def _key_hints(self, session: Session) -> tuple[tuple[screens.KeyHint[Text], ...], Text]:
        """Return the key hints, or instead of them the line with who may begin."""
        only = self.has_one_button(session)
        if len(self._playing(session)) < 2 or not self.seats:
            if only:
                return (next_key(only, message("do-join-then-rules")),), screens.NOTHING
            return keys(only, message("do-other-rules"), message("do-join"))[::-1], screens.NOTHING
        return (), self._begin_hint(session)

    def _how_to_begin(self, session: Session) -> screens.Message:
        """Return what a player who has joined must know: one is missing, or who holds OK."""
        is_alone = len(self._playing(session)) < 2
        return message("one-more-player") if is_alone else self._begin_hint(session)

    def _begin_hint(self, session: Session) -> screens.Message:
        """Return the line with who may begin the game: `C: hold OK to begin`."""
        seat, again = Seat(self.seats[0]), self.asks_again
        if session.setup.has_one_button(self.seats[0]):
            return message("hold-again-to-begin" if again else "hold-to-begin", seat=seat)
        return message("hold-ok-again-to-begin" if again else "hold-ok-to-begin", seat=seat)


@dataclass(frozen=True, slots=True)
class RulesMenu(Menu):
    """One panel chooses the next game's rules while players join: a family, then an edition.

    It shows one line at a time, with what sets it apart. The second line changes the rules.
    """

    def section(self, session: Session) -> MenuSection:
        title = message("ask-which-rules")
        families = rules_to_choose(session)
        first, *others = (one._replace(about=_about_rules, title=title) for one in families)
        change = rules_to_change(self.chosen_rules(session))
        lines: tuple[Line, ...] = (first, change, *others, WHOLE_MENU)
        return MenuSection("rules", message("ask-which-game"), lines, about=_about_family)


# Only one-button panels need it in this list: others open the menu by a hold of NEXT.
WHOLE_MENU = MenuItem(
    "menu",
    message("menu"),
    lambda menu, session: menu.back.menu(menu.close(session).session, menu.driver),
    lambda session: session.mode.has_one_button(session),
)


def rules_to_choose(session: Session) -> tuple[MenuSection, ...]:
    """Return a section for each family of rules, that of the next game first."""
    families = [*offers.FAMILIES, offers.OWN]
    first = families.index(offers.family_of(session.settings, session.mode.chosen_rules(session)))
    return tuple(
        MenuSection(family, message(f"family-{family}"), partial(_family_lines, family))
        for family in (*families[first:], *families[:first])
    )


def _family_lines(family: str, session: Session) -> tuple[Line, ...]:
    """Return a line for each of the rules in a family, the next game's first."""
    names = offers.names_in_family(session.settings, family)
    chosen = session.mode.chosen_rules(session)
    first = names.index(chosen) if chosen in names else 0
    return tuple(
        MenuItem(name, offers.edition_title(name), partial(_choose_rules, name), _may_choose_rules)
        for name in (*names[first:], *names[:first])
    )


def _may_choose_rules(session: Session) -> bool:
    """Whether the rules are in this menu. While players join, they are in a menu of their own."""
    return session.record is not None or isinstance(session.mode, RulesMenu)


def _choose_rules(name: str, menu: Menu, session: Session) -> Change:
    if isinstance(menu.back, Joining):
        return session.lead_to(menu.back.with_rules(name), pressed=menu.driver)
    after = session.set(RULESET, name)
    menu = menu.open_sections(after, *menu.path[:-2], line=menu.path[-2])
    return after.lead_to(menu, pressed=menu.driver)


def _about_family(session: Session, name: str) -> tuple[Text, ...] | None:
    if name in offers.FAMILIES:
        return message(f"family-{name}-board"), message(f"family-{name}-entry")
    return () if name == offers.OWN else None


def _about_rules(session: Session, name: str) -> tuple[Text, ...] | None:
    if house := offers.find_house(session.settings, name):
        return offers.rules_lines(house, 3)
    if name not in offers.all_rules(session.settings):
        return None
    first, *_ = offers.FAMILIES[offers.family_of(session.settings, name)]
    return distinctions(offers.all_rules(session.settings)[name], offers.EDITIONS[first])
