#!/usr/bin/env python3
"""A second client of the sync protocol, with nothing of Folio's but its specification.

    client.py --server URL --account NAME --store FILE sync [--edits FILE] [--lose-ack]
    client.py --store FILE show [--slot S]

`sync` makes a transaction of each line of FILE (a JSON list of operations, or a whole body), and
brings the store and the server's log together. `show` prints holdings, documents, snapshots and
digests. URL is `stdio:COMMAND` or `tcp://HOST:PORT`. Everything printed is JSON, one object a line.

Exit: 0 done; 65 the server's log is not what it said; 69 not reached; 75 a decision is needed;
76 the protocol was broken; 77 refused.
"""
import argparse
import datetime
import json
import os
import secrets
import sys
import time

from bodies import amount_text, compressed, write_body
from connection import Connection, ProtocolError, Refused, place
from log import BrokenLog, Entry, Log
from market import Market, snapshots
from shapes import SLOT_LENGTH
from state import State, holdings
from strict_json import Fault, canonical, parse

LINE_MAX = 1_048_576


class DecisionNeeded(Exception):
    """A person has to say what counts."""


class NewerEntry(Exception):
    """An entry of a version that this client does not know."""


class Store:
    """What the client keeps, in one file; state is computed from the log each time."""

    def __init__(self, path):
        self.path = path
        kept = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
        self.account = kept.get("account")
        self.device = kept.get("device") or secrets.token_hex(16)
        self.log_id = kept.get("log")
        self.made = kept.get("made", 0)
        self.outbox = kept.get("outbox", [])
        self.divergences = kept.get("divergences", [])
        self.market = Market(kept.get("market"))
        self.rebuild(kept.get("entries", []))

    def rebuild(self, entries):
        """Reads the log again from its start."""
        self.state = State()
        self.alarms = []
        self.log = Log(self.account) if self.account else None
        for raw in entries:
            self.take(Entry.of_text(raw))

    def save(self):
        kept = {
            "account": self.account, "device": self.device, "log": self.log_id, "made": self.made,
            "outbox": self.outbox, "divergences": self.divergences, "market": self.market.kept(),
            "entries": [entry.raw for entry in self.log.entries] if self.log else [],
        }
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(kept, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)

    def take(self, entry):
        """Takes the next entry in; one of our own is no longer pending."""
        self.log.append(entry)
        seen = self.state.apply(entry, self.log.hashes[-1])
        self.outbox = [pending for pending in self.outbox if pending["id"] != entry.id]
        if seen:
            self.check(seen, entry)

    def check(self, seen, entry):
        if seen["seq"] >= entry.seq or self.log.hashes[seen["seq"]].hex() != seen["hash"]:
            if seen["log"] == self.log_id:
                self.alarms.append(entry.seq)
        elif "digest" in seen:
            self.state.witnesses.append((entry.seq, seen["seq"], seen["digest"]))

    def record(self, edits):
        """Makes a transaction of edits; none where they leave nothing.

        An object in place of the list is a body as it is to be sent, right or wrong.
        """
        if isinstance(edits, dict):
            body = canonical(edits)
        else:
            operations = compressed(edits)
            if not operations:
                return
            seen = None
            if self.log and self.log.entries and self.log_id:
                seen = dict(self.log.position, log=self.log_id)
            body = write_body(operations, seen)
        now = wall_clock()
        if self.state.greatest is not None:
            now = max(now, self.state.greatest + 1)
        self.made += 1
        self.outbox.append({
            "id": secrets.token_hex(16), "sequence": self.made, "recordedAt": now,
            "body": body.decode("utf-8")})

    def become_another(self):
        """Takes a new identity: this store is a copy of one that goes on writing."""
        self.device = secrets.token_hex(16)
        for number, pending in enumerate(self.outbox, 1):
            pending["sequence"] = number
        self.made = len(self.outbox)

    def void(self, pending, reason):
        """Makes a transaction that can never be taken a placeholder."""
        say(rejected=pending["id"], reason=reason, body=pending["body"])
        pending["void"] = True
        pending["body"] = canonical({"reason": reason}).decode("utf-8")
        self.save()

    def note_divergence(self):
        """Refuses to go in circles: three times in a day are enough (sync-5)."""
        day = wall_clock() - 86_400_000
        self.divergences = [moment for moment in self.divergences if moment > day]
        if len(self.divergences) >= 3:
            raise DecisionNeeded("the server's log was another one three times within a day")
        self.divergences.append(wall_clock())

    def id_at(self, sequence):
        """The id of this device's transaction of that sequence, where it is known."""
        for entry in self.log.entries:
            if entry.device == self.device and entry.sequence == sequence:
                return entry.id
        return next((p["id"] for p in self.outbox if p["sequence"] == sequence), None)


