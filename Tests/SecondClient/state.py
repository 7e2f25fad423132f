"""Accepted state, its digest, and what is pending laid over it (data, sections 4 to 6)."""
import hashlib
import struct

from bodies import Unreadable, path_order, read_body
from shapes import SLOT_LENGTH
from strict_json import canonical

EARLIEST = 1_577_836_800_000
LEAD = 120_000
FIRST_ENTRY_AGE = 400 * 86_400_000


def slot_of(time):
    return time // SLOT_LENGTH


def effective_time(previous, recorded_at, accepted_at):
    floor = accepted_at - FIRST_ENTRY_AGE if previous is None else previous
    return max(floor, EARLIEST, min(recorded_at, accepted_at + LEAD))


def field(text):
    data = text.encode("utf-8")
    return struct.pack(">I", len(data)) + data


def stamp_bytes(stamp):
    time, device, sequence, index = stamp
    return struct.pack(">q", time) + device + struct.pack(">QI", sequence, index)


class Happened:
    """What happened to an asset in a slot."""

    def __init__(self):
        self.sum = 0
        self.category = None  # (stamp, key, spelling)


class Document:
    """What happened to a document."""

    def __init__(self, time):
        self.first = self.last = time
        self.fields = {}  # path: (stamp, is set, value)
        self.deletion = None  # (stamp, is deleted)

    def put(self, stamp, fields, unset, undelete):
        for path, value in fields.items():
            self.keep(path, (stamp, True, value))
        for path in unset:
            self.keep(path, (stamp, False, None))
        if undelete:
            self.delete(stamp, False)

    def keep(self, path, field):
        if path not in self.fields or self.fields[path][0] < field[0]:
            self.fields[path] = field

    def delete(self, stamp, deleted):
        if not self.deletion or self.deletion[0] < stamp:
            self.deletion = stamp, deleted

    @property
    def is_deleted(self):
        return bool(self.deletion and self.deletion[1])


