"""Lines over a process's standard streams or TCP, and requests over lines (sections 2 and 5)."""
import os
import secrets
import select
import socket
import subprocess
import time

from shapes import check_message
from strict_json import Fault, canonical, parse

LINE_MAX = 1_048_576
FIRST_LINE_MAX = 4_096
PING_AFTER = 20
GIVE_UP_AFTER = 45


class ProtocolError(Exception):
    """The server broke the protocol."""


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, error):
        super().__init__("%(code)s: %(message)s" % error)
        self.error = error


def place(position):
    """A position without what else its object may have."""
    return position and {"seq": position["seq"], "hash": position["hash"]}


class Framer:
    """Cuts a stream into lines, whatever pieces it comes in."""

    def __init__(self, limit=LINE_MAX):
        self.limit = limit
        self.rest = b""

    def feed(self, data):
        """The lines that end in `data`, without their ends, the empty ones left out."""
        self.rest += data
        while True:
            end = self.rest.find(b"\n")
            line = self.rest if end < 0 else self.rest[:end]
            self.check(line, ended=end >= 0)
            if end < 0:
                return
            self.rest = self.rest[end + 1:]
            if line.endswith(b"\r"):
                line = line[:-1]
            if line:
                yield line

    def check(self, line, ended):
        carriage_return = line.find(b"\r")
        stray = 0 <= carriage_return < len(line) - 1
        content = len(line) - (1 if line.endswith(b"\r") and not stray else 0)
        if stray and carriage_return < self.limit:
            raise Fault("stray_carriage_return", carriage_return)
        if content > self.limit:
            raise Fault("line_too_long", self.limit)

    def end(self):
        if self.rest:
            raise Fault("unterminated_line", len(self.rest))


class ProcessStream:
    """The standard streams of a server that a shell runs."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.input = self.process.stdout.fileno()

    def read(self):
        return os.read(self.input, 65_536)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        # What the server still says has no reader; without reading it, it might wait for ever.
        while os.read(self.input, 65_536):
            pass
        self.process.stdout.close()
        self.process.wait()


class SocketStream:
    """A TCP connection."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=10)
        self.socket.settimeout(None)
        self.input = self.socket.fileno()

    def read(self):
        return self.socket.recv(65_536)

    def write(self, data):
        self.socket.sendall(data)

    def close(self):
        self.socket.close()


def open_stream(url):
    """A stream to `stdio:COMMAND` or `tcp://HOST:PORT`."""
    if url.startswith("stdio:"):
        return ProcessStream(url[len("stdio:"):])
    if url.startswith("tcp://"):
        host, _, port = url[len("tcp://"):].rpartition(":")
        return SocketStream(host.strip("[]"), int(port))
    raise SystemExit("no such kind of address: " + url)


REPLIES = {
    "hello": "welcome", "auth": "ready", "push": "ack", "refill": "ack", "pull": "page",
    "prices": "tables", "assets": "catalog", "leaderboard": "ranking", "subscribe": "heads",
    "verify": "hash", "ping": "pong",
}


class Connection:
    """A conversation: one request at a time, each with its reply."""

    def __init__(self, url):
        self.stream = open_stream(url)
        self.framer = Framer(FIRST_LINE_MAX)
        self.lines = []
        self.last_id = 0
        self.pings = set()  # of ours, that are not answered
        self.open = False  # whether the handshake is done

    def hello(self):
        welcome = self.request(
            "hello", versions=[1], capabilities=[], client={"name": "second", "version": "1"},
            nonce=secrets.token_hex(16))
        if welcome["version"] != 1:
            raise ProtocolError("a version that was not offered")
        self.limits = welcome["limits"]
        return welcome

    def auth(self, **members):
        ready = self.request("auth", **members)
        self.open = True
        self.framer.limit = LINE_MAX
        return ready

    def send(self, message):
        line = canonical(message) + b"\n"
        try:
            self.stream.write(line)
        except (BrokenPipeError, ConnectionResetError):
            # What the server said before it closed is more telling.
            pass

    def request(self, kind, **members):
        """Sends a request and gives its reply; raises `Refused` where that is an error."""
        number = self.start(kind, **members)
        while True:
            line, message = self.receive()
            if message["type"] == "ping":
                self.send({"type": "pong", "re": message["id"]})
                continue
            reply = message.get("re")
            if message["type"] == "error" and reply in (None, number):
                raise Refused(message)
            if reply is None:
                if message["type"] not in ("note", "bye") and message["type"] in REPLIES:
                    raise ProtocolError("a message that only clients send")
                continue
            if message["type"] == "pong" and reply in self.pings:
                self.pings.discard(reply)
                continue
            if reply != number or message["type"] != REPLIES[kind]:
                raise ProtocolError("a reply that belongs to no request")
            self.line = line
            return message

    def start(self, kind, **members):
        self.last_id += 1
        message = {name: value for name, value in members.items() if value is not None}
        self.send(dict(message, type=kind, id=self.last_id))
        return self.last_id

    def receive(self):
        line = self.next_line()
        message = parse(line)
        kind = check_message(message)
        if kind not in REPLIES and kind not in REPLIES.values() and kind not in (
                "error", "note", "bye"):
            if "re" in message:
                raise ProtocolError("a reply of an unknown type")
            if "id" in message:
                self.send({
                    "type": "error", "re": message["id"], "code": "unsupported", "action": "none",
                    "class": "request", "message": "this client does not know that type"})
            return self.receive()
        return line, message

    def next_line(self):
        heard = time.monotonic()
        asked = self.framer.limit == FIRST_LINE_MAX
        while not self.lines:
            silence = time.monotonic() - heard
            if silence > GIVE_UP_AFTER:
                raise ProtocolError("nothing was heard for %d seconds" % GIVE_UP_AFTER)
            if silence > PING_AFTER and not asked:
                asked = True
                self.pings.add(self.start("ping"))
            if not select.select([self.stream.input], [], [], 1)[0]:
                continue
            data = self.stream.read()
            heard = time.monotonic()
            if not data:
                self.framer.end()
                raise ProtocolError("the server has closed the connection")
            self.lines.extend(self.framer.feed(data))
        return self.lines.pop(0)

    def close(self):
        if self.open:
            self.send({"type": "bye"})
        self.stream.close()
