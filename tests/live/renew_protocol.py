"""Regenerate the part of docs/protocol.md that comes from the message classes: python -m tests.live.renew_protocol"""

import os
from pathlib import Path

PATH = Path(__file__).resolve().parent.parent.parent / "docs" / "protocol.md"


def renew() -> None:
    """Replace the page between its marks; the text around them stays."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")
    from games.live.schema import BEGIN, END, page

    before, rest = PATH.read_text(encoding="utf-8").split(BEGIN, 1)
    after = rest.split(END, 1)[1].lstrip("\n")
    PATH.write_text(before + page() + ("\n" + after if after else ""), encoding="utf-8")


if __name__ == "__main__":
    renew()
