"""Runs the tests in Icarus Verilog: run.py FOLDER [BLOCK], where FOLDER has the validator, as `make` writes it."""

import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
VALIDATOR = "utf_8_validator_x64_tid_8_streams_4.v"


def main(folder, block):
    runner, top, build = get_runner("icarus"), "utf8_packet_filter", folder / "build"
    sources = [block, folder / VALIDATOR]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=build, timescale=("1ns", "1ps"), always=True)
    results = runner.test(
        test_module="test_utf8_packet_filter",
        hdl_toplevel=top,
        build_dir=build,
        test_dir=build,
        extra_env={"PYTHONPATH": str(HERE)},
        results_xml=str(build / "results.xml"),
    )
    tests, failed = get_results(results)
    if tests == 0 or failed:
        sys.exit(f"{failed} of {tests} tests failed")


if __name__ == "__main__":
    block = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parent / "utf8_packet_filter.v"
    main(Path(sys.argv[1]).resolve(), block.resolve())
