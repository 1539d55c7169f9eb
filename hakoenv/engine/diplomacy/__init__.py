"""Phases of relations, factions and shipments between nations."""
