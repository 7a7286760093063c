"""Payloads of four streams, interleaved beat by beat, through utf8_packet_filter; Python's own codec says which are well-formed.

A source of cocotbext-axi sends one frame after the other, so the interleaved beats are driven here; AxiStreamSink takes the output.
"""

import random
from collections import Counter, deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamSink

LANES = 64
STREAMS = 4
DEPTH = 32  # beats of a ring

ILL_FORMED, NO_ROOM, DROPPED = 1 << 8, 1 << 9, 1 << 10

CHARACTERS = "A Ω€😀 \x00\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff 中文"


def is_well_formed(octets):
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def payload(rng, beats):
    """Beats of octets, full or not, of a text that may have an octet wrong or be cut short."""
    text = bytearray("".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(beats * 20))).encode())
    damage = rng.randrange(4)
    if damage == 0 and text:
        text[rng.randrange(len(text))] = rng.randrange(256)
    elif damage == 1 and text:
        del text[rng.randrange(len(text)) :]
    parts = []
    while text:
        size = rng.choice([LANES, LANES, LANES, rng.randrange(1, LANES)])
        parts.append(bytes(text[:size]))
        del text[:size]
    # A payload can end with an empty beat.
    if not parts or rng.randrange(5) == 0:
        parts.append(b"")
    return parts


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
        self.statuses = []

    async def start(self, drop):
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk, 4, "ns").start())
        dut.rst.value = 1
        dut.s_axis_tvalid.value = 0
        dut.drop_ill_formed.value = int(drop)
        await ClockCycles(dut.clk, 3)
        dut.rst.value = 0
        await ClockCycles(dut.clk, 12)
        cocotb.start_soon(self.take_statuses())

    async def take_statuses(self):
        while True:
            await RisingEdge(self.dut.clk)
            if self.dut.status_tvalid.value == 1:
                self.statuses.append(int(self.dut.status_tdata.value))

    async def send(self, tid, octets, last):
        """Offers a beat for one cycle, which is enough."""
        dut = self.dut
        dut.s_axis_tdata.value = int.from_bytes(octets, "little")
        dut.s_axis_tkeep.value = (1 << len(octets)) - 1
        dut.s_axis_tlast.value = int(last)
        dut.s_axis_tid.value = tid
        dut.s_axis_tvalid.value = 1
        await RisingEdge(dut.clk)
        assert dut.s_axis_tready.value == 1, "the filter never waits"
        dut.s_axis_tvalid.value = 0

    async def send_interleaved(self, rng, payloads, share=1.0):
        """Sends payloads, pairs of a TID and beats, those of a stream in order; a beat in that share of the cycles."""
        waiting = [deque() for _ in range(STREAMS)]
        for tid, beats in payloads:
            waiting[tid % STREAMS].extend((tid, beat, at + 1 == len(beats)) for at, beat in enumerate(beats))
        while any(waiting):
            if rng.random() < share:
                await self.send(*rng.choice([beats for beats in waiting if beats]).popleft())
            else:
                await RisingEdge(self.dut.clk)

    async def receive(self, count):
        """That many payloads: TID, octets, and whether they are marked."""
        received = []
        for _ in range(count):
            frame = await with_timeout(self.sink.recv(compact=False), 10, "us")
            octets = bytes(octet for octet, keep in zip(frame.tdata, frame.tkeep) if keep)
            tuser = frame.tuser if isinstance(frame.tuser, list) else [frame.tuser]
            tid = frame.tid if isinstance(frame.tid, int) else frame.tid[0]
            received.append((tid, octets, bool(tuser[-1])))
        return received


def of_streams(received):
    """What was received, stream by stream: the streams come in turn, in no order that is promised."""
    return [[entry for entry in received if entry[0] % STREAMS == stream] for stream in range(STREAMS)]


def drawn(rng, count):
    """Payloads: TIDs, of which only the low bits are the stream, and beats."""
    return [(rng.randrange(256), payload(rng, rng.randrange(1, 12))) for _ in range(count)]


async def check(dut, drop, seed):
    rng, bench = random.Random(seed), Bench(dut)
    await bench.start(drop)
    bench.sink.set_pause_generator(iter(lambda: rng.random() < 0.1, None))
    payloads = drawn(rng, 40)
    whole = [(tid, b"".join(beats)) for tid, beats in payloads]
    expected = [(tid, octets, not is_well_formed(octets)) for tid, octets in whole]
    assert 8 < sum(marked for _, _, marked in expected) < 32
    expected_out = [entry for entry in expected if not (drop and entry[2])]
    sending = cocotb.start_soon(bench.send_interleaved(rng, payloads, share=0.5))
    received = await bench.receive(len(expected_out))
    assert of_streams(received) == of_streams(expected_out)
    await sending
    await ClockCycles(dut.clk, 100)
    assert bench.sink.empty()
    statuses = [tid | (ILL_FORMED if marked else 0) | (DROPPED if marked and drop else 0) for tid, _, marked in expected]
    assert Counter(bench.statuses) == Counter(statuses)


@cocotb.test()
async def ill_formed_payloads_are_dropped(dut):
    await check(dut, True, 1)


@cocotb.test()
async def ill_formed_payloads_are_marked(dut):
    await check(dut, False, 2)


@cocotb.test()
async def a_payload_without_room_is_dropped_and_others_pass(dut):
    """One payload longer than a ring between short ones of the same stream and of others."""
    bench, rng = Bench(dut), random.Random(3)
    await bench.start(True)
    long = [b"a" * LANES] * (DEPTH + 1)
    fits = [b"b" * LANES] * DEPTH
    await bench.send_interleaved(rng, [(0, [b"before"]), (0, long), (1, fits), (2, [b"other"])])
    await ClockCycles(dut.clk, 20)
    await bench.send_interleaved(rng, [(0, [b"after"])])
    received = await bench.receive(4)
    assert of_streams(received) == [
        [(0, b"before", False), (0, b"after", False)],
        [(1, b"".join(fits), False)],
        [(2, b"other", False)],
        [],
    ]
    assert Counter(bench.statuses) == Counter([0, 0 | NO_ROOM | DROPPED, 1, 2, 0])


@cocotb.test()
async def a_beat_goes_through_in_each_cycle(dut):
    """Payloads of one beat, a beat in each cycle, for longer than the rings last."""
    bench, rng = Bench(dut), random.Random(4)
    await bench.start(True)
    payloads = [(rng.randrange(STREAMS), [b"%3d" % number]) for number in range(150)]
    for tid, [octets] in payloads:
        await bench.send(tid, octets, True)
    await ClockCycles(dut.clk, 40)
    received = await bench.receive(len(payloads))
    assert of_streams(received) == of_streams([(tid, octets, False) for tid, [octets] in payloads])
