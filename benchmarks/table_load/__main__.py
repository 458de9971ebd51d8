"""`python -m benchmarks.table_load furnish TABLES OLD ROWS`: run the part that needs models, with Django set up."""

import sys
from importlib import import_module

import django

if __name__ == "__main__":
    django.setup()
    import_module(f"benchmarks.table_load.{sys.argv[1]}").main(*(int(word) for word in sys.argv[2:]))
