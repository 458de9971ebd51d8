"""What a family of games does above the engine: one folder each, with the name of the family's folder in `games/engine`.

The rooms find a family's modules by name through `games.engine.registry.part`; nobody imports a family. `table.py` holds
TABLE, what the family does at the table in its own way (`games.fold.Family`).
"""
