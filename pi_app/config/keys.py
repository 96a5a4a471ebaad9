"""The table of configuration keys, each with its type, default, rule and help. It reads no file.

Keys are listed only here: `pytest --redraw tests/pi_app/config` writes referee.toml from them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from pi_app.config.values import (
    DEAD_TIME,
    FILE,
    FOLDER,
    HOST,
    I2C_ADDRESS,
    LANGUAGE,
    LASTING_PORT,
    MOST_NAMES,
    NAMES,
    PART,
    PIN,
    PRINTABLE,
    PROGRAM,
    SEATS,
    SOUND_DEVICE,
    TLS,
    TOPIC_LEVEL,
    TOPIC_LEVELS,
    TOPIC_LEVELS_OR_NONE,
    ValueRule,
    one_of,
    readable_text,
    whole_number,
)
from pi_app.settings import settings
from pi_app.settings.houses import HOUSE_PREFIX, House
from pi_app.settings.settings import Setting
from rules.ruleset import OPTIONS, PRESETS


class ConfigKey(NamedTuple):
    """A key of the configuration.

    name: its full name. shipped: its value in the shipped file. rule: its allowed values.
    help: the comment in the shipped file, "" if the comment of the key above covers it.
    """

    name: str
    shipped: Any
    rule: ValueRule
    help: str = ""

    def value(self, values: Mapping[str, Any], name: str = "") -> Any:
        """Return the key's value, a list as a tuple, or its default: a `PART` is then not there.

        name: its name in `values`, if that is another.
        """
        value = values.get(name or self.name, None if self.rule is PART else self.shipped)
        return tuple(value) if isinstance(value, list) else value


def key(name: str, shipped: Any, rule: ValueRule, help_: str = "") -> Any:
    """Return a field of a dataclass for a key, as in `ConfigKey`."""
    this = ConfigKey(name, shipped, rule, help_)
    return field(default=this.value({}), metadata={"key": this})


HEADER = (
    "The configuration as shipped; `referee config` prints it. Write your changes into "
    "/etc/pachisi-referee/referee.toml: only the keys that differ, each below the name of its "
    "table in brackets. Keys that you leave out there keep the values shown here. Any other "
    "file, named by `referee run --config FILE`, is a whole configuration: parts that it leaves "
    "out are missing parts. `referee check-config` lists the mistakes in the file in /etc, and "
    "`referee check-config FILE` those in another file. Pins are BCM numbers (GPIO17 is 17) "
    "from 0 to 27, and each pin has one purpose; hardware/pins.csv lists them with their places "
    "on the header. For a part that you do not have, write false instead of its pin."
)
# The help of a whole table of the file.
CHANGES_HEADER = (
    "The configuration of this table. A commented-out key has the value that its line shows. To "
    "change a key, remove its # and run `sudo systemctl restart referee`. `referee check-config` "
    "prints mistakes. `referee config` prints the shipped configuration."
)
TABLE_COMMENTS = {
    "panel.A": (
        "One panel for each seat. The seats A to D follow each other in the direction of "
        "travel. ok = false means that the seat has no panel, so nobody can sit there; at least "
        "two panels are needed. ok and next are buttons to ground. next = false makes a "
        "one-button panel: a click means NEXT, a hold means OK. lamp is an LED with its "
        "resistor to ground, or false. The lamps' pins have pull-downs while the Pi starts, so "
        "that no lamp glows too early."
    ),
    "display": (
        "For a second display, for players who sit opposite, write [[display]] here instead of "
        "[display], and add another [[display]] with its own keys below. Keys that you leave "
        "out there have the values shown here. Give the second display another i2c_address "
        '(0x3D, set by its jumper). With "spi" give it spi_device = 1 and its own dc and reset '
        "(pins 14 and 15 are free)."
    ),
    "settings": (
        'What players change in the menu, under "setup". These are the first values; a setting '
        "that was changed at the table keeps that value."
    ),
}
HOUSE_RULES = (
    "House rules: one table [house.NAME] for each, with a base, which is one of the editions "
    "above, and the options that differ from it. rules/OPTIONS.md lists all options and their "
    "values. A name has up to 12 letters from A to Z, digits and spaces; it is not the name of "
    "an edition; put it in quotes if it has spaces. NEXT offers house rules at the table after "
    "the edition. Players can change them there, and those changes stay. Remove the # to use "
    "this example:"
)
EXAMPLE_LINES = (
    '[house."our rules"]',
    '    base = "royal-2023"',
    "    capture_bonus = 0",
    '    third_doublet = "forfeit"',
    "    play_on = true",
)

PinFactory = Literal["lgpio", "rpigpio"]
Driver = Literal["ssd1306", "ssd1309", "sh1106"]
Bus = Literal["i2c", "spi"]
Rotation = Literal[0, 180, "turn"]
SpiMhz = Literal[1, 2, 4, 8, 16, 20]
ChamberDice = Literal["pi", "chamber"]

SPI_RESET = 25  # the usual pin of an SPI display's RES


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The BCM pins of one seat's panel; None for a part that it does not have."""

    seat: int
    ok: int
    next: int | None = None
    lamp: int | None = None


