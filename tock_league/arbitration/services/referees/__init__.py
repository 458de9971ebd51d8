"""Referees hold a case, step aside, or are named from outside."""
