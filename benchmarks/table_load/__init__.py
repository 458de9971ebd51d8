"""Parts of `benchmarks/live.py`: servers, tables made through services, clients over sockets, measurements.

Nothing here uses the internals of the live table: everything is measured from outside, over HTTP, sockets and /proc.
"""
