"""protocol_page: renew the made part of docs/protocol.md from the message classes."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.live.schema import BEGIN, END, page

PATH = Path("docs") / "protocol.md"


class Command(BaseCommand):
    help = "Renew the part of docs/protocol.md that is made from the message classes."

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.ROOT) / PATH
        text = path.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN, 1)
        after = rest.split(END, 1)[1].lstrip("\n")
        path.write_text(before + page() + ("\n" + after if after else ""), encoding="utf-8")
        self.stdout.write(f"{PATH} renewed")
