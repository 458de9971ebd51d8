"""Several hosts: network namespaces that are joined by a bridge, each with its own processes, and links that can be cut.

The processes, the people and the checker are those of `tests.soak.faults`.
"""
