"""The live feed: server-sent events of a competition, and of a match with the plays at its table.

A stream is a coroutine on the loop; no thread waits for a listener. `door` answers the request, `watch` reads the public facts
once a second for all listeners of the process, `tables` joins the hub of the live tables as a spectator.
"""

from .door import Streams, end_all

__all__ = ["Streams", "end_all"]
