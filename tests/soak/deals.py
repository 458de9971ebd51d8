"""Check deals at length: `python -m tests.soak.deals [--deals 10000] [--games 200] [--seed 1] [--python-only]`.

Three implementations compute the same: the engine, the one-file program and the browser's check (in Chromium, where it
is installed). First random deals: key, deck, first dealer, a blind burn. Then whole random games of every kind of
table, with shares, withheld shares, beacons, penalties and rewinds. Last every single-value alteration of a record, and every
forgery of what the deal depends on: both checkers must refuse each of them.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

KINDS = (
    ("shawinigan/1", 4, 54, "tock"),
    ("tock-air/1", 4, 52, "tock"),
    ("toc/1", 4, 52, "tock"),
    ("tock/1", 6, 108, "tock"),
    ("tock/1", 8, 108, "tock"),
    ("tractor/1", 4, 108, "tractor"),
)
BATCH = 250
DEALS_JS = """a[0].map(([seed, game, d, shares, beacon, rules, seats, burn, hand]) => {
    const key = m.keyOf(m.bytesOf(seed), game, d, shares.map(m.bytesOf), m.bytesOf(beacon));
    const cards = m.shuffled(key, m.pack(rules, seats));
    const {dealer, drawn} = m.firstDealer(cards, seats);
    return [m.hexOf(key), cards, dealer, drawn, m.blindOf(key, burn, hand)]; })"""
CHECK_JS = """a[0].map((text) => { try { m.check(text); return ""; } catch (error) { return error.code ?? String(error); } })"""

Browser = Callable[..., Any]  # (module, expression, *arguments) -> value


def compare_deals(count: int, roll: random.Random, browser: Browser | None) -> int:
    """Compare random deals; return how many differ."""
    from games import verifier as program
    from games.engine import shuffle

    wrong = 0
    for begin in range(0, count, BATCH):
        asked, want = [], []
        for _ in range(min(BATCH, count - begin)):
            rules, seats, size, jokers = roll.choice(KINDS)
            seed, game, d = roll.randbytes(32), f"{roll.getrandbits(50):x}", roll.choice((0, 1, 63, 64, 2**32 - 1))
            shares = [roll.choice((bytes(32), roll.randbytes(32))) for _ in range(seats)]
            beacon = roll.choice((b"", roll.randbytes(32)))
            key = shuffle.deal_key(seed, game, d, shares, beacon)
            cards = shuffle.deck(key, size, jokers)
            dealer, drawn = shuffle.first_dealer(cards, seats)
            hand = [card for card in cards[: roll.randrange(1, 6)] if card not in ("BJ", "RJ")] or ["AS"]
            burn = roll.randrange(100)
            found = [key.hex(), cards, dealer, [list(pair) for pair in drawn], shuffle.blind_card(key, burn, hand)]
            own = program.key_of(seed, game, d, shares, beacon)
            mine = program.shuffled(own, program.pack(rules, seats))
            wrong += found != [own.hex(), mine, *program.first_dealer(mine, seats), program.blind(own, burn, hand)]
            want.append(found)
            given = [share.hex() for share in shares]
            asked.append([seed.hex(), game, d, given, beacon.hex(), rules, seats, burn, hand])
        if browser is not None:
            told = browser("deal/numbers.js", DEALS_JS, asked)
            wrong += sum(a != b for a, b in zip(told, want, strict=True))
    return wrong


def text(lines: Sequence[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, lines)) + "\n"


def why(record: str) -> str:
    """Return why the program refuses the record; an empty text if it does not."""
    from games import verifier as program

    try:
        program.verify(record.splitlines())
    except program.Bad as error:
        return str(error)
    return ""


def check_games(count: int, roll: random.Random, browser: Browser | None) -> Counter[str]:
    """Check random games; return what happened in them, and how many were refused."""
    from tests.games.paper import SHAPES, random_game

    seen: Counter[str] = Counter()
    for number in range(count):
        game = random_game(random.Random(roll.getrandbits(64)), SHAPES[number % len(SHAPES)], plays=500)
        record = text(game.lines())
        codes = [why(record), *(browser("deal/check.js", CHECK_JS, [record]) if browser else ())]
        seen["refused"] += any(codes)
        seen["games"] += 1
        seen["decks"] += game.state.decks
        seen["rewinds"] += game.state.epoch
        seen["blind burns"] += sum(str(row.body.get("play")).startswith("blind ") for row in game.rows)
        seen["shares"] += len(game.given) - len(game.withheld)
        seen["shares withheld"] += len(game.withheld)
    return seen


def alter(roll: random.Random, browser: Browser | None) -> tuple[int, int]:
    """Alter a record in every way; return how many ways there were, and how many were accepted by a checker."""
    from tests.games import alterations
    from tests.games.paper import SHAPES, Paper

    shares = {seat: roll.randbytes(32) for seat in (0, 2, 3)}
    game = Paper(roll, SHAPES[0], shares=shares, withheld=[3]).begin().play(75, penalties=0.15, rewinds=0.1)
    lines = game.lines()
    tried = accepted = 0
    for batch in _batches([*alterations.single(lines), *alterations.forged(lines)]):
        texts = [text(altered) for _what, altered in batch]
        codes = browser("deal/check.js", CHECK_JS, texts) if browser else ["-"] * len(texts)
        for (what, _), record, code in zip(batch, texts, codes, strict=True):
            tried += 1
            if not why(record) or not code or "Error" in code:
                accepted += 1
                print(f"ACCEPTED: {what} ({code})")
    return tried, accepted


def _batches(items: list[Any]) -> Iterator[list[Any]]:
    for begin in range(0, len(items), 100):
        yield items[begin : begin + 100]


def run(asked: argparse.Namespace, browser: Browser | None) -> int:
    roll, begin = random.Random(asked.seed), time.monotonic()
    wrong = compare_deals(asked.deals, roll, browser)
    checkers = "engine, program, browser" if browser else "engine, program"
    print(f"{asked.deals} deals ({checkers}): {wrong} differ, {time.monotonic() - begin:.0f} s", flush=True)
    seen = check_games(asked.games, roll, browser)
    print("; ".join(f"{name} {count}" for name, count in seen.items()), f"{time.monotonic() - begin:.0f} s", flush=True)
    tried, accepted = alter(roll, browser)
    print(f"{tried} alterations: {accepted} accepted, {time.monotonic() - begin:.0f} s", flush=True)
    return int(bool(wrong or seen["refused"] or accepted))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python-only", action="store_true", help="without Chromium")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")
    import django

    django.setup()
    if asked.python_only:
        return run(asked, None)
    from playwright.sync_api import sync_playwright

    from tests.live_js import harness
    from tests.servers import chromium

    with harness.serving() as site, sync_playwright() as playwright:
        site.pages["/blank"] = "<!doctype html><title>blank</title>"
        page = playwright.chromium.launch(executable_path=chromium.program(), args=chromium.flags()).new_page()
        page.goto(f"{site.url}/blank")

        def call(module: str, expression: str, *arguments: Any) -> Any:
            code = f"async (a) => {{ const m = await import('/static/live/{module}'); return {expression}; }}"
            return page.evaluate(code, list(arguments))

        return run(asked, call)


if __name__ == "__main__":
    sys.exit(main())
