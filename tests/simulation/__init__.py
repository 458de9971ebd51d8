"""A seeded simulation of the live table: one real thread, virtual time, a network that fails, processes that die.

`python -m tests.simulation --seeds 1..10000 --jobs 2` plays ten thousand games; `--seed 7 --log` prints the history of one,
the same bytes every time; `--faults` searches the planted faults. The suite plays fifty games. Games are short: a seed chooses
how many rows are played under faults (8 to 40), then somebody resigns or play stops, and everybody must be live again.

- `loop`: an event loop whose time is virtual. It never waits: it jumps to the next timer.
- `threads`: what is sent to a thread runs in a greenlet that may be interrupted before any statement.
- `database`: the SQLite file of the run. Each statement passes a hook at which the process may die, or be told of an error.
- `seams`: what is replaced in the product's code: time, chance, the channel layer; and the memory that a process has of its own.
- `process`: a server process. When it is killed nothing of it runs any more; only committed rows remain.
- `network`, `layer`: what is between clients and processes, and between processes: late, lost, cut, half-open, doubled.
- `client`, `habits`: players and spectators, who keep every frame they sent and received.
- `scenario`, `director`, `machine`, `game`: what a seed chooses, and one game from its first frame to the verdict.
- `checker`, `record`, `answers`, `told`, `secrecy`: hold the histories against the rows. They share no code with the hub and its
  projections; the fold and the views in `games.fold` are the definition, and the search for cards does without views.
- `faults`: planted faults, each of which the simulation must find. `tally`: what happened, counted.
"""
