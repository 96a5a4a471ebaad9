"""The buzzer: plays short tunes on a passive piezo at a GPIO pin, without a thread."""

from collections import deque
from collections.abc import Sequence

from gpiozero import Factory, TonalBuzzer

from pi_app.devices.buttons import explain_pin_errors
from pi_app.model.events import Tone

Note = tuple[str | None, float]  # a pitch such as "C6", or None for a rest; seconds

SEAT_NOTES = ("C6", "E6", "G6", "C7")  # easy to tell apart, at pitches where a piezo is loud
ANY_SEAT = "A5"
FANFARE: tuple[Note, ...] = (
    *(("G5", 0.1), (None, 0.02), ("G5", 0.1), ("C6", 0.1), ("E6", 0.1)),
    *(("G6", 0.16), ("E6", 0.08), ("C7", 0.12)),
)  # the note of the winner's seat follows


def tune(tone: Tone) -> tuple[Note, ...]:
    """Return the notes of a tone. If it belongs to a seat, it contains the seat's own note."""
    own = ANY_SEAT if tone.seat is None else SEAT_NOTES[tone.seat]
    return {
        "press": ((own, 0.03),),
        "turn": ((own, 0.08), (None, 0.05), (own, 0.08)),
        "capture": ((own, 0.1), ("A5", 0.1), ("D5", 0.2)),
        "home": (("C6", 0.1), ("E6", 0.1), (own, 0.25)),
        "win": (*FANFARE, (own, 0.4)),
        "refused": (("G5", 0.07), ("D5", 0.12)),  # falls; lower, a small piezo is too quiet
    }[tone.name]


class Buzzer:
    """Plays the newest tones. It is silent without a pin.

    pin: BCM number. A passive piezo (without an oscillator of its own) connects it to ground.
    """

    def __init__(self, pin: int | None, factory: Factory) -> None:
        self._device = None
        if pin is not None:
            with explain_pin_errors(pin):
                self._device = TonalBuzzer(pin, mid_tone="A5", octaves=2, pin_factory=factory)
        self._notes: deque[Note] = deque()
        self._until = 0.0

    def play(self, tones: Sequence[Tone], now: float) -> float | None:
        """Play these tones, if any, instead of the current ones. Return when to call `step`."""
        if tones:
            self._notes = deque(note for tone in tones for note in tune(tone))
            self._until = now
        return self.step(now)

    def step(self, now: float) -> float | None:
        """Play the note that is due. Return when to call this again; None once it is silent."""
        if self._device is None:
            return None
        while self._until <= now and self._notes:
            note, seconds = self._notes.popleft()
            self._device.play(note)
            self._until += seconds
        if self._until <= now:
            self._device.stop()
            return None
        return self._until

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None
