"""Rounds are drawn, paired, dated and opened, and the bracket moves on."""
