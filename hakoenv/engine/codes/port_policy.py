"""Whom a port serves (enums.csv: port_policy)."""

CLOSED = 0
FRIENDS = 1
OPEN = 2
