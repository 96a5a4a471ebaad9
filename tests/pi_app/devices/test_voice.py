"""The voice: real programs, among them espeak-ng, that speak, fail, hang or are not there."""

import os
import select
import shutil
import subprocess
import wave
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from time import sleep

import pytest

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import parse_config
from pi_app.devices.buttons import pin_factory
from pi_app.devices.voice import TIMEOUT_S, Voice, espeak_command, spoken_text
from pi_app.runtime.assembly import Parts, open_table
from pi_app.runtime.dice import KERNEL
from pi_app.runtime.outputs import SelfTestOutput, VoiceOutput
from pi_app.simulate.glass import DummyDisplay
from pi_app.table.telling.findings import voice_finding
from pi_app.texts.language import codes, language
from tests.asked import can_not_run

# The languages in `espeak-ng --voices` of Debian 12 (1.51).
RECORDED = """
af am an ar as az ba be bg bn bpy bs ca chr-US-Qaaa-x-west cmn cmn-latn-pinyin cs cv cy da
de el en-029 en-gb en-gb-scotland en-gb-x-gbclan en-gb-x-gbcwmd en-gb-x-rp en-us en-us-nyc
eo es es-419 et eu fa fa-latn fi fr-be fr-ch fr-fr ga gd gn grc gu hak haw he hi hr ht hu hy
hyw ia id io is it ja jbo ka kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt my
nb nci ne nl nog om or pa pap piqd pl pt pt-br py qdb qu quc qya ro ru ru-lv sd shn si sjn
sk sl smj sq sr sv sw ta te th tk tn tr tt ug uk ur uz vi vi-vn-x-central vi-vn-x-south yue
"""


