"""A nation sees its private sector's balances with the clearing house, and nobody else's (FIN-034)."""

from typing import Any

import pytest

import hakoenv
from hakoenv.envs import NationsEnv
from hakoenv.obs.pieces import OWN
from hakoenv.obs.text import text
from hakoenv.testing.determinism import differences


def lent(deposit: int = 700_250) -> tuple[NationsEnv, dict[str, Any], dict[str, Any]]:
    """A duel whose nation 0 has a deposit, two loans and a request, after a turn."""
    env = hakoenv.parallel_env("duel")
    env.reset(seed=3)
    world = env.world
    world.nations["deposit"][0] = deposit
    world.loans["principal"][0, 0], world.loans["taken"][0, 0] = 90_500, -4
    world.loans["principal"][0, 1], world.loans["taken"][0, 1] = 10_000, -9
    world.nations["no_loan_until"][0] = 6
    world.nations["private"][:, 9] = 2_000_000
    world.withdrawals[0]["nation"], world.withdrawals[0]["amount"] = 0, 30_750
    world.finance["queued"] = 1
    observations, *_, infos = env.step({})
    return env, observations, infos


@pytest.mark.rule("FIN-034")
def test_the_info_tells_deposit_queue_and_loans_with_their_due_turns() -> None:
    _, _, infos = lent()
    assert infos["nation_0"]["finance"] == {
        "deposit": 700.25,
        "queued": 30.75,
        "loans": [
            {"principal": 90.5, "interest": 0.905, "due": 16},
            {"principal": 10.0, "interest": 0.1, "due": 11},
        ],
        "no_loan_until": 6,
    }
    nothing = {"deposit": 0.0, "queued": 0.0, "loans": [], "no_loan_until": 0}
    assert infos["nation_1"]["finance"] == nothing


@pytest.mark.rule("FIN-034")
def test_the_observation_shows_them_in_whole_funds() -> None:
    env, observations, _ = lent()
    names = [column.name for column in OWN]
    shown = {
        agent: {name: int(observations[agent]["own"][names.index(name)]) for name in
                ("deposit", "deposit_queued", "debt", "debt_due_in", "loan_ban")}
        for agent in ("nation_0", "nation_1")
    }  # fmt: skip
    assert list(shown["nation_0"].values()) == [700, 30, 101, 10, 5]
    assert list(shown["nation_1"].values()) == [0, 0, 0, -1, 0]
    page = text(env.world, env.season.rules, env.season.ruleset, 0)
    assert "clearing house: deposit 700 (30 asked for and waiting), debt 101, due in 10 turns, no new" in page


@pytest.mark.rule("FIN-034")
def test_other_nations_balances_are_not_shown() -> None:
    _, seen, infos = lent()
    _, seen_too, infos_too = lent(deposit=123_000)
    assert list(differences(seen["nation_1"], seen_too["nation_1"])) == []
    assert list(differences(infos["nation_1"], infos_too["nation_1"])) == []
    assert list(differences(infos["nation_0"], infos_too["nation_0"]))
