"""The way to a broker, tried with a real Mosquitto."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from pi_app.mqtt.broker import Broker, Connected, Login, Lost, Publication, Received, Taken
from tests.mosquitto import Mosquitto, mosquitto, next_of


@contextmanager
def connected(
    login: Login, name: str = "us", **options: Any
) -> Iterator[tuple[Broker, SimpleQueue[Any]]]:
    inbox: SimpleQueue[Any] = SimpleQueue()
    broker = Broker(login, name, inbox, **options, first_pause_s=0.05)
    broker.start()
    try:
        yield broker, inbox
    finally:
        broker.stop()


def local(broker: Mosquitto, **more: Any) -> Login:
    return Login("127.0.0.1", broker.port, **more)


@pytest.mark.mosquitto
def test_what_is_published_comes_to_who_subscribes(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as there, connected(local(there), "club") as (club, heard):
        assert next_of(Connected, heard) == Connected(has_session=False)
        number = club.subscribe(["pachisi/#"])
        assert next_of(Taken, heard) == Taken(number or 0, "")
        with connected(local(there)) as (table, inbox):
            next_of(Connected, inbox)
            number = table.publish(Publication("pachisi/kitchen/state", b"{}"))
            assert next_of(Taken, inbox) == Taken(number, "")
            told = next_of(Received, heard)
            assert told[:3] == ("pachisi/kitchen/state", b"{}", False)


@pytest.mark.mosquitto
def test_what_is_not_acknowledged_comes_again_to_the_same_session(tmp_path: Path) -> None:
    club_s = {"session_s": 3600}
    with mosquitto(tmp_path) as there:
        with connected(local(there), "club", **club_s) as (club, heard):
            next_of(Connected, heard)
            club.subscribe(["games"])
            next_of(Taken, heard)
            with connected(local(there)) as (table, inbox):
                next_of(Connected, inbox)
                for payload in (b"kept", b"dropped"):
                    table.publish(Publication("games", payload))
            next_of(Received, heard).acknowledge()
            next_of(Received, heard)
        with connected(local(there), "club", **club_s) as (club, heard):
            assert next_of(Connected, heard).has_session
            assert next_of(Received, heard).payload == b"dropped"


@pytest.mark.mosquitto
def test_a_broker_that_is_killed_is_found_again_and_nothing_old_is_sent(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as there, connected(local(there)) as (table, inbox):
        next_of(Connected, inbox)
        there.kill()
        assert (
            next_of(Lost, inbox).why
            == f"the connection to the broker at 127.0.0.1:{there.port} is lost"
        )
        table.publish(Publication("games", b"old", retained=True))
        there.start()
        next_of(Connected, inbox)
        table.subscribe(["games"])
        table.publish(Publication("games", b"new"))
        assert next_of(Received, inbox).payload == b"new"


@pytest.mark.mosquitto
def test_a_refused_message_is_told_from_a_taken_one(tmp_path: Path) -> None:
    rights = tmp_path / "acl"
    rights.write_text("topic write pachisi/kitchen/#\n")
    with (
        mosquitto(tmp_path, f"acl_file {rights}") as there,
        connected(local(there)) as (table, inbox),
    ):
        next_of(Connected, inbox)
        table.publish(Publication("pachisi/kitchen/state", b"{}"))
        assert next_of(Taken, inbox).refusal == ""
        table.publish(Publication("pachisi/garden/state", b"{}"))
        assert next_of(Taken, inbox).refusal == "Not authorized"


@pytest.mark.mosquitto
def test_a_second_program_of_the_same_name_is_named_as_the_reason(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as there, connected(local(there)) as (_, inbox):
        next_of(Connected, inbox)
        with connected(local(there)) as (_, other):
            told = [next_of(Lost, other).why for _ in range(3)]
            assert ["perhaps another program" in why for why in told] == [False, False, True]
            there.kill()
            while (why := next_of(Lost, other).why).startswith("the connection"):
                pass
            assert (
                why == f"the broker at 127.0.0.1:{there.port} can't be reached (Connection refused)"
            )


@pytest.mark.mosquitto
def test_a_wrong_password_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "users").write_text("")
    with (
        mosquitto(tmp_path, "allow_anonymous false", f"password_file {tmp_path}/users") as there,
        connected(local(there, user="kitchen", password="wrong")) as (_, inbox),
    ):
        why = next_of(Lost, inbox).why
        assert why == f"the broker at 127.0.0.1:{there.port} refuses us (Not authorized)"


def certificate(folder: Path) -> None:
    """Make a certificate for localhost that nobody else has signed."""
    how = "req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out cert.pem"
    subprocess.run(
        ["openssl", *how.split(), *["-addext", "subjectAltName=DNS:localhost"]],
        cwd=folder,
        check=True,
        capture_output=True,
    )


@pytest.mark.mosquitto
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # paho leaves a socket
def test_a_certificate_must_be_trusted(tmp_path: Path) -> None:
    certificate(tmp_path)
    files = f"certfile {tmp_path}/cert.pem", f"keyfile {tmp_path}/key.pem"
    with mosquitto(tmp_path, *files) as there:
        with connected(Login("localhost", there.port, tls=True)) as (_, inbox):
            assert next_of(Lost, inbox).why == (
                f"the broker at localhost:{there.port} can't be reached (self-signed certificate)"
            )
        with connected(Login("localhost", there.port, f"{tmp_path}/cert.pem")) as (_, inbox):
            next_of(Connected, inbox)


def test_a_broker_that_is_not_there_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with connected(Login("127.0.0.1", port)) as (_, inbox):
        assert next_of(Lost, inbox).why == (
            f"the broker at 127.0.0.1:{port} can't be reached (Connection refused)"
        )


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x20\xff\xff\xff\xff\xff", b"\x20\x03\x00\x00\x99"],
)
def test_what_is_no_broker_ends_the_try(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            connection.recv(1000)
            connection.sendall(answer)
            connection.close()

        Thread(target=serve, daemon=True).start()
        with connected(Login("127.0.0.1", server.getsockname()[1])) as (_, inbox):
            why = next_of(Lost, inbox).why
            assert "does not answer as an MQTT broker" in why or "breaks the protocol" in why
