"""A process that recomputes a ladder and kills itself at a given point: `python -m tests.ratings.killed DATABASE LADDER`.

It reads points from its input, one JSON array ["statement", 12] a line, and forks for each; the answer to a point is a
line with the signal that ended the child, 0 for none.
"""

import gc
import json
import os
import sys

import django

PART = 5  # games of a transaction, so that a short log has many parts


def main() -> None:
    """Fork a child for each point until the input ends."""
    database, ladder = sys.argv[1:3]
    os.environ["DJANGO_SETTINGS_MODULE"] = "tock_league.settings.test"
    django.setup()
    from django.db import connection, connections

    from ratings import services
    from ratings.services import building
    from tests.live.killed import Point

    connection.settings_dict["NAME"] = database
    building.PART = PART
    gc.freeze()
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            point = Point(*json.loads(line))
            point.watch()
            point.arm()
            services.rebuild(ladder_key=ladder, cause="killed")
            connections.close_all()
            os._exit(0)
        print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])), flush=True)


if __name__ == "__main__":
    main()
