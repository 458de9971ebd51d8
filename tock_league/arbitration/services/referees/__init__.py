"""Leases and recusals of referees, and referees named from outside."""
