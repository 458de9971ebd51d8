"""Copies on a second disk or stick, every minute while the site changes (`serve --copy-to`). See docs/backup.md."""