@dataclass(frozen=True, slots=True)
class Display:
    """One display and its connection."""

    driver: Driver = key(
        "display.driver",
        "ssd1306",
        one_of(*get_args(Driver)),
        'The display\'s controller: "ssd1306" (most displays of 0.96 inch), "ssd1309" (2.42 '
        'inch) or "sh1106" (1.3 inch). With the wrong one the picture is shifted by 2 dots, or '
        'has noise at an edge. An SSD1315 is "ssd1306".',
    )
    column_offset: int = key(
        "display.column_offset",
        2,
        whole_number(0, 4, "a column of the controller"),
        'With driver = "sh1106": which of the controller\'s 132 columns is at the left edge of the '
        "glass, 0 to 4. It is 2 on most displays and 0 on some: try 0 if the picture is shifted by "
        "2 dots with each driver.",
    )
    bus: Bus = key(
        "display.bus",
        "i2c",
        one_of(*get_args(Bus)),
        '"i2c" or "spi". I2C needs two wires. The system sets its speed: with '
        "dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt a picture takes 23 ms "
        "instead of 93 ms.",
    )
    rotation: Rotation = key(
        "display.rotation",
        0,
        one_of(*get_args(Rotation)),
        '0 or 180 degrees, as the display is mounted. "turn" is for a display that lies flat: '
        "people read it from its lower edge, and it turns by 180 degrees when a seat of "
        "far_seats is to press.",
    )
    far_seats: tuple[str, ...] = key(
        "display.far_seats",
        ["C", "D"],
        SEATS,
        'With rotation = "turn": the seats at the display\'s upper edge. The shipped value fits a '
        "board with A and B on one side and C and D on the other, and also two players who sit "
        "opposite.",
    )
    i2c_port: int = key(
        "display.i2c_port",
        1,
        whole_number(0, 22, "an I2C bus"),
        'With bus = "i2c": the bus, 0 to 22 (bus 1 is on pins 2 and 3), and the display\'s '
        "address, 0x08 to 0x77. A jumper on the display's back chooses 0x3C or 0x3D.",
    )
    i2c_address: int = key("display.i2c_address", 0x3C, I2C_ADDRESS)
    spi_port: int = key(
        "display.spi_port",
        0,
        whole_number(0, 1, "an SPI bus"),
        'With bus = "spi": the bus, 0 or 1; its chip-select, 0 to 2; the speed in MHz, one of '
        "1, 2, 4, 8, 16, 20 (the SSD1306's data sheet allows 10, so 8 is safe); the pin of the "
        "display's D/C.",
    )
    spi_device: int = key("display.spi_device", 0, whole_number(0, 2, "a chip-select"))
    spi_mhz: SpiMhz = key("display.spi_mhz", 8, one_of(*get_args(SpiMhz)))
    dc: int = key("display.dc", 24, PIN)
    reset: int | None = key(
        "display.reset",
        False,
        PART,
        "The pin of the display's RES, or false. On I2C most displays have no such pin; if yours "
        "has one, connect it and write its pin, usually 25: the referee then resets the display "
        f"each time it opens it. On SPI every display has one: there false means {SPI_RESET}.",
    )
    language: str = key(
        "display.language",
        "",
        LANGUAGE,
        'The language of this display, as in [settings]; "" for the language of the table. So two '
        "displays may have two languages.",
    )

    @property
    def turned_for(self) -> tuple[str, ...]:
        """The letters of the seats for which the picture is turned while they may press."""
        return self.far_seats if self.rotation == "turn" else ()

    @property
    def place(self) -> tuple[str, int, int]:
        """The bus, its number, and the address or chip-select, which no other display may have."""
        if self.bus == "i2c":
            return self.bus, self.i2c_port, self.i2c_address
        return self.bus, self.spi_port, self.spi_device


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The build of the table. Pins are BCM numbers."""

    panels: tuple[PanelPins, ...]
    displays: tuple[Display, ...]
    ruleset: str = key(
        "table.ruleset",
        "",
        one_of("", *PRESETS),
        f"The rule set of a new game: {', '.join([*PRESETS][:-1])} or {[*PRESETS][-1]}. NEXT "
        "changes it at the table before each game, and the table offers the last one first. "
        'With "" the first one is what players of the table\'s language know best, such as '
        '"parchis" for Spanish. You may also name house rules, see below.',
    )
    journal: Path = key(
        "table.journal_folder",
        "/var/lib/pachisi-referee",
        FOLDER,
        "The folder of the journal: an absolute path, or one that begins with ~ for the home "
        "folder. The referee creates it if necessary. Services keep their data in /var/lib. Do "
        "not use a memory disk: it would lose the games.",
    )
    pin_factory: PinFactory = key(
        "pins.factory",
        "lgpio",
        one_of(*get_args(PinFactory)),
        'The library that reaches the pins: "lgpio", which runs on every Pi, or "rpigpio", the '
        "interface of RPi.GPIO, which rpi-lgpio provides on a Pi 5 and on current kernels. The "
        "referee uses the one named here and no other.",
    )
    dome: int | None = key(
        "pins.dome",
        23,
        PART,
        "The button under the dome; false if the lit chamber is connected by USB.",
    )
    power: int | None = key(
        "pins.power", 4, PART, "The power button, or false. Do not use pin 3: the display needs it."
    )
    buzzer: int | None = key("pins.buzzer", 18, PART, "A passive piezo buzzer, or false.")
    press_dead_ms: int = key(
        "pins.press_dead_ms",
        20,
        DEAD_TIME,
        "For how many milliseconds, 5 to 100, a contact may bounce after a press or a release "
        "that counted. Good switches bounce for up to 6.2 ms, heavy domes for 15; fingers can't "
        "tap twice within 50.",
    )
    release_dead_ms: int = key("pins.release_dead_ms", 20, DEAD_TIME)
    chamber: str = key(
        "chamber.port",
        "",
        LASTING_PORT,
        'The USB port of the lit chamber, or "" if there is none. "/dev/pachisi-chamber" is the '
        "name that the installed referee gives to a MicroPython Pico. With several of them, or "
        "without the package, use a name in /dev/serial/by-id/.",
    )
    chamber_dice_from: ChamberDice = key(
        "chamber.dice_from",
        "pi",
        one_of(*get_args(ChamberDice)),
        'Who throws its dice: "pi" draws them when the dome is pressed; "chamber" is for a chamber '
        "that reads real dice.",
    )
    voice: str = key(
        "voice.program",
        "",
        PROGRAM,
        "The program that speaks each new screen, for players who can't see the display: "
        '"espeak-ng" (install Debian\'s package of that name) or its path; "" for no voice.',
    )
    voice_device: str = key(
        "voice.device",
        "",
        SOUND_DEVICE,
        "Where it speaks: a name that `aplay -L` lists. On a Pi with a jack this is "
        '"plughw:CARD=Headphones". "" is the system\'s default. The service does not see what '
        "raspi-config or a desktop chose, because they keep it for the login user alone.",
    )
    voice_speed: int = key(
        "voice.speed",
        150,
        whole_number(80, 450, "words a minute"),
        "How many words it speaks a minute, 80 to 450. People talk at about 150; practised "
        "listeners may like 300.",
    )
    page_names: tuple[str, ...] = key(
        "page.names",
        [],
        NAMES,
        "The names by which browsers may reach the spectators' page. The menu shows the first, "
        f'under "board", "watch by phone". At most {MOST_NAMES}, each a host name in small '
        "letters or an address such as 192.168.1.7, without http:// and without a port, as "
        '["pachisi.local", "192.168.1.7"]. A name has at most 33 characters, so that it fits '
        "into the code that phones scan. [] means that no name is known: then the menu shows "
        "the computer's own name, without a code. The page is served only if "
        "`pachisi-referee-page.socket` is enabled. Spectators can't play or change anything, "
        "but everybody in the house's network can see the page.",
    )
    page_chances: bool = key(
        "page.chances",
        False,
        one_of(True, False),
        'Whether that page shows each seat\'s chance to win, as "wins 41 %": true or false. It '
        "shows the chances before the throw on the table, and updates them when the play is "
        "complete. The bots' process calculates them after all other work.",
    )
    page_export: bool = key(
        "page.export",
        False,
        one_of(True, False),
        "Whether that page has links to take the games away, with all names: each game's record, "
        "and a backup of all games. true or false.",
    )
    mqtt_host: str = key(
        "mqtt.host",
        "",
        HOST,
        "The MQTT broker to which `referee mqtt` tells what the table does, such as "
        '"192.168.1.7"; "" for none. pi_app/mqtt/README.md explains all of it. The table itself '
        "takes no notice of this part.",
    )
    mqtt_port: int = key("mqtt.port", 1883, whole_number(1, 65_535, "a port"))
    mqtt_tls: bool | str = key(
        "mqtt.tls",
        False,
        TLS,
        "Whether the connection is encrypted: true trusts the system's certificates, a path those "
        "in that file. Brokers mostly use port 8883 for that.",
    )
    mqtt_user: str = key(
        "mqtt.user",
        "",
        PRINTABLE,
        'Our user name at the broker, and the file with the password; "" for none. Only the '
        "service should be able to read that file.",
    )
    mqtt_password_file: str = key("mqtt.password_file", "", FILE)
    mqtt_table: str = key(
        "mqtt.table",
        "",
        TOPIC_LEVEL,
        'The name of this table in topics, such as "kitchen"; "" for the name of the computer. '
        "Each table of a broker needs its own.",
    )
    mqtt_prefix: str = key(
        "mqtt.prefix",
        "pachisi",
        TOPIC_LEVELS,
        'The beginning of all topics; "pachisi/london" for a broker of several clubs.',
    )
    mqtt_names: bool = key(
        "mqtt.names",
        False,
        one_of(True, False),
        "Whether the names of the players are published: true or false.",
    )
    mqtt_records: bool = key(
        "mqtt.records",
        True,
        one_of(True, False),
        "Whether the records of ended games are published, for a club: true or false.",
    )
    mqtt_discovery: str = key(
        "mqtt.discovery",
        "homeassistant",
        TOPIC_LEVELS_OR_NONE,
        'The prefix by which Home Assistant discovers devices; "" for no Home Assistant.',
    )
    settings: Mapping[str, str]
    houses: Mapping[str, House]

    @property
    def first(self) -> dict[str, str]:
        """The settings by key, and the house rules, as they are before anybody changes them."""
        return {
            **self.settings,
            **{f"{HOUSE_PREFIX}{name}": str(house) for name, house in self.houses.items()},
        }

    @property
    def lamps(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lamps' pins, by seat; None for a seat without a lamp."""
        by_seat = {panel.seat: panel.lamp for panel in self.panels}
        return by_seat.get(0), by_seat.get(1), by_seat.get(2), by_seat.get(3)


