"""A database wrapper on a temporary cluster, with the options of production; each thread makes its own."""

from typing import Any

from django.db import connections

from tests.servers.postgres import Cluster
from tock_league.common.postgresql.base import DatabaseWrapper


def settings_of(cluster: Cluster | None, *, size: int, patience: float, **more: Any) -> dict[str, Any]:
    """Return the database settings of production for `cluster`, with a pool of this size; `more` overrides them."""
    own = {
        "ENGINE": "tock_league.common.postgresql",
        "NAME": "postgres",
        "USER": "tock",
        "PASSWORD": "",
        "HOST": str(cluster.folder) if cluster is not None else "",
        "PORT": "",
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"size": size, "patience": patience, "connect_timeout": 2},
    }
    return connections["default"].settings_dict | own | more


class Pooled:
    """The wrappers of one pool: `wrapper()` as a thread would get it, `close()` at the end."""

    def __init__(self, cluster: Cluster | None, name: str, *, size: int, patience: float, **more: Any) -> None:
        self.settings, self.name = settings_of(cluster, size=size, patience=patience, **more), name

    def wrapper(self) -> DatabaseWrapper:
        """Return a wrapper without a connection yet."""
        return DatabaseWrapper(self.settings, self.name)

    def close(self) -> None:
        """Close the idle connections of the pool, and remove it."""
        if (pool := self.wrapper().shared) is not None:
            pool.close()
        DatabaseWrapper._pools.pop((self.name, self.settings["NAME"]), None)
