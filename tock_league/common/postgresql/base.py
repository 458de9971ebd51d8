"""Django's PostgreSQL backend, its connections taken from `pool.Pool`.

OPTIONS `size`: connections of a process; `patience`: seconds to wait for one. CONN_MAX_AGE must be 0: a connection goes back
when its thread closes it, at the end of a request at the latest. A thread that keeps its connection keeps its place.
"""

import os
import threading
from typing import Any, ClassVar

from django.db.backends.base.base import NO_DB_ALIAS
from django.db.backends.postgresql import base
from django.utils.asyncio import async_unsafe

from .pool import Pool


class DatabaseWrapper(base.DatabaseWrapper):
    """A thread's connection, taken from the process's pool and given back when it is closed."""

    _pools: ClassVar[dict[tuple[str, str], Pool]] = {}
    _making: ClassVar[threading.Lock] = threading.Lock()

    @property
    def shared(self) -> Pool | None:
        """The pool of the process for this database; None for a connection to no database in particular."""
        if self.alias == NO_DB_ALIAS:
            return None
        key = (self.alias, self.settings_dict["NAME"])
        with self._making:
            if key not in self._pools:
                options = self.settings_dict["OPTIONS"]
                self._pools[key] = Pool(options["size"], options["patience"])
            return self._pools[key]

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        return {name: value for name, value in params.items() if name not in ("size", "patience")}

    @async_unsafe  # type: ignore[untyped-decorator,unused-ignore]
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connect, pool = super().get_new_connection, self.shared
        return connect(conn_params) if pool is None else pool.take(lambda: connect(conn_params))

    def _close(self) -> None:
        pool = self.shared
        if pool is None:
            super()._close()  # type: ignore[misc]  # the stubs leave it out
            return
        connection, self.connection = self.connection, None
        if connection is not None:
            with self.wrap_database_errors:
                pool.give(connection)

    def close_pool(self) -> None:
        """Close the connections that nobody uses."""
        if (pool := self.shared) is not None:
            pool.close()


if hasattr(os, "register_at_fork"):
    # A forked process makes connections of its own: those it has inherited are its parent's.
    os.register_at_fork(after_in_child=DatabaseWrapper._pools.clear)
