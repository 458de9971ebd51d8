"""Results become versions; what follows from them is written."""
