"""What walls, phones and the desk read."""
