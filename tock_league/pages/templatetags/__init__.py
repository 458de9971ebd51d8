"""Template tags and filters of the site's pages."""
