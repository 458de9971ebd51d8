"""Parts of `benchmarks/live.py`: servers of their own, tables by services, clients over sockets, measures.

Nothing here reaches into the live table: what is measured is seen from outside, over HTTP and sockets, and in /proc.
"""
