"""Competitions as lists and pages need them: their calendar, offices, table shapes and next step."""
