"""The import contracts of pyproject.toml (docs/architecture.md) hold."""

import subprocess
import sys

from tock_league.management.commands.check_all import LINT_IMPORTS

from .source import ROOT


def test_every_import_contract_is_kept() -> None:
    done = subprocess.run([sys.executable, "-c", LINT_IMPORTS], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
