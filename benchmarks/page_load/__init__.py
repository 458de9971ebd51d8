"""Parts of `benchmarks/pages.py`: growing the demo, finding its pages, requesting them."""
