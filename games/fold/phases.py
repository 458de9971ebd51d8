"""The phases of a game that a table of Tock treats in a way of their own."""

GIVE = "give"
FORCED = "forced"
JOKER = "joker"
