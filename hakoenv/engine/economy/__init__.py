"""Phases of resources, work, food, industry, growth and disasters."""
