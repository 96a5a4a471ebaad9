"""The READMEs: each command runs, each link leads somewhere, each claim is true."""

import csv
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from random import Random

import pytest

from hardware.lists import EVENING
from hardware.shopping import price
from pi_app import __version__
from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.config.writing import changes_text
from pi_app.model.screens import message
from pi_app.record.journal import FILE, load
from pi_app.settings.offers import nearest_family
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from pi_app.texts.language import ENGLISH
from rules.position import Position
from rules.ruleset import PRESETS
from systemd.deb import DIST, package_name
from tests.strength.told import chances_told, houses_told, losses_told, others_told, told

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
PLAYING, INSTALLING, STRENGTH = (
    ROOT / folder / "README.md" for folder in ("pi_app", "systemd", "pi_app/players")
)
READMES = sorted({*ROOT.glob("*.md"), *ROOT.glob("[!.]*/*.md"), *ROOT.glob("pi_app/*/*.md")})
WITH_COMMANDS = (
    "README.md",
    "pi_app/README.md",
    "systemd/README.md",
    "rules/README.md",
    "hardware/README.md",
    "hardware/proof.md",
)
SECONDS = 100
ADDRESS = re.compile(r"http://\S+")

# What is not run, and why.
EXCEPTED = {
    "make test": "it runs this test",
    "make run": "a test of its own fetches its page and ends it",
    "make club": "a test of its own looks at its page and ends it",
    "make deb": "it needs Debian's tools; the package has tests of its own",
    "scp": "it needs a Pi",
    "sudo": "it changes the machine, and needs packages of Raspberry Pi OS",
    "python3 -m venv": "it needs the network or 15 s; a test looks only for the files it names",
    "~/games/bin/pip": "a test of the wheel does the same",
    "~/referee/bin/pip": "it needs the network or 15 s; a test looks only for the files it names",
    "source": "it enters what the lines above it make",
    "referee games": "a test of its own runs it with the journal of a game",
    "referee show": "likewise",
    "referee export": "likewise",
    "referee import": "likewise",
    "referee stats": "likewise",
    "referee review": "likewise",
    "referee backup": "a test of its own runs it with the journal of a game",
    "referee report": "it would leave its file here; the command has tests of its own",
    "~/referee/bin/referee": "it needs pins; a test of its own reads what it prints without any",
}


def sh_blocks(path: Path) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


