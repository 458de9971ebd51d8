"""The corpus: keeps the choices of visits that reached new lines, and mutates them."""

import random
from collections.abc import Sequence

SIZE = 400


class Corpus:
    """The choices that are kept, at most SIZE, and the lines that were reached."""

    def __init__(self, seed: str) -> None:
        self._roll = random.Random(f"{seed}:corpus")
        self._kept: list[list[int]] = []
        self.lines: set[tuple[str, int]] = set()  # reached so far, as (file, line)

    def __len__(self) -> int:
        return len(self._kept)

    def next(self) -> Sequence[int]:
        """Return choices to begin with: none, or those of a kept visit with a few of them changed."""
        if not self._kept or self._roll.random() < 0.4:
            return ()
        found = list(self._roll.choice(self._kept))
        for _ in range(1 + self._roll.randrange(4)):
            place = self._roll.randrange(len(found))
            what = self._roll.randrange(4)
            if what == 0:
                del found[place:]
            elif what == 1:
                other = self._roll.choice(self._kept)
                found[place:] = other[place:]
            else:
                found[place] = self._roll.getrandbits(30)
            if not found:
                break
        return found

    def learn(self, drawn: Sequence[int], lines: set[tuple[str, int]]) -> int:
        """Keep the choices if they reached new lines; return how many."""
        fresh = lines - self.lines
        if fresh:
            self.lines |= fresh
            self._kept.append(list(drawn))
            del self._kept[:-SIZE]
        return len(fresh)
