"""State between two nations."""

PEACE = 0
AMITY = 1
PENDING = 2
WAR = 3
