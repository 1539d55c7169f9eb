"""The network: a list of cells with a pointer, and heads that know the ones before them.

An observation is encoded once: what is no list, every cell, every nation and the own units. A plan is then
said command by command; each command knows the sum of those before it, each head the heads before it. Masks
are not the network's: who samples rules out what is illegal (`sampling`).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from hakoenv.agents.policy import features
from hakoenv.agents.policy.features import Features
from hakoenv.agents.policy.form import Form
from torch import Tensor, nn

from hakoenv.obs import pieces
from hakoenv.obs.menu_draft import CELL, FACTOR, NATION, VERB
from hakoenv.obs.menu_table import FACTORS, VALUES


class Encoded(NamedTuple):
    """An observation as the heads read it."""

    state: Tensor  # (B, D)
    cells: Tensor  # (B, P + 1, H): the last is "no cell"
    nations: Tensor  # (B, 40, H)
    corps: Tensor  # (B, 32, H): the units of each corps
    fleets: Tensor  # (B, 32, H): the ships of each fleet, 0 beyond their number
    value: Tensor  # (B,): points that are still to come


class PlanNetwork(nn.Module):
    """Logits of every head of a plan, and the value of the state.

    Args:
        form: of the policy.
        width: H, numbers that describe a cell.
        depth: D, numbers that describe the state.
    """

    def __init__(self, form: Form, width: int = 64, depth: int = 192) -> None:
        super().__init__()
        self.form = form
        self.sizes = {"width": width, "depth": depth}
        verbs = len(form.verbs)
        self.cell = _Described(features.CELLS_READ, width)
        self.cell_mix = _block(width, width)
        self.unit = _Described(features.UNITS_READ, width)
        self.unit_mix = _block(2 * width, width)
        self.ship = _Described(features.SHIPS_READ, width)
        self.ship_mix = _block(2 * width, width)
        self.nation_mix = nn.Sequential(
            nn.Linear(len(pieces.NATION), width), nn.ReLU(), nn.Linear(width, width)
        )
        self.whole = nn.Sequential(nn.Linear(features.whole_size(), depth), nn.ReLU())
        self.state = nn.Sequential(
            nn.Linear(depth + 8 * width, depth), nn.ReLU(), nn.Linear(depth, depth), nn.LayerNorm(depth)
        )
        self.told = nn.Linear(depth, width)
        self.cell_last = nn.Sequential(nn.ReLU(), nn.Linear(width, width))
        self.no_cell = nn.Parameter(torch.zeros(width))
        self.value = nn.Sequential(nn.Linear(depth, 64), nn.ReLU(), nn.Linear(64, 1))

        self.verb_said = nn.Embedding(verbs + 1, width)
        self.factor_said = nn.ModuleList(nn.Embedding(VALUES, width) for _ in range(FACTORS))
        self.slot = nn.Embedding(form.commands_per_turn, width)
        self.said = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.step = nn.Sequential(
            nn.Linear(depth + width, depth), nn.ReLU(), nn.Linear(depth, depth), nn.ReLU()
        )
        self.verb = nn.Linear(depth, verbs + 1)
        self.ask_nation = nn.Linear(depth + width, width)
        self.ask_cell = nn.Sequential(nn.Linear(depth + 2 * width, depth), nn.ReLU(), nn.Linear(depth, width))
        self.cell_bias = nn.Embedding(verbs + 1, width)
        self.factor = nn.ModuleList(
            nn.Sequential(nn.Linear(depth + 3 * width, depth), nn.ReLU(), nn.Linear(depth, VALUES))
            for _ in range(FACTORS)
        )
        self.ask_corps = nn.Linear(depth + 3 * width, width)
        self.ask_fleet = nn.Linear(depth + 3 * width, width)
        self.factor_bias = nn.ModuleList(nn.Embedding(verbs + 1, VALUES) for _ in range(FACTORS))
        for table in self.factor_bias:
            nn.init.zeros_(table.weight)  # type: ignore[arg-type]
        with torch.no_grad():
            self.value[-1].weight.mul_(0.1)  # type: ignore[operator]

    def encode(self, seen: Features) -> Encoded:
        """Read observations."""
        cells = self.cell_mix(self.cell(seen.cells, seen.cell_kinds))
        padded = torch.cat([cells, self.no_cell.expand(len(cells), 1, -1)], dim=1)
        units = torch.cat([self.unit(seen.units, seen.unit_kinds), _at(padded, seen.unit_place)], dim=-1)
        units = self.unit_mix(units)
        ships = torch.cat([self.ship(seen.ships, seen.ship_kinds), _at(padded, seen.ship_place)], dim=-1)
        ships = self.ship_mix(ships)
        nations = self.nation_mix(seen.nations)
        pooled = [
            _pool(cells, seen.listed),
            _pool(units, seen.unit_listed),
            _pool(ships, seen.ship_listed),
            _pool(nations, seen.seated),
        ]
        state = self.state(torch.cat([self.whole(seen.whole), *pooled], dim=-1))
        cells = self.cell_last(cells + self.told(state)[:, None])
        cells = torch.cat([cells, self.no_cell.expand(len(cells), 1, -1)], dim=1)
        corps = _sums(units, seen.unit_listed, seen.unit_corps)
        fleets = _sums(ships, seen.ship_led, seen.ship_fleet)
        return Encoded(state, cells, nations, corps, fleets, self.value(state)[:, 0])

    def saying(self, seen: Encoded, commands: Tensor) -> Tensor:
        """What commands (B, K, 7) add to the context of later ones, (B, K, H); 0 where the verb is 0."""
        verb = commands[..., VERB]
        cell = _at(seen.cells, commands[..., CELL])
        nation = _at(seen.nations, commands[..., NATION])
        total = self.verb_said(verb) + cell + nation
        for f in range(FACTORS):
            total = total + self.factor_said[f](commands[..., FACTOR + f])
        said: Tensor = self.said(total) * (verb > 0)[..., None]
        return said

    def stand(self, seen: Encoded, context: Tensor, slots: Tensor) -> Tensor:
        """The state before commands of the slots (K,), given the sum of what was said, (B, K, H).

        Returns:
            (B, K, D).
        """
        state = seen.state[:, None].expand(-1, context.shape[1], -1)
        stand: Tensor = self.step(torch.cat([state, context + self.slot(slots)], dim=-1))
        return stand

    def verb_logits(self, stand: Tensor) -> Tensor:
        """(B, K, verbs + 1)."""
        logits: Tensor = self.verb(stand)
        return logits

    def nation_logits(self, seen: Encoded, stand: Tensor, verb: Tensor) -> Tensor:
        """(B, K, 40)."""
        asked = self.ask_nation(torch.cat([stand, self.verb_said(verb)], dim=-1))
        return asked @ seen.nations.transpose(1, 2) / asked.shape[-1] ** 0.5

    def cell_logits(self, seen: Encoded, stand: Tensor, verb: Tensor, nation: Tensor) -> Tensor:
        """(B, K, P): how well each place of the cell list suits."""
        whom = _at(seen.nations, nation)
        asked = self.ask_cell(torch.cat([stand, self.verb_said(verb), whom], dim=-1)) + self.cell_bias(verb)
        return asked @ seen.cells[:, :-1].transpose(1, 2) / asked.shape[-1] ** 0.5

    def factor_logits(
        self, seen: Encoded, stand: Tensor, verb: Tensor, cell: Tensor, before: Tensor, f: int
    ) -> Tensor:
        """(B, K, 32) of factor ``f``; ``before``: the value of the factor before it, 0 for the first.

        The first factor of what concerns a corps or fleet is its number: it points to its units or ships.
        """
        said = self.verb_said(verb)
        last = torch.zeros_like(said)
        if f:
            last = self.factor_said[f - 1](before) + _at(seen.corps, before) + _at(seen.fleets, before)
        known = torch.cat([stand, said, _at(seen.cells, cell), last], dim=-1)
        logits: Tensor = self.factor[f](known) + self.factor_bias[f](verb)
        if f == 0:
            for ask, groups in ((self.ask_corps, seen.corps), (self.ask_fleet, seen.fleets)):
                logits = logits + ask(known) @ groups.transpose(1, 2) / groups.shape[-1] ** 0.5
        return logits


def _block(size: int, width: int) -> nn.Module:
    return nn.Sequential(nn.ReLU(), nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width))


class _Described(nn.Module):
    """Entries by their numbers, and by what of each kind they are: one product of matrices.

    The same as a table of vectors for each kind whose sum is taken, at a sixth of the time on a processor.
    """

    def __init__(self, read: features.Columns, width: int) -> None:
        super().__init__()
        numbers = len(read.numbers)
        counts = [high - low + 1 for low, high in read.kinds.values()]
        self.size = numbers + sum(counts)
        first = torch.tensor([numbers + sum(counts[:k]) for k in range(len(counts))])
        self.register_buffer("first", first, persistent=False)
        self.linear = nn.Linear(self.size, width)
        with torch.no_grad():
            self.linear.weight[:, numbers:].normal_()  # as vectors of a table begin

    def forward(self, numbers: Tensor, kinds: Tensor) -> Tensor:
        """(B, S, numbers) and long (B, S, kinds) to (B, S, width)."""
        row = numbers.new_zeros(*numbers.shape[:-1], self.size)
        row[..., : numbers.shape[-1]] = numbers
        row.scatter_(-1, kinds + self.first, 1.0)  # type: ignore[operator]
        found: Tensor = self.linear(row)
        return found


def _pool(entries: Tensor, listed: Tensor) -> Tensor:
    """Mean and maximum over the entries that are there, (B, 2 H)."""
    there = listed[..., None]
    mean = (entries * there).sum(dim=1) / there.sum(dim=1).clamp(min=1)
    top = entries.masked_fill(~there, -1e9).amax(dim=1)
    return torch.cat([mean, torch.where(there.any(dim=1), top, torch.zeros_like(top))], dim=-1)


def _sums(entries: Tensor, there: Tensor, group: Tensor) -> Tensor:
    """The sum of entries (B, S, H) by group (B, S), (B, 32, H)."""
    sums = entries.new_zeros(len(entries), VALUES, entries.shape[-1])
    return sums.scatter_add(1, group[..., None].expand_as(entries), entries * there[..., None])


def _at(entries: Tensor, places: Tensor) -> Tensor:
    """The entries (B, S, H) at places (B, K): (B, K, H)."""
    return torch.gather(entries, 1, places[..., None].expand(-1, -1, entries.shape[-1]))
