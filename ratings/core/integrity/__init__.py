"""Results that look arranged: signals in the games of a log, each a pure function. Nobody is judged here."""
