"""Texts of other packages in Québec French: where a package has an empty catalogue for the region, its French one is used."""

from django.utils.translation import gettext, override

from tock_league.common import regional


def test_rest_frameworks_errors_are_in_the_first_language_of_the_site() -> None:
    regional.take_the_languages_too()  # as the start of the site does; a test of other settings may have undone it
    with override("fr-ca"):
        assert gettext("This field may not be blank.") == "Ce champ ne peut être vide."
    with override("es"):
        assert gettext("This field may not be blank.") == "Este campo no puede estar en blanco."
