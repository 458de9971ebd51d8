"""The phases of a game that need special treatment at a table of Tock."""

GIVE = "give"
FORCED = "forced"
JOKER = "joker"
TOUCHING = ("play", JOKER)  # a card is laid and a marble is touched
