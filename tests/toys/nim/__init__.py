"""Nim with a deck: the first shuffled card gives the height of the heap; two seats take one to three in turn."""
