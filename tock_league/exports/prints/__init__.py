"""Sheets to print for an event: what the desk hands out, pins up and has signed (docs/printing.md)."""
