"""Standings, group tables, cross-tables and the podium."""
