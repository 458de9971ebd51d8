"""Hosts on one machine: namespaces of network and name for each, joined by a bridge in a namespace of its own.

No namespace has a name and no address is routed: a namespace is held by an open file of this process, so the kernel removes it,
its interfaces and its bridge when this process and those in the namespace have ended, however they end.
"""

import contextlib
import ctypes
import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

PREFIX = "10.77.0"
_KINDS = {"net": 0x40000000, "uts": 0x04000000}  # CLONE_NEWNET and CLONE_NEWUTS of sched.h: network, and name
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
    """A host. `spaces`: the open files that hold its namespaces, by kind."""

    name: str
    address: str
    spaces: dict[str, int] = field(default_factory=lambda: _apart())

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Let the block run on this host; what it starts stays there. Only this thread is moved."""
        before = _here()
        _move(self.spaces)
        try:
            yield
        finally:
            _move(before)
            _close(before)

    def enter(self) -> None:
        """Move this thread, and the threads that it starts, to the host for good."""
        _move(self.spaces)


def _here() -> dict[str, int]:
    return {kind: os.open(f"/proc/thread-self/ns/{kind}", os.O_RDONLY) for kind in _KINDS}


def _move(spaces: dict[str, int]) -> None:
    for kind, space in spaces.items():
        _checked(_libc.setns(space, _KINDS[kind]))


def _close(spaces: dict[str, int]) -> None:
    for space in spaces.values():
        os.close(space)


def _apart() -> dict[str, int]:
    """Return the open files of new namespaces."""
    before = _here()
    _checked(_libc.unshare(sum(_KINDS.values())))
    try:
        return _here()
    finally:
        _move(before)
        _close(before)


@dataclass
class Net:
    """Hosts and their links. A host is cut off as a whole, or in one direction from another host."""

    hosts: dict[str, Host] = field(default_factory=dict)
    switch: Host = field(init=False)
    _deaf: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.switch = Host("switch", "")
        with self.switch.inside():
            run("ip", "link", "add", "br0", "type", "bridge")
            run("ip", "link", "set", "br0", "up")

    def add(self, names: Sequence[str]) -> None:
        """Make a host of each name, with a link to the bridge."""
        for name in names:
            number = len(self.hosts) + 1
            host = Host(name, f"{PREFIX}.{number}")
            with self.switch.inside():
                there = f"/proc/{os.getpid()}/fd/{host.spaces['net']}"
                run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", there)
                run("ip", "link", "set", name, "master", "br0", "up")
            with host.inside():
                socket.sethostname(name)
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
            _close(host.spaces)
