"""Template tags: the board, the cards, the marbles and small drawings."""
