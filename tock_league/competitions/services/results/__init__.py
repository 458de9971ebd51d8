"""Services that write results as versions, and everything that follows from them."""
