"""The log of an account: entries, their chain, and each device's sequence (section 8)."""
import base64
import hashlib
import struct

from shapes import require_canonical
from strict_json import Object, parse


def sha256(data):
    return hashlib.sha256(data).digest()


class BrokenLog(Exception):
    """Entries that do not follow."""


class Entry:
    """An entry as it came on a line."""

    def __init__(self, line, members):
        self.raw = line[members.start:members.end].decode("utf-8")
        self.seq = members["seq"]
        self.accepted_at = members["acceptedAt"]
        self.void = members["kind"] == "void"
        self.device = members["device"]
        self.sequence = members["sequence"]
        self.id = members["id"]
        self.recorded_at = members["recordedAt"]
        self.sealed = members["form"] == "sealed"
        self.key_id = members.get("keyId", 0)
        self.version = members.get("version", 1)
        self.body = None
        if "bodyHash" in members:
            self.body_hash = bytes.fromhex(members["bodyHash"])
            return
        body = members["body"]
        if isinstance(body, Object):
            self.body = require_canonical(line, body)
        else:
            self.body = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        self.body_hash = sha256(self.body)

    @classmethod
    def of_text(cls, raw):
        data = raw.encode("utf-8")
        return cls(data, parse(data))

    def chained(self, before):
        """The hash of the chain after this entry."""
        return sha256(
            bytes([self.version]) + before
            + struct.pack(">QqB", self.seq, self.accepted_at, 1 if self.void else 0)
            + bytes.fromhex(self.device) + struct.pack(">Q", self.sequence)
            + bytes.fromhex(self.id)
            + struct.pack(">qBQ", self.recorded_at, 1 if self.sealed else 0, self.key_id)
            + self.body_hash)


def empty_log(account):
    return sha256(b"folio log 1\n" + bytes.fromhex(account))


class Log:
    """Entries that were checked, with the hash after each; place 0 is the empty log."""

    def __init__(self, account):
        self.entries = []
        self.hashes = [empty_log(account)]
        self.sequences = {}

    @property
    def position(self):
        return self.at(len(self.entries))

    def at(self, seq):
        return {"seq": seq, "hash": self.hashes[seq].hex()}

    def append(self, entry):
        if entry.seq != len(self.entries) + 1:
            raise BrokenLog("entry %d does not follow %d" % (entry.seq, len(self.entries)))
        expected = self.sequences.get(entry.device, 0) + 1
        if entry.sequence != expected:
            raise BrokenLog("entry %d: a gap in its device's sequence" % entry.seq)
        self.sequences[entry.device] = entry.sequence
        self.entries.append(entry)
        self.hashes.append(entry.chained(self.hashes[-1]))

    def cut(self, seq):
        """Takes back what is after `seq`, which did not turn out as it was said."""
        del self.entries[seq:], self.hashes[seq + 1:]
        self.sequences = {}
        for entry in self.entries:
            self.sequences[entry.device] = entry.sequence

    def points(self):
        """The last position and up to 15 older ones, further and further apart."""
        last = len(self.entries)
        places = [last] if last else []
        distance = 1
        while distance < last and len(places) < 15:
            places.append(last - distance)
            distance *= 2
        if last > 1 and places[-1] != 1:
            places.append(1)
        return [self.at(seq) for seq in places]
