"""Whole games at every kind of table, through the replay's page: each event has its sentence and its motion."""

import random

import pytest

from games.engine.game import SPECTATOR
from games.engine.tock.game import GAME
from games.fold.patch import diff
from tests.engine.configurations import ALL
from tests.engine.records import chance

from .harness import NOW, boot, snap, until

pytestmark = pytest.mark.browser

NAMES = ["Line", "Marcel", "Aline", "Rémi", "Jade", "Yves", "Carole", "Benoît"]
TABLES = ("shawinigan/1 4/2", "tock-air/1 4/2", "toc/1 4/4", "tock/1 6/3", "tock/1 8/4", "tock/1 8/8 full")
MOST = 260  # plays; a longer game is abandoned before its end

# After every event: the marbles after the motions, the sentence, the cards on the pile.
WALK = """() => { const { board, company, steps } = tockReplay, out = [];
  board.motion.still = () => false;
  return Promise.all([import('/static/live/telling.js'), import('/static/live/notation.js')]).then(([telling, notation]) => {
    for (const step of steps.slice(1)) {
      board.show(step.before);
      const motions = board.motion.motions(step);
      const ended = {};
      for (const { seat, place } of board.nodes) (ended[seat] ??= []).push(place);
      const [card] = (step.d.play ?? '').split(' ');
      board.last(step.before, step.fx, notation.goesBack(step.before, card));
      board.show(step.after);
      board.centre(step.pile);
      const bad = motions.some((m) => !(m.until > m.from) || m.points.flat().some((v) => !Number.isFinite(v)));
      const words = telling.eventWords(company, step)?.text ?? '';
      out.push([ended, words, step.pile, bad, board.root.outerHTML.includes('NaN')]);
    }
    return out; }); }"""


def record(table, seed):
    """Return the frames of a random game for a spectator, and the views after each event."""
    views, frames = [], []
    for seq, (before, line, seat, fx, after) in enumerate(played(table, seed), 1):
        seen, then = ({**GAME.view(p, SPECTATOR), "game": "g"} for p in (before, after))
        if not frames:
            frames.append(snap(seen, seq=0, seat=None, clocks={}))
        item = {"seq": seq, "k": "play", "d": {"seat": seat, "play": line}, "set": diff(seen, then), "fx": fx}
        frames.append({"t": "ev", "epoch": 0, "from": seq, "list": [item], "clocks": {}, "now": NOW, "hash": ""})
        views.append(then)
    return frames, views


def played(table, seed):
    """Yield (position before, line, seat, fx, position after) of a random game at one kind of table."""
    roll, deals = random.Random(seed), iter(range(10_000))
    p = table.new()
    for _ in range(MOST):
        if p.phase == "over":
            return
        play = chance(p, roll, deals) or roll.choice(GAME.legal_plays(p))
        after = GAME.apply(p, play)
        yield p, GAME.play_text(play), p.turn, GAME.fx(p, play), after
        p = after


@pytest.mark.parametrize("table", [table for table in ALL if str(table) in TABLES], ids=str)
def test_every_event_of_a_game_has_its_sentence_and_its_motion(opened, js_site, table):
    frames, views = record(table, seed=7)
    names = NAMES[: table.seats]
    first = frames[0]["view"]
    data = boot(first, seat=None, replay=True, names=names, team_names=None, record="/api/record")
    data |= {"as": "all", "snap": snap(first | {"phase": "over", "result": {"ranks": [0] * table.teams}}, seat=None)}
    page = opened(data, template="games/replay.html", visit=False, reduced_motion="reduce")
    page.route("**/api/record*", lambda route: route.fulfill(json={"frames": frames}))
    page.goto(f"{js_site.url}/table")
    until(page, "window.tockReplay && tockReplay.steps", 30)
    told = page.evaluate(WALK)
    assert len(told) == len(views) > 100
    for (marbles, words, pile, bad, broken), view, frame in zip(told, views, frames[1:], strict=True):
        line = frame["list"][0]["d"]["play"]
        assert words, line
        assert not any(bit in words for bit in ("undefined", "NaN", "%(", "null")), words
        assert not bad, line
        assert not broken, line
        assert {seat: sorted(places) for seat, places in marbles.items()} == {
            seat: sorted(places) for seat, places in view["marbles"].items()
        }, line
        assert len(pile) <= 2
