"""Nim with a deck: the heap is as high as the first card shuffled says; two seats take one to three in turn."""
