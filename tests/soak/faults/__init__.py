"""Real faults: production processes on real PostgreSQL and Redis, people who play, and a fault in every run.

The people are the clients of `tests.simulation`, and the checker of their histories is that of `tests.simulation`; only the
network, the processes and the database below them are real.
"""
