"""Every example of PROTOCOL.md, said to the chamber and by it. Runs under both Pythons."""

from firmware.chamber import Dice
from firmware.link import Link, Reader, frame

PAGE = __file__.rsplit("/tests/", 1)[0] + "/firmware/PROTOCOL.md"


def examples(who: str) -> list[bytes]:
    """The example lines that this end says."""
    with open(PAGE) as page:  # noqa: PTH123 - MicroPython has no pathlib of its own
        lines = page.read().split("\n")
    return [line.split(" ", 1)[1].strip().encode() for line in lines if line.startswith(who + " ")]


def bodies(lines: list[bytes]) -> list[bytes]:
    reader = Reader()
    return [body for body in [reader.take(byte) for byte in b"\n".join(lines) + b"\n"] if body]


def link() -> Link:
    return Link(Dice(lambda: 0), b"0.2.0 e6614103e7452d2f", b"1b2c3d4e", 0)


def test_every_example_is_a_good_line() -> None:
    for who in ("pi", "chamber"):
        lines = examples(who)
        assert [frame(body)[:-1] for body in bodies(lines)] == lines


def test_every_message_has_an_example() -> None:
    words = {body.split(b" ")[0] for body in bodies(examples("pi") + examples("chamber"))}
    assert words == set(
        b"HI HELLO ALIVE MODE ARM HOLD SHOW BLANK TEST OK NO PRESS ROLLED GOT".split()
    )


def test_the_chamber_takes_every_example_of_the_pi() -> None:
    """Each in a session of its own, with as many dice as it needs."""
    for body in bodies(examples("pi")):
        end = link()
        words = body.split(b" ")
        dice = b"1" if words[0] == b"SHOW" and len(words) == 3 else b"2"
        seq = int(words[1]) if words[0] not in (b"HI", b"ALIVE", b"GOT") else 10**6
        said = []
        for line in (b"HI 1 00000000", b"MODE 1 press " + dice, b"HI 1 00000001", body):
            for byte in frame(line):
                end.take(byte, 0)
            for _ in range(3):
                end.update(0, False)
                said.append(end.unsent[1:-6])
                end.unsent = b""
        assert (b"OK %d" % seq in said) == (seq < 10**6), (body, said)
        assert not [line for line in said if line.startswith(b"NO")], body


def test_the_chamber_ignores_every_example_of_its_own_but_alive() -> None:
    for body in bodies(examples("chamber")):
        end = link()
        for byte in frame(b"HI 1 00000000"):
            end.take(byte, 0)
        end.update(0, False)
        end.unsent = b""
        for byte in frame(body):
            end.take(byte, 2999)
        end.update(3000, False)
        assert end.dice.is_alone == (body != b"ALIVE"), body
        assert end.unsent.startswith(b"$ALIVE" if body == b"ALIVE" else b"$HELLO"), body


def test_the_throw_of_the_page_happens_so() -> None:
    """The last block, line by line: what the Pi says goes in, what the chamber says comes out."""
    with open(PAGE) as page:  # noqa: PTH123
        block = page.read().split("```")[-2].strip().split("\n")
    end = link()
    end.update(0, False)
    end.unsent = b""
    for line in block:
        who, text = line.split(" ", 1)
        if who == "pi":
            for byte in text.strip().encode() + b"\n":
                end.take(byte, 0)
        else:
            end.update(0, "PRESS" in text)
            assert end.unsent == text.strip().encode() + b"\n"
            end.unsent = b""
