"""The Pico's pins, as GPIO numbers; hardware/pins.csv has the same for soldering."""

DOME = 15

# Each die: centre, top-left with bottom-right, top-right with bottom-left, middle pair.
DICE = (2, 3, 4, 5, 6, 7, 8, 9)

HEARTBEAT = "LED"
