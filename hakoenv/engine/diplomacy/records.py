"""What nations did to others in the last turns, counted turn by turn: what makes them unreliable or feared.

Each record is a ring of ``RECORD_TURNS`` turns in ``world.nations``, the turn's place in it being its number
modulo the length. An event of turn t counts on turns t to t + 47 (FAC-020). All of them are public: everybody
learns of departures, treaties, declarations and captures when they happen.
"""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import RECORD_TURNS, World
from hakoenv.ruleset.compiled import Rules

_MOST = 255  # events of a kind in a turn that are told apart
_MOST_CELLS = 32767


@kernel
def place_of(turn: int) -> int:
    """The place of a turn in the rings: this one, or one of the 47 before it."""
    return turn % RECORD_TURNS


@kernel
def open_turn(world: World) -> None:
    """The turn that begins takes the place of the one that is 48 turns old (SAVE-009)."""
    place = place_of(int(world.clock[0].turn))
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        nation.breaches[place] = 0
        nation.conquests[place] = 0
        nation.declarations[place] = 0


@kernel
def breach(world: World, nation: int) -> None:
    """A nation has left a faction, been expelled, or cancelled a treaty that was agreed (FAC-020)."""
    place = place_of(int(world.clock[0].turn))
    record = world.nations[nation]
    record.breaches[place] = min(_MOST, int(record.breaches[place]) + 1)


@kernel
def declared(world: World, nation: int) -> None:
    """A nation has declared war by itself (CONT-003)."""
    place = place_of(int(world.clock[0].turn))
    record = world.nations[nation]
    record.declarations[place] = min(_MOST, int(record.declarations[place]) + 1)


@kernel
def conquered(world: World, nation: int, cells: int) -> None:
    """A nation has taken so many land cells in war (CONT-003)."""
    place = place_of(int(world.clock[0].turn))
    record = world.nations[nation]
    record.conquests[place] = min(_MOST_CELLS, int(record.conquests[place]) + cells)


@kernel
def breaches_within(world: World, rules: Rules, nation: int, turn: int) -> int:
    """Breaches that count against a nation in ``turn``, the clock's or the coming one (FAC-019, FAC-020)."""
    ring = world.nations[nation].breaches
    total = 0
    first = turn - int(rules.scalars[0].faction_ai_refusal_window) + 1
    for past in range(max(0, first), world.clock[0].turn + 1):
        total += int(ring[place_of(past)])
    return total
