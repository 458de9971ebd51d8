"""deploy/logs: lines of the containers reach another machine by TLS, also those that were written while it was away."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import absent
from tests.servers.programs import end, find, short_folder
from tests.servers.site import eventually

from .production import ROOT, free_port

LOGS = ROOT / "deploy" / "logs"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder with certificates. Skips where rsyslog is missing."""
    tls = any(Path("/usr/lib").glob("*/rsyslog/lmnsd_gtls.so"))
    if find("rsyslogd", among=[Path("/usr/sbin")]) is None or not tls:
        absent("rsyslog", "no rsyslogd, or none that speaks TLS (rsyslog-gnutls)")
    with short_folder("tlg") as found:
        command = [sys.executable, ROOT / "deploy" / "make_secrets.py", "--folder", found / "secrets"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for name in ("kept", "collected", "containers"):
            (found / name).mkdir()
        yield found


@contextlib.contextmanager
def rsyslog(folder: Path, name: str, port: int, *, ca: str = "ca_certificate") -> Iterator[None]:
    """Run one of the two for the time of the block."""
    secrets = folder / "secrets"
    own = {
        "LOG_HOST": "localhost", "LOG_NAME": "web", "LOG_PORT": str(port), "LOG_CA": str(secrets / ca),
        "LOG_KEPT": str(folder / "kept"), "LOG_FILES": str(folder / "containers" / "*.log"),
        "LOG_FOLDER": str(folder / "collected"), "LOG_CERTIFICATE": str(secrets / "web_certificate"),
        "LOG_KEY": str(secrets / "web_certificate_key"),
    }  # fmt: skip
    program = find("rsyslogd", among=[Path("/usr/sbin")])
    words = [str(program), "-n", "-f", str(LOGS / f"{name}.conf"), "-i", str(folder / f"{name}.pid")]
    with open(folder / f"{name}.out", "ab") as out:
        process = subprocess.Popen(words, env=os.environ | own, stdout=out, stderr=out)
    try:
        yield
    finally:
        end(process, signal_number=15)


def written(folder: Path, numbers: range) -> list[str]:
    """Append lines as Docker writes them; return them."""
    lines = [
        json.dumps({"log": json.dumps({"event": "signed in", "request": f"r{number}"}) + "\n", "stream": "stderr"})
        for number in numbers
    ]
    with open(folder / "containers" / "web-json.log", "a", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    return lines


def collected(folder: Path) -> list[str]:
    return [line for path in sorted((folder / "collected").iterdir()) for line in path.read_text().splitlines()]


def test_every_line_arrives_also_after_the_collector_was_away(folder: Path) -> None:
    port = free_port()
    first = written(folder, range(20))
    with rsyslog(folder, "sender", port):
        with rsyslog(folder, "collector", port):
            # The sender tries again after longer and longer times while the collector has not begun to listen. Syslog
            # over TCP has no acknowledgement: a line whose connection failed is sent again, and may arrive twice.
            eventually(lambda: set(collected(folder)) == {*first}, seconds=90)
        second = written(folder, range(20, 40))
        with rsyslog(folder, "collector", port):
            eventually(lambda: set(collected(folder)) == {*first, *second}, seconds=90)
    assert [json.loads(json.loads(line)["log"])["request"] for line in first] == [f"r{number}" for number in range(20)]


def test_nothing_is_sent_to_a_collector_that_another_authority_has_signed(folder: Path) -> None:
    port = free_port()
    written(folder, range(3))
    command = [sys.executable, ROOT / "deploy" / "make_secrets.py", "--folder", folder / "others"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (folder / "secrets" / "another").write_bytes((folder / "others" / "ca_certificate").read_bytes())
    with rsyslog(folder, "collector", port), rsyslog(folder, "sender", port, ca="another"):
        eventually(lambda: "certificate" in (folder / "sender.out").read_text(), seconds=20)
        assert collected(folder) == []
