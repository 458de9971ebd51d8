"""Shared helpers of the services: locks, journal entries, refusals."""
