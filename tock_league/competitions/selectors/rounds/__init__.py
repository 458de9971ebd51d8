"""Matches, pairings and brackets, and the progress of a tournament."""
