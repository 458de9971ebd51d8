"""What a family of games does above the engine: one folder each, with the name of the family's folder in `games/engine`.

The rooms find a family's modules by name through `games.engine.registry.part`; nobody imports a family. `table.py` holds
TABLE, what the family does at the table in its own way (`games.fold.Family`); `bots.py` BOTS, who plays it
(`games.bots.at_table.Players`); `words.py` NAMES and `counting.py` COUNTING, how it is told to people (`games.families.words`).
Its pages are templates found by its name: `games/table_<family>.html` and `games/replay_<family>.html`.
"""
