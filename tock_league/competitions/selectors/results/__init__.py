"""Effective results, results on paper, and what the rating log has to learn from them."""
