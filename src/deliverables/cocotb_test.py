
import json
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

LANES_IN, LANES_OUT = @LANES_IN@, @LANES_OUT@
SLOTS_IN = @SLOTS_IN@  # else units
SLOTS_OUT = @SLOTS_OUT@
@CONSTANTS@

# Each frame has a note, what goes in and what has to come out. Units and slots are pairs of tuser and tdata.
FRAMES = json.loads(Path(__file__).with_name("@CORE@_frames.json").read_text())


def pauses(rng):
    """Whether a side holds the stream up, cycle by cycle: for a while never, then now and then, then mostly."""
    while True:
        share = rng.choice([0.0, 0.3, 0.8])
        for _ in range(50):
            yield rng.random() < share


class Bus:
    """How units or slots stand on the byte lanes of the models: a lane of the core has one of them, or several."""

    def __init__(self, end, lanes):
        self.lanes = lanes
        self.bytes = end.byte_lanes // lanes
        self.size = end.byte_size
        self.mask = (1 << end.byte_size) - 1

    def frame(self, items):
        """A frame for the source. The models have one tuser for all lanes of a beat."""
        tdata, tuser = [], []
        for start in range(0, len(items), self.lanes):
            beat = items[start : start + self.lanes]
            users = sum(user << @STRIDE@ * lane for lane, (user, _) in enumerate(beat))
            for _, value in beat:
                tdata += [value >> self.size * byte & self.mask for byte in range(self.bytes)]
                tuser += [users] * self.bytes
        return AxiStreamFrame(tdata, tuser=tuser)

    def items(self, frame):
        """The tuser and tdata of the lanes of a frame that hold something, and the tuser of each beat."""
        items, users = [], []
        for first in range(0, len(frame.tdata), self.bytes):
            lane = first // self.bytes % self.lanes
            part = slice(first, first + self.bytes)
            keep = set(frame.tkeep[part])
            assert len(keep) == 1, f"tkeep differs within a lane: {frame.tkeep[part]}"
            value = sum(byte << self.size * index for index, byte in enumerate(frame.tdata[part]))
            user = frame.tuser[first]
            if lane == 0:
                users.append(user)
            if keep == {1}:
                items.append([user >> @STRIDE@ * lane & @USER_MASK@ if SLOTS_OUT else 0, value])
            else:
                assert value == 0, f"an unused lane holds {value:#x}"
        return items, users


@STATUS_SINK@
@cocotb.test()
async def frames_pass(dut):
    """Every frame comes out as the software reference has it, whoever pauses."""
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    reset = {"reset": dut.@RESET@, "reset_active_level": @ACTIVE@}
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, **reset)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, **reset)
@MASTER@
    dut.@RESET@.value = int(@ACTIVE@)
    await ClockCycles(dut.clk, 4)
    dut.@RESET@.value = int(not @ACTIVE@)
    source.set_pause_generator(pauses(random.Random(1)))
    sink.set_pause_generator(pauses(random.Random(2)))
    bus_in, bus_out = Bus(source, LANES_IN), Bus(sink, LANES_OUT)
@TAKES_STATUSES@
@SENDS@
    every_bit = (1 << len(dut.m_axis_tuser)) - 1
    for number, frame in enumerate(FRAMES):
        found, users = bus_out.items(await with_timeout(sink.recv(compact=False), 1, "ms"))
        note = f"frame {number}, {frame['about']}: {frame['input']}"
        assert found == frame["output"], note
        if not SLOTS_OUT:
            assert users == [0] * (len(users) - 1) + [every_bit if frame["amiss"] else 0], note
@CHECKS@
    await ClockCycles(dut.clk, 100)
    assert sink.empty(), "more frames came out than went in"
@STATUS_CHECK@
@REGISTER_CHECK@
