"""The catalogues of packages for a regional language of the site, `fr-ca`.

Django takes from each package the first catalogue that gettext finds for a language, and nothing of the next ones. REST framework
has an empty `fr_CA` beside its full `fr`: without this its errors would be in English.
"""

import gettext
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.utils.translation import to_locale, trans_real


def take_the_languages_too() -> None:
    """Let each regional language of the site fall back to the packages' catalogues of the language without a region."""
    for code, _name in settings.LANGUAGES:
        if "-" not in code:
            continue
        for app in apps.get_app_configs():
            found = gettext.find("django", Path(app.path) / "locale", [to_locale(code)], all=True)
            for path in found[1:]:
                with Path(path).open("rb") as file:
                    trans_real.translation(code).add_fallback(gettext.GNUTranslations(file))
