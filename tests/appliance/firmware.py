"""Runs the firmware's tests in the MicroPython of Debian trixie, 1.25, beside the one on Node."""

import re
import subprocess

from tests.appliance.vm import of_trixie
from tests.firmware.interpreter import ROOT
from tests.firmware.test_micropython import SHARED, tests


def main() -> None:
    """Run them all, and say how many passed."""
    modules = [f"tests.firmware.{name.removesuffix('.py')}" for name in SHARED]
    command = of_trixie("micropython", ROOT / "tests/firmware/running.py", ROOT, *modules)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    passed = set(re.findall(r"^passed (\S+)", done.stdout, re.MULTILINE))
    missed = set().union(*map(tests, SHARED)) - passed
    assert not missed, f"did not pass: {', '.join(sorted(missed))}"
    print(f"appliance: {len(passed)} tests of the firmware passed in trixie's MicroPython")


if __name__ == "__main__":
    main()