ALL = [
    (name, line)
    for name in WITH_COMMANDS
    for block in sh_blocks(ROOT / name)
    for line in block.splitlines()
]
EXCEPTIONS = [line for _, line in ALL if line.startswith(tuple(EXCEPTED))]
RUN = [pair for pair in ALL if pair[1] not in EXCEPTIONS]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody with this program installed and a home folder of their own."""
    return {
        **os.environ,
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line"), RUN)
def test_a_command_runs(name: str, line: str, surroundings: dict[str, str]) -> None:
    here = line.replace(".venv/bin/", f"{shlex.quote(str(BIN))}/")
    here = here.replace("-m pachisi_rules", "-m rules")  # as they are called in a checkout
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", here],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), line
    assert done.stdout.strip() != ""


def test_every_exception_is_a_command_that_is_there() -> None:
    for start in EXCEPTED:
        assert any(line.startswith(start) for line in EXCEPTIONS), start
    assert len(RUN) >= 8


def test_the_files_that_pip_is_given_are_there_and_complete() -> None:
    pip = [shlex.split(line) for line in EXCEPTIONS if line.startswith("~/referee/bin/pip")]
    named = [words[words.index("-r") + 1] for words in pip if "-r" in words]
    assert named == ["requirements.lock"]
    locked = (ROOT / named[0]).read_text()
    assert locked.count("==") == len(re.findall(r"== ?\S+.*\\\n +--hash=sha256:", locked))
    assert [words[-1] for words in pip] == ["requirements.lock", "."]
    assert "setuptools==" in locked  # which --no-build-isolation needs


def test_make_run_prints_the_address_of_the_page_and_ends_by_ctrl_c(
    surroundings: dict[str, str], tmp_path: Path
) -> None:
    made = f"VENV={sys.prefix}", f"--old-file={sys.prefix}/table"  # don't install anything
    process = subprocess.Popen(
        ["make", "--no-print-directory", *made, "run"],
        cwd=ROOT,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        address = next((word for line in process.stdout for word in ADDRESS.findall(line)), None)
        assert address is not None
        with urllib.request.urlopen(address, timeout=SECONDS) as page:
            assert b"<title>Pachisi Referee" in page.read()
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does it: to make and its child
        assert "Traceback" not in process.communicate(timeout=SECONDS)[0]
        assert list((tmp_path / "state").rglob("journal.db")) != []
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.slow
def test_the_games_are_looked_at_as_it_says(tmp_path: Path, surroundings: dict[str, str]) -> None:
    folder = tmp_path / "journal"
    with open_simulation(load_config(DEFAULT), 2, folder) as played:
        player = SimulatedPlayer(played, Random(2))
        player.begin((0, 2))
        while player.game.throws < 5:
            player.act()
    [look] = [text for text in sh_blocks(PLAYING) if "referee games" in text]
    here = re.sub(r"^(referee \w+)", rf"\1 --folder {folder}", look, flags=re.M)
    done = subprocess.run(
        ["bash", "-ec", here], env=surroundings, capture_output=True, text=True, check=True
    )
    assert f"{tmp_path}/game.jsonl is now game i1" in done.stdout
    assert "simulated: " in done.stdout
    assert "gave away" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("playing", [False, True], ids=["while stopped", "while it plays"])
def test_games_are_kept_and_put_back_as_it_says(tmp_path: Path, playing: bool) -> None:
    [keep, back] = [text for text in sh_blocks(PLAYING) if "~/games.db" in text]
    folder = tmp_path / "journal"

    def do(text: str) -> None:
        here = text.replace("/var/lib/pachisi-referee", str(folder)).replace("sudo ", "")
        here = here.replace("referee backup", f"{BIN}/referee backup --folder {folder}")
        environment = {**os.environ, "HOME": str(tmp_path)}
        subprocess.run(["bash", "-ec", here], check=True, env=environment)

    def game() -> Position:
        journal, found = load(folder / FILE)
        journal.close()
        assert found.warning is None
        assert found.record is not None
        return found.record.game.position

    with open_simulation(load_config(DEFAULT), 2, folder) as played:
        player = SimulatedPlayer(played, Random(2))
        player.begin((0, 2))
        while player.game.throws < 8:
            player.act()
        kept = player.game.position
        if playing:
            do(keep)
    if not playing:
        do(keep)
    with open_simulation(load_config(DEFAULT), 3, folder) as played:
        player = SimulatedPlayer(played, Random(3))
        while player.game.position == kept:
            player.act()
    assert game() != kept
    do(back)
    assert game() == kept


def test_the_changes_of_the_configuration_that_it_shows_can_be_used(tmp_path: Path) -> None:
    [shown] = re.findall(r"^```diff\n(.*?)^```", INSTALLING.read_text(), re.M | re.S)
    text = changes_text({})  # as it lies there
    for table, old, new in re.findall(r"^ (.+)\n-(.+)\n\+(.+)$", shown, re.M):
        [part] = re.findall(rf"^{re.escape(table)}$.*?(?=^\[|\Z)", text, re.M | re.S)
        assert part.count(f"\n{old}\n") == 1
        text = text.replace(part, part.replace(f"\n{old}\n", f"\n{new}\n"))
    changes = tmp_path / "referee.toml"
    changes.write_text(text)
    config = load_config(changes, changes=changes)
    assert (config.displays[0].driver, config.buzzer) == ("ssd1309", None)
    assert config.panels == load_config(DEFAULT).panels


def test_installing_is_three_commands_with_the_name_that_the_package_has() -> None:
    blocks = sh_blocks(INSTALLING)
    [install] = [text.splitlines() for text in blocks if "apt install ./" in text]
    [make] = [text.splitlines() for text in blocks if "make deb" in text]
    assert install[1:] == ["sudo referee setup", "sudo reboot"]
    pattern = install[0].removeprefix("sudo apt install ./")
    assert fnmatch(package_name(__version__), pattern)
    assert make == ["make deb", f"scp {DIST.name}/{pattern} USER@NAME.local:"]


def test_run_without_pins_says_what_is_missing(
    surroundings: dict[str, str], tmp_path: Path
) -> None:
    shipped = (ROOT / "pi_app" / "referee.toml").read_text()
    config = tmp_path / "referee.toml"
    config.write_text(shipped.replace('"/var/lib/pachisi-referee"', '"~/games"'))
    (tmp_path / "lgpio.py").write_text("raise ImportError('no pins here')")
    done = subprocess.run(
        [str(BIN / "referee"), "run", "--config", str(config)],
        cwd=tmp_path,
        env={**surroundings, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 78  # EX_CONFIG: no restart would help
    assert done.stderr.count("\n") == 1
    assert "python3-lgpio" in done.stderr
    assert "`referee simulate`" in done.stderr


# Links.


def links(text: str) -> list[str]:
    """Return where a Markdown text's links and images lead."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.findall(r"\]\(([^)\s]+)\)", prose) + re.findall(r'<img src="([^"]+)"', prose)