STARTED = time.monotonic()


def milliseconds(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (moment - epoch) // datetime.timedelta(milliseconds=1)


def wall_clock():
    """The time, or the one that FOLIO_CLOCK sets, running on from there."""
    if "FOLIO_CLOCK" in os.environ:
        start = milliseconds(os.environ["FOLIO_CLOCK"])
        return start + int((time.monotonic() - STARTED) * 1000)
    return int(time.time() * 1000)


class Sync:
    """One meeting of a store and a server (specification, sections 9 and 10)."""

    def __init__(self, store, account, connection):
        self.store = store
        self.account = account
        self.connection = connection
        self.pushed = self.pulled = self.refilled = 0
        self.renewed = False

    def run(self, lose_ack=False):
        """True where the store and the server's log came together; else it is to be run anew."""
        store = self.store
        self.connection.hello()
        ready = self.connection.auth(
            account=self.account, accountId=store.account,
            device={"id": store.device, "instance": secrets.token_hex(16)},
            points=store.log.points() if store.log else [])
        if not self.meet(ready):
            return False
        store.market.told(ready["market"])
        alarms = len(store.alarms)
        self.pull()
        if not self.push(ready.get("acked", {}).get("sequence", 0), lose_ack):
            return False
        head = self.pull()
        store.market.fetch(self.connection)
        store.save()
        if len(store.alarms) > alarms:
            raise BrokenLog("entry %d saw another log than this" % store.alarms[-1])
        return head == store.log.position and not store.outbox

    def meet(self, ready):
        """The steps of section 10.3, up to the pull."""
        store, head, common = self.store, place(ready["head"]), place(ready.get("common"))
        read = len(store.log.entries) if store.log else 0
        named = store.log.points() if store.log else []
        if common and (
                common not in named or common["seq"] > head["seq"]
                or (common["seq"] == head["seq"] and common != head)):
            raise ProtocolError("facts that cannot be")
        if store.account not in (None, ready["account"]) and head["seq"]:
            raise DecisionNeeded("the server has another account of that name")
        if store.account is None or not read:
            store.account = ready["account"]
            store.rebuild([])
        store.log_id = ready["log"]
        store.save()
        if self.is_copy(ready.get("acked")):
            store.become_another()
            store.save()
            self.renewed = True
            return False
        position = store.log.position
        if not read or common == position:
            return True
        store.note_divergence()
        if head["seq"] < read and (not head["seq"] or store.log.at(head["seq"]) == head):
            self.refill(head)
            return True
        shared = common["seq"] if common else 0
        if self.give(shared, head)["seq"] < read:
            raise DecisionNeeded("the server's log is another one, and shorter")
        self.start_over(shared)
        store.save()
        return False

    def is_copy(self, acked):
        if not acked:
            return False
        return acked["sequence"] > self.store.made or (
            self.store.id_at(acked["sequence"]) not in (None, acked["id"]))

    def refill(self, head):
        """Fills a server whose log is the beginning of ours."""
        store = self.store
        after = store.log.at(head["seq"])
        for batch in batches([e.raw for e in store.log.entries[head["seq"]:]], self.most()):
            ack = self.connection.request(
                "refill", account=store.account, after=after,
                entries=[parse(raw.encode("utf-8")) for raw in batch])
            after = store.log.at(after["seq"] + len(batch))
            if place(ack["head"]) != after or ack["results"]:
                raise ProtocolError("a refill that leads elsewhere")
            self.refilled += len(batch)

    def give(self, common, head):
        """Pushes what a server lacks whose log has parted from ours; gives its head after that."""
        mine = self.store.log.entries[common:]
        for batch in batches([pushed(entry) for entry in mine], self.most()):
            head = self.connection.request(
                "push", transactions=[parse(raw.encode("utf-8")) for raw in batch])["head"]
        return head

    def start_over(self, common):
        """Forgets the log, to read the server's; what we made is pending until it is there."""
        store = self.store
        mine = store.log.entries[common:]
        pending = list(store.outbox)
        theirs = [entry for entry in mine if entry.device == store.device]
        store.rebuild([])
        store.outbox = [
            {
                "id": entry.id, "sequence": entry.sequence, "recordedAt": entry.recorded_at,
                "body": entry.body.decode("utf-8")} for entry in theirs if not entry.void
        ] + pending

    def most(self):
        return min(self.connection.limits["entries"], 1000)

    def pull(self):
        store = self.store
        while True:
            after = store.log.position
            page = self.connection.request(
                "pull", after=after, maxEntries=10_000, maxBytes=LINE_MAX)
            try:
                for members in page["entries"]:
                    entry = Entry(self.connection.line, members)
                    if entry.version != 1:
                        raise NewerEntry("entry %d needs a newer program" % entry.seq)
                    store.take(entry)
                if store.log.position != place(page["last"]):
                    raise BrokenLog("the chain is not the server's")
            except (BrokenLog, NewerEntry):
                store.log.cut(after["seq"])
                store.rebuild([entry.raw for entry in store.log.entries])
                raise
            if page["more"] and not page["entries"]:
                raise ProtocolError("a page that does not go on")
            self.pulled += len(page["entries"])
            store.save()
            if not page["more"]:
                return place(page["last"])

    def push(self, acked, lose_ack):
        """Sends what is pending; False where this store turns out to be a copy."""
        store, refused = self.store, 0
        while True:
            waiting = [pending for pending in store.outbox if pending["sequence"] > acked]
            if not waiting:
                return True
            # What was refused twice as a whole goes one by one.
            most = self.most() if refused < 2 else 1
            raws = [self.envelope(pending) for pending in waiting]
            transactions = [parse(raw.encode("utf-8")) for raw in next(batches(raws, most))]
            if lose_ack:
                self.connection.start("push", transactions=transactions)
                self.connection.receive()
                raise ProtocolError("the acknowledgement was lost, as was asked for")
            try:
                ack = self.connection.request("push", transactions=transactions)
            except Refused as refusal:
                if refusal.error["class"] != "request" or "void" in waiting[0]:
                    raise
                if most == 1:
                    store.void(waiting[0], refusal.error["code"])
                refused += 1
                continue
            if len(ack["results"]) != len(transactions):
                raise ProtocolError("results of other transactions")
            statuses = [result["status"] for result in ack["results"]]
            if "forked" in statuses or self.is_copy(ack.get("acked")):
                store.become_another()
                store.save()
                self.renewed = True
                return False
            before = acked
            acked = self.taken(waiting, ack["results"], acked)
            if acked == before and statuses[0] != "rejected":
                raise ProtocolError("not taken: " + ", ".join(sorted(set(statuses))))

    def envelope(self, pending):
        members = {
            "id": pending["id"], "device": self.store.device, "sequence": pending["sequence"],
            "recordedAt": pending["recordedAt"], "form": "plain",
            "body": parse(pending["body"].encode("utf-8"))}
        if "void" in pending:
            members["void"] = True
        return canonical(members).decode("utf-8")

    def taken(self, waiting, results, acked):
        """How far the server has taken what was sent; one that it never will is a placeholder."""
        for pending, result in zip(waiting, results):
            if result["status"] == "rejected" and "void" not in pending:
                self.store.void(pending, result["reason"])
                return acked
            if result["status"] not in ("ok", "duplicate", "void"):
                return acked
            self.pushed += result["status"] == "ok"
            acked = pending["sequence"]
        return acked


def pushed(entry):
    """An entry as a transaction to push; one that is void uses up its sequence there too."""
    members = parse(entry.raw.encode("utf-8"))
    kept = ("id", "device", "sequence", "recordedAt", "form", "keyId", "body", "version")
    transaction = {name: members[name] for name in kept if name in members}
    if entry.void:
        transaction["void"] = True
    return canonical(transaction).decode("utf-8")


def batches(raws, most):
    """Lists of texts of which each fits a line with what is around them."""
    batch, size = [], 1024
    for raw in raws:
        length = len(raw.encode("utf-8")) + 1
        if batch and (len(batch) == most or size + length > LINE_MAX):
            yield batch
            batch, size = [], 1024
        batch.append(raw)
        size += length
    if batch:
        yield batch


def show(store, wanted):
    """Prints holdings, documents, snapshots, and the digests."""
    through = store.market.through if store.market.through is not None else -(2**40)
    pending = [
        pending["body"].encode("utf-8") for pending in store.outbox if "void" not in pending]
    for asset, (amount, key, spelling) in holdings(store.state, pending, through).items():
        say(asset="%s:%s" % asset, amount=amount_text(amount), category=spelling, key=key)
    for (collection, uuid), document in sorted(store.state.documents.items()):
        fields = {}
        for (name, member), (_, is_set, value) in document.fields.items():
            if is_set:
                (fields if member is None else fields.setdefault(name, {}))[member or name] = value
        say(
            collection=collection, id=uuid, isDeleted=document.is_deleted,
            createdAt=document.first, updatedAt=document.last, fields=fields)
    if store.market.epoch is not None:
        for row in snapshots(store.state, store.market):
            if wanted in (None, row["slot"]):
                say(**dict(row, slot=slot_text(row["slot"])))
    say(
        head=store.log.position if store.log else None, stateDigest=store.state.digest(),
        pending=len(store.outbox), unreadable=store.state.unreadable, alarms=store.alarms,
        waiting=store.state.waiting, device=store.device, marketEpoch=store.market.epoch,
        revision=store.market.revision, assetsTag=store.market.tag,
        witness=witness(store))


def witness(store):
    """Whether the newest digest that a transaction carries is the one found here."""
    if not store.state.witnesses:
        return None
    _, seq, digest = store.state.witnesses[-1]
    state = State()
    for entry, chain_hash in zip(store.log.entries[:seq], store.log.hashes[1:]):
        state.apply(entry, chain_hash)
    return state.digest() == digest


def slot_text(slot):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=slot * SLOT_LENGTH)
    return moment.strftime("%Y-%m-%dT%HZ")


