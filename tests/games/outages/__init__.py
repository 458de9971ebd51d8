"""Outages: no clock runs while no process could have served the table, and the record shows the credited time."""
