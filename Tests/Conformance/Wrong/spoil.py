"""A peer that is wrong in one way: what a right one says, spoiled on its way.

    spoil.py server FAULT COMMAND    stands before a server's standard streams
    spoil.py client FAULT COMMAND    stands between a client and $FOLIO_CONFORMANCE_URL
"""

import json
import os
import socket
import subprocess
import sys
import threading

last_request = b""


def edited(change):
    """A fault that changes messages; None drops the line."""

    def spoil(line):
        message = json.loads(line)
        result = change(message)
        if result is None:
            return b""
        text = json.dumps(result, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
        return text.encode() + b"\n"

    return spoil


def on(kind, change):
    """A fault that changes messages of one type and leaves all others."""

    def both(message):
        if message.get("type") != kind:
            return message
        return change(message)

    return edited(both)


def put(**members):
    def change(message):
        message.update(members)
        return message

    return change


def without(name):
    def change(message):
        message.pop(name, None)
        return message

    return change


def took_again(message):
    for result in message["results"]:
        if result["status"] == "duplicate":
            result["status"] = "ok"
    return message


def delta(message):
    if message["tables"]:
        message["tables"][0]["delta"] = True
    return message


def telltale(message):
    message["message"] = ("cannot read: " + last_request.decode(errors="replace"))[:300]
    return message


def other_hash(message):
    message["hash"] = "0" * 64
    return message


def taken_for_real(message):
    for transaction in message["transactions"]:
        transaction.pop("void", None)
    return message


def reversed_points(message):
    message["points"] = message["points"][::-1]
    return message


SERVER = {
    "none": lambda line: line,
    "nonce": on("welcome", put(nonce="0" * 32)),
    "again": on("ack", took_again),
    "supported": on("error", without("supported")),
    "delta": on("tables", delta),
    "telltale": on("error", telltale),
    "hash": on("hash", other_hash),
    "noise": lambda line: b"answering\n" + line,
}

CLIENT = {
    "none": lambda line: line,
    "nonce": on("hello", put(nonce="0" * 32)),
    "mute": on("pong", lambda message: None),
    "placeholder": on("push", taken_for_real),
    "points": on("auth", reversed_points),
    "success": lambda line: line,
}


def lines(stream):
    for line in iter(stream.readline, b""):
        yield line


def serve(fault, command):
    child = subprocess.Popen(
        ["/bin/sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def forward():
        global last_request
        while True:
            piece = os.read(0, 65536)
            if not piece:
                break
            last_request = piece
            try:
                child.stdin.write(piece)
            except BrokenPipeError:
                break
        child.stdin.close()

    threading.Thread(target=forward, daemon=True).start()
    for line in lines(os.fdopen(os.dup(child.stdout.fileno()), "rb")):
        try:
            os.write(1, SERVER[fault](line) if line.strip() else line)
        except BrokenPipeError:
            break
    os._exit(child.wait())


def carry(fault, client, port):
    server = socket.create_connection(("127.0.0.1", port))

    def back():
        while True:
            try:
                piece = server.recv(65536)
                if not piece:
                    break
                client.sendall(piece)
            except OSError:
                break
        try:
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    threading.Thread(target=back, daemon=True).start()
    try:
        for line in lines(client.makefile("rb")):
            server.sendall(CLIENT[fault](line) if line.strip() else line)
        server.shutdown(socket.SHUT_WR)
    except OSError:
        client.close()


def connect(fault, command):
    port = int(os.environ["FOLIO_CONFORMANCE_URL"].rsplit(":", 1)[1])
    listener = socket.create_server(("127.0.0.1", 0))
    url = "tcp://127.0.0.1:%d" % listener.getsockname()[1]

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=carry, args=(fault, client, port), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    status = subprocess.call(
        ["/bin/sh", "-c", command], env=dict(os.environ, FOLIO_CONFORMANCE_URL=url))
    os._exit(0 if fault == "success" else status)


if __name__ == "__main__":
    side, name, shell = sys.argv[1:]
    serve(name, shell) if side == "server" else connect(name, shell)
