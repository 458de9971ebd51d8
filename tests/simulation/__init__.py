"""A seeded simulation of the live table: one real thread, virtual time, an unreliable network, processes that crash.

`python -m tests.simulation --seeds 1..10000 --jobs 2` plays ten thousand games; `--seed 7 --log` prints the history of
one, the same bytes every time; `--faults` checks that the planted faults are found. The test suite plays twelve games.
Games are short: a seed chooses how many rows are played under faults (8 to 40). Then a seat resigns or play stops, and
every client must be up to date again.

- `loop`: an event loop with virtual time. It never waits: it jumps to the next timer.
- `threads`: work sent to a thread runs in a greenlet that may be interrupted before any statement.
- `database`: the SQLite file of the run. Each statement calls a hook that may kill the process or raise an error.
- `seams`: what is replaced in the product's code (time, randomness, the channel layer), and the memory of each process.
- `process`: a server process. After a kill nothing of it runs any more; only committed rows remain.
- `network`, `layer`: the connections between clients and processes, and between processes: messages are late, lost or
  duplicated, connections break or are half-open.
- `client`, `habits`: players and spectators, which keep every frame that they sent and received.
- `scenario`, `director`, `machine`, `game`: the choices of a seed, and one game from its first frame to the verdict.
- `checker`, `record`, `answers`, `told`, `secrecy`: compare the histories with the rows. They share no code with the
hub
  and its projections; the fold and the views in `games.fold` are the definition. The search for cards uses no views.
- `faults`: planted faults, each of which the simulation must find. `tally`: counts of what happened.
"""
