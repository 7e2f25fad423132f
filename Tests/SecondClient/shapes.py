"""What belongs where in the messages of a server (specification, sections 4 to 13).

A rule is a function of a value; it raises `Fault` with the code that the specification gives.
"""
import base64
import re

from strict_json import INTEGER_MAX, Fault, Object, OddNumber, canonical

BODY_MAX = 196_608
SEALED_MAX = 196_000
TRANSACTION_MAX = 262_144
SLOT_LENGTH = 21_600_000
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
PRICE = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]*[1-9]))?")


def integer(low=-INTEGER_MAX, high=INTEGER_MAX):
    def check(value):
        if isinstance(value, OddNumber):
            raise Fault(value.code, value.offset)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Fault("wrong_type")
        if not low <= value <= high:
            raise Fault("bad_value")
    return check


def string(value):
    if isinstance(value, OddNumber):
        raise Fault(value.code, value.offset)
    if not isinstance(value, str):
        raise Fault("wrong_type")
    return value


def text(most, least=0):
    def check(value):
        size = len(string(value).encode("utf-8"))
        if size < least:
            raise Fault("bad_value")
        if size > most:
            raise Fault("too_long")
    return check


def matching(pattern):
    whole = re.compile(pattern)

    def check(value):
        if not whole.fullmatch(string(value)):
            raise Fault("bad_value")
    return check


def asset_id(value):
    size = len(string(value).encode("utf-8"))
    if not 1 <= size <= 200 or CONTROL.search(value):
        raise Fault("bad_value")


def price(value):
    match = PRICE.fullmatch(string(value))
    if not match:
        raise Fault("bad_value")
    whole, fraction = match[1], match[2] or ""
    digits = len(whole) + len(fraction) if whole != "0" else len(fraction.lstrip("0"))
    if digits > 18 or len(fraction) > 36:
        raise Fault("bad_value")


def flag(value):
    if boolean(value) is False:
        raise Fault("bad_value")


def boolean(value):
    if isinstance(value, OddNumber):
        raise Fault(value.code, value.offset)
    if not isinstance(value, bool):
        raise Fault("wrong_type")
    return value


