"""Keys of accounts and devices, and sealed bodies (specification, section 17).

Ed25519 and ChaCha20-Poly1305 as their RFCs define them, in plain integers: right, slow, and not
safe where somebody measures time. Good for vectors, and for nothing that has a secret.
"""
import hashlib
import hmac
import struct

from shapes import SEALED_MAX

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, FIELD) % FIELD

class Unopened(Exception):
    """A sealed body that does not open."""


# Ed25519: points are (x, y), the neutral one (0, 1).

def add(p, q):
    x = p[0] * q[1] + q[0] * p[1]
    y = p[1] * q[1] + p[0] * q[0]
    cross = CURVE * p[0] * q[0] * p[1] * q[1] % FIELD
    return (
        x * pow(1 + cross, -1, FIELD) % FIELD,
        y * pow(1 - cross, -1, FIELD) % FIELD)


def times(number, point):
    result = 0, 1
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def point_of(data):
    """The point that 32 bytes stand for; None where they stand for none."""
    number = int.from_bytes(data, "little")
    odd, y = number >> 255, number & (2**255 - 1)
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if (x * x - square) % FIELD:
        x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    if y >= FIELD or (x * x - square) % FIELD or (x == 0 and odd):
        return None
    return (FIELD - x if x & 1 != odd else x), y


def bytes_of(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = point_of((4 * pow(5, -1, FIELD) % FIELD).to_bytes(32, "little"))


def secrets_of(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return scalar & ((1 << 254) - 8) | 1 << 254, digest[32:]


def hashed(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def public_key(seed):
    return bytes_of(times(secrets_of(seed)[0], BASE))


def signature(seed, message):
    scalar, prefix = secrets_of(seed)
    once = hashed(prefix, message)
    start = bytes_of(times(once, BASE))
    challenge = hashed(start, public_key(seed), message)
    return start + ((once + challenge * scalar) % ORDER).to_bytes(32, "little")


def verifies(key, message, signed):
    owner, start = point_of(key), point_of(signed[:32])
    scalar = int.from_bytes(signed[32:], "little")
    if len(signed) != 64 or not owner or not start or scalar >= ORDER:
        return False
    challenge = hashed(signed[:32], key, message)
    return times(scalar, BASE) == add(start, times(challenge, owner))


# ChaCha20-Poly1305

def quarter(words, a, b, c, d):
    for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        words[first] = (words[first] + words[second]) & 0xFFFFFFFF
        mixed = words[third] ^ words[first]
        words[third] = (mixed << turn | mixed >> (32 - turn)) & 0xFFFFFFFF


def block(key, nonce, counter):
    start = list(struct.unpack("<4I", b"expand 32-byte k"))
    start += struct.unpack("<8I", key) + (counter,) + struct.unpack("<3I", nonce)
    words = list(start)
    for _ in range(10):
        for column in range(4):
            quarter(words, column, column + 4, column + 8, column + 12)
        for row in range(4):
            quarter(
                words, row, 4 + (row + 1) % 4, 8 + (row + 2) % 4, 12 + (row + 3) % 4)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(words, start)))


def stream(key, nonce, data):
    result = bytearray()
    for place in range(0, len(data), 64):
        mask = block(key, nonce, 1 + place // 64)
        result += bytes(a ^ b for a, b in zip(data[place:place + 64], mask))
    return bytes(result)


def tag(key, nonce, ciphertext):
    once = block(key, nonce, 0)
    factor = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    padded = ciphertext + bytes(-len(ciphertext) % 16) + struct.pack("<QQ", 0, len(ciphertext))
    total = 0
    for place in range(0, len(padded), 16):
        piece = int.from_bytes(padded[place:place + 16] + b"\x01", "little")
        total = (total + piece) * factor % (2**130 - 5)
    return (total + int.from_bytes(once[16:32], "little") & 2**128 - 1).to_bytes(16, "little")


# What the specification makes of them

def account_id(key):
    return hashlib.sha256(b"folio account 1\n" + key).digest()


def certified(account, device, key):
    """The bytes under a certificate."""
    return b"folio device 1\n" + account + device + key


def proven(hello, welcome, binding):
    """The bytes under a proof, of two lines without their ends."""
    hashes = hashlib.sha256(hello).digest() + hashlib.sha256(welcome).digest()
    return b"folio login 1\n" + hashes + binding


def sealing(key, key_id, account, transaction, salt):
    """The key and the nonce of one body."""
    info = b"folio sealed 1\n" + account + transaction + struct.pack(">Q", key_id)
    inner = hmac.digest(salt, key, "sha256")
    first = hmac.digest(inner, info + b"\x01", "sha256")
    second = hmac.digest(inner, first + info + b"\x02", "sha256")
    return first, second[:12]


def seal(body, key, key_id, account, transaction, salt):
    one, nonce = sealing(key, key_id, account, transaction, salt)
    ciphertext = stream(one, nonce, body)
    return b"\x01" + salt + ciphertext + tag(one, nonce, ciphertext)


def open_sealed(data, key, key_id, account, transaction):
    """The plain body; raises `Unopened` where the key, the place or the bytes are not right."""
    if len(data) < 49 or len(data) > SEALED_MAX or data[0] != 1:
        raise Unopened()
    salt, ciphertext, found = data[1:33], data[33:-16], data[-16:]
    one, nonce = sealing(key, key_id, account, transaction, salt)
    if not hmac.compare_digest(tag(one, nonce, ciphertext), found):
        raise Unopened()
    return stream(one, nonce, ciphertext)
