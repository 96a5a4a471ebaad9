"""`referee mqtt`: becomes the process that tells an MQTT broker what the table does."""

import argparse
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname

import pi_app
from pi_app.commands import LastingError, add_config, add_flag
from pi_app.config.keys import CHANGES, Config
from pi_app.config.reading import load_config
from pi_app.mqtt.messages import fit_name

LOCAL = "/run/pachisi-referee-local/socket"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    parser.add_argument(
        "--local",
        metavar="PATH",
        default=LOCAL,
        help="the socket of the table, as in `referee simulate --local PATH`; default: that of the "
        "installed referee",
    )
    text = (
        "make the broker and Home Assistant forget this table, and end. First stop its service: "
        "sudo systemctl stop pachisi-referee-mqtt"
    )
    add_flag(parser, "--forget", text)


def main(options: argparse.Namespace) -> None:
    """Replace this process by one that loads only what the bridge needs.

    Raises ConfigError, and LastingError for a part of [mqtt] that only a person can mend.
    """
    config = load_config(options.config)
    words = bridge_words(config, "" if options.forget else options.local, gethostname())
    root = Path(pi_app.__file__).parents[1]
    os.environ["PYTHONPATH"] = str(root)
    os.execv(sys.executable, [sys.executable, "-P", "-m", "pi_app.mqtt", *words])


def bridge_words(config: Config, local: str, computer: str) -> tuple[str, ...]:
    """Return the arguments of the bridge's process. computer: this computer's name."""
    if not config.mqtt_host:
        raise LastingError(f"mqtt.host is empty: write the broker's name under [mqtt] in {CHANGES}")
    if find_spec("paho") is None:
        raise LastingError(
            "to install paho-mqtt, run pip install '.[mqtt]' in the project's folder"
        )
    password, tls = config.mqtt_password_file, config.mqtt_tls
    for key, file in (("password_file", password), ("tls", tls)):
        if isinstance(file, str) and file and not os.access(file, os.R_OK):
            raise LastingError(f"mqtt.{key} {file!r} is missing or can't be read")
    name = config.mqtt_table or fit_name(computer)
    login = (config.mqtt_host, config.mqtt_port, tls, config.mqtt_user)
    published = (config.mqtt_names, config.mqtt_records, config.mqtt_discovery)
    return local, password, json.dumps(login), json.dumps((config.mqtt_prefix, name, *published))
