"""Template tags and filters of arbitration."""
