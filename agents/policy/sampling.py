"""Plans out of a network: head by head, with what is illegal ruled out, and how likely plans are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from hakoenv.agents.policy.features import Features
from hakoenv.agents.policy.network import Encoded, PlanNetwork
from numpy.typing import NDArray
from torch import Tensor

from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu import NATIONS, Buffers
from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, MODE, NATION, REPLACE, VERB
from hakoenv.obs.menu_table import FACTORS, VALUES


class Masks(NamedTuple):
    """What each head of plans could have been, (B, K, ...); heads that a verb does not need allow value 0.

    Bool arrays of NumPy where they are kept, tensors where they are used.
    """

    verbs: Any  # (B, K, V + 1)
    nations: Any  # (B, K, 40)
    cells: Any  # (B, K, P)
    factors: Any  # (B, K, 4, 32)


class Plans(NamedTuple):
    """What was chosen for B observations."""

    actions: NDArray[np.int64]  # (B, L)
    masks: Masks
    log_likelihood: NDArray[np.float32]  # (B,)
    value: NDArray[np.float32]  # (B,)


class Needs(NamedTuple):
    """Which heads each verb needs, by verb head (V + 1,)."""

    nation: NDArray[np.bool_]
    cell: NDArray[np.bool_]
    factors: NDArray[np.int64]

    @classmethod
    def of(cls, space: PlanSpace) -> Needs:
        """Those of a space's verbs; verb 0 needs none."""
        verbs = space.menu.table.verbs
        none = np.zeros(1, np.int64)
        return cls(
            np.concatenate([none > 0, verbs["nation"] > 0]),
            np.concatenate([none > 0, verbs["cell_row"] >= 0]),
            np.concatenate([none, verbs["factors"]]),
        )


@torch.no_grad()
def choose(
    network: PlanNetwork,
    seen: Features,
    menus: Buffers,
    places: NDArray[np.int64],
    space: PlanSpace,
    needs: Needs,
    luck: NDArray[np.float64] | None,
) -> Plans:
    """A legal plan for each observation.

    Args:
        network: gives the logits.
        seen: B observations.
        menus: menus, with one leading axis.
        places: int64 (B,): where on it each observation's menu is.
        space: the action space of the network's form.
        needs: `Needs.of` that space.
        luck: (B, K, 7) numbers of [0, 1), which decide the draws; None takes each head's likeliest value.
    """
    known = network.encode(seen)
    count, most = len(seen.listed), space.commands_per_turn
    spots = seen.listed.shape[1]
    actions = np.zeros((count, 1 + HEADS * most), np.int64)
    actions[:, MODE] = REPLACE
    masks = blank(count, most, len(needs.nation), spots)
    likely = torch.zeros(count)
    context = torch.zeros(count, 1, network.sizes["width"])
    rows = np.arange(count)  # those whose plan goes on

    def draw(head: int, k: int, logits: Tensor, some: NDArray[np.int64], kept: Any) -> None:
        """Draw a head of command k for some rows; the logits are theirs."""
        at = 1 + k * HEADS + head
        allowed = space.masks_after(menus, places[some], actions[some], at)[:, : logits.shape[-1]] > 0
        kept[some, k] = allowed
        chances = torch.log_softmax(logits.masked_fill(~torch.from_numpy(allowed), -torch.inf), dim=-1)
        if luck is None:
            value = chances.argmax(dim=-1)
        else:
            sums = chances.double().exp().cumsum(dim=-1)
            level = torch.from_numpy(luck[some, k, head])[:, None] * sums[:, -1:]
            value = (sums > level).long().argmax(dim=-1)
        actions[some, at] = value.numpy()
        likely[torch.from_numpy(some)] += chances.gather(1, value[:, None])[:, 0]

    for k in range(most):
        part = _rows(known, rows)
        stand = network.stand(part, context[torch.from_numpy(rows)], torch.tensor([k]))
        draw(VERB, k, network.verb_logits(stand)[:, 0], rows, masks.verbs)
        verb = actions[rows, 1 + k * HEADS + VERB]
        going = verb > 0
        rows, verb = rows[going], verb[going]
        if not rows.size:
            break
        part, stand = _rows(known, rows), stand[torch.from_numpy(going)]
        for head, needed in _heads(needs, verb):
            if not needed.any():
                continue
            some, there = rows[needed], stand[torch.from_numpy(needed)]
            said = torch.from_numpy(actions[some, 1 + k * HEADS : 1 + (k + 1) * HEADS])[:, None]
            logits = head_logits(network, _rows(known, some), there, said, head)[:, 0]
            draw(head, k, logits, some, _of_head(masks, head))
        said = torch.from_numpy(actions[rows, 1 + k * HEADS : 1 + (k + 1) * HEADS])[:, None]
        context[torch.from_numpy(rows)] += network.saying(part, said)
    return Plans(actions, masks, likely.numpy(), known.value.numpy())


def head_logits(network: PlanNetwork, seen: Encoded, stand: Tensor, commands: Tensor, head: int) -> Tensor:
    """Logits (B, K, values) of one head of commands (B, K, 7), given the heads before it."""
    verb = commands[..., VERB]
    if head == VERB:
        return network.verb_logits(stand)
    if head == NATION:
        return network.nation_logits(seen, stand, verb)
    if head == CELL:
        return network.cell_logits(seen, stand, verb, commands[..., NATION])
    f = head - FACTOR
    before = commands[..., head - 1] if f else torch.zeros_like(verb)
    return network.factor_logits(seen, stand, verb, commands[..., CELL], before, f)