def _keys(kind: Any) -> dict[str, ConfigKey]:
    """Return the keys of a dataclass by their fields."""
    return {one.name: one.metadata["key"] for one in fields(kind) if one.metadata}


def _first(setting: Setting[Any], rule: ValueRule, help_: str) -> ConfigKey:
    return ConfigKey(f"settings.{setting.key}", setting.usual, rule, help_)


CONFIG_KEYS, DISPLAY_KEYS = _keys(Config), _keys(Display)
PANELS = {"A": (17, 27, 22), "B": (5, 6, 13), "C": (16, 20, 21), "D": (19, 26, 12)}
PANEL_KEYS = ("ok", "next", "lamp")
SETTING_KEYS = (
    _first(settings.VOLUME, one_of(*settings.VOLUMES), 'sound: "on", "turns-only" or "off".'),
    _first(
        settings.BRIGHTNESS,
        one_of(*settings.BRIGHTNESSES),
        'brightness of the display: "full", "half" or "low".',
    ),
    _first(
        settings.DICE,
        one_of(*settings.DICE_FROM),
        'Who throws the dice of a new game: "referee", or "typed" for real dice that players '
        'throw by hand and type in. The menu changes it under "dice", for that game.',
    ),
    _first(
        settings.HINTS,
        one_of(*settings.HINTS_ARE),
        'Whether the menu offers hints: "on" or "off". The menu changes it under "board", for that '
        "game.",
    ),
    _first(
        settings.CHILDREN,
        readable_text(
            settings.CHILDREN.read, 'the letters of some panels in order, such as "AC", or ""'
        ),
        'The panels of children, as letters: "AC", "ABCD" for the whole table, "" for nobody. '
        "On their turn words are larger and come one line at a time, and a hold takes 2 s "
        "instead of 1.",
    ),
    ConfigKey(
        f"settings.{settings.NUMBERS.key}",
        "",
        one_of("", *settings.NUMBERS_ARE),
        'Whether the words of Parchís use the numbers printed on its board, as in "space 12": "on" '
        'or "off". They are right if A sits at yellow, so that pawns of A enter on 5. With "" they '
        "are off until somebody chooses Spanish at the first start.",
    ),
    _first(
        settings.LANGUAGE,
        LANGUAGE,
        'The language of the table, by its code: "en" for English, "de" for German. With "" the '
        "referee asks at its first start.",
    ),
)
TABLES = ("table", "pins", "panel", "display", "chamber", "voice", "page", "mqtt", "settings")
# All keys, in the order of the shipped file.
KEYS = sorted(
    (
        *CONFIG_KEYS.values(),
        *(
            ConfigKey(f"panel.{letter}.{name}", pin, PART)
            for letter, pins in PANELS.items()
            for name, pin in zip(PANEL_KEYS, pins, strict=True)
        ),
        *DISPLAY_KEYS.values(),
        *SETTING_KEYS,
    ),
    key=lambda key: TABLES.index(key.name.partition(".")[0]),
)

# The keys of a table of house rules, [house.NAME].
OPTION_RULES = {
    "base": one_of(*PRESETS),
    **{name: one_of(*option.values) for name, option in OPTIONS.items()},
    "blockade_limit": whole_number(0, 99, "turns of a blockade's owner"),
}

# In a file both displays have the same name.
FIRST_DISPLAY, SECOND_DISPLAY = "display", "display 2"
SHIPPED = {key.name: key.shipped for key in KEYS}
RULES = {key.name: key.rule for key in KEYS}
ALL_RULES = RULES | {f"{SECOND_DISPLAY}.{name}": key.rule for name, key in DISPLAY_KEYS.items()}