class Bench:
    """A voice, what its programs tell by a pipe, and what it reports."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "program"
        self.pipe = folder / "pipe"
        self.reports: SimpleQueue[str | None] = SimpleQueue()
        self.voice = Voice(lambda language: (str(self.program),), self.reports.put)
        os.mkfifo(self.pipe)

    def is_program(self, text: str) -> None:
        """Make the program a shell script; in it `$PIPE` is read by `told`."""
        self.program.write_text(f"#!/bin/sh\nPIPE='{self.pipe}'\n{text}\n")
        self.program.chmod(0o755)

    def told(self) -> str:
        """Wait until the program has written to the pipe and closed it."""
        return self.pipe.read_text()

    def said(self) -> list[str | None]:
        return [self.reports.get() for _ in range(self.reports.qsize())]


SPEAKS = 'cat > "$PIPE"'
HANGS = 'echo $$ > "$PIPE"; exec sleep 1000'


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.voice.close()


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_text_reaches_the_program_by_its_input(bench: Bench) -> None:
    bench.is_program(SPEAKS)
    bench.voice.say("C moves, $(reboot) `reboot` -w /etc/passwd →")
    bench.voice.step(0.0)
    assert bench.told() == "C moves, $(reboot) `reboot` -w /etc/passwd →\n"


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("A moves, A's entry to 3 past A, A joined", "A, moves, A's entry to 3 past A, A, joined"),
        ("A lance", "A, lance"),
        ("A à l'écurie", "A, à l'écurie"),
        ("A lança", "A, lança"),
        ("A 81 of 100 after turn 40", "A, 81 of 100 after turn 40"),
        ("A\u202f: départ A, à A", "A\u202f: départ A, à A"),
        ("B à A", "B à A"),
    ],
)
def test_seat_a_is_a_letter_and_no_article_no_verb_and_no_preposition(
    text: str, spoken: str
) -> None:
    assert spoken_text(text) == spoken


def test_an_address_is_read_in_groups_and_a_decimal_as_it_is() -> None:
    assert spoken_text("http://192.168.1.20:8337") == "http://192, 168, 1, 20, 8337"
    assert spoken_text("71.9 GB, version 1.0.0") == "71.9 GB, version 1.0.0"


def test_of_several_texts_the_newest_is_spoken(bench: Bench) -> None:
    bench.is_program(SPEAKS)
    for text in ("one", "two", "three"):
        bench.voice.say(text)
    bench.voice.step(0.0)
    assert bench.told() == "three\n"


def test_a_newer_text_ends_the_one_that_is_spoken(bench: Bench) -> None:
    bench.is_program(HANGS)
    pids = []
    for text in ("one", "two"):
        bench.voice.say(text)
        bench.voice.step(0.0)
        pids.append(int(bench.told()))
    assert [is_gone(pid) for pid in pids] == [True, False]
    bench.voice.close()
    assert is_gone(pids[1])
    assert bench.said() == []


def test_what_the_program_has_started_ends_with_it(bench: Bench) -> None:
    bench.is_program('sleep 1000 & echo $! > "$PIPE"; wait')
    bench.voice.say("one")
    bench.voice.step(0.0)
    started = os.pidfd_open(int(bench.told()))
    bench.voice.close()
    ended, _, _ = select.select([started], [], [], 60)
    os.close(started)
    assert ended == [started]


def test_a_program_that_hangs_is_ended_and_reported_once(bench: Bench) -> None:
    bench.is_program(HANGS)
    for start in (0.0, 1000.0):
        bench.voice.say("one")
        bench.voice.step(start)
        pid = int(bench.told())
        bench.voice.step(start + TIMEOUT_S - 0.1)
        assert not is_gone(pid)
        bench.voice.step(start + TIMEOUT_S)
        assert is_gone(pid)
    (report,) = bench.said()
    assert "has not ended within 60 s" in str(report)


def test_a_program_that_is_missing_is_reported_once(bench: Bench) -> None:
    for text in ("one", "two"):
        bench.voice.say(text)
        bench.voice.step(0.0)
    (report,) = bench.said()
    assert "No such file or directory): install it with" in str(report)


def test_a_program_that_fails_is_reported_and_that_it_speaks_again(bench: Bench) -> None:
    bench.is_program("cat > /dev/null; exit 3")
    bench.voice.start()
    bench.voice.say("one")
    assert "ended with 3" in str(bench.reports.get(timeout=60))
    bench.is_program("cat > /dev/null")
    bench.voice.say("two")
    assert bench.reports.get(timeout=60) is None


def test_a_program_that_ends_well_but_with_an_error_has_failed(bench: Bench) -> None:
    bench.is_program('cat > /dev/null; echo "ALSA: ..." >&2; echo "error: No card" >&2; exit 0')
    bench.voice.start()
    bench.voice.say("one")
    assert "error: No card)" in str(bench.reports.get(timeout=60))
    assert bench.voice.speaks is False
    bench.is_program('cat > /dev/null; echo "ALSA: underrun" >&2')
    bench.voice.say("two")
    assert bench.reports.get(timeout=60) is None
    assert bench.voice.speaks is True


def test_a_program_that_complains_without_end_is_not_held_up(bench: Bench) -> None:
    bench.is_program('cat > /dev/null; yes "error: no" | head -c 300000 >&2; echo "fine" >&2')
    bench.voice.say("one")
    while bench.voice.speaks is None:
        bench.voice.step(0.0)
    assert (bench.voice.speaks, bench.said()) == (True, [])


def test_a_failure_is_noticed_if_the_next_text_is_there_already(bench: Bench) -> None:
    bench.is_program('cat > /dev/null; echo "error: No card" >&2; echo > "$PIPE"')
    bench.voice.say("one")
    bench.voice.step(0.0)
    bench.told()
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    bench.voice.say("two")
    bench.voice.step(0.1)
    assert bench.voice.speaks is False


def test_a_program_that_takes_no_text_is_no_fault(bench: Bench) -> None:
    bench.is_program('exec < /dev/null; echo begun > "$PIPE"; exec sleep 1000')
    bench.voice.say("one " * 1000)
    bench.voice.step(0.0)
    assert bench.told() == "begun\n"
    bench.voice.say("two")
    bench.voice.step(1.0)
    assert (bench.told(), bench.said()) == ("begun\n", [])


# --- the real program ------------------------------------------------------------------------


@pytest.fixture
def real() -> str:
    program = shutil.which("espeak-ng")
    if program is None:
        can_not_run("no espeak-ng on this machine, so the voice was not heard: install espeak-ng")
    return program


def seconds(sound: Path) -> float:
    with wave.open(str(sound)) as file:
        return float(file.getnframes() / file.getframerate())


def into_a_file(bench: Bench, real: str, sound: Path) -> None:
    """Let the bench's program be the real one, speaking into a file, and tell when it is done."""
    bench.is_program(f"'{real}' \"$@\" -w '{sound}'; echo $? > \"$PIPE\"")


