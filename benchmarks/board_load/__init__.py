"""Parts of `benchmarks/boards.py`: many ratings, and requests of the boards."""
