from tests.toys.nim.rules import NimRules

RULES = NimRules(id="nim/1", most=3)
