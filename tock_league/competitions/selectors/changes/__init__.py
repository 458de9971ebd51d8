"""What a ruling or a withdrawal would change, computed in memory before it is written."""
