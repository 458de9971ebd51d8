"""Previews of services: the very service runs, in a transaction that is rolled back."""
