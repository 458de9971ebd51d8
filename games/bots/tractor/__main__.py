"""`python -m games.bots.tractor [duplicates] [first] [second]`: how often a bot beats another in duplicate rounds."""

import sys

from games.bots.tractor.tournament import duel, player


def main(words: list[str]) -> None:
    """Print the win rate of the first (club) against the second (novice)."""
    count, first, second = (words + ["400", "club", "novice"][len(words) :])[:3]
    rate = duel(player(first), player(second), duplicates=int(count))
    print(
        f"{first} beats {second} in {rate.share:.1%} of {rate.played} duplicate rounds by points "
        f"(95 %: {rate.low:.1%} to {rate.high:.1%}; {rate.level} level; {rate.margin:+.0f} points a duplicate)"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
