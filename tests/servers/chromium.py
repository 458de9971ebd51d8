"""Chromium for the browser tests: the one that CHROMIUM names, otherwise one on PATH; nothing is downloaded.

The headless shell is preferred: the same engine without windows takes a fifth less CPU time.
"""

import os
from pathlib import Path

from .programs import NotHere, find

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def program() -> Path:
    """Return the browser's program. Raises NotHere, also when CHROMIUM does not name a program."""
    if named := os.environ.get("CHROMIUM"):
        if os.access(named, os.X_OK):
            return Path(named)
        raise NotHere(f"CHROMIUM names {named}, which is no program")
    for name in NAMES:
        if found := find(name):
            return found
    raise NotHere("no Chromium on PATH, and CHROMIUM is not set")


def flags() -> list[str]:
    """Return the command line flags; root cannot use the sandbox."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["--no-sandbox", *FLAGS] if as_root else list(FLAGS)
