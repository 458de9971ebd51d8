"""The consequences of a ruling or a withdrawal, computed in memory before they are written."""
