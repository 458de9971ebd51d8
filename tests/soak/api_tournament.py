"""A tournament by the API alone: `python -m tests.soak.api_tournament [--keep FOLDER]`.

Starts a site in its own process and makes a club, its organiser, and bot accounts with their tokens. Then it runs
docs/tournament_client.py, which has nothing but these tokens: eight teams from the draft to the podium, whose games are
played by bots over the table's socket. At the end it compares what the API told with the pages that a visitor sees, and with
the results file, whose ranks docs/results_reader.py recomputes. Prints the figures; fails when anything differs.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from html import unescape
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent.parent
BOTS, MOST = 16, 3  # in all; those of one person
CLUB = "club-des-machines"


def make_people() -> dict[str, Any]:
    """Make the club, the organiser and the bots in the database of TOCK_DATA; return their tokens."""
    import django

    django.setup()
    from tests.accounts.signing import a_player
    from tock_league.accounts import bot_accounts, tokens
    from tock_league.accounts.permissions import SITE
    from tock_league.clubs import services as clubs
    from tock_league.clubs.models import Club
    from tock_league.common.transactions import writing

    with writing():
        club = Club.objects.create(slug=CLUB, name="Club des machines", town="Shawinigan")
    organiser = a_player("Organisatrice", "organisatrice@example.org")
    clubs.join(by=SITE, club=club, player=organiser)
    for role in ("organiser", "officer"):
        clubs.give_role(by=SITE, club=club, player=organiser, name=role)
    assert organiser.user is not None
    manage = tokens.make(by=organiser.user, name="Programme", scopes=["play", "manage"], days=1)
    bots = []
    for number in range(BOTS):
        if number % MOST == 0:
            owner = a_player(f"Propriétaire {number}", f"proprietaire{number}@example.org")
        bot = bot_accounts.make(by=owner, name=f"Machine {number + 1}").player
        made = bot_accounts.make_token(by=owner, slug=bot.slug, name="Programme", scopes=["play"], days=1)
        bots.append(made.secret)
    return {"organiser": manage.secret, "bots": bots}


def page(url: str) -> str:
    """Return a page's text."""
    with urlopen(url) as answer:
        return unescape(answer.read().decode())


def shown_podium(url: str) -> list[str]:
    """Return the names on the podium of a tournament's page, the first one first."""
    found = re.search(r'<ol class="podium">(.*?)</ol>', page(url), re.DOTALL)
    assert found, "the page shows no podium"
    steps = re.findall(r"<li.*?</li>", found[1], re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", step).split()) for step in steps]


def main() -> int:
    """Run, compare, print; return 0 when everything agrees."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keep", type=Path, help="an empty folder for the site's data, which stays")
    parser.add_argument("--people", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.people:
        print(json.dumps(make_people()))
        return 0
    from tests.plant.serving import environment, serving

    with tempfile.TemporaryDirectory(prefix="tock-api-") as folder:
        data = given.keep or Path(folder) / "data"
        with serving(data, seconds=600) as site:
            steered = {"DJANGO_SETTINGS_MODULE": "tock_league.settings.embedded", "TOCK_DATA": str(data)}
            told = subprocess.run(
                [sys.executable, "-m", "tests.soak.api_tournament", "--people"],
                cwd=ROOT, env=environment() | steered, check=True, capture_output=True, text=True,
            )  # fmt: skip
            people = json.loads(told.stdout.splitlines()[-1])
            tokens = Path(folder) / "tokens"
            tokens.write_text("\n".join(people["bots"]), encoding="utf-8")
            began = time.monotonic()
            code, said = run_client(site.url, CLUB, people["organiser"], str(tokens))
            if code:
                return 1
            answer = json.loads(said[said.index("{\n") :])
            print(f"{time.monotonic() - began:.0f} s")
            return compare(site.url, answer, Path(folder) / "event.json")


def run_client(*given: str) -> tuple[int, str]:
    """Run docs/tournament_client.py, and print each line as it comes; return its exit code and all that it printed.

    It prints its errors itself.
    """
    client = [sys.executable, "-u", "docs/tournament_client.py", *given]
    said = []
    with subprocess.Popen(client, cwd=ROOT, env=dict(os.environ), stdout=subprocess.PIPE, text=True) as ran:
        assert ran.stdout is not None
        for line in ran.stdout:
            print(line, end="", flush=True)
            said.append(line)
    return ran.returncode, "".join(said)


def compare(site: str, answer: dict[str, Any], file: Path) -> int:
    """Compare the API's podium with the page and the results file; return 0 when they agree."""
    named = [(step["rank"], step["entry"]["name"]) for step in answer["podium"]]
    shown = shown_podium(f"{site}/competitions/{answer['event']}/")
    print("podium of the API:", named, "\npodium of the page:", shown)
    agree = len(named) == len(shown) and all(name in step for (_rank, name), step in zip(named, shown, strict=True))
    body = page(f"{site}/exports/competitions/{answer['event']}/event.json")
    file.write_text(body, encoding="utf-8")
    ranks = {entry["name"]: entry["final_rank"] for entry in json.loads(body)["entries"]}
    agree &= all(ranks[name] == rank for rank, name in named)
    read = subprocess.run(
        [sys.executable, "docs/results_reader.py", str(file)], cwd=ROOT, capture_output=True, text=True
    )
    print(read.stdout, read.stderr, sep="")
    with urlopen(f"{site}/api/v1/games?competition={answer['event']}&limit=100") as games:
        played = json.load(games)["results"]
    print(f"{len(played)} games, rated: {sum(game.get('rated', False) for game in played)}")
    print("everything agrees" if agree and not read.returncode else "NOT the same")
    return int(not agree or read.returncode)


if __name__ == "__main__":
    sys.exit(main())
