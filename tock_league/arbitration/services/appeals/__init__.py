"""Re-examination of rulings: by a panel on appeal, or on new evidence."""
