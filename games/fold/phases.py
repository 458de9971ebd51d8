"""The phases of a game that need special treatment at a table of Tock."""

GIVE = "give"
FORCED = "forced"
JOKER = "joker"
