"""Django's PostgreSQL backend with a bounded pool that fails at once; named in DATABASES as the ENGINE."""
