"""How many presses the choices of a game take on the page: counted in the page's own pure modules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from games.bots import at_table
from games.engine import registry
from games.engine.game import Chance
from games.engine.tock.game import GAME

from .tock_positions import step

Choice = tuple[dict[str, Any], int, str]  # the view of a seat, the seat, the play it chose

# The least presses to a play from what the page offers: cards, marbles, targets and buttons, as player.js takes them.
# `careful`: a marble is always touched before its target is pressed, as at a strict table of people who play by hand.
COUNT = """async ([choices, careful]) => {
  const [choose, ways] = await Promise.all([import('/static/live/choose.js'), import('/static/live/ways.js')]);
  const again = (choice) => JSON.stringify([choice.marble, choice.legs]);
  const least = (view, seat, wanted) => {
    if (choose.asked(view) === 'throw') return 1;
    const { card, kind } = choose.plays(view).find(({ text }) => text === wanted) ?? choose.plays({ legal: [wanted] })[0];
    const marked = { ...choose.nothing(), card };
    if (['burn', 'give', 'skip'].includes(kind)) return 2;
    if (ways.onlyPlay(view, seat, marked) === wanted) return 2;
    const seen = new Set([again(marked)]);
    for (let round = [marked], presses = 2; round.length; presses += 1) {
      const next = [];
      for (const choice of round) {
        const shown = [
          ...(careful && !choice.marble ? [] : ways.offered(view, seat, choice)),
          ...(careful ? [] : ways.ways(view, seat, choice).flatMap(({ target }) => target ?? [])),
        ];
        for (const target of shown) {
          const then = choose.take(choice, target);
          if (then.play === wanted) return presses + (then.legs.length ? 1 : 0);
          if (!then.play) next.push(then);
        }
        if (!choice.marble)
          for (const { place } of choose.marblesFor(view, seat, choice)) next.push({ ...choice, marble: place });
      }
      round = next.filter((choice) => !seen.has(again(choice)) && seen.add(again(choice)));
    }
    throw new Error(`nothing leads to ${wanted}`);
  };
  return choices.map((choice) => least(...choice)); }"""


def game(rules: str, seats: int, teams: int, *, seed: int, level: str = "novice") -> Iterator[Choice]:
    """Yield every choice of a whole game of four bots."""
    dice = random.Random(seed)
    p = GAME.new(registry.rules(rules), seats=seats, teams=teams, dealer=0)
    while p.phase != "over":
        due = GAME.to_act(p)
        if isinstance(due, Chance):
            p = step(p, dice)
            continue
        seat = min(due)
        view = GAME.view(p, seat)
        line = at_table.answer(view, view["legal"], level=level, roll=dice.randrange, seat=seat, seen=[])
        yield view, seat, line
        p = GAME.apply(p, GAME.parse_play(p, line, seat), seat)


def before(line: str) -> int:
    """Return the presses that a play took when a card was laid first: mark, lay, then a marble and a target for each
    leg, and "Release" for several.
    """
    word, *rest = line.split()
    if word == "throw":
        return 1
    if word in ("burn", "give"):
        return 2
    if rest == ["skip"]:
        return 3
    return 2 + 2 * len(rest) + (len(rest) > 1)


def counted(evaluate: Callable[..., Any], choices: list[Choice], *, careful: bool = False) -> list[int]:
    """Return the presses of each choice; `evaluate` runs a function on a page with the sheets of the rule sets."""
    return list(evaluate(COUNT, [[list(choice) for choice in choices], careful]))
