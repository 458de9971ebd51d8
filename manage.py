#!/usr/bin/env python3
"""The entry point of all commands: `python3 manage.py serve`, `test`, or any Django command.

See tock_league/bootstrap.py.
"""

import sys

from tock_league.bootstrap import main

sys.exit(main(sys.argv))
