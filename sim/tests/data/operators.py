#!/usr/bin/env python3
"""Prints operators.txt: what each operation gives, by Python's integers of any size."""

VECTORS = [
    (8, 0xC5, 0x3B, 3),
    (8, 0x07, 0x80, 4),
    # All ones; a carry into the top bit; a borrow through all of them.
    (65, 0x1_FFFFFFFFFFFFFFFF, 1, 1),
    (65, 0x0_8000000000000001, 0x1_8000000000000000, 64),
    (65, 0x1_0000000000000000, 0x0_FFFFFFFFFFFFFFFF, 5),
    (128, 0xFEDCBA9876543210_0123456789ABCDEF, 0x0123456789ABCDEF_FFFFFFFFFFFFFFFF, 4),
    (128, 0xFFFFFFFFFFFFFFFF, 0x0000000000000001_0000000000000000, 127),
    (128, 0x8000000000000000_0000000000000001, 0x8000000000000000_0000000000000001, 128),
    (200, 0xA5 << 192 | 0x0123456789ABCDEF_FEDCBA9876543210_8000000000000001, 0x5A << 192 | (1 << 64) - 1, 67),
    (200, 1 << 192, (1 << 192) - 1, 199),
    (200, 0, 1 << 199, 200),
]


def matches(pattern, value):
    bits = bin(value)[2:].zfill(len(pattern))
    return len(bits) == len(pattern) and all(p in ("x", b) for p, b in zip(pattern, bits))


def table(rows, key, default):
    """The value of the first row that the key matches."""
    return next((value for patterns, value in rows if any(matches(p, key) for p in patterns)), default)


def operations(width, a, b, by):
    ones = (1 << width) - 1
    return {
        "and_": a & b,
        "or_": a | b,
        "xor_": a ^ b,
        "not_": ones - a,
        "add": (a + b) % (1 << width),
        "sub": (a - b) % (1 << width),
        "sub_back": (b - a) % (1 << width),
        "eq": a == b,
        "ne": a != b,
        "lt": a < b,
        "le": a <= b,
        "le_self": True,
        "shl": (a << by) % (1 << width),
        "shr": a >> by,
        "all": a == ones,
        "any": a != 0,
        "parity": bin(a).count("1") % 2,
        "slice": a >> 2 & (1 << width - 3) - 1,
        "concat": b * (1 << width) + a,
        "zext": a,
        "mux": a if by % 2 else b,
        "case_": {3: a, 5: a, 4: b}.get(by, ones),
        "row_value": table([(["0000xx11"], a), (["000xxxx1", "00000100"], b), (["x0xxxxxx"], ones - a)], by, ones),
        "row_number": table([(["0000xx11"], 1), (["000xxxx1", "00000100"], 2), (["x0xxxxxx"], 3)], by, 0),
        "ends": table(
            [
                (["1" + "x" * (width - 2) + "1"], 3),
                (["1" + "x" * (width - 1)], 2),
                (["x" * (width - 4) + "00x1", "x" * (width - 1) + "1"], 1),
            ],
            a,
            0,
        ),
    }


print("width a b by", *operations(8, 0, 0, 0))
for width, a, b, by in VECTORS:
    print(width, f"{a:x} {b:x}", by, *(f"{value:x}" for value in operations(width, a, b, by).values()))
