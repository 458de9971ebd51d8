"""Password checks of several threads leave no memory behind."""

import subprocess
import sys

import pytest

from .production import ROOT

MEASURED = """
import hashlib, os
from concurrent.futures import ThreadPoolExecutor
from tock_league.embedded.server import return_large_blocks

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def check(number):
    hashlib.scrypt(b"a password", salt=b"salt", n=2**14, r=8, p=1, maxmem=64 * 2**20)

{first}
with ThreadPoolExecutor(4) as threads:
    before = resident()
    list(threads.map(check, range(12)))
    print(resident() - before)
"""


def grown(first: str) -> int:
    """Return by how many bytes a process has grown after twelve checks in four threads."""
    words = [sys.executable, "-c", MEASURED.format(first=first)]
    return int(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_memory_of_password_checks_is_given_back() -> None:
    assert grown("return_large_blocks()") < 4 * 2**20
