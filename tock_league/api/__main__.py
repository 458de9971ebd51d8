"""Write the OpenAPI document: `python -m tock_league.api`, after a change of an endpoint."""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")
    django.setup()
    from tock_league.api import schema

    schema.path().parent.mkdir(parents=True, exist_ok=True)
    schema.path().write_text(schema.text(), encoding="utf-8")
    print(f"{schema.path()} is written.")