def anchors(path: Path) -> set[str]:
    """Return the names that GitHub gives to a file's headings."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in links(path.read_text(encoding="utf-8")):
        file, _, anchor = link.partition("#")
        if not file.startswith(("http:", "https:")):
            target = path.parent / file if file else path
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_the_readmes_have_links() -> None:
    assert sum(len(links(path.read_text(encoding="utf-8"))) for path in READMES) >= 12


# What they claim.


def test_the_strength_that_is_told_is_the_one_that_was_measured() -> None:
    readme = STRENGTH.read_text(encoding="utf-8")
    assert told() in readme
    assert told("thumb") in readme
    assert houses_told() in readme
    in_words = others_told()
    assert set(in_words) == {"child", "easy", "club", "grace"}
    for player, won in in_words.items():
        assert re.search(rf"{player}\W+(wins )?{re.escape(won)}", " ".join(readme.split()))


def test_the_errors_of_the_chances_and_the_losses_are_those_that_were_measured() -> None:
    readme = " ".join(STRENGTH.read_text(encoding="utf-8").split())
    assert " ".join(chances_told().split()) in readme
    assert f"in points: {'; '.join(losses_told()) or 'not measured yet'}." in readme


NUMBERS = {2: "two", 7: "seven", 13: "thirteen"}


@pytest.mark.parametrize("path", ["README.md", "rules/README.md"])
def test_the_number_of_editions_is_told_for_each_family(path: str) -> None:
    text = " ".join((ROOT / path).read_text(encoding="utf-8").split())
    for family, count in Counter(map(nearest_family, PRESETS.values())).items():
        name = re.escape(ENGLISH.say(message(f"family-{family}")))
        assert re.search(rf"{NUMBERS[count]} (editions )?of {name}", text), family


def test_the_readme_tells_what_the_lists_say_it_costs_and_takes() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    with (ROOT / "hardware" / "prints.csv").open(newline="", encoding="utf-8") as file:
        minutes = {row["part"]: int(row["minutes"]) for row in csv.DictReader(file)}
    once = ("panel-A", "panel-B", "panel-C", "panel-D", "console-two", "console-lid", "dome-lit")
    hours = (sum(minutes[part] for part in (*once, "dome-lid")) + 4 * minutes["panel-lid"]) / 60
    assert f"cost {price(EVENING):.2f} €" in readme
    assert f"costs {price('deluxe'):.2f} € with" in readme
    assert f"or {price('deluxe, stripboard'):.2f} € on stripboards" in readme
    assert f"some {hours:.0f} hours" in readme


def test_the_reason_for_every_dependency_is_given() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    table = "\n".join(
        line.lower() for line in (ROOT / "DEPENDENCIES.md").read_text().splitlines() if "|" in line
    )
    for extra, requirements in extras.items():
        assert f"| `[{extra}]` |" in table
        for requirement in requirements:
            [name] = re.findall(r"^[\w.-]+", requirement)
            assert name == project["name"] or re.search(rf"\b{re.escape(name)}\b", table), name
