"""Formats and kinds of tournament that only the tests offer."""