class Likelihood(NamedTuple):
    """How plans would come out, by head, (B, K, 7); 0 for heads that are not needed."""

    chosen: Tensor  # log-likelihood of what was chosen
    entropy: Tensor
    divergence: Tensor  # from another network's distribution, if one was given


def judge(
    network: PlanNetwork,
    known: Encoded,
    actions: Tensor,
    masks: Masks,
    needs: Needs,
    other: tuple[PlanNetwork, Encoded] | None = None,
) -> Likelihood:
    """How likely plans are, all commands at once.

    Args:
        network: whose likelihood.
        known: `encode` of the observations.
        actions: long (B, L), legal ones of mode `replace`.
        masks: what each head could have been, bool tensors.
        needs: which heads verbs need.
        other: a network, and its own `encode`, from whose distributions the divergence is measured:
            the sum over values of p log(p / q), p this network's.
    """
    count = len(actions)
    commands = actions[:, 1:].reshape(count, -1, HEADS)
    slots = torch.arange(commands.shape[1])
    stand = network.stand(known, _before(network.saying(known, commands)), slots)
    theirs = None
    if other is not None:
        with torch.no_grad():
            theirs = other[0].stand(other[1], _before(other[0].saying(other[1], commands)), slots)
    verbs = commands[..., VERB]
    started = torch.cat([torch.ones_like(verbs[:, :1]), verbs[:, :-1]], dim=1) > 0
    found: list[list[Tensor]] = [[], [], []]
    for head in range(HEADS):
        needed = started if head == VERB else _needed(needs, head)[verbs]
        if not needed.any():
            for parts in found:
                parts.append(torch.zeros(verbs.shape))
            continue
        logits = head_logits(network, known, stand, commands, head)
        allowed = _of_head(masks, head)
        chances = torch.log_softmax(logits.masked_fill(~allowed, -1e9), dim=-1)
        likely = chances.gather(-1, commands[..., head : head + 1])[..., 0]
        shares = chances.exp()
        found[0].append(likely * needed)
        found[1].append(-(shares * chances * allowed).sum(dim=-1) * needed)
        if other is None or theirs is None:
            found[2].append(torch.zeros(verbs.shape))
            continue
        with torch.no_grad():
            raw = head_logits(other[0], other[1], theirs, commands, head)
            wanted = torch.log_softmax(raw.masked_fill(~allowed, -1e9), dim=-1)
        found[2].append((shares * (chances - wanted) * allowed).sum(dim=-1) * needed)
    return Likelihood(*(torch.stack(parts, dim=-1) for parts in found))


def masks_of(
    space: PlanSpace,
    menus: Buffers,
    places: NDArray[np.int64],
    actions: NDArray[np.int64],
    needs: Needs,
    spots: int,
) -> Masks:
    """What each head of given plans could have been, as `choose` notes it; ``spots``: places of the list."""
    count, most = len(actions), space.commands_per_turn
    masks = blank(count, most, len(needs.nation), spots)
    rows = np.arange(count)
    for k in range(most):
        base = 1 + k * HEADS
        masks.verbs[rows, k] = space.masks_after(menus, places[rows], actions[rows], base) > 0
        verb = actions[rows, base]
        rows, verb = rows[verb > 0], verb[verb > 0]
        if not rows.size:
            break
        for head, needed in _heads(needs, verb):
            if needed.any():
                some, kept = rows[needed], _of_head(masks, head)
                allowed = space.masks_after(menus, places[some], actions[some], base + head) > 0
                kept[some, k] = allowed[:, : kept.shape[-1]]
    return masks


def _heads(needs: Needs, verb: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """The heads after the verb, in order, and which rows need them."""
    yield NATION, needs.nation[verb]
    yield CELL, needs.cell[verb]
    for f in range(FACTORS):
        yield FACTOR + f, needs.factors[verb] > f


def _needed(needs: Needs, head: int) -> Tensor:
    """Whether each verb head needs a head."""
    if head == NATION:
        return torch.from_numpy(needs.nation)
    if head == CELL:
        return torch.from_numpy(needs.cell)
    return torch.from_numpy(needs.factors > head - FACTOR)


def _before(said: Tensor) -> Tensor:
    """The sum over the commands before each one."""
    return said.cumsum(dim=1) - said


def _rows(known: Encoded, rows: NDArray[np.int64]) -> Encoded:
    if len(rows) == len(known.state):
        return known
    places = torch.from_numpy(rows)
    return Encoded(*(part[places] for part in known))


def blank(count: int, most: int, verbs: int, spots: int) -> Masks:
    """Masks in which every head can only be 0."""
    shapes = ((verbs,), (NATIONS,), (spots,), (FACTORS, VALUES))
    masks = Masks(*(np.zeros((count, most, *shape), np.bool_) for shape in shapes))
    for mask in masks:
        mask[..., 0] = True
    return masks


def _of_head(masks: Masks, head: int) -> Any:
    return masks.factors[:, :, head - FACTOR] if head >= FACTOR else masks[head]
