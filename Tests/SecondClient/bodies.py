"""Bodies of transactions: what they say, and how they are written (data, sections 2 and 3)."""
import re
import unicodedata

from shapes import CONTROL
from strict_json import Fault, canonical, parse

BODY_NESTING_MAX = 29
VALUE_NESTING_MAX = 24
UNIT = 10**18
AMOUNT = re.compile(r"(-?)(0|[1-9][0-9]{0,19})(?:\.([0-9]{0,17}[1-9]))?")
COLLECTION = re.compile(r"[a-z][a-z0-9-]{0,63}")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
RESERVED = ("id", "createdAt", "updatedAt", "isDeleted")


class Unreadable(Exception):
    """A body that cannot be read: its transaction is without effect, for everybody."""


def need(holds, what):
    if not holds:
        raise Unreadable(what)


def amount_units(text):
    """An amount in units of 10^-18."""
    match = AMOUNT.fullmatch(text) if isinstance(text, str) else None
    need(match and text != "-0", "amount")
    units = int(match[2]) * UNIT + int((match[3] or "").ljust(18, "0"))
    return -units if match[1] else units


def amount_text(units):
    sign = "-" if units < 0 else ""
    whole, fraction = divmod(abs(units), UNIT)
    return sign + str(whole) + ("." + "%018d" % fraction if fraction else "").rstrip("0")


def plain_text(value, most):
    need(isinstance(value, str), "text")
    need(1 <= len(value.encode("utf-8")) <= most and not CONTROL.search(value), "text")
    return value


def asset_key(text):
    need(isinstance(text, str) and ":" in text, "asset")
    kind, _, name = text.partition(":")
    need(re.fullmatch("[a-z0-9.-]{1,64}", kind), "asset")
    return kind, plain_text(name, 200)


def matched(pattern, value, what):
    need(isinstance(value, str) and pattern.fullmatch(value), what)
    return value


def members(operation, required, optional=()):
    """Checks that the members are those, and no others."""
    for name in operation:
        need(name in required or name in optional or name == "kind", "member " + name)
    for name in required:
        need(name in operation, "no " + name)


def levels(value):
    """How many levels of arrays and objects a value has; 0 for a scalar."""
    deepest = 0
    stack = [(value, 0)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, (dict, list)):
            depth += 1
            inner = value.values() if isinstance(value, dict) else value
            stack.extend((element, depth) for element in inner)
        deepest = max(deepest, depth)
    return deepest


def path_order(path):
    """Paths are (name, member), with None for a field as a whole."""
    name, member = path
    return name.encode("utf-8"), member is not None, (member or "").encode("utf-8")


def read_set(fields):
    need(isinstance(fields, dict), "set")
    found = {}
    for name, value in fields.items():
        plain_text(name, 200)
        need(name not in RESERVED, "set")
        if name != "metadata":
            found[name, None] = value
            continue
        need(isinstance(value, dict), "set")
        for member, inner in value.items():
            found[name, plain_text(member, 200)] = inner
    for value in found.values():
        need(levels(value) <= VALUE_NESTING_MAX, "set")
    return found


def read_unset(paths):
    need(isinstance(paths, list), "unset")
    found = []
    for path in paths:
        if isinstance(path, list):
            need(len(path) == 2 and path[0] == "metadata", "unset")
            found.append((path[0], plain_text(path[1], 200)))
        else:
            plain_text(path, 200)
            need(path != "metadata" and path not in RESERVED, "unset")
            found.append((path, None))
    order = [path_order(path) for path in found]
    need(all(first < second for first, second in zip(order, order[1:])), "unset")
    return found


def read_operation(operation):
    """An operation as a tuple that begins with its kind."""
    need(isinstance(operation, dict), "operation")
    kind = operation.get("kind")
    need(isinstance(kind, str) and kind, "kind")
    if kind == "adjust":
        members(operation, ("amount", "asset"))
        return kind, asset_key(operation["asset"]), amount_units(operation["amount"])
    if kind == "categorize":
        members(operation, ("asset", "category", "key"))
        category = plain_text(operation["key"], 150), plain_text(operation["category"], 100)
        return kind, asset_key(operation["asset"]), category
    if kind in ("put", "delete"):
        optional = ("set", "undelete", "unset") if kind == "put" else ()
        members(operation, ("collection", "document"), optional)
        document = (
            matched(COLLECTION, operation["collection"], "collection"),
            matched(UUID, operation["document"], "document"))
        if kind == "delete":
            return kind, document
        undelete = operation.get("undelete", True)
        need(undelete is True, "undelete")
        fields = read_set(operation.get("set", {}))
        unset = read_unset(operation.get("unset", []))
        need(not any(path in fields for path in unset), "set and unset")
        return kind, document, fields, unset, "undelete" in operation
    return "unknown", operation


def read_seen(seen):
    need(isinstance(seen, dict), "seen")
    for name, digits in (("hash", 64), ("log", 32), ("digest", 64)):
        if name in seen or name != "digest":
            matched(re.compile("[0-9a-f]{%d}" % digits), seen.get(name), "seen")
    seq = seen.get("seq")
    need(isinstance(seq, int) and not isinstance(seq, bool) and seq >= 0, "seen")
    return seen


def read_body(data):
    """What a plain body says, as (seen or None, operations); raises `Unreadable`."""
    try:
        body = parse(data, BODY_NESTING_MAX)
        need(isinstance(body, dict) and canonical(body) == data, "not canonical")
    except Fault as fault:
        raise Unreadable(str(fault)) from None
    need(isinstance(body.get("operations"), list), "operations")
    seen = read_seen(body["seen"]) if "seen" in body else None
    return seen, [read_operation(operation) for operation in body["operations"]]


def folded(name):
    """The key of a category: in lower case, and in normal form C before and after."""
    lower = "".join(character.lower() for character in unicodedata.normalize("NFC", name))
    return unicodedata.normalize("NFC", lower)


def category(name):
    spelling = unicodedata.normalize("NFC", name.strip())
    return {"category": spelling, "key": folded(spelling)}


def compressed(edits):
    """The operations that edits come to: each asset adjusted once and put into one category.

    An edit is an operation; one that categorizes needs no key.
    """
    sums, named, others = {}, {}, []
    for edit in edits:
        if edit["kind"] == "adjust":
            sums[edit["asset"]] = sums.get(edit["asset"], 0) + amount_units(edit["amount"])
        elif edit["kind"] == "categorize":
            named.pop(edit["asset"], None)
            named[edit["asset"]] = dict(edit, **category(edit["category"]))
        else:
            others.append(edit)
    adjusts = [
        {"kind": "adjust", "asset": asset, "amount": amount_text(units)}
        for asset, units in sorted(sums.items()) if units]
    return adjusts + list(named.values()) + others


def write_body(operations, seen):
    """The canonical bytes of a body; operations that a reader would refuse are refused."""
    body = {"operations": operations}
    if seen:
        body["seen"] = seen
    data = canonical(body)
    read_body(data)
    return data