class State:
    """What the entries of a log come to."""

    def __init__(self):
        self.history = {}  # (type, id, slot): Happened
        self.documents = {}  # (collection, uuid): Document
        self.devices = {}  # id: (sequence, hash, effective time)
        self.first = None
        self.greatest = None
        self.unreadable = []
        self.waiting = []
        self.witnesses = []  # (seq, digest that the writer had)

    def apply(self, entry, chain_hash):
        """Applies the next entry of the log; `chain_hash` is that of the chain after it."""
        previous = self.devices.get(entry.device)
        time = effective_time(
            previous and previous[2], entry.recorded_at, entry.accepted_at)
        self.devices[entry.device] = entry.sequence, chain_hash, time
        self.greatest = time if self.greatest is None else max(self.greatest, time)
        if entry.void:
            return None
        if entry.sealed:
            self.waiting.append(entry.seq)
            return None
        try:
            seen, operations = read_body(entry.body)
        except Unreadable:
            self.unreadable.append(entry.seq)
            return None
        self.first = time if self.first is None else min(self.first, time)
        for index, operation in enumerate(operations):
            stamp = time, bytes.fromhex(entry.device), entry.sequence, index
            if operation[0] == "unknown":
                self.waiting.append(entry.seq)
            else:
                self.apply_operation(operation, stamp)
        return seen

    def apply_operation(self, operation, stamp):
        kind, subject = operation[:2]
        if kind in ("adjust", "categorize"):
            key = subject + (slot_of(stamp[0]),)
            happened = self.history.setdefault(key, Happened())
            if kind == "adjust":
                happened.sum += operation[2]
            elif not happened.category or happened.category[0] < stamp:
                happened.category = (stamp,) + operation[2]
            return
        document = self.documents.setdefault(subject, Document(stamp[0]))
        document.first = min(document.first, stamp[0])
        document.last = max(document.last, stamp[0])
        if kind == "put":
            document.put(stamp, *operation[2:])
        else:
            document.delete(stamp, True)

    def rows(self):
        """The canonical bytes of each row."""
        label = field("folio state 1\n")
        for (kind, name, slot), happened in self.history.items():
            row = label + b"\1" + field(kind) + field(name) + struct.pack(">q", slot)
            row += happened.sum.to_bytes(32, "big", signed=True)
            if not happened.category:
                yield row + b"\0"
                continue
            stamp, key, spelling = happened.category
            yield row + b"\1" + field(key) + field(spelling) + stamp_bytes(stamp)
        for (collection, uuid), document in self.documents.items():
            row = label + b"\2" + field(collection) + bytes.fromhex(uuid.replace("-", ""))
            row += struct.pack(">qq", document.first, document.last)
            if document.deletion:
                stamp, deleted = document.deletion
                row += (b"\2" if deleted else b"\1") + stamp_bytes(stamp)
            else:
                row += b"\0"
            row += struct.pack(">I", len(document.fields))
            for path in sorted(document.fields, key=path_order):
                stamp, is_set, value = document.fields[path]
                row += field(path[0])
                row += b"\0" if path[1] is None else b"\1" + field(path[1])
                row += stamp_bytes(stamp)
                row += b"\1" + field(canonical(value).decode("utf-8")) if is_set else b"\0"
            yield row
        for device, (sequence, chain_hash, time) in self.devices.items():
            row = label + b"\3" + bytes.fromhex(device) + struct.pack(">Q", sequence)
            yield row + chain_hash + struct.pack(">q", time)

    def digest(self):
        """The state digest, in hexadecimal."""
        total = sum(int.from_bytes(hashlib.sha256(row).digest(), "big") for row in self.rows())
        return "%064x" % (total % 2**256)

    def holdings_at(self, slot):
        """Amount and category key of each asset before a slot begins; all slots where None."""
        held = {}
        for (kind, name, happened_in), happened in sorted(
                self.history.items(), key=lambda item: item[0][2]):
            if slot is not None and happened_in >= slot:
                break
            amount, named = held.get((kind, name), (0, None))
            if happened.category:
                named = max(named, happened.category) if named else happened.category
            held[kind, name] = amount + happened.sum, named
        return held

    def was_in_snapshot(self, through):
        """The assets whose amount was not 0 at the start of a closed slot."""
        found, sums = set(), {}
        for (kind, name, slot), happened in sorted(
                self.history.items(), key=lambda item: item[0][2]):
            sums[kind, name] = sums.get((kind, name), 0) + happened.sum
            if sums[kind, name] and slot + 1 <= through:
                found.add((kind, name))
        return found


def holdings(state, pending, through):
    """The listed assets with amount, category key and spelling; `pending` are bodies, in order."""
    held = {
        asset: [amount, named and ((1,) + named[0], named[1], named[2])]
        for asset, (amount, named) in state.holdings_at(None).items()}
    place = 0
    for body in pending:
        try:
            operations = read_body(body)[1]
        except Unreadable:
            operations = []
        for operation in operations:
            place += 1
            if operation[0] not in ("adjust", "categorize"):
                continue
            holding = held.setdefault(operation[1], [0, None])
            if operation[0] == "adjust":
                holding[0] += operation[2]
            else:
                holding[1] = ((2, place),) + operation[2]
    listed = state.was_in_snapshot(through)
    rows = {}
    for asset in sorted(held, key=lambda key: (key[0].encode(), key[1].encode("utf-8"))):
        amount, named = held[asset]
        if amount or asset in listed:
            rows[asset] = amount, named or ((0,), asset[0], asset[0])
    spellings = {}
    for _, (order, key, spelling) in rows.values():
        spellings[key] = max(spellings.get(key, ((0,), "")), (order, spelling))
    return {
        asset: (amount, key, spellings[key][1]) for asset, (amount, (_, key, _s)) in rows.items()}
