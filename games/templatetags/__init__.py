"""Template tags: the board, the cards, the marbles and the small marks of the look."""
