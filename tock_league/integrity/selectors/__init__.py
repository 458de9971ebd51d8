"""Reads of the watch: windows of games, findings, their sentences."""
