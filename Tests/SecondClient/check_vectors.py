#!/usr/bin/env python3
"""Holds this client's reading of lines and of the chain against the vectors of the protocol.

    check_vectors.py FOLDER

Prints a line for each vector that does not come out as it says, and how many did; ends with 1
where one did not. What a server alone receives is checked up to what JSON says of it.
"""
import base64
import json
import os
import sys

import sealed
from bodies import Unreadable, amount_text, read_body
from connection import Framer, ProtocolError
from log import Entry, Log, empty_log
from market import Market, order, snapshots
from shapes import SERVER_MESSAGES, check_message, require_canonical
from state import State, holdings
from strict_json import Fault, canonical, parse

# The faults of JSON and of framing; those of values are found by whoever takes the message.
GRAMMAR = {
    "unexpected_end", "unexpected_byte", "trailing_bytes", "byte_order_mark", "invalid_utf8",
    "control_character", "bad_escape", "lone_surrogate", "duplicate_member", "nesting_too_deep",
    "bad_number",
}


def vectors(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        # Not by lines as Unicode has them: U+2028 stands in strings.
        return [json.loads(line) for line in file.read().split("\n") if line]


def read(data):
    """Reads a line as this client does, bodies included."""
    message = parse(data)
    check_message(message)
    for entry in message.get("entries", []) if message["type"] == "page" else []:
        if isinstance(entry.get("body"), dict):
            require_canonical(data, entry["body"])
    return message


def check_valid(vector):
    line = vector["line"].encode("utf-8")
    message = read(line)
    if "canonical" not in vector and canonical(message) != line:
        return "not written as it was read"
    return None


def check_invalid(vector):
    data = bytes.fromhex(vector["hex"]) if "hex" in vector else vector["line"].encode("utf-8")
    try:
        message = parse(data)
    except Fault as fault:
        found = fault.code, fault.offset
        return None if found == (vector["code"], vector["offset"]) else "found %s at %s" % found
    if vector["code"] in GRAMMAR:
        return "taken by the grammar"
    if isinstance(message, dict) and "type" in message:
        if message["type"] not in SERVER_MESSAGES:
            return None
    try:
        read(data)
    except Fault as fault:
        return None if fault.code == vector["code"] else "found " + fault.code
    return "taken"


def check_framing(vector):
    data = bytes.fromhex(vector["hex"])
    cuts = [range(len(data) + 1), (0, len(data))]
    cuts += [(0, cut, len(data)) for cut in range(len(data))]
    for cut in cuts:
        framer = Framer(vector["limit"])
        lines, fault = [], None
        try:
            for start, end in zip(cut, list(cut)[1:]):
                for line in framer.feed(data[start:end]):
                    lines.append(line.decode("utf-8"))
            framer.end()
        except Fault as found:
            fault = found
        expected = [line for line in vector["lines"] if line]
        if [line for line in lines if line] != expected:
            return "lines %r" % lines
        if (fault and fault.code) != vector.get("code"):
            return "found %s" % fault
        if fault and fault.offset != vector["offset"]:
            return "found %s" % fault
    return None


def from_base64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_key(vector):
    data = {
        name: bytes.fromhex(vector[name])
        for name in ("seed", "key", "account", "device", "bytes", "certificate", "id", "binding",
                     "signature")
        if name in vector}
    if vector["kind"] == "account":
        found = sealed.public_key(data["seed"]), sealed.account_id(data["key"])
        return None if found == (data["key"], data["account"]) else "another key or id"
    if vector["kind"] == "sealed":
        place = data["key"], vector["keyId"], data["account"], data["id"]
        content = from_base64(vector["sealed"])
        try:
            body = sealed.open_sealed(content, *place)
        except sealed.Unopened:
            return "it does not open" if "body" in vector else None
        if body.decode("utf-8") != vector.get("body"):
            return "it opens to something else"
        return None if sealed.seal(body, *place, content[1:33]) == content else "sealed otherwise"
    if vector["kind"] == "certificate":
        under = sealed.certified(data["account"], data["device"], data["key"])
    else:
        lines = vector["hello"].encode("utf-8"), vector["welcome"].encode("utf-8")
        under = sealed.proven(*lines, data["binding"])
    signed = data.get("certificate") or data["signature"]
    if under != data["bytes"]:
        return "other bytes are signed"
    if sealed.signature(data["seed"], under) != signed:
        return "another signature"
    key = sealed.public_key(data["seed"])
    if not sealed.verifies(key, under, signed) or sealed.verifies(key, under + b" ", signed):
        return "not verified, or too easily"
    return None


def check_tables(vector):
    market = Market()
    try:
        market.take_tables(read(vector["line"].encode("utf-8")))
    except ProtocolError as error:
        return None if str(error) == vector.get("code") else "refused: %s" % error
    found = [
        {"slot": slot, "prices": [
            key.split(":", 1) + [price]
            for key, price in sorted(table.items(), key=lambda row: order(row[0].split(":", 1)))]}
        for slot, table in market.tables.items()]
    if "count" in vector:
        return None if sum(len(table["prices"]) for table in found) == vector["count"] else "count"
    return None if found == vector.get("tables") else "found %r" % found


def check_chain(chain):
    """Checks the vectors of the chain, which follow each other."""
    log = Log(chain[0]["account"])
    if empty_log(chain[0]["account"]).hex() != chain[0]["hash"]:
        return "the empty log"
    for vector in chain[1:]:
        line = canonical(vector["entry"])
        entry = Entry(line, parse(line))
        if entry.body is None:
            before = log.hashes[entry.seq - 1]
            if entry.chained(before).hex() != vector["hash"]:
                return "the stub of %d" % entry.seq
            continue
        log.append(entry)
        if log.position["hash"] != vector["hash"]:
            return "entry %d" % entry.seq
    return None


def check_body(vector):
    try:
        read_body(vector["body"].encode("utf-8"))
    except Unreadable as reason:
        return "unreadable: %s" % reason if vector["readable"] else None
    return None if vector["readable"] else "read"


def verdict(entry, state, before):
    if entry.void:
        return "void"
    if entry.sealed:
        return "waits"
    return "unreadable" if len(state.unreadable) > before else "applies"


def check_state(vector):
    log, state = Log(vector["account"]), State()
    for members, effective, expected in zip(
            vector["entries"], vector["effectiveAt"], vector["verdicts"]):
        line = canonical(members)
        entry = Entry(line, parse(line))
        log.append(entry)
        before = len(state.unreadable)
        state.apply(entry, log.hashes[-1])
        if state.devices[entry.device][2] != effective:
            return "effective time of %d" % entry.seq
        if verdict(entry, state, before) != expected:
            return "verdict of %d" % entry.seq
    told = vector["market"]
    tables = {
        table["slot"]: {"%s:%s" % (kind, name): price for kind, name, price in table["prices"]}
        for table in told["tables"]}
    market = Market(dict(told, epoch="0" * 16, tables=tables))
    found = {
        "head": log.position, "rows": sorted(row.hex() for row in state.rows()),
        "stateDigest": state.digest(),
        "snapshots": [
            {name: row[name] for name in ("slot", "digest", "value")}
            for row in snapshots(state, market)],
        "holdings": [
            {"asset": "%s:%s" % asset, "amount": amount_text(amount), "key": key, "category": name}
            for asset, (amount, key, name) in holdings(state, [], market.through).items()],
    }
    wrong = [name for name in found if found[name] != vector[name]]
    return ", ".join(wrong) or None


def main(folder):
    counts = {"passed": 0, "failed": 0}

    def note(name, problem):
        counts["failed" if problem else "passed"] += 1
        if problem:
            print("%s: %s" % (name, problem))

    for name, check in (
            ("valid", check_valid), ("invalid", check_invalid), ("framing", check_framing),
            ("tables", check_tables), ("keys", check_key), ("bodies", check_body), ("state", check_state)):
        for vector in vectors(folder, name + ".ndjson"):
            try:
                problem = check(vector)
            except Fault as fault:
                problem = "found %s" % fault
            note("%s: %s" % (name, vector.get("name", vector.get("kind"))), problem)
    note("chain", check_chain(vectors(folder, "chain.ndjson")))
    print("%(passed)d as they say, %(failed)d not" % counts)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
