"""Runs a knockout of eight teams from the draft to the podium: python tournament_client.py SITE CLUB ORGANISER BOTS.

ORGANISER: an access token with the scopes play and manage of somebody who organises in the club whose slug is CLUB. BOTS: a
file with the tokens of sixteen bot accounts, one a line. The bots play all games over the table's socket; see
docs/bot-accounts.md. Prints what happens, and at the end the podium as JSON.
"""

import json
import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot_client import call, play
from websockets.exceptions import ConnectionClosed

TEAMS, PAIR = 8, 2


def found_teams(site, club, organiser, bots):
    """Make bots members of the club and form teams of two; return the teams' slugs."""
    for token in bots.values():
        call(site, token, f"clubs/{club}/join", {"home": True})
    players = list(bots)
    pairs = [players[at : at + PAIR] for at in range(0, TEAMS * PAIR, PAIR)]
    bodies = [{"name": f"Machines {number}", "players": pair} for number, pair in enumerate(pairs, start=1)]
    return [call(site, organiser, f"clubs/{club}/teams", body)["slug"] for body in bodies]


def announce(site, club, organiser):
    """Make the draft and return its slug. It begins in two minutes: a tournament is announced before it begins."""
    starts = (datetime.now(UTC) + timedelta(minutes=2)).isoformat()
    body = {"name": "Coupe des machines", "club": club, "kind": "knockout", "places": TEAMS, "third_place": True}
    body |= {"starts_at": starts, "rules": "shawinigan/1", "bots_allowed": True, "clocks": False, "seeding": "hand"}
    return call(site, organiser, "competitions", body)["slug"]


def steps(site, organiser, event, *, until):
    """Do the next steps until the next one is of the kind `until`; return that one."""
    step = call(site, organiser, f"competitions/{event}/step")
    while step["kind"] != until:
        if step["can_be_done"]:
            print(f"  {step['code']}: {step['sentence']}", flush=True)
            step = call(site, organiser, f"competitions/{event}/step", {"code": step["code"]})
        else:
            time.sleep(2)
            step = call(site, organiser, f"competitions/{event}/step")
    return step


def open_table(site, organiser, match):
    """Wait until the match's table is open; return it."""
    while not (tables := call(site, organiser, f"matches/{match}/tables")["results"]):
        time.sleep(2)
    return tables[0]


def keep_playing(site, token, table):
    """Play the table's game, also over lost connections: a socket that comes back is shown the whole view again."""
    while True:
        try:
            return play(site, token, table=table)
        except ConnectionClosed as lost:
            print(f"  a connection to {table} was lost: {lost}", flush=True)
        except Exception:  # the other bots would wait for this one
            traceback.print_exc()
            os._exit(1)


def play_match(site, organiser, match, bots):
    """Let the match's bots play its games until it is decided."""
    table = open_table(site, organiser, match)
    players = [seat["player"] for seat in table["seats"]]
    with ThreadPoolExecutor(len(players)) as at_table:
        list(at_table.map(lambda player: keep_playing(site, bots[player], table["slug"]), players))
    while call(site, organiser, f"matches/{match}")["state"] not in ("confirmed", "awarded"):
        time.sleep(1)
    print(f"  {match} is decided", flush=True)


def run(site, club, organiser, tokens):
    """Run the tournament; return slug and podium."""
    bots = {call(site, token, "me")["player"]["slug"]: token for token in tokens}
    teams = found_teams(site, club, organiser, bots)
    event = announce(site, club, organiser)
    steps(site, organiser, event, until="close")
    for team in teams:
        call(site, organiser, f"competitions/{event}/entries", {"team": team})
    step = steps(site, organiser, event, until="wait")
    while step["kind"] != "done":
        with ThreadPoolExecutor(TEAMS // 2) as matches:
            list(matches.map(lambda match: play_match(site, organiser, match, bots), step["matches"]))
        step = call(site, organiser, f"competitions/{event}/step")
        if step["can_be_done"]:
            step = call(site, organiser, f"competitions/{event}/step", {"code": step["code"]})
    return event, call(site, organiser, f"competitions/{event}/podium")["results"]


if __name__ == "__main__":
    site, club, organiser, file = sys.argv[1:]
    event, podium = run(site, club, organiser, Path(file).read_text("utf-8").split())
    print(json.dumps({"event": event, "podium": podium}, indent=1, ensure_ascii=False))
