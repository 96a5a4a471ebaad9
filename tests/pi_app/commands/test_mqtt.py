"""`referee mqtt`: what of the configuration the bridge's process gets."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pi_app.commands import LastingError
from pi_app.commands.mqtt import LOCAL, bridge_words
from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.mqtt.bridge import Table
from pi_app.mqtt.broker import Login

COMPUTER = "Club-3.local"


def words(tmp_path: Path, text: str, local: str = LOCAL) -> tuple[str, ...]:
    """Return the arguments for a configuration in /etc with these keys."""
    etc = tmp_path / "referee.toml"
    etc.write_text(f"[mqtt]\n{text}\n")
    return bridge_words(load_config(etc, changes=etc), local, COMPUTER)


def values(given: tuple[str, ...]) -> tuple[str, str, Login, Table]:
    """Return the arguments as the bridge's process takes them."""
    local, password, login, table = given
    taken: list[Any] = [json.loads(login), json.loads(table)]
    return local, password, Login(*taken[0]), Table(*taken[1])


def test_a_broker_is_enough_and_the_table_is_called_as_its_computer(tmp_path: Path) -> None:
    local, password, login, table = values(words(tmp_path, 'host = "192.168.1.7"'))
    assert (local, password) == ("/run/pachisi-referee-local/socket", "")
    assert login == Login("192.168.1.7", 1883, False, "")
    assert table == Table("pachisi", "club-3", False, True, "homeassistant")


def test_each_key_has_its_place(tmp_path: Path) -> None:
    secret, house = tmp_path / "password", tmp_path / "house.pem"
    secret.write_text("secret")
    house.write_text("certificates")
    text = f"""
        host = "broker.local"
        port = 8883
        tls = "{house}"
        user = "kitchen"
        password_file = "{secret}"
        table = "kitchen"
        prefix = "pachisi/london"
        names = true
        records = false
        discovery = ""
    """
    _, password, login, table = values(words(tmp_path, text))
    assert password == str(secret)
    assert login == Login("broker.local", 8883, str(house), "kitchen")
    assert table == Table("pachisi/london", "kitchen", True, False, "")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "mqtt.host is empty: write the broker's name"),
        ('host = "a"\npassword_file = "/nowhere"', "mqtt.password_file '/nowhere' is missing"),
        ('host = "a"\ntls = "/nowhere.pem"', "mqtt.tls '/nowhere.pem' is missing"),
    ],
)
def test_what_is_missing_is_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(LastingError, match=sentence):
        words(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('table = "Kitchen"', "mqtt.table"),
        (f'table = "{"k" * 33}"', "mqtt.table"),
        ('prefix = ""', "mqtt.prefix"),
        ('prefix = "pachisi/#"', "mqtt.prefix"),
        ('host = "mqtt://broker"', "mqtt.host"),
        ("port = 0", "mqtt.port"),
        ('tls = "yes"', "mqtt.tls"),
    ],
)
def test_a_value_that_no_topic_or_broker_can_have_is_refused(
    tmp_path: Path, text: str, wanted: str
) -> None:
    with pytest.raises(Exception, match=wanted):
        words(tmp_path, text)


def test_a_broker_that_is_not_there_ends_forgetting_with_a_sentence(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = DEFAULT.read_text().replace("port = 1883", "port = 1")
    own.write_text(text.replace('host = ""', 'host = "127.0.0.1"'))
    options = ["mqtt", "--forget", "--config", str(own)]
    done = subprocess.run(
        [sys.executable, "-m", "pi_app", *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    why = "referee: the broker at 127.0.0.1:1 can't be reached (Connection refused)\n"
    assert done.stderr == why
