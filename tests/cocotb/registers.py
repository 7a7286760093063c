"""Registers of totals, read and cleared by AxiLiteMaster of cocotbext-axi, while frames pass.

The master binds to the ports by their names alone. What is expected is counted by Python's own codec; the addresses are those of
docs/interface.md.

run.py starts this.
"""

import random

import cocotb
from bench import REPLACEMENT, pauses, utf_8_texts
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

ID, CORE, CONTROL, FIRST_ERROR, FIRST_ERROR_OFFSET, FIRST_ERROR_FRAME = 0x00, 0x04, 0x08, 0x10, 0x14, 0x18
# Frames, ill-formed frames, units, code points, errors.
TOTALS = (0x20, 0x28, 0x30, 0x38, 0x40)


def counted(texts):
    """The totals of texts, and the frame and offset of the first error."""
    totals, first = [0] * 5, None
    for number, octets in enumerate(texts):
        characters = octets.decode("utf-8", "replace")
        errors = characters.count(chr(REPLACEMENT))
        of_text = 1, int(errors > 0), len(octets), len(characters) - errors, errors
        totals = [total + more for total, more in zip(totals, of_text)]
        try:
            octets.decode("utf-8")
        except UnicodeDecodeError as error:
            first = first or (number, error.start)
    return totals, first


@cocotb.test()
async def software_reads_the_totals(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    dut.status_tready.value = 1
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    source.set_pause_generator(pauses(random.Random(1)))
    sink.set_pause_generator(pauses(random.Random(2)))
    # Each channel of the bus is held up, too.
    channels = [
        master.write_if.aw_channel,
        master.write_if.w_channel,
        master.write_if.b_channel,
        master.read_if.ar_channel,
        master.read_if.r_channel,
    ]
    for seed, channel in enumerate(channels):
        channel.set_pause_generator(pauses(random.Random(seed)))
    assert await master.read_dword(ID) == int.from_bytes(b"UTFH", "big")
    # Octets, one lane, a decoder, the first version of the map.
    assert await master.read_dword(CORE) == 8 << 24 | 1 << 16 | 0 << 8 | 1

    for seed in range(2):
        texts = [text for text in utf_8_texts(random.Random(seed)) if text]
        for text in texts:
            await source.send(AxiStreamFrame(list(text)))
        for _ in texts:
            # Software reads at any time.
            frames = await master.read_qword(TOTALS[0])
            assert frames <= len(texts), frames
            await with_timeout(sink.recv(), 100, "us")
        await ClockCycles(dut.clk, 20)
        totals, (frame, offset) = counted(texts)
        assert [await master.read_qword(address) for address in TOTALS] == totals
        assert await master.read_dword(FIRST_ERROR) & 1 == 1
        assert await master.read_dword(FIRST_ERROR_FRAME) == frame
        assert await master.read_dword(FIRST_ERROR_OFFSET) == offset
        assert await master.read_dword(FIRST_ERROR) == 0, "it was read"
        response = await master.write(CONTROL, (1).to_bytes(4, "little"))
        assert response.resp == AxiResp.OKAY
        assert [await master.read_qword(address) for address in TOTALS] == [0] * 5
