"""The name of Nim's rule set."""

from games.families.words import Named

NAMES = {"nim": Named("Nim of the tests", "The heap is a card high; who takes the last one wins.", "Nim")}
