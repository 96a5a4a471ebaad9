"""Cards for the tests: what is on them, and card.html that writes to them, in Node."""

import base64
import json
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from systemd.card.__main__ import Release, make_page
from tests.firmware.interpreter import demanded, find_node

RELEASE = Release("1.2.3", b"!<arch>\n\x00\xff" * 1000, 1_764_000_000)
WRITTEN = (
    "The referee is on the card. Eject it, put it into the Raspberry Pi, and give the Pi power."
)
LINE = (
    "console=serial0,115200 console=tty1 root=PARTUUID=5f1c2a3b-02 rootfstype=ext4 fsck.repair=yes"
    " rootwait"
)
# As Raspberry Pi Imager 2 does (src/customization_generator.cpp).
WORDS_OF_CLOUD_INIT = " ds=nocloud;i=rpi-imager-1764000000000"
NETWORK = """\
network:
  version: 2
  ethernets:
    wired:
      match: {name: "e*"}
      dhcp4: true
"""
USER = """\
#cloud-config
hostname: board
manage_etc_hosts: true
enable_ssh: true
users:
- name: pi
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo
  shell: /bin/bash
  lock_passwd: true
"""
IMAGERS = {
    "meta-data": "instance-id: rpi-imager-1764000000000\n",
    "network-config": NETWORK,
    "user-data": USER,
}
OF_CLOUD_INIT = IMAGERS | {"config.txt": "", "cmdline.txt": f"{LINE}{WORDS_OF_CLOUD_INIT}\n"}


@dataclass(frozen=True, slots=True)
class Options:
    """What a builder chooses on the page. "keep" leaves the configuration as it is."""

    build: str = "keep"
    driver: str = ""
    language: str = ""
    page: bool = False


AS_IT_IS = Options()


def written(
    card: Mapping[str, str], options: Options = AS_IT_IS, release: Release = RELEASE
) -> tuple[str, Mapping[str, bytes]]:
    """Return what the page says, and all files of the card, after it wrote to that card."""
    return _press(
        tuple((name, text.encode(errors="surrogateescape")) for name, text in card.items()),
        options,
        release,
    )


@cache
def _press(
    card: tuple[tuple[str, bytes], ...], options: Options, release: Release
) -> tuple[str, Mapping[str, bytes]]:
    chosen = asdict(options)
    fields = {name: {"value": chosen[name]} for name in ("build", "driver", "language")}
    asked = {
        "html": make_page(release),
        "chosen": fields | {"page": {"checked": options.page}},
        "card": {name: base64.b64encode(data).decode() for name, data in card},
    }
    done = subprocess.run(
        [*demanded(find_node()).node, str(Path(__file__).with_name("press.mjs"))],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["told"], {name: base64.b64decode(data) for name, data in answer["card"].items()}


def write_card(
    folder: Path,
    card: Mapping[str, str] = OF_CLOUD_INIT,
    options: Options = AS_IT_IS,
    release: Release = RELEASE,
) -> None:
    """Write a card's files into a folder, as they are after the page wrote to it."""
    told, files = written(card, options, release)
    assert told.startswith(WRITTEN)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
