"""What becomes of goods on the way: they arrive, are lost, or go back, and so does the money held for them."""
