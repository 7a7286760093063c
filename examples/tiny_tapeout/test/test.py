# SPDX-License-Identifier: MIT OR Apache-2.0
"""Drives the pins as a microcontroller would, and compares what comes out with Python's own codec.

The strobes change at any time, not in step with the clock.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Timer

PERIOD = 20  # ns, of the clock
REPLACEMENT = 0xFFFD

# The first and last characters of each length.
TEXT = "\0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff A\u00e9\u20ac\U0001f600"

# Ill-formed sequences, with the kinds of their errors. The sequences are those of the Unicode Standard, tables 3-8 to 3-11.
KINDS = [
    (b"\x80", [1]),
    (b"\xe2\x82\x41", [2, 0]),
    (b"\xf0\x9f\x98", [2]),
    (b"\xc0\xaf", [3, 1]),
    (b"\xe0\x80\xbf", [3, 1, 1]),
    (b"\xed\xa0\x80", [4, 1, 1]),
    (b"\xf4\x91\x92\x93", [5, 1, 1, 1]),
    (b"\xf5", [5]),
    (b"\xff\x41", [6, 0]),
    (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", [2, 2, 2, 2, 0]),
]


class Pins:
    """The pins from outside."""

    def __init__(self, dut, seed):
        self.dut, self.random = dut, random.Random(seed)

    async def reset(self):
        for pin in (self.dut.ui_in, self.dut.put, self.dut.last, self.dut.get, self.dut.part, self.dut.rst_n):
            pin.value = 0
        self.dut.ena.value = 1
        cocotb.start_soon(Clock(self.dut.clk, PERIOD, "ns").start())
        await Timer(5 * PERIOD, "ns")
        self.dut.rst_n.value = 1
        await Timer(5 * PERIOD, "ns")
        assert self.dut.uio_oe.value == 0b11100000
        assert self.dut.taken.value == 0 and self.dut.valid.value == 0 and self.dut.error.value == 0

    async def pause(self):
        """Some time, of which the clock knows nothing."""
        await Timer(self.random.randrange(1, 3000), "ps")
        if self.random.randrange(4) == 0:
            await Timer(self.random.randrange(200), "ns")

    async def until(self, pin, level, limit=100):
        """Waits for a level of a pin; gives whether it comes within so many cycles."""
        for _ in range(4 * limit):
            if pin.value == level:
                return True
            await Timer(PERIOD // 4, "ns")
        return False

    async def put(self, octet, last, limit=100):
        """Puts an octet; gives whether it is taken within so many cycles. If not, it stays there."""
        self.dut.ui_in.value, self.dut.last.value = octet, int(last)
        await self.pause()
        self.dut.put.value = 1
        if not await self.until(self.dut.taken, 1, limit):
            return False
        await self.end_put()
        return True

    async def end_put(self):
        await self.pause()
        self.dut.put.value = 0
        assert await self.until(self.dut.taken, 0)

    async def get(self):
        """The next slot: its code point, its kind, and whether it is the last of its text."""
        assert await self.until(self.dut.valid, 1), "no slot comes"
        parts = []
        for part in range(4):
            self.dut.part.value = part
            await self.pause()
            parts.append(int(self.dut.uo_out.value))
        is_error = int(self.dut.error.value)
        self.dut.get.value = 1
        assert await self.until(self.dut.valid, 0)
        await self.pause()
        self.dut.get.value = 0
        # The strobe is low for a clock cycle at least, so that the next one is another.
        await Timer(4 * PERIOD, "ns")
        code_point, status = parts[0] | parts[1] << 8 | parts[2] << 16, parts[3]
        kind, last = status & 0x0F, status >> 7
        assert status & 0x70 == 0 and is_error == (kind != 0)
        return code_point, kind, last

    async def decode(self, text):
        """The slots of a text."""
        writer = cocotb.start_soon(self.write(text))
        slots = []
        while not slots or not slots[-1][2]:
            slots.append(await self.get())
        await writer
        await Timer(10 * PERIOD, "ns")
        assert self.dut.valid.value == 0, "a slot behind the last"
        return [(code_point, kind) for code_point, kind, _ in slots]

    async def write(self, text):
        for index, octet in enumerate(text):
            assert await self.put(octet, index + 1 == len(text), 10_000)


async def started(dut, seed=1):
    pins = Pins(dut, seed)
    await pins.reset()
    return pins


def by_python(text):
    return [ord(character) for character in text.decode("utf-8", "replace")]


@cocotb.test()
async def characters_of_every_length(dut):
    pins = await started(dut)
    assert await pins.decode(TEXT.encode()) == [(ord(character), 0) for character in TEXT]


@cocotb.test()
async def errors_have_their_kinds(dut):
    pins = await started(dut)
    for text, kinds in KINDS:
        slots = await pins.decode(text)
        assert [kind for _, kind in slots] == kinds, text
        assert [code_point for code_point, _ in slots] == by_python(text), text


@cocotb.test()
async def garbage_is_what_python_says(dut):
    pins = await started(dut)
    rng = random.Random(2)
    for _ in range(25):
        text = bytearray("".join(rng.choice(TEXT) for _ in range(rng.randrange(1, 6))).encode())
        for _ in range(rng.randrange(3)):
            text[rng.randrange(len(text))] = rng.randrange(256)
        text = bytes(text[: rng.randrange(1, len(text) + 1)])
        slots = await pins.decode(text)
        assert [code_point for code_point, _ in slots] == by_python(text), text
        errors = [code_point for code_point, kind in slots if kind]
        assert all(code_point == REPLACEMENT for code_point in errors), text
        # Python has no other way to U+FFFD here, since TEXT is without it.
        assert len(errors) == by_python(text).count(REPLACEMENT), text


@cocotb.test()
async def slots_that_nobody_reads_hold_the_octets_up(dut):
    pins = await started(dut)
    for octet in range(0x41, 0x61):
        if not await pins.put(octet, False):
            break
    else:
        raise AssertionError("32 octets are taken, and no slot is read")
    expected = 0x41
    while expected < octet:
        slot = await pins.get()
        assert slot == (expected, 0, 0)
        expected += 1
        if expected == 0x42:
            # There is room for the one that waits.
            assert await pins.until(dut.taken, 1)
            await pins.end_put()
    assert await pins.get() == (octet, 0, 0)


@cocotb.test()
async def reset_forgets_a_sequence(dut):
    pins = await started(dut)
    for octet in b"\xf0\x9f\x98":
        assert await pins.put(octet, False)
    dut.rst_n.value = 0
    await Timer(3, "ns")
    dut.rst_n.value = 1
    await Timer(5 * PERIOD, "ns")
    assert await pins.decode(b"\x80A") == [(REPLACEMENT, 1), (0x41, 0)]
