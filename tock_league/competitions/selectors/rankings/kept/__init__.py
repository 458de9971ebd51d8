"""What pages keep of a competition: tables, explanations and brackets by version (decision 0056).

`rows` is what is kept, `making` computes it, `keeping` keeps it, `shown` adds names and words for a page.
"""
