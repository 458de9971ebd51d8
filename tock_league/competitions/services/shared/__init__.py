"""What every service here needs: locks, entries in the journal, refusals."""
