"""Chromium for the browser tests: the one CHROMIUM names, else one on PATH; nothing is downloaded.

The headless shell comes first: the same engine without the windows around it takes a fifth less CPU time.
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
    """Return the browser's program. Raises NotHere; a CHROMIUM that is no program is a mistake, hence also NotHere."""
    if named := os.environ.get("CHROMIUM"):
        if os.access(named, os.X_OK):
            return Path(named)
        raise NotHere(f"CHROMIUM names {named}, which is no program")
    for name in NAMES:
        if found := find(name):
            return found
    raise NotHere("no Chromium on PATH, and CHROMIUM is not set")


def flags() -> list[str]:
    """Return the command line flags; root has no sandbox to offer."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["--no-sandbox", *FLAGS] if as_root else list(FLAGS)
