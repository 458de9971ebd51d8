"""What changes a hall: the round clock, announcements, screens, links of teams."""
