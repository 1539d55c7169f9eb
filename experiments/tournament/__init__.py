"""Tournaments: many seasons of several entrants, ranked by season points (docs/tournaments.md).

`entrants` and `fields` say who plays, `seating` where, `season` plays one season and charges those who
fail, `workers` plays many here or on Ray, `folder` keeps them, `run` ties these together. `standings`,
`ratings`, `evaluate` and `fairness` make figures of the seasons, `report` a page, `command` the commands.
"""
