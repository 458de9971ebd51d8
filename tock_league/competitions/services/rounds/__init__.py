"""Services of rounds: draw, pairing, dates, opening, and progression of the bracket."""
