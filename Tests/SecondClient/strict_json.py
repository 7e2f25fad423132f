"""JSON as lines of the protocol hold it (specification, sections 2 and 3).

`parse` is iterative and names each fault by its code and byte offset. `canonical` writes the one
form that bodies have.
"""
import re

INTEGER_MAX = 2**53 - 1
NESTING_MAX = 32


class Fault(Exception):
    """What is wrong with a line: a stable code, and where."""

    def __init__(self, code, offset=None):
        super().__init__(code if offset is None else "%s at byte %d" % (code, offset))
        self.code = code
        self.offset = offset


class Object(dict):
    """An object that knows which bytes of the line it stands in."""

    start = 0
    end = 0


class OddNumber:
    """A number that is grammatical, and yet no integer that a message may hold."""

    def __init__(self, text, offset):
        self.text = text
        self.offset = offset
        whole = re.fullmatch(r"-?[0-9]+", text) and text != "-0"
        self.code = "number_out_of_range" if whole else "number_not_integer"


SPACE = re.compile(rb"[ \t\n\r]*")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]+')
HEX = b"0123456789abcdefABCDEF"
SHORT = {
    0x22: '"', 0x5C: "\\", 0x2F: "/", 0x62: "\b", 0x66: "\f", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
}


class Reader:
    """Reads one JSON text from bytes."""

    def __init__(self, data, nesting):
        self.data = data
        self.nesting = nesting
        self.at = 0

    def fault(self, code, offset=None):
        return Fault(code, self.at if offset is None else offset)

    def peek(self):
        """The byte that comes next; an end there is a fault."""
        if self.at >= len(self.data):
            raise self.fault("unexpected_end", len(self.data))
        return self.data[self.at]

    def space(self):
        self.at = SPACE.match(self.data, self.at).end()

    def four_digits(self, backslash):
        for i in range(self.at, self.at + 4):
            if i >= len(self.data):
                raise self.fault("unexpected_end", len(self.data))
            if self.data[i] not in HEX:
                raise self.fault("bad_escape", backslash)
        self.at += 4
        return int(self.data[self.at - 4:self.at], 16)

    def escape(self):
        start = self.at
        self.at += 1
        byte = self.peek()
        self.at += 1
        if byte in SHORT:
            return SHORT[byte]
        if byte != 0x75:
            raise self.fault("bad_escape", start)
        unit = self.four_digits(start)
        if unit < 0xD800 or unit > 0xDFFF:
            return chr(unit)
        if unit > 0xDBFF or self.peek() != 0x5C:
            raise self.fault("lone_surrogate", start)
        second = self.at
        self.at += 1
        if self.peek() != 0x75:
            raise self.fault("lone_surrogate", start)
        self.at += 1
        low = self.four_digits(second)
        if not 0xDC00 <= low <= 0xDFFF:
            raise self.fault("lone_surrogate", start)
        return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))

    def string(self):
        self.at += 1
        parts = []
        while True:
            byte = self.peek()
            if byte == 0x22:
                self.at += 1
                return "".join(parts)
            if byte == 0x5C:
                parts.append(self.escape())
            elif byte < 0x20:
                raise self.fault("control_character")
            else:
                end = PLAIN.match(self.data, self.at).end()
                try:
                    parts.append(self.data[self.at:end].decode("utf-8"))
                except UnicodeDecodeError as error:
                    if end == len(self.data) and error.reason == "unexpected end of data":
                        raise self.fault("unexpected_end", end) from None
                    raise self.fault("invalid_utf8", self.at + error.start) from None
                self.at = end

    def digits(self, start):
        first = self.at
        while self.at < len(self.data) and 0x30 <= self.data[self.at] <= 0x39:
            self.at += 1
        if self.at == first:
            self.peek()
            raise self.fault("bad_number", start)

    def number(self):
        start = self.at
        if self.data[start] == 0x2D:
            self.at += 1
        if self.at < len(self.data) and self.data[self.at] == 0x30:
            self.at += 1
            if self.at < len(self.data) and 0x30 <= self.data[self.at] <= 0x39:
                raise self.fault("unexpected_byte")
        else:
            self.digits(start)
        whole = True
        if self.at < len(self.data) and self.data[self.at] == 0x2E:
            self.at += 1
            self.digits(start)
            whole = False
        if self.at < len(self.data) and self.data[self.at] in b"eE":
            self.at += 1
            if self.at < len(self.data) and self.data[self.at] in b"+-":
                self.at += 1
            self.digits(start)
            whole = False
        text = self.data[start:self.at].decode("ascii")
        # Long numbers are told by their length: reading thousands of digits is slow, or refused.
        if whole and text != "-0" and len(text) <= 17 and abs(int(text)) <= INTEGER_MAX:
            return int(text)
        return OddNumber(text, start)

    def literal(self):
        for text, value in ((b"true", True), (b"false", False), (b"null", None)):
            if self.data[self.at] == text[0]:
                for byte in text:
                    if self.peek() != byte:
                        raise self.fault("unexpected_byte")
                    self.at += 1
                return value
        raise self.fault("unexpected_byte")

    def scalar(self):
        byte = self.peek()
        if byte == 0x22:
            return self.string()
        if byte == 0x2D or 0x30 <= byte <= 0x39:
            return self.number()
        return self.literal()

    def name(self, target):
        if self.peek() != 0x22:
            raise self.fault("unexpected_byte")
        quote = self.at
        name = self.string()
        if name in target:
            raise self.fault("duplicate_member", quote)
        self.space()
        if self.peek() != 0x3A:
            raise self.fault("unexpected_byte")
        self.at += 1
        return name

    def text(self):
        """The value of the whole text, with an explicit stack for what is open."""
        if self.data[:3] == b"\xef\xbb\xbf":
            raise self.fault("byte_order_mark", 0)
        stack = []  # (container, name under which it stands in the one around it)
        self.space()
        name = None
        while True:
            # A value begins here.
            byte = self.peek()
            if byte in b"{[":
                if len(stack) == self.nesting:
                    raise self.fault("nesting_too_deep")
                container = Object() if byte == 0x7B else []
                if byte == 0x7B:
                    container.start = self.at
                stack.append((container, name))
                self.at += 1
                self.space()
                if self.peek() != (0x7D if byte == 0x7B else 0x5D):
                    name = self.name(container) if byte == 0x7B else None
                    self.space()
                    continue
                value, name = self.close(stack)
            else:
                value = self.scalar()
            # A value has ended: it goes where it belongs, and so do those that end with it.
            while True:
                if not stack:
                    self.space()
                    if self.at < len(self.data):
                        raise self.fault("trailing_bytes")
                    return value
                container = stack[-1][0]
                inside = isinstance(container, Object)
                if inside:
                    container[name] = value
                else:
                    container.append(value)
                self.space()
                byte = self.peek()
                if byte == 0x2C:
                    self.at += 1
                    self.space()
                    name = self.name(container) if inside else None
                    self.space()
                    break
                if byte != (0x7D if inside else 0x5D):
                    raise self.fault("unexpected_byte")
                value, name = self.close(stack)

    def close(self, stack):
        value, name = stack.pop()
        self.at += 1
        if isinstance(value, Object):
            value.end = self.at
        return value, name


