"""A program whose system clock can be set: `python -m tests.soak.faults.stepped MODULE WORDS...`.

The file that STEP_FILE names holds the seconds that `time.time()` is ahead, as a double. The monotonic clock goes on, as on
a machine whose clock is set.
"""

import mmap
import os
import runpy
import struct
import sys
import time
from pathlib import Path

STEP_FILE = "TOCK_TEST_STEP_FILE"
_SECONDS = struct.Struct("d")


def set_step(file: Path, seconds: float) -> None:
    """Set the clocks of all processes that were started with this file to so many seconds ahead."""
    with open(file, "r+b" if file.exists() else "w+b") as written:
        written.write(_SECONDS.pack(seconds))


def main() -> None:
    """Run the module that the command line names as a program."""
    with open(os.environ[STEP_FILE], "rb") as file:
        step = mmap.mmap(file.fileno(), _SECONDS.size, access=mmap.ACCESS_READ)
    real = time.time
    time.time = lambda: real() + _SECONDS.unpack_from(step)[0]
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
