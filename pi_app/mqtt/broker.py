"""A connection to an MQTT broker, over paho. It decides nothing, and puts all it hears in an inbox.

paho calls back while it holds its locks: a callback that waited for a lock of ours stood still for
ever. So callbacks only put values into the inbox, for one thread that decides.

Each connection is a new client, so the next one sends nothing that was left unsent: whoever decides
says again what counts, and can leave out what a broker refuses for ever.
"""

from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, NamedTuple

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from pi_app.system.back_off import doubling_pauses

KEEPALIVE_S = 15  # a broker publishes the will 1.5 times this after the last sign of life
CONNECT_S = 10.0
STEADY_S = 30.0  # a connection that was shorter counts as one more failure
LONGEST_PAUSE_S = 60.0
# Mosquitto 2.0 ends the older of two connections with one name, and tells no reason.
IS_LOST, TWIN = "is lost", "again and again: perhaps another program has the same name there"
MANY = 3
MOST_WAITING = 100  # in the inbox, before what needs no acknowledgement is dropped
ACKNOWLEDGED = 1  # the quality of service of all that we publish and get


class Login(NamedTuple):
    """Where a broker is, and who we are there."""

    host: str
    port: int = 1883
    tls: bool | str = False  # True for the system's certificates, or the path of those to trust
    user: str = ""
    password: str = ""

    def __str__(self) -> str:
        return f"the broker at {self.host}:{self.port}"


class Connected(NamedTuple):
    """A connection begins. has_session: the broker has kept our session."""

    has_session: bool


class Lost(NamedTuple):
    """A connection has ended, or could not begin. why: as a sentence."""

    why: str


class Taken(NamedTuple):
    """The broker has what we sent; or it refuses that, with the reason."""

    number: int
    refusal: str


class Received(NamedTuple):
    """A message. Call `acknowledge` once it is kept: until then our session has it."""

    topic: str
    payload: bytes
    retained: bool
    acknowledge: Callable[[], object]


class Publication(NamedTuple):
    """A message to publish. retained: the broker keeps it for who comes later."""

    topic: str
    payload: bytes
    retained: bool = False


class Broker:
    """A connection that comes again until it is stopped.

    client_id: the broker ends an older connection with the same. inbox: takes Connected, Lost,
    Taken and Received. will: what the broker publishes when we are gone. session_s: how long it
    keeps what comes meanwhile. largest: bytes of a message that we take. unacknowledged: how many
    may be so. first_pause_s: before the second try; further ones double.
    """

    def __init__(
        self,
        login: Login,
        client_id: str,
        inbox: SimpleQueue[Any],
        will: Publication | None = None,
        session_s: int = 0,
        largest: int = 10_000,
        unacknowledged: int = 20,
        first_pause_s: float = 1.0,
    ) -> None:
        self._login, self._client_id, self._inbox, self._will = login, client_id, inbox, will
        self._properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        self._properties.SessionExpiryInterval = session_s
        self._properties.MaximumPacketSize = largest
        self._properties.ReceiveMaximum = unacknowledged
        self._client = _Connection(login, client_id, inbox)
        self._pauses = doubling_pauses(first_pause_s, LONGEST_PAUSE_S)
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="broker", daemon=True)

    def start(self) -> None:
        """Connect, and again whenever the connection is lost, until `stop`."""
        self._thread.start()

    def publish(self, message: Publication) -> int:
        """Publish a message, and return the number of its `Taken`. If `Lost` comes, it is lost."""
        sent = self._client.publish(message.topic, message.payload, ACKNOWLEDGED, message.retained)
        return sent.mid

    def subscribe(self, topics: Sequence[str]) -> int | None:
        """Subscribe to topics, and return the number of the `Taken`."""
        return self._client.subscribe([(topic, ACKNOWLEDGED) for topic in topics])[1]

    def stop(self) -> None:
        """End the connection in order: the broker does not publish the will."""
        self._stopped.set()
        self._client.disconnect()
        self._thread.join(CONNECT_S)

    def _run(self) -> None:
        short = 0
        while not self._stopped.is_set():
            since = monotonic()
            why = self._connect_once()
            if monotonic() - since > STEADY_S:
                self._pauses.worked()
                short = 0
            is_lost = why.endswith(IS_LOST)
            short += is_lost
            if not self._stopped.is_set():
                self._inbox.put(Lost(f"{why} {TWIN}" if is_lost and short >= MANY else why))
                self._stopped.wait(self._pauses.failed())

    def _connect_once(self) -> str:
        """Connect and stay connected. Return why no longer."""
        login = self._login
        self._client = client = _Connection(login, self._client_id, self._inbox)
        try:
            if login.tls:
                client.tls_set(login.tls if isinstance(login.tls, str) else None)
            if (will := self._will) is not None:
                client.will_set(will.topic, will.payload, ACKNOWLEDGED, will.retained)
            client.connect(
                login.host, login.port, KEEPALIVE_S, clean_start=False, properties=self._properties
            )
        except OSError as error:
            why = getattr(error, "verify_message", "") or error.strerror or error
            return f"{login} can't be reached ({why})"
        client.loop_start()
        client.ended.wait()
        client.loop_stop()
        client._reset_sockets()  # paho itself closes two of them only when Python frees the client
        return client.why


class _Connection(Client):
    """One connection. ended: is set when it has ended. why: it has."""

    def __init__(self, login: Login, client_id: str, inbox: SimpleQueue[Any]) -> None:
        super().__init__(
            CallbackAPIVersion.VERSION2,
            client_id,
            protocol=MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        self.connect_timeout = CONNECT_S
        if login.user:
            self.username_pw_set(login.user, login.password)
        self.ended = Event()
        self._login = login
        self.why = f"{login} does not answer as an MQTT broker: check the port and encryption"
        self._inbox, self._put = inbox, inbox.put
        self.on_connect = self._connected
        self.on_disconnect = lambda client, data, flags, code, told: (
            self._refused(code) if flags.is_disconnect_packet_from_server else None
        )
        self.on_publish = lambda client, data, number, code, told: self._put(
            Taken(number, str(code) if code.is_failure else "")
        )
        self.on_subscribe = lambda client, data, number, codes, told: self._put(
            Taken(number, ", ".join(str(code) for code in codes if code.is_failure))
        )
        self.on_message = self._received

    def loop_forever(self, *arguments: Any, **options: Any) -> MQTTErrorCode:
        """Run until the connection ends. paho calls this on the thread of `loop_start`."""
        try:
            return super().loop_forever(*arguments, **options)
        except Exception as error:  # a broker can send anything
            self.why = f"{self._login} breaks the protocol: {error!r}"
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        finally:
            self.ended.set()

    def _connected(self, client: Client, data: Any, flags: Any, code: Any, told: Any) -> None:
        if code.is_failure:
            self._refused(code)
        else:
            self.why = f"the connection to {self._login} {IS_LOST}"
            self._put(Connected(flags.session_present))

    def _refused(self, code: ReasonCode) -> None:
        self.why = f"{self._login} refuses us ({code})"

    def _received(self, client: Client, data: Any, message: MQTTMessage) -> None:
        if not message.qos and self._inbox.qsize() >= MOST_WAITING:
            return  # nobody holds back whoever publishes so, and it would fill the memory
        acknowledge = partial(self.ack, message.mid, message.qos)
        try:
            topic, payload = message.topic, bytes(message.payload)
            self._put(Received(topic, payload, message.retain, acknowledge))
        except UnicodeDecodeError:  # a topic of nobody's
            acknowledge()
