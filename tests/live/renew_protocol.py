"""Regenerate what comes from the message classes, a part of docs/protocol.md and docs/api/asyncapi.json:
python -m tests.live.renew_protocol
"""

import os
from pathlib import Path

PATH = Path(__file__).resolve().parent.parent.parent / "docs" / "protocol.md"


def renew() -> None:
    """Replace the page between its marks, where the text around them stays, and write the document."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")
    import django

    django.setup()
    from games.live import asyncapi
    from games.live.schema import BEGIN, END, page

    before, rest = PATH.read_text(encoding="utf-8").split(BEGIN, 1)
    after = rest.split(END, 1)[1].lstrip("\n")
    PATH.write_text(before + page() + ("\n" + after if after else ""), encoding="utf-8")
    asyncapi.path().write_text(asyncapi.text(), encoding="utf-8")


if __name__ == "__main__":
    renew()
