"""From the end of many games to boards, standings and notices: `python benchmarks/settling.py [--matches 100 --casual 100]`.

Opens leagues of 20 pairs and casual rated tables in a database of its own, lets all games end at once in one process
as `serve` runs it (worker, beat, deadlines; SQLite), and waits until every result stands in its competition, every
rating changed, every public fact is written and no task is left. Prints the seconds until then, the statements of
each task for one game, the longest time that a transaction kept other writers out, and how long a short write of
another table took meanwhile. `--a-minute 50` instead lets the games end one after another, and prints how long each
one's ratings take to be on the boards (goal: 5 s for 95 of 100). `--database postgresql` uses production settings
with the same threads. The goals: all within 10 s, at most 20 statements a game from its end on.
"""

import argparse
import json
import os
import platform
import shutil
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

END = "the end of the game"  # what a game's end costs by itself, without those who hear of it


def furnished(made: Any, endings: Path, sizes: tuple[int, int, int], keep: Path | None) -> None:
    """Fill the place's database and write what ends to `endings`; or copy both from `keep`, where they are kept."""
    data = made.folder / "data"
    if keep is not None and keep.exists():
        shutil.copytree(keep / "data", data)
        shutil.copy(keep / "endings", endings)
        return
    endings.write_text(made.run("benchmarks.settling", "--furnish", *map(str, sizes)).splitlines()[-1])
    if keep is not None:
        shutil.copytree(data, keep / "data")
        shutil.copy(endings, keep / "endings")


def inside(what: str, words: list[str]) -> None:
    """Do a part of the work at the place."""
    import django

    django.setup()
    if what == "--furnish":
        from benchmarks.ends import furnish

        furnish.main(*map(int, words))
    elif what == "--pace":
        from benchmarks.ends import pace

        pace.main(Path(words[0]), float(words[1]))
    else:
        from benchmarks.ends import run

        run.main(int(words[0]), int(words[1]), Path(words[2]), late=words[3:] == ["late"])


def print_pace(found: dict[str, float]) -> None:
    """Print how long each game's ratings took."""
    for name in ("median", "p95", "worst"):
        goal = " (goal: 5)" if name == "p95" else ""
        print(f"- seconds from the end of a game until its ratings are on the boards, {name}: {found[name]:.2f}{goal}")
    print(f"- CPU seconds of the process: {found['cpu']:.1f}")


def main() -> None:
    from benchmarks.table_load.places import place

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--matches", type=int, default=100, help="games of leagues")
    parser.add_argument("--casual", type=int, default=100, help="rated casual games")
    parser.add_argument("--teams", type=int, default=20, help="of each league")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the furnished SQLite database for other runs")
    parser.add_argument("--late", action="store_true", help="start the worker when all games have ended")
    parser.add_argument("--a-minute", type=float, help="let so many games end in a minute, one after another")
    given = parser.parse_args()
    print(f"`python benchmarks/settling.py {' '.join(sys.argv[1:])}`, {time.strftime('%Y-%m-%d %H:%M')}, ", end="")
    print(f"{given.database}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n", flush=True)
    with place(given.database) as made:
        made.environment["MFA_REQUIRED_ROLES"] = ""
        endings = made.folder / "endings"
        furnished(made, endings, (given.matches, given.casual, given.teams), given.keep)
        if given.a_minute:
            words = ["benchmarks.settling", "--pace", str(endings), str(given.a_minute)]
            return print_pace(json.loads(made.run(*words).splitlines()[-1]))
        words = [str(given.matches), str(given.casual), str(endings), *(["late"] if given.late else [])]
        found = json.loads(made.run("benchmarks.settling", "--run", *words).splitlines()[-1])
    games = given.matches + given.casual
    print("| what | |\n| --- | --- |")
    for name, sentence in (
        ("settled", "seconds until every match has its result"),
        ("rated", "seconds until every board has its ratings"),
        ("told", "seconds until every fact is told and no task is left"),
        ("all", "**seconds until everything is everywhere** (goal: 10)"),
        ("cpu", "CPU seconds of the process"),
    ):
        print(f"| {sentence} | {found[name]:.1f} |")
    for name, wait in found["wait"].items():
        print(f"| ms of a short write of another table meanwhile, {name} | {1000 * wait:.0f} |")
    print(
        "\n| part | statements a game | transaction control | CPU ms a game | transactions | longest, ms | its CPU, ms |\n"
        + "| --- " * 7
        + "|"
    )
    total = control = 0.0
    for part, cost in found["places"].items():
        if part != END:
            total += cost["statements"] / games
            control += cost["control"] / games
        print(
            f"| {part} | {cost['statements'] / games:.1f} | {cost['control'] / games:.1f} | {cost['cpu'] / games:.1f} "
            f"| {cost['transactions']} | {1000 * cost['longest']:.0f} | {1000 * cost['longest_cpu']:.0f} |"
        )
    print(f"| **all of it without the end itself** (goal: 20) | {total:.1f} | {control:.1f} | | | | |")


if __name__ == "__main__":
    if sys.argv[1:2] in (["--furnish"], ["--run"], ["--pace"]):
        inside(sys.argv[1], sys.argv[2:])
    else:
        main()