def anything(value):
    """No rule but that of numbers, wherever they stand."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, OddNumber):
            raise Fault(value.code, value.offset)
        if isinstance(value, dict):
            stack.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def listing(rule, most=None, least=0):
    def check(value):
        if isinstance(value, OddNumber):
            raise Fault(value.code, value.offset)
        if not isinstance(value, list):
            raise Fault("wrong_type")
        for index, element in enumerate(value):
            if most is not None and index == most:
                raise Fault("too_long")
            rule(element)
        if len(value) < least:
            raise Fault("bad_value")
    return check


def record(required, optional=None, then=None):
    optional = optional or {}

    def check(value):
        if isinstance(value, OddNumber):
            raise Fault(value.code, value.offset)
        if not isinstance(value, dict):
            raise Fault("wrong_type")
        for name, member in value.items():
            (required.get(name) or optional.get(name) or anything)(member)
        for name in required:
            if name not in value:
                raise Fault("missing_member")
        if then:
            then(value)
    return check


COUNT = integer(0)
ONE = integer(1)
TIME = integer()
SLOT = integer(-(INTEGER_MAX // SLOT_LENGTH), INTEGER_MAX // SLOT_LENGTH)
ID = matching("[0-9a-f]{32}")
HASH = matching("[0-9a-f]{64}")
EPOCH = matching("[0-9a-f]{16}")
CODE = matching("[A-Za-z0-9_.-]{1,64}")
ASSET_TYPE = matching("[a-z0-9.-]{1,64}")
POSITION = record({"hash": HASH, "seq": COUNT})
ACKED = record({"sequence": ONE, "id": ID})
MARKET = record({"epoch": EPOCH, "revision": COUNT, "through": SLOT, "base": asset_id})


def body(value):
    """A plain or a sealed body; which of them it is to be, the entry says."""
    if isinstance(value, Object):
        if value.end - value.start > BODY_MAX:
            raise Fault("too_long")
        return
    string(value)
    try:
        content = base64.b64decode(value + "=" * (-len(value) % 4), b"-_", validate=True)
    except ValueError:
        raise Fault("bad_value") from None
    if base64.urlsafe_b64encode(content).rstrip(b"=").decode() != value:
        raise Fault("bad_value")
    if len(content) > SEALED_MAX:
        raise Fault("too_long")


def entry_as_a_whole(value):
    sealed = value["form"] == "sealed"
    if sealed and "keyId" not in value:
        raise Fault("missing_member")
    if not sealed and "keyId" in value:
        raise Fault("bad_value")
    if ("body" in value) == ("bodyHash" in value):
        raise Fault("bad_value" if "body" in value else "missing_member")
    if "body" in value and isinstance(value["body"], str) != sealed:
        raise Fault("bad_value")
    if value.end - value.start > TRANSACTION_MAX:
        raise Fault("too_long")


ENTRY = record(
    {
        "id": ID, "device": ID, "sequence": ONE, "recordedAt": TIME,
        "form": matching("plain|sealed"), "seq": ONE, "acceptedAt": TIME,
        "kind": matching("accepted|void"),
    },
    {"keyId": ONE, "body": body, "bodyHash": HASH, "version": integer(1, 255)},
    entry_as_a_whole)

RESULT_MEMBERS = {
    "ok": ("seq", "acceptedAt"), "duplicate": ("seq", "acceptedAt"),
    "void": ("seq", "acceptedAt", "reason"), "gap": (), "forked": (), "retry": (),
    "rejected": ("reason",),
}


def result_as_a_whole(value):
    if value["status"] not in RESULT_MEMBERS:
        raise Fault("bad_value")
    for name in RESULT_MEMBERS[value["status"]]:
        if name not in value:
            raise Fault("missing_member")


RESULT = record(
    {"status": CODE}, {"seq": ONE, "acceptedAt": TIME, "reason": CODE}, result_as_a_whole)


def row(value):
    if not isinstance(value, list):
        raise Fault("wrong_type")
    if len(value) != 2:
        raise Fault("bad_value")
    asset_id(value[0])
    if value[1] is not None:
        price(value[1])


def ascending(keys):
    if any(not first < second for first, second in zip(keys, keys[1:])):
        raise Fault("bad_value")


GROUP = record(
    {"type": ASSET_TYPE, "rows": listing(row)},
    then=lambda group: ascending([row[0].encode("utf-8") for row in group["rows"]]))


def table_as_a_whole(table):
    ascending([group["type"].encode("utf-8") for group in table["prices"]])
    if "delta" not in table and any(r[1] is None for g in table["prices"] for r in g["rows"]):
        raise Fault("bad_value")


TABLE = record(
    {"slot": SLOT, "revision": ONE, "prices": listing(GROUP, 64)}, {"delta": flag},
    table_as_a_whole)


def tables_as_a_whole(value):
    if value["tables"] and "delta" in value["tables"][0]:
        raise Fault("bad_value")


ASSET_ROW = {"type": ASSET_TYPE, "id": asset_id, "symbol": text(200), "name": text(1000)}
SUCCESSOR = record({"id": asset_id, "factor": price, "fromSlot": SLOT})
SOFTWARE = {"name": text(64, 1), "version": text(64, 1)}
ALL_LIMITS = record({
    "line": integer(1_048_576), "body": integer(BODY_MAX), "transaction": integer(TRANSACTION_MAX),
    "inFlight": integer(1, 256), "entries": integer(1, 10_000), "pageBytes": integer(1, 1_048_576),
})


def note_as_a_whole(value):
    needed = {"log": "head", "prices": "market", "assets": "tag"}.get(value["what"])
    if needed and needed not in value:
        raise Fault("missing_member")


RE = {"type": CODE, "re": ONE}
SERVER_MESSAGES = {
    "welcome": record(dict(
        RE, version=ONE, capabilities=listing(CODE, 64), server=record(dict(SOFTWARE, id=ID)),
        time=TIME, nonce=ID, limits=ALL_LIMITS, tables=record({"every": ONE, "next": TIME}))),
    "ready": record(
        dict(RE, account=HASH, head=POSITION, stable=COUNT, log=ID, market=MARKET, time=TIME),
        {"common": POSITION, "acked": ACKED}),
    "ack": record(dict(RE, results=listing(RESULT, 10_000), head=POSITION), {"acked": ACKED}),
    "page": record(dict(RE, entries=listing(ENTRY, 10_000), last=POSITION, more=boolean)),
    "tables": record(
        dict(RE, market=MARKET, last=COUNT, tables=listing(TABLE, 10_000), more=boolean),
        then=tables_as_a_whole),
    "catalog": record(
        dict(
            RE, tag=HASH, more=boolean,
            assets=listing(record(ASSET_ROW, {"rank": ONE, "successor": SUCCESSOR}), 10_000)),
        {"same": flag}),
    "ranking": record(dict(
        RE, rows=listing(record(dict(ASSET_ROW, rank=ONE), {"price": price}), 1000), more=boolean)),
    "heads": record(RE, {"head": POSITION, "market": MARKET, "assets": HASH}),
    "hash": record(dict(RE, seq=COUNT, hash=HASH)),
    "note": record(
        {"type": CODE, "what": CODE}, {"head": POSITION, "market": MARKET, "tag": HASH},
        note_as_a_whole),
    "ping": record({"type": CODE, "id": ONE}),
    "pong": record(RE),
    "bye": record({"type": CODE}),
    "error": record(
        {"type": CODE, "code": CODE, "class": CODE, "action": CODE, "message": text(500)},
        {
            "re": ONE, "retryAfter": COUNT, "supported": listing(ONE, 16, 1), "limit": integer(),
            "offset": integer(),
        }),
}


def check_message(message):
    """Checks a message that a server may send, and gives its type."""
    if not isinstance(message, dict):
        raise Fault("wrong_type")
    kind = message.get("type")
    if "type" in message:
        CODE(kind)
        if kind in SERVER_MESSAGES:
            SERVER_MESSAGES[kind](message)
        return kind
    raise Fault("missing_member")


def require_canonical(line, value):
    """Checks that a plain body's bytes on the line are the canonical ones, and gives them."""
    data = line[value.start:value.end]
    if canonical(value) != data:
        raise Fault("not_canonical", value.start)
    return data
