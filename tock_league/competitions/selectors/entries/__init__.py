"""Registrations of a tournament, and the strength of its entries."""
