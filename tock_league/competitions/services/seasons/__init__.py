"""Seasons, leagues, tournaments and club nights: their creation, settings, offices and states."""
