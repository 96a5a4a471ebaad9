"""Former names of keys and values, which this version still reads. Checks nothing."""

from collections.abc import Iterator, Mapping

from pi_app.config.toml import Mistake

# By the former key, the key of today.
KEYS = {"chamber.mode": "chamber.dice_from", "table.journal": "table.journal_folder"}
# By the key of today and the former value, the value of today.
VALUES = {
    ("chamber.dice_from", "press"): "pi",
    ("chamber.dice_from", "roll"): "chamber",
    ("settings.dice", "box"): "referee",
}


def with_new_names(given: Mapping[str, object]) -> dict[str, object]:
    """Return the values with former names replaced, unless a key is there under both names."""
    renamed = {}
    for key, value in given.items():
        new = key if KEYS.get(key) in given else KEYS.get(key, key)
        renamed[new] = VALUES.get((new, value), value) if isinstance(value, str) else value
    return renamed


def former_names(given: Mapping[str, object]) -> Iterator[Mistake]:
    """Yield each key that has a former name or value, and a sentence with the name of today."""
    for (key, value), (new, new_value) in zip(
        given.items(), with_new_names(given).items(), strict=True
    ):
        if (key, value) != (new, new_value):
            was = f'{key} = "{value}"' if value != new_value else key
            now = f'{new} = "{new_value}"' if value != new_value else new
            yield key, f"{was} is the former name: write {now}"
