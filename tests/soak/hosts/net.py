"""Hosts on one machine: a network namespace each, joined by a bridge in a namespace of its own.

No namespace has a name and no address is routed: a namespace is held by an open file of this process, so the kernel removes it,
its interfaces and its bridge when this process and those in the namespace have ended, however they end.
"""

import contextlib
import ctypes
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

PREFIX = "10.77.0"
_NEWNET = 0x40000000  # CLONE_NEWNET of sched.h
_NOWHERE = "02:00:00:00:00:ff"  # a hardware address that no interface has
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def run(*words: str) -> str:
    """Run a program in the namespace of this thread; return its output. Raises RuntimeError with its error output."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=10)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


@dataclass
class Host:
    """A host. `space`: the open file that holds its namespace."""

    name: str
    address: str
    space: int

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Let the block run in this host's network; what it starts stays there. Only this thread is moved."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        _checked(_libc.setns(self.space, _NEWNET))
        try:
            yield
        finally:
            _checked(_libc.setns(before, _NEWNET))
            os.close(before)

    def enter(self) -> None:
        """Move this thread, and the threads that it starts, into the host's network for good."""
        _checked(_libc.setns(self.space, _NEWNET))


def _new_space() -> int:
    """Return an open file of a new network namespace."""
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    _checked(_libc.unshare(_NEWNET))
    try:
        return os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    finally:
        _checked(_libc.setns(before, _NEWNET))
        os.close(before)


@dataclass
class Net:
    """Hosts and their links. A host is cut off as a whole, or in one direction from another host."""

    hosts: dict[str, Host] = field(default_factory=dict)
    switch: Host = field(init=False)
    _deaf: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.switch = Host("switch", "", _new_space())
        with self.switch.inside():
            run("ip", "link", "add", "br0", "type", "bridge")
            run("ip", "link", "set", "br0", "up")

    def add(self, names: Sequence[str]) -> None:
        """Make a host of each name, with a link to the bridge."""
        for name in names:
            number = len(self.hosts) + 1
            host = Host(name, f"{PREFIX}.{number}", _new_space())
            with self.switch.inside():
                there = f"/proc/{os.getpid()}/fd/{host.space}"
                run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", there)
                run("ip", "link", "set", name, "master", "br0", "up")
            with host.inside():
                run("ip", "link", "set", "lo", "up")
                run("ip", "address", "add", f"{host.address}/24", "dev", "eth0")
                run("ip", "link", "set", "eth0", "up")
            self.hosts[name] = host

    def cut(self, name: str) -> None:
        """Pull the cable of a host: nothing comes in or goes out, and nobody is told."""
        with self.switch.inside():
            run("ip", "link", "set", name, "nomaster")

    def deafen(self, name: str, to: str) -> None:
        """Lose what `to` sends to the host; what the host sends arrives."""
        with self.hosts[to].inside():
            there = self.hosts[name].address
            run("ip", "neighbour", "replace", there, "lladdr", _NOWHERE, "dev", "eth0", "nud", "permanent")
        self._deaf.add((name, to))

    def part(self, one: str, other: str) -> None:
        """Lose everything between two hosts; others reach both."""
        self.deafen(one, other)
        self.deafen(other, one)

    def mend(self) -> None:
        """Undo every cut."""
        for name in self.hosts:
            with self.switch.inside():
                run("ip", "link", "set", name, "master", "br0")
        for name, to in self._deaf:
            with self.hosts[to].inside():
                run("ip", "neighbour", "delete", self.hosts[name].address, "dev", "eth0")
        self._deaf.clear()

    def close(self) -> None:
        """Let go of the namespaces; the kernel removes those in which no process is left."""
        for host in (*self.hosts.values(), self.switch):
            os.close(host.space)
