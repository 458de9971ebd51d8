"""The ruling book, penalties, and what the form of a ruling offers."""