def test_espeak_speaks_a_screen_at_the_speed_asked_for(
    bench: Bench, real: str, tmp_path: Path
) -> None:
    sound, lengths = tmp_path / "sound.wav", []
    into_a_file(bench, real, sound)
    long = "A moves, dice 5 and 3, 5: A's entry to 5 past A, OK: I moved it"
    for text, speed in ((long, 150), (long, 300), ("A's turn", 150)):
        voice = Voice(partial(espeak_command, str(bench.program), speed, ""), bench.reports.put)
        voice.say(text)
        voice.step(0.0)
        assert bench.told() == "0\n"
        voice.close()
        lengths.append(seconds(sound))
    usual, quick, short = lengths
    assert usual > 4 > 1.5 > short > 0.3
    assert usual > 1.4 * quick


@pytest.mark.parametrize(("device", "speaks"), [("null", True), ("plughw:CARD=Missing", False)])
def test_espeak_speaks_on_the_device_that_is_named(real: str, device: str, speaks: bool) -> None:
    reports: SimpleQueue[str | None] = SimpleQueue()
    voice = Voice(partial(espeak_command, real, 450, device), reports.put)
    voice.say("A")
    while voice.speaks is None:
        voice.step(0.0)
        sleep(0.01)
    assert voice.speaks == speaks
    assert reports.empty() == speaks
    assert speaks or f"({real}: error: " in str(reports.get())


def voice_of(code: str) -> str:
    return espeak_command("espeak-ng", 150, "", language(code).code)[2]


def test_english_speaks_as_in_america_and_british_english_as_in_britain() -> None:
    voices = [voice_of(code) for code in ("en", "en_GB", "de", "pt")]
    assert voices == ["en-us", "en-gb", "de", "pt"]


@pytest.mark.parametrize("code", codes())
def test_espeak_has_the_voice_of_each_language(code: str) -> None:
    program = shutil.which("espeak-ng")
    if program is None:
        assert voice_of(code) in RECORDED.split()
        return
    listed = subprocess.run([program, "--voices"], capture_output=True, text=True, check=True)
    assert voice_of(code) in [line.split()[1] for line in listed.stdout.splitlines()]


def test_a_table_with_a_voice_speaks_its_first_screen(
    bench: Bench, real: str, tmp_path: Path
) -> None:
    sound = tmp_path / "sound.wav"
    into_a_file(bench, real, sound)
    text = DEFAULT.read_text().replace('program = ""', f'program = "{bench.program}"')
    factory = pin_factory("mock")
    given = Parts(factory=factory, devices=(DummyDisplay,), folder=tmp_path, dice=KERNEL)
    with open_table(parse_config(text), given):
        assert bench.told() == "0\n"
    assert seconds(sound) > 4


def test_the_self_test_of_a_table_finds_that_the_voice_is_silent(
    bench: Bench, tmp_path: Path
) -> None:
    bench.is_program('cat > /dev/null; echo "error: No card" >&2')
    text = DEFAULT.read_text().replace('program = ""', f'program = "{bench.program}"')
    given = Parts(
        factory=pin_factory("mock"), devices=(DummyDisplay,), folder=tmp_path, dice=KERNEL
    )
    with open_table(parse_config(text), given) as app:
        [voice] = [output.voice for output in app.outputs if isinstance(output, VoiceOutput)]
        [test] = [output for output in app.outputs if isinstance(output, SelfTestOutput)]
        while voice.speaks is None:
            sleep(0.01)
        assert voice_finding(False) in [check() for check in test.checks]
