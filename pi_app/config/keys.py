"""The table of configuration keys: the default, rule and help of each. It reads no file.

Keys are listed only here: `pytest --redraw tests/pi_app/config` writes referee.toml from them.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pi_app.config.values import (
    DEAD_TIME,
    FOLDER,
    I2C_ADDRESS,
    LASTING_PORT,
    PART,
    PIN,
    PROGRAM,
    SEATS,
    ValueRule,
    list_of_texts,
    one_of,
    readable_text,
    whole_number,
)
from pi_app.settings.settings import (
    BRIGHTNESS,
    BRIGHTNESSES,
    CHILDREN,
    DICE,
    DICE_FROM,
    HINTS,
    HINTS_ARE,
    VOLUME,
    VOLUMES,
)
from rules.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS


class ConfigKey(NamedTuple):
    """A key of the configuration.

    name: its full name. shipped: its value in the shipped file. rule: its allowed values.
    help: the comment in the shipped file, "" if the comment of the key above covers it.
    field: its field in `Config`, "" if a value within `Config` has it.
    """

    name: str
    shipped: Any
    rule: ValueRule
    help: str = ""
    field: str = ""

    @property
    def default(self) -> Any:
        """The value in a file without the key: a part (`PART`) is then not there."""
        return None if self.rule is PART else self.shipped


HEAD = (
    "The configuration of the table as it is shipped; `referee config` prints it. "
    "/etc/pachisi-referee/referee.toml changes it: write there only the keys that differ, each "
    "under its table's name in brackets; a key that is left out there has the value that it has "
    "here. Any other file, named by `referee run --config FILE`, is a whole configuration: a part "
    "that it leaves out is not there. `referee check-config` says what is wrong with the one in "
    "/etc, with FILE after it with another. Pins are BCM numbers (GPIO17 is 17), 0 to 27, each for "
    "one purpose; hardware/pins.csv has them all, with the places on the header. Where a part may "
    "be missing, false instead of its pin says that it is."
)
# What people have to know of a whole table of the file.
ABOUT = {
    "panel.A": (
        "One panel for each seat; A to D follow each other in the direction of travel. ok = false "
        "takes a panel out: a seat that nobody can take; at least two are needed. ok and next: "
        "buttons to ground. next = false is a one-button panel: click for NEXT, hold for OK. lamp: "
        "an LED with its resistor to ground, or false. The lamps' pins are pulled down while the "
        "Pi starts, so that no lamp glows before the table is ready."
    ),
    "display": (
        "A second display, for players who sit opposite: write [[display]] here in place of "
        "[display], and below its keys another [[display]] with its own; a key that is left out "
        "there has the value that it has here as shipped. Its i2c_address must be another one "
        '(0x3D by the jumper); with "spi" its spi_device (1), and its dc and reset (14 and 15 are '
        "free)."
    ),
    "settings": (
        'What players change in the menu, under "box": these are the first values; one that was '
        "changed at the table stays as it was left there."
    ),
}
HOUSE_RULES = (
    "House rules: a table each, [house.NAME], of a base, which is one of the editions above, and "
    "the options that differ from it; rules/README.md has all options and their values. A name is "
    "up to 12 letters from A to Z, digits and spaces, no edition's, in quotes where it has spaces. "
    "NEXT offers them at the table after the usual rules; they can be changed there too, and then "
    "stay as they were left. Take the # off to have:"
)
EXAMPLE = (
    '[house."our rules"]',
    '    base = "royal-2023"',
    "    capture_bonus = 0",
    '    third_doublet = "forfeit"',
    "    play_on = true",
)

PANELS = {"A": (17, 27, 22), "B": (5, 6, 13), "C": (16, 20, 21), "D": (19, 26, 12)}
PANEL_KEYS = ("ok", "next", "lamp")

MOST_NAMES = 8  # of the page

KEYS = (
    ConfigKey(
        "table.ruleset",
        DEFAULT_PRESET,
        one_of(*PRESETS),
        f"The rule set that a new game begins with: {', '.join([*PRESETS][:-1])} or "
        f"{[*PRESETS][-1]}. NEXT changes it at the table before each game; what was begun with "
        "last is offered first. royal-2023 is the edition in the shops, so the rules that most "
        "boards come with. House rules, further down, may be named here too.",
        "ruleset",
    ),
    ConfigKey(
        "table.journal",
        "/var/lib/pachisi-referee",
        FOLDER,
        "The folder of the journal, which is made if need be; an absolute path, or ~ for the home "
        "folder. /var/lib is where a service keeps what must outlive it. Not a memory disk: games "
        "would be lost.",
        "journal",
    ),
    ConfigKey(
        "pins.factory",
        "lgpio",
        one_of("lgpio", "rpigpio"),
        'The library that reaches the pins: "lgpio" or "rpigpio" (RPi.GPIO\'s interface; on a Pi 5 '
        "and on current kernels rpi-lgpio provides it). The one named is used or nothing. lgpio: "
        "it runs on all Pis.",
        "pin_factory",
    ),
    ConfigKey(
        "pins.dome",
        23,
        PART,
        "The button under the dice chamber's dome; false where the lit chamber is on USB.",
        "dome",
    ),
    ConfigKey(
        "pins.power",
        4,
        PART,
        "The power button, or false. Not pin 3, which is the display's clock.",
        "power",
    ),
    ConfigKey(
        "pins.buzzer",
        18,
        PART,
        "A passive piezo, or false. Pin 18 could do PWM in hardware.",
        "buzzer",
    ),
    ConfigKey(
        "pins.press_dead_ms",
        20,
        DEAD_TIME,
        "How long edges are only noted after a press and after a release that counted, in "
        "milliseconds, 5 to 100. Good switches bounce up to 6.2 ms, heavy domes 15; fingers can't "
        "tap twice within 50.",
        "press_dead_ms",
    ),
    ConfigKey("pins.release_dead_ms", 20, DEAD_TIME, field="release_dead_ms"),
    *(
        ConfigKey(f"panel.{letter}.{name}", pin, PART)
        for letter, pins in PANELS.items()
        for name, pin in zip(PANEL_KEYS, pins, strict=True)
    ),
    ConfigKey(
        "display.driver",
        "ssd1306",
        one_of("ssd1306", "ssd1309", "sh1106"),
        'The panel\'s controller: "ssd1306" (most 0.96 inch panels), "ssd1309" (2.42 inch) or '
        '"sh1106" (1.3 inch). A wrong one shows a picture shifted by 2 pixels or noise at an edge.',
    ),
    ConfigKey(
        "display.bus",
        "i2c",
        one_of("i2c", "spi"),
        '"i2c" or "spi". I2C needs two wires; its speed is the system\'s: '
        "dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt makes a picture 23 ms "
        "instead of 93 ms.",
    ),
    ConfigKey(
        "display.rotation",
        0,
        one_of(0, 180, "turn"),
        '0 or 180 degrees: how the panel is mounted. "turn" is for a panel that lies flat: it is '
        "read from its lower edge, and turned by 180 degrees for those of far_seats when it is "
        "theirs to press.",
    ),
    ConfigKey(
        "display.far_seats",
        ["C", "D"],
        SEATS,
        'With rotation = "turn": who sits at the panel\'s upper edge. As shipped, A and B sit on '
        "one side of the board, C and D on the other; where two play who sit opposite, that is "
        "right, too.",
    ),
    ConfigKey(
        "display.i2c_port",
        1,
        whole_number(0, 22, "an I2C bus"),
        'With bus = "i2c": the bus, 0 to 22, which is 1 on the header\'s pins 2 and 3; the '
        "panel's address, 0x08 to 0x77, which is 0x3C or 0x3D by a jumper on the panel's back.",
    ),
    ConfigKey("display.i2c_address", 0x3C, I2C_ADDRESS),
    ConfigKey(
        "display.spi_port",
        0,
        whole_number(0, 1, "an SPI bus"),
        'With bus = "spi": the bus, 0 or 1, and which chip-select of it, 0 to 2; MHz, one of 1, 2, '
        "4, 8, 16, 20 (8 is within the 10 of the SSD1306's data sheet); the pins to the panel's "
        "D/C and RES.",
    ),
    ConfigKey("display.spi_device", 0, whole_number(0, 2, "a chip-select")),
    ConfigKey("display.spi_mhz", 8, one_of(1, 2, 4, 8, 16, 20)),
    ConfigKey("display.dc", 24, PIN),
    ConfigKey("display.reset", 25, PIN),
    ConfigKey(
        "chamber.port",
        "",
        LASTING_PORT,
        'The lit dice chamber\'s USB port by its lasting name; "" for none. "/dev/pachisi-chamber" '
        "is what the installed table calls a MicroPython Pico; with several of them, or without "
        "that, /dev/serial/by-id/...",
        "chamber",
    ),
    ConfigKey(
        "chamber.mode",
        "press",
        one_of("press", "roll"),
        'Who draws its dice: "press", the Pi at the press, or "roll", a chamber that reads real '
        "dice.",
        "chamber_mode",
    ),
    ConfigKey(
        "voice.program",
        "",
        PROGRAM,
        "The program that speaks each new screen's words, for players who can't see the panel: "
        '"espeak-ng" (Debian\'s package of that name) or its path; "" for no voice. It speaks on '
        "the system's sound card.",
        "voice",
    ),
    ConfigKey(
        "voice.speed",
        150,
        whole_number(80, 450, "words a minute"),
        "How fast, in words a minute, 80 to 450. 150 is as one talks; who listens often may want "
        "300.",
        "voice_speed",
    ),
    ConfigKey(
        "page.names",
        [],
        list_of_texts(MOST_NAMES, ["pachisi.local"]),
        "The names under which browsers may ask for the page for those who look on: the menu shows "
        f'the first, under "board", "watch by phone". At most {MOST_NAMES}, each a host name in '
        "small letters or an address as 192.168.1.7, without http:// and port, as "
        '["pachisi.local", "192.168.1.7"], of 33 characters at most, which fit the code that is '
        "scanned. [] means not known: then the computer's own name is shown, only to be typed. "
        "Nothing is served unless `pachisi-referee-page.socket` is enabled. Nobody can play or "
        "change anything on the page, but what is on it everybody in the house's network can see.",
        "page_names",
    ),
    ConfigKey(
        "page.chances",
        False,
        one_of(True, False),
        'Whether that page shows each seat\'s chance to win, as "wins 41 %": true or false. The '
        "chances are those before the throw on the table, and change once its play is done. The "
        "process that plays for bots works them out, after everything else.",
        "page_chances",
    ),
    ConfigKey(
        "settings.sound",
        VOLUME.usual,
        readable_text(VOLUME.read, one_of(*VOLUMES).wanted),
        'sound: "on", "turns-only" or "off".',
    ),
    ConfigKey(
        "settings.brightness",
        BRIGHTNESS.usual,
        one_of(*BRIGHTNESSES),
        'brightness of the display: "full", "half" or "low".',
    ),
    ConfigKey(
        "settings.dice",
        DICE.usual,
        one_of(*DICE_FROM),
        'The dice of each new game: "box", thrown here, or "typed", real dice that are thrown by '
        'hand and then typed in. Chosen in the menu, under "dice", it holds for that game.',
    ),
    ConfigKey(
        "settings.hints",
        HINTS.usual,
        one_of(*HINTS_ARE),
        'Whether the menu tells who asks what is best: "on" or "off". Chosen under "board", it '
        "holds for that game.",
    ),
    ConfigKey(
        "settings.children",
        CHILDREN.usual,
        readable_text(CHILDREN.read, 'the letters of some panels in order, such as "AC", or ""'),
        'The panels of children, as their letters: "AC", "ABCD" for the whole table, "" for none. '
        "On their turn the words are larger and come one line at a time, and they hold a button "
        "for 2 s instead of 1.",
    ),
)

# What may stand in a table of house rules, [house.NAME].
OPTION_RULES = {
    "base": one_of(*PRESETS),
    **{name: one_of(*option.values) for name, option in OPTIONS.items()},
    "blockade_limit": whole_number(0, 99, "turns of a blockade's owner"),
}

# In a file both displays are called alike.
FIRST, SECOND = "display", "display 2"


def keys_of_table(table: str) -> Iterator[tuple[str, ConfigKey]]:
    """Yield each key of a table, preceded by its name within the table."""
    for key in KEYS:
        if key.name.startswith(f"{table}."):
            yield key.name.removeprefix(f"{table}."), key


SHIPPED = {key.name: key.shipped for key in KEYS}
RULES = {key.name: key.rule for key in KEYS}
ALL_RULES = RULES | {f"{SECOND}.{name}": key.rule for name, key in keys_of_table(FIRST)}
