"""Pages of arbitration: a referee's desk, case files, disputes, the public ruling book and the penalty table."""
