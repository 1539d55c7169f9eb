"""What a private ship is about (MER-077)."""

IDLE = 0
LOADING = 1  # goods ashore are its cargo: it goes to where it can load them, and loads
SAILING = 2  # to its goal, laden
UNLOADING = 3
RETURNING = 4  # to its home port, empty, or with goods that go back to their owner
FISHING = 5  # to its ground, and there

NAMES = ("idle", "loading", "sailing", "unloading", "returning", "fishing")
