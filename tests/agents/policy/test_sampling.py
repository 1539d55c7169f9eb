"""Plans that are drawn are legal, and as likely as they are said to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

import torch
from hakoenv.agents.policy import features, sampling
from hakoenv.agents.policy.sampling import Masks, Plans

from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, MODE, NATION, REPLACE, VERB


def chosen(network: Any, situation: Any, luck: Any = "drawn", seed: int = 0) -> Plans:
    shape = (len(situation.rows), situation.space.commands_per_turn, HEADS)
    if isinstance(luck, str):
        luck = np.random.default_rng(seed).random(shape)
    return sampling.choose(
        network,
        situation.features(),
        situation.menus,
        situation.rows,
        situation.space,
        situation.needs,
        luck,
    )


def tensors(masks: Masks) -> Masks:
    return Masks(*(torch.from_numpy(mask) for mask in masks))


def judged(network: Any, situation: Any, plans: Plans, other: Any = None) -> sampling.Likelihood:
    known = network.encode(situation.features())
    theirs = None if other is None else (other, other.encode(situation.features()))
    with torch.no_grad():
        return sampling.judge(
            network, known, torch.from_numpy(plans.actions), tensors(plans.masks), situation.needs, theirs
        )


@pytest.mark.parametrize("seed", range(3))
def test_plans_are_legal_and_their_masks_are_those_of_the_space(
    network: Any, situation: Any, seed: int
) -> None:
    plans = chosen(network, situation, seed=seed)
    space, spots = situation.space, plans.masks.cells.shape[-1]
    assert (space.faults(situation.menus, situation.rows, plans.actions) == -1).all()
    assert (plans.actions[:, MODE] == REPLACE).all()
    assert len(np.unique(plans.actions[:, 1])) > 1  # different nations say different things
    for row, action in enumerate(plans.actions):
        menu = {name: array[row] for name, array in situation.menus.items()}
        for k in range(space.commands_per_turn):
            for head in range(HEADS):
                at = 1 + k * HEADS + head
                may = space.next_mask(menu, action[:at]) > 0
                assert may[action[at]]
                kept = {VERB: plans.masks.verbs, NATION: plans.masks.nations, CELL: plans.masks.cells}
                noted = kept[head][row, k] if head < FACTOR else plans.masks.factors[row, k, head - FACTOR]
                assert np.array_equal(noted, may[: len(noted)])
                assert not may[len(noted) :].any()  # no place that is not listed
            if not action[1 + k * HEADS + VERB]:
                break
    again = sampling.masks_of(space, situation.menus, situation.rows, plans.actions, situation.needs, spots)
    for one, two in zip(plans.masks, again, strict=True):
        assert np.array_equal(one, two)


def test_heads_that_a_verb_does_not_need_are_0(network: Any, situation: Any) -> None:
    commands = chosen(network, situation).actions[:, 1:].reshape(-1, HEADS)
    verbs, needs = commands[:, VERB], situation.needs
    assert not commands[~needs.nation[verbs], NATION].any()
    assert not commands[~needs.cell[verbs], CELL].any()
    for f in range(HEADS - FACTOR):
        assert not commands[needs.factors[verbs] <= f, FACTOR + f].any()


def test_what_is_chosen_is_as_likely_as_judged(network: Any, situation: Any) -> None:
    plans = chosen(network, situation)
    found = judged(network, situation, plans)
    assert found.chosen.sum(dim=(1, 2)).numpy() == pytest.approx(plans.log_likelihood, abs=1e-3)
    assert (plans.log_likelihood < 0).all()
    assert (found.entropy >= -1e-5).all()
    assert not found.divergence.any()
    known = network.encode(situation.features())
    assert known.value.detach().numpy() == pytest.approx(plans.value, abs=1e-4)


def test_a_verb_that_ends_the_plan_is_judged_and_nothing_after_it(network: Any, situation: Any) -> None:
    plans = chosen(network, situation)
    found = judged(network, situation, plans)
    verbs = plans.actions[:, 1:].reshape(len(plans.actions), -1, HEADS)[..., VERB]
    ended = np.cumsum(verbs == 0, axis=1) > 1  # behind the first 0
    assert not found.chosen.numpy()[ended].any()
    assert not found.entropy.numpy()[ended].any()


def test_divergence_is_0_from_itself_and_more_from_another(network: Any, situation: Any) -> None:
    import copy

    plans = chosen(network, situation)
    same = judged(network, situation, plans, network).divergence
    assert same.abs().max() < 1e-5
    other = copy.deepcopy(network)
    with torch.no_grad():
        other.verb.bias[1:] += torch.linspace(-1, 1, len(other.verb.bias) - 1)
    there = judged(network, situation, plans, other).divergence
    assert (there.sum(dim=(1, 2)) > 0).all()
    assert (there > -1e-5).all()


def test_divergence_by_hand() -> None:
    """Of 1/4 and 3/4 from 1/2 and 1/2: 1/4 log(1/2) + 3/4 log(3/2) = 0.1308; entropy 0.5623."""
    p, q = np.array([0.25, 0.75]), np.array([0.5, 0.5])

    class Fixed:
        """A network whose verbs have given chances."""

        def __init__(self, chances: Any) -> None:
            self.logits = torch.from_numpy(np.log(chances)).float()

        def stand(self, known: Any, context: Any, slots: Any) -> Any:
            return torch.zeros(1, 1, 1)

        def saying(self, known: Any, commands: Any) -> Any:
            return torch.zeros(1, 1, 1)

        def verb_logits(self, stand: Any) -> Any:
            return self.logits[None, None]

    needs = sampling.Needs(np.zeros(2, np.bool_), np.zeros(2, np.bool_), np.zeros(2, np.int64))
    masks = tensors(sampling.blank(1, 1, 2, 1))
    masks.verbs[:] = True
    action = torch.zeros(1, 1 + HEADS, dtype=torch.long)
    first, second = Fixed(p), Fixed(q)
    found = sampling.judge(first, None, action, masks, needs, (second, None))  # type: ignore[arg-type]
    assert float(found.chosen.sum()) == pytest.approx(np.log(0.25), abs=1e-5)
    assert float(found.entropy.sum()) == pytest.approx(0.5623, abs=1e-4)
    assert float(found.divergence.sum()) == pytest.approx(0.1308, abs=1e-4)


def test_verbs_come_out_as_often_as_they_are_likely(network: Any, situation: Any) -> None:
    """A thousand draws spread evenly over [0, 1): each verb within one of what its chance says."""
    count = 1000
    row = np.zeros(count, np.int64)
    seen = {name: array[row] for name, array in situation.seen.items()}
    luck = np.zeros((count, situation.space.commands_per_turn, HEADS))
    luck[:, 0, VERB] = (np.arange(count) + 0.5) / count
    plans = sampling.choose(
        network, features.read(seen), situation.menus, row, situation.space, situation.needs, luck
    )
    known = network.encode(features.read({name: array[:1] for name, array in situation.seen.items()}))
    with torch.no_grad():
        logits = network.verb_logits(network.stand(known, torch.zeros(1, 1, 16), torch.tensor([0])))[0, 0]
    may = torch.from_numpy(plans.masks.verbs[0, 0])
    wanted = torch.softmax(logits.masked_fill(~may, -torch.inf), 0).numpy() * count
    counts = np.bincount(plans.actions[:, 1 + VERB], minlength=len(wanted))
    assert np.abs(counts - wanted).max() <= 1.01
    assert (counts > 0).sum() > 2


def test_luck_at_its_ends_gives_what_is_possible(network: Any, situation: Any) -> None:
    shape = (len(situation.rows), situation.space.commands_per_turn, HEADS)
    for luck in (np.zeros(shape), np.full(shape, 1 - 2**-53)):
        plans = chosen(network, situation, luck)
        assert (situation.space.faults(situation.menus, situation.rows, plans.actions) == -1).all()
        assert np.isfinite(plans.log_likelihood).all()


def test_greedy_takes_the_likeliest_and_always_the_same(network: Any, situation: Any) -> None:
    plans = [chosen(network, situation, None) for _ in range(2)]
    assert np.array_equal(plans[0].actions, plans[1].actions)
    assert np.array_equal(plans[0].log_likelihood, plans[1].log_likelihood)
    known = network.encode(situation.features())
    with torch.no_grad():
        context = torch.zeros(len(situation.rows), 1, 16)
        logits = network.verb_logits(network.stand(known, context, torch.tensor([0])))[:, 0].numpy()
    best = np.where(plans[0].masks.verbs[:, 0], logits, -np.inf).argmax(axis=1)
    assert np.array_equal(plans[0].actions[:, 1 + VERB], best)