def parse(data, nesting=NESTING_MAX):
    """The value of a JSON text; raises `Fault`."""
    return Reader(data, nesting).text()


ESCAPES = {
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r",
}
ESCAPED = re.compile(r'["\\\x00-\x1f]')


def quoted(text):
    return '"%s"' % ESCAPED.sub(lambda m: ESCAPES.get(m[0]) or "\\u%04x" % ord(m[0]), text)


def portable(number):
    """A binary64 in its shortest digits, without exponent, or None where it has no such form."""
    if number != number or number in (float("inf"), float("-inf")):
        return None
    if number == int(number):
        return str(int(number)) if abs(number) <= INTEGER_MAX else None
    if not 1e-6 <= abs(number) <= 1e15:
        return None
    sign, digits = ("-", repr(-number)) if number < 0 else ("", repr(number))
    if "e" in digits:
        mantissa, exponent = digits.split("e")
        places = -int(exponent)  # only small numbers have an exponent here
        digits = "0." + "0" * (places - 1) + mantissa.replace(".", "")
    return sign + digits


def pieces(value):
    """The canonical text of a value, piece by piece, without recursion."""
    stack = [iter([value])]
    closers = [""]
    separators = [""]
    while stack:
        try:
            item = next(stack[-1])
        except StopIteration:
            stack.pop()
            separators.pop()
            yield closers.pop()
            continue
        yield separators[-1]
        if len(separators) > 1:
            separators[-1] = ","
        if isinstance(item, tuple):
            yield quoted(item[0]) + ":"
            item = item[1]
        if isinstance(item, dict):
            yield "{"
            order = sorted(item.items(), key=lambda member: member[0].encode("utf-8"))
            stack.append(iter(order))
            closers.append("}")
            separators.append("")
        elif isinstance(item, list):
            yield "["
            stack.append(iter(item))
            closers.append("]")
            separators.append("")
        else:
            yield scalar_text(item)


def scalar_text(item):
    if item is None:
        return "null"
    if item is True or item is False:
        return "true" if item else "false"
    if isinstance(item, str):
        return quoted(item)
    if isinstance(item, int):
        if abs(item) > INTEGER_MAX:
            raise Fault("number_not_portable")
        return str(item)
    if isinstance(item, OddNumber):
        text = portable(float(item.text))
        if text != item.text:
            raise Fault("number_not_portable", item.offset)
        return text
    text = portable(item)
    if text is None:
        raise Fault("number_not_portable")
    return text


def canonical(value):
    """The canonical bytes of a value."""
    return "".join(pieces(value)).encode("utf-8")
