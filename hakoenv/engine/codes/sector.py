"""Work sectors of the efficiency rule (IND-033)."""

AGRICULTURE = 0
INDUSTRY = 1
COMMERCE = 2
