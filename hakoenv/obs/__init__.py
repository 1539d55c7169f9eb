"""What a nation gets to know: sight first, then arrays, masks and text made from it."""
