"""How many presses a play takes at the table of Tock: `python benchmarks/presses.py [games]`.

Lets bots play whole games by several rule sets, and finds for each choice of each seat the least presses that the page
needs for it: its pure modules (choose.js, ways.js) run in Chromium. Prints the table of results.md: before (a card was
laid before its marble could be pressed), free (the shortest way), strict (a marble is always touched before its target
is pressed). Goals: 2.3 in free mode, 3 in strict.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

TABLES = (("shawinigan/1", 4, 2), ("tock/1", 4, 2), ("tock-air/1", 4, 2), ("toc/1", 4, 2), ("tock/1", 6, 3))
GOALS = {"free": 2.3, "strict": 3.0}


def main(games: int) -> None:
    import django

    django.setup()
    from playwright.sync_api import sync_playwright

    from tests.live_js import harness, presses
    from tests.servers import chromium

    totals: dict[str, list[int]] = {"before": [], "free": [], "strict": []}
    print("| rule set | seats | games | choices | before | free | strict | most, free |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with harness.serving() as site, sync_playwright() as playwright:
        site.pages["/blank"] = harness.blank_page()
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=chromium.flags())
        page = browser.new_page()
        page.goto(f"{site.url}/blank")
        for rules, seats, teams in TABLES:
            choices = [
                choice
                for seed in range(games)
                for choice in presses.game(rules, seats, teams, seed=seed, level="novice")
            ]
            found = {
                "before": [presses.before(line) for _, _, line in choices],
                "free": presses.counted(page.evaluate, choices),
                "strict": presses.counted(page.evaluate, choices, careful=True),
            }
            for way, counts in found.items():
                totals[way] += counts
            mean = {way: f"{sum(counts) / len(counts):.2f}" for way, counts in found.items()}
            row = (f"`{rules}`", seats, games, len(choices), *mean.values(), max(found["free"]))
            print("|", " | ".join(map(str, row)), "|")
        browser.close()
    for way, goal in GOALS.items():
        mean = sum(totals[way]) / len(totals[way])
        print(f"{way}: {mean:.2f} presses a play, goal {goal}: {'met' if mean <= goal else 'MISSED'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
