"""A database wrapper on a throwaway cluster, with the options of production; each thread makes its own."""

from typing import Any

from django.db import connections

from tests.servers.postgres import Cluster
from tock_league.common.postgresql.base import DatabaseWrapper


def settings_of(cluster: Cluster, *, size: int, patience: float, **options: Any) -> dict[str, Any]:
    """Return the settings of a database of `cluster` as production has them, with a pool of this size."""
    own = {
        "ENGINE": "tock_league.common.postgresql",
        "NAME": "postgres",
        "USER": "tock",
        "PASSWORD": "",
        "HOST": str(cluster.folder),
        "PORT": "",
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"size": size, "patience": patience, **options},
    }
    return connections["default"].settings_dict | own


class Pooled:
    """The wrappers of one pool: `wrapper()` as a thread would have it, `close()` at the end."""

    def __init__(self, cluster: Cluster, name: str, *, size: int, patience: float) -> None:
        self.settings, self.name = settings_of(cluster, size=size, patience=patience), name

    def wrapper(self) -> DatabaseWrapper:
        """Return a wrapper without a connection yet."""
        return DatabaseWrapper(self.settings, self.name)

    def close(self) -> None:
        """Close what rests in the pool, and forget it."""
        if (pool := self.wrapper().shared) is not None:
            pool.close()
        DatabaseWrapper._pools.pop((self.name, self.settings["NAME"]), None)
