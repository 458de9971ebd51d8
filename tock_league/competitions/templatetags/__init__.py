"""Template words of arbitration."""
