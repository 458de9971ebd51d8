"""Teams enter, confirm, are seeded, check in, substitute, and withdraw."""
