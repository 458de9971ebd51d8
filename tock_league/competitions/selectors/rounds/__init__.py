"""Matches, pairings and brackets, and how far a tournament is."""
