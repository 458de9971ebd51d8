"""The check of the scripts below static/ (tests/javascript).

TypeScript reads their JSDoc types; Biome lints them and asks whether they are formatted.
"""

import json
import shutil
from pathlib import Path

from django.conf import settings

FOLDER = settings.ROOT / "tests" / "javascript"
COMMAND = (shutil.which("npm") or "npm", "--prefix", str(FOLDER), "run", "--silent", "check")


def lacking(folder: Path = FOLDER) -> str:
    """Return what the check needs and this machine does not have, as a sentence; "" when it can run."""
    if not (shutil.which("node") and shutil.which("npm")):
        return "Node is not installed; the packages nodejs and npm bring it."
    if not installed(folder):
        return f"Its packages are not those of the lock; `npm ci` in {folder.relative_to(settings.ROOT)} installs them."
    return ""


def installed(folder: Path) -> bool:
    """Return whether node_modules holds packages, each in the version of the lock."""
    try:
        wanted = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
        # npm records its installed packages there; binaries for other systems are in the lock alone.
        found = json.loads((folder / "node_modules" / ".package-lock.json").read_text(encoding="utf-8"))["packages"]
    except FileNotFoundError:
        return False
    return bool(found) and all(wanted.get(name, {}).get("version") == one["version"] for name, one in found.items())
