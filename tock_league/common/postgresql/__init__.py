"""Django's PostgreSQL backend with a bounded pool that fails fast; named in DATABASES as the ENGINE."""
