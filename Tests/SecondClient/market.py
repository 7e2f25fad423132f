"""Price tables, the asset table, and snapshots (data, section 7; specification, section 11)."""
import hashlib
import struct

from bodies import UNIT, amount_text
from connection import ProtocolError
from shapes import PRICE
from state import field

STEPS_MAX = 8
PAGE_PRICES_MAX = 250_000
FRESH_SLOTS = 16
AMOUNT_LIMIT = 10**38


def order(asset):
    return asset[0].encode("utf-8"), asset[1].encode("utf-8")


def decimal(text):
    """A price as an integer and the power of ten that divides it."""
    match = PRICE.fullmatch(text)
    fraction = match[2] or ""
    return int(match[1] + fraction), len(fraction)


def half_even(numerator, denominator):
    sign = -1 if numerator < 0 else 1
    quotient, rest = divmod(abs(numerator), denominator)
    if 2 * rest > denominator or (2 * rest == denominator and quotient % 2):
        quotient += 1
    return sign * quotient


class Market:
    """What is known of prices: the tables by slot, and the rows of the asset table."""

    def __init__(self, kept=None):
        kept = kept or {}
        self.epoch = kept.get("epoch")
        self.revision = kept.get("revision", 0)
        self.base = kept.get("base", "USD")
        self.through = kept.get("through")
        self.tables = {int(slot): table for slot, table in kept.get("tables", {}).items()}
        self.tag = kept.get("tag")
        self.assets = kept.get("assets", [])

    def kept(self):
        return dict(vars(self))

    def told(self, market):
        self.base = market["base"]
        self.through = market["through"]

    def fetch(self, connection):
        """Fetches the tables that are new, then the asset table where it is another."""
        more = True
        while more:
            after = self.epoch and {"epoch": self.epoch, "revision": self.revision}
            page = connection.request("prices", after=after)
            more = self.take_tables(page)
        self.fetch_assets(connection)

    def take_tables(self, page):
        market = page["market"]
        if market["epoch"] != self.epoch or market["revision"] < self.revision:
            self.epoch, self.revision, self.tables = page["market"]["epoch"], 0, {}
        self.told(page["market"])
        revisions = [table["revision"] for table in page["tables"]]
        begun = self.revision
        if revisions != sorted(set(revisions)) or (revisions and revisions[0] <= begun):
            raise ProtocolError("revisions do not ascend")
        if (revisions and revisions[-1] > page["last"]) or (page["more"] and page["last"] <= begun):
            raise ProtocolError("a page of tables that does not go on")
        before, count = {}, 0
        for table in page["tables"]:
            prices = dict(before) if table.get("delta") else {}
            for group in table["prices"]:
                for name, price in group["rows"]:
                    key = group["type"] + ":" + name
                    if price is None:
                        prices.pop(key, None)
                    else:
                        prices[key] = price
            count += len(prices)
            if count > PAGE_PRICES_MAX:
                raise ProtocolError("too_many_prices")
            self.tables[table["slot"]] = before = prices
        self.revision = page["last"]
        return page["more"]

    def fetch_assets(self, connection):
        rows, after, tag = [], None, None
        while True:
            page = connection.request("assets", tag=None if after else self.tag, after=after)
            if page.get("same"):
                return
            if tag is not None and page["tag"] != tag:
                rows, after, tag = [], None, None
                continue
            tag = page["tag"]
            rows.extend(page["assets"])
            if not page["more"]:
                break
            if not page["assets"]:
                raise ProtocolError("a page of assets that does not go on")
            after = "%(type)s:%(id)s" % page["assets"][-1]
        keys = [order((row["type"], row["id"])) for row in rows]
        if any(not first < second for first, second in zip(keys, keys[1:])):
            raise ProtocolError("assets out of order")
        self.tag, self.assets = tag, rows

    def successors(self):
        return {
            (row["type"], row["id"]): row["successor"] for row in self.assets
            if "successor" in row}


class Carrier:
    """The last price of each asset up to a slot, and what counts for it there."""

    def __init__(self, market):
        self.market = market
        self.successors = market.successors()
        self.rest = sorted(market.tables)
        self.last = {}
        self.slot = None

    def move(self, slot):
        while self.rest and self.rest[0] <= slot:
            table = self.rest.pop(0)
            for key, price in self.market.tables[table].items():
                self.last[tuple(key.split(":", 1))] = price, table
        self.slot = slot

    def quote(self, asset):
        """Price, its slot and the factors before it; None where the asset is unpriced."""
        base = "forex", self.market.base
        factors = []
        while asset != base and asset in self.successors:
            successor = self.successors[asset]
            if successor["fromSlot"] > self.slot:
                break
            if len(factors) == STEPS_MAX:
                return None
            factors.append(successor["factor"])
            asset = asset[0], successor["id"]
        if asset == base:
            return "1", self.slot, factors
        found = self.last.get(asset)
        return found and found + (factors,)


def value(units, quote):
    """What an amount is worth, in units of 10^-18; None where it has no value."""
    if quote is None or abs(units) >= AMOUNT_LIMIT:
        return None
    numerator, places = units, 0
    for text in quote[2] + [quote[0]]:
        digits, scale = decimal(text)
        numerator, places = numerator * digits, places + scale
    worth = half_even(numerator, 10**places)
    # With factors a value has limits of its own.
    return None if abs(worth) >= 10**38 * UNIT else worth


def snapshots(state, market):
    """A row for each closed slot, with its digest."""
    if state.first is None or market.through is None:
        return
    carrier = Carrier(market)
    for slot in range(state.first // 21_600_000 + 1, market.through + 1):
        carrier.move(slot)
        yield snapshot(state, carrier, slot)


def snapshot(state, carrier, slot):
    data = b"folio snapshot 1\n" + struct.pack(">q", slot)
    total, counts = 0, {"assetCount": 0, "unpricedCount": 0, "staleCount": 0}
    held = state.holdings_at(slot)
    for asset in sorted(held, key=order):
        units, named = held[asset]
        if not units:
            continue
        quote = carrier.quote(asset)
        data += field(asset[0]) + field(asset[1]) + field(amount_text(units))
        data += field(named[1] if named else asset[0])
        if quote:
            data += field(quote[0]) + struct.pack(">Iq", 8, quote[1])
        else:
            data += field("") + field("")
        worth = value(units, quote)
        total += worth or 0
        counts["assetCount"] += 1
        counts["unpricedCount"] += worth is None
        counts["staleCount"] += worth is not None and quote[1] < slot - FRESH_SLOTS
    digest = hashlib.sha256(data).hexdigest()
    return dict(counts, slot=slot, digest=digest, value=amount_text(total))
