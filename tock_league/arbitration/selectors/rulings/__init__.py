"""The ruling book, penalties, and the choices of a ruling's form."""
