"""The circle method with balanced homes: who meets whom, in which round, and who is at home.

n entries, made even by a phantom. Positions 0..n-2 stand on a circle and n-1 in the middle. In round r the middle meets
r, and r + k meets r - k (mod n - 1) for k = 1..n/2 - 1. Homes: the middle is at home in odd rounds; r + k is at home
when k is odd. For even n that gives n - 2 repeats of the same side, the fewest possible; for odd n there are none and
everybody is at home as often as away.
Source: D. de Werra, "Scheduling in sports" (1981), the canonical one-factorisation and its n - 2 breaks.
"""

HomeAway = tuple[int, int]


def single(n: int) -> tuple[tuple[HomeAway, ...], ...]:
    """Return the rounds of one leg for entries 0..n-1: each a tuple of (home, away).

    n - 1 rounds for even n; n rounds for odd n, where one entry is missing from each.
    Raises ValueError for fewer than 2 entries.
    """
    if n < 2:
        raise ValueError("a round robin needs at least two entries")
    even = n + n % 2
    ring, middle = even - 1, even - 1
    rounds = []
    for r in range(ring):
        meetings = [(middle, r) if r % 2 else (r, middle)]
        for k in range(1, even // 2):
            ahead, behind = (r + k) % ring, (r - k) % ring
            meetings.append((ahead, behind) if k % 2 else (behind, ahead))
        rounds.append(tuple((home, away) for home, away in meetings if home < n and away < n))
    return tuple(rounds)


def double(n: int) -> tuple[tuple[HomeAway, ...], ...]:
    """Return the rounds of both legs: the second is the first with homes reversed, so each ordered pair meets once."""
    first = single(n)
    return first + tuple(tuple((away, home) for home, away in meetings) for meetings in first)
