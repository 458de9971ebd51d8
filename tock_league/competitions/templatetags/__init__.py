"""Template tags and filters of competitions."""
