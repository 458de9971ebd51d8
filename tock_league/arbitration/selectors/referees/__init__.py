"""Conflicts of interest, free referees, and the tables that referees watch."""
