"""A seeded simulation of the live table: one thread, virtual time, a network that fails, processes that die.

`python -m tests.simulation --seeds 1..10000` plays ten thousand games; `--seed 7 --log` prints the history of one, the same
bytes every time. docs/architecture.md tells nothing of it: it is a test, and its parts are told here.

- `loop`: an event loop whose time is virtual. It never waits: it jumps to the next timer.
- `database`: the SQLite file of the run. Each statement passes a hook at which the process may die.
- `seams`: what is replaced in the product's code: the time, chance, and the memory that a process has of its own.
- `process`: a server process. When it is killed nothing of it runs any more; only committed rows remain.
- `network`: sockets and HTTP between clients and processes, with delays, stalls, cuts and half-open connections.
- `client`: players and spectators, who keep every frame they sent and received.
- `scenario`, `game`: what a seed chooses, and one game from its first frame to the verdict.
- `checker`: holds the histories against the rows. It shares no code with the hub; `games.fold` is the definition.
- `faults`: planted faults, each of which the simulation must find.
"""
