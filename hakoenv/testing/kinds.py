"""The fields of everything that a small world is set and read by, by the tables of the World."""

from __future__ import annotations

from hakoenv.testing.cell_fields import CELLS
from hakoenv.testing.deal_fields import DEALS
from hakoenv.testing.fields import Kind
from hakoenv.testing.nation_fields import NATIONS
from hakoenv.testing.relation_fields import RELATIONS
from hakoenv.testing.ship_fields import FLEET_KIND, SHIPS
from hakoenv.testing.unit_fields import CORPS, UNITS

KINDS: dict[str, Kind] = {
    "cells": CELLS,
    "nations": NATIONS,
    "units": UNITS,
    "corps": CORPS,
    "relations": RELATIONS,
    "ships": SHIPS,
    "fleets": FLEET_KIND,
    **DEALS,
}
