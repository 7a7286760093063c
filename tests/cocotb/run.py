"""Runs a bench, bench.py or the one named, in Icarus Verilog on a core: run.py FOLDER MODULE [BENCH], where FOLDER has MODULE.v and
MODULE.json."""

import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner


def main(folder, module, bench="bench"):
    runner = get_runner("icarus")
    build = folder / "build" / module
    runner.build(sources=[folder / f"{module}.v"], hdl_toplevel=module, build_dir=build, timescale=("1ns", "1ps"))
    results = runner.test(
        test_module=bench,
        hdl_toplevel=module,
        build_dir=build,
        test_dir=build,
        extra_env={"MANIFEST": str(folder / f"{module}.json"), "PYTHONPATH": str(Path(__file__).parent)},
        results_xml=str(build / "results.xml"),
    )
    tests, failed = get_results(results)
    if tests == 0 or failed:
        sys.exit(f"{module}: {failed} of {tests} tests failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
