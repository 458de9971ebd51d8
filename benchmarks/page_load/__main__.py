"""`python -m benchmarks.page_load TIMES REPEATS`: run with Django set up; prints every page's figures as JSON."""

import json
import sys

import django

if __name__ == "__main__":
    django.setup()
    from benchmarks.page_load.walk import both_sizes

    print(json.dumps(both_sizes(int(sys.argv[1]), int(sys.argv[2]))))
