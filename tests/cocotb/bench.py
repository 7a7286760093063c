"""Frames through a core, driven and taken by the AXI4-Stream models of cocotbext-axi.

The models bind to the ports by their names alone, and find out from TDATA and TKEEP how many "byte" lanes there are and how
many bits each has. A core with the default ports has one such lane a unit or slot, of 8, 9 or 32 bits; one that was generated
with --axis strict has lanes of eight bits. Everything that is expected comes from Python's own codecs, or is typed in from RFC
4042.

run.py starts this; the environment variable MANIFEST names the manifest of the core.
"""

import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

REPLACEMENT = 0xFFFD

# RFC 4042, section 3.1: code points and their nonets.
RFC_4042 = [
    (0x41, [0o101]),
    (0xC0, [0o300]),
    (0x391, [0o403, 0o221]),
    (0x611B, [0o541, 0o33]),
    (0x10330, [0o401, 0o403, 0o60]),
    (0xE0041, [0o416, 0o400, 0o101]),
    (0x10FFFD, [0o420, 0o777, 0o375]),
]

TEXT = "A Ω€😀 \x00\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff 中文"


def utf_8_texts(rng):
    """Texts, well-formed and not, as octets."""
    yield TEXT.encode()
    for _ in range(40):
        text = bytearray()
        for _ in range(rng.randrange(1, 12)):
            text += rng.choice(TEXT).encode()
        for _ in range(rng.randrange(3)):
            text[rng.randrange(len(text))] = rng.randrange(256)
        yield bytes(text)


def utf_8_decoded(rng):
    """Octets, and the slots they come to: what Python replaces is an error."""
    for octets in utf_8_texts(rng):
        code_points = [ord(character) for character in octets.decode("utf-8", "replace")]
        yield list(octets), [(int(code_point == REPLACEMENT), code_point) for code_point in code_points]


def utf_8_encoded(rng):
    """Slots, and the octets they come to; an error or a surrogate is written as U+FFFD, and the frame says so."""
    for octets in utf_8_texts(rng):
        slots = [(0, ord(character)) for character in octets.decode("utf-8", "ignore")]
        for _ in range(rng.randrange(2)):
            bad = rng.choice([(rng.randrange(1, 11), REPLACEMENT), (0, rng.randrange(0xD800, 0xE000))])
            slots.insert(rng.randrange(len(slots) + 1), bad)
        if slots:
            well = [chr(value) if user == 0 and not 0xD800 <= value < 0xE000 else None for user, value in slots]
            text = "".join("\ufffd" if character is None else character for character in well)
            yield slots, list(text.encode()), None in well


def utf_9_texts(rng):
    """Code points with their nonets."""
    yield RFC_4042
    for _ in range(20):
        yield [rng.choice(RFC_4042) for _ in range(rng.randrange(1, 8))]


def utf_9_decoded(rng):
    for text in utf_9_texts(rng):
        units = [unit for _, nonets in text for unit in nonets]
        slots = [(0, code_point) for code_point, _ in text]
        if rng.randrange(2):
            # A nonet that says that others follow, at the end of the frame.
            units, slots = units + [0o403], slots + [(1, REPLACEMENT)]
        yield units, slots


def utf_9_encoded(rng):
    for text in utf_9_texts(rng):
        slots = [(0, code_point) for code_point, _ in text]
        units = [unit for _, nonets in text for unit in nonets]
        amiss = bool(rng.randrange(2))
        if amiss:
            # UTF-9 writes U+FFFD as two nonets: FF with the top bit set, then FD.
            slots, units = slots + [(2, REPLACEMENT)], units + [0o777, 0o375]
        yield slots, units, amiss


def hunk_5_decoded(_rng):
    """Code points below 16 are a unit each; a unit of 10xxx is a trailing one."""
    yield list(range(16)), [(0, unit) for unit in range(16)]
    yield [1, 0b10000, 2], [(0, 1), (1, REPLACEMENT), (0, 2)]


DECODED = {"utf-8": utf_8_decoded, "utf-9": utf_9_decoded, "hunk-5": hunk_5_decoded}
ENCODED = {"utf-8": utf_8_encoded, "utf-9": utf_9_encoded}


def pauses(rng):
    """Whether a side holds the stream up, cycle by cycle: for a while never, then now and then, then mostly."""
    while True:
        share = rng.choice([0.0, 0.3, 0.8])
        for _ in range(50):
            yield rng.random() < share


class Lanes:
    """How a value stands on the byte lanes of a bus of one lane."""

    def __init__(self, end, bits):
        self.count, self.bits = end.byte_lanes, bits
        self.room = end.byte_lanes * end.byte_size

    def spread(self, value, rng):
        """The value on its byte lanes. What a core has to ignore above it is anything."""
        value |= rng.getrandbits(self.room) >> self.bits << self.bits
        if self.count == 1:
            return [value]
        return list(value.to_bytes(self.count, "little"))

    def gathered(self, frame):
        """Values and users of a frame, of the lanes that hold something."""
        values, users = [], []
        for start in range(0, len(frame.tdata), self.count):
            part = slice(start, start + self.count)
            keep = set(frame.tkeep[part])
            assert len(keep) == 1, f"TKEEP differs within a lane: {frame.tkeep[part]}"
            data = frame.tdata[part]
            value = data[0] if self.count == 1 else int.from_bytes(bytes(data), "little")
            users.append(frame.tuser[start])
            if keep == {1}:
                values.append(value)
            else:
                assert value == 0, f"an unused lane holds {value:#x}"
        return values, users


@cocotb.test()
async def frames_pass(dut):
    with open(os.environ["MANIFEST"], encoding="utf-8") as file:
        manifest = json.load(file)
    is_decoder, unit_bits = manifest["role"] == "decoder", manifest["unit_bits"]
    rng = random.Random(4042)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    if manifest["options"]["axis"] == "strict":
        assert (source.byte_size, sink.byte_size) == (8, 8)
        assert len(dut.m_axis_tuser) % sink.byte_lanes == 0
    lanes_in = Lanes(source, unit_bits if is_decoder else 32)
    lanes_out = Lanes(sink, 32 if is_decoder else unit_bits)
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    source.set_pause_generator(pauses(random.Random(1)))
    sink.set_pause_generator(pauses(random.Random(2)))

    if is_decoder:
        frames = [(units, slots, False) for units, slots in DECODED[manifest["system"]](rng)]
    else:
        frames = list(ENCODED[manifest["system"]](rng))
    for items, _, _ in frames:
        tdata, tuser = [], []
        for item in items:
            user, value = (0, item) if is_decoder else item
            lanes = lanes_in.spread(value, rng)
            tdata, tuser = tdata + lanes, tuser + [user] * len(lanes)
        await source.send(AxiStreamFrame(tdata, tuser=tuser))
    for items, expected, amiss in frames:
        values, users = lanes_out.gathered(await with_timeout(sink.recv(compact=False), 100, "us"))
        if is_decoder:
            assert [(int(user > 0), value) for user, value in zip(users, values)] == expected, items
        else:
            every_bit = (1 << len(dut.m_axis_tuser)) - 1
            assert values == expected, items
            assert users == [0] * (len(users) - 1) + [every_bit if amiss else 0], items
    await ClockCycles(dut.clk, 100)
    assert sink.empty(), "more frames came out than went in"
