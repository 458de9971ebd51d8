"""Services of entries: registration, confirmation, seeding, check-in, substitution, withdrawal."""
