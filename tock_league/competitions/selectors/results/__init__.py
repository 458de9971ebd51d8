"""Effective results, results on paper, and the corrections of the rating log that follow from them."""
