"""What the API tells about each thing, a module for each app. Fields are chosen: a new column is not told by itself."""