def say(**members):
    sys.stdout.write(canonical(members).decode("utf-8") + "\n")


def synchronize(options, store):
    sums = {"pushed": 0, "pulled": 0, "refilled": 0, "renewed": False}
    # Taking a new identity, or starting over, ends a connection; going in circles is a fault.
    for _ in range(3):
        sync = Sync(store, options.account, Connection(options.server))
        try:
            done = sync.run(options.lose_ack)
        finally:
            sync.connection.close()
        for name in sums:
            sums[name] += getattr(sync, name)
        if done:
            say(**dict(sums, renewed=bool(sums["renewed"]), head=store.log.position))
            return
    raise ProtocolError("the logs do not come together")


def main():
    parser = argparse.ArgumentParser(description="a second client of the Folio sync protocol")
    parser.add_argument("--server")
    parser.add_argument("--account")
    parser.add_argument("--store", required=True)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("sync")
    command.add_argument("--edits")
    command.add_argument("--lose-ack", action="store_true")
    command = commands.add_parser("show")
    command.add_argument("--slot", type=int)
    options = parser.parse_args()
    store = Store(options.store)
    if options.command == "show":
        show(store, options.slot)
        return
    if options.edits:
        with open(options.edits, encoding="utf-8") as file:
            for line in file:
                store.record(parse(line.encode("utf-8")))
        store.save()
    synchronize(options, store)


EXITS = (
    (BrokenLog, 65), (NewerEntry, 65), (DecisionNeeded, 75), (ProtocolError, 76), (Fault, 76),
    (Refused, 77), (OSError, 69),
)

if __name__ == "__main__":
    try:
        main()
    except tuple(kind for kind, _ in EXITS) as error:
        code = next(code for kind, code in EXITS if isinstance(error, kind))
        sys.stderr.write("error: %s\n" % error)
        sys.exit(code)
