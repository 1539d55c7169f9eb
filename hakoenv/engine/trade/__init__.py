"""Phases of ports, private shipping, auctions, households and the clearing house."""
