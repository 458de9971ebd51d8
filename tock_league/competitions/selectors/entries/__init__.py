"""Who has registered, and how strong the entries are."""
