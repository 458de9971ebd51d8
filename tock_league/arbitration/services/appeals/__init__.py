"""A ruling is looked at again: by a panel on appeal, or on new evidence."""
