"""One YAML file says what a run is; what can't be is refused by its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("yaml", reason="the extra `train` is not installed")

from hakoenv.experiments.training import config as configs
from hakoenv.experiments.training.config import ConfigError


def test_the_file_of_the_package_is_a_config() -> None:
    config = configs.load()
    assert config.game.scenario == "duel"
    assert config.clone.minutes + config.ppo.minutes <= 45
    assert configs.load(None, {"seed": 4}).as_dict() == {**config.as_dict(), "seed": 4}


def test_changes_win_and_1e_4_is_a_number(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(
        "ppo:\n  learning_rate: 1e-4\n  turns: 7\nevaluation: {against: [random]}\n", encoding="utf-8"
    )
    config = configs.load(file, {"ppo.turns": 9, "clone.minutes": 2})
    assert (config.ppo.learning_rate, config.ppo.turns) == (1e-4, 9)
    assert config.clone.minutes == 2.0
    assert config.evaluation.against == ("random",)
    assert config.network.width == 64


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"ppo.turn": 3}, "ppo.turn: did you mean turns?"),
        ({"pop": {}}, "pop: did you mean ppo? there are seed, threads, save_minutes, game"),
        ({"ppo": 3}, "ppo: must be a mapping, not 3"),
        ({"seed.x": 3}, "seed.x: seed is no mapping, but 0"),
        ({"seed": -1}, "seed=-1 must be at least 0"),
        ({"seed": 2**41}, "seed=2199023255552 must be at most 1099511627776"),
        ({"save_minutes": -1}, "save_minutes=-1 must be a number of 0 or more"),
        ({"threads": 0}, "threads=0 must be at least 1"),
        ({"ppo.turns": True}, "ppo.turns=True must be a whole number"),
        ({"ppo.turns": 2.5}, "ppo.turns=2.5 must be a whole number"),
        ({"ppo.batch": 0}, "ppo.batch=0 must be at least 1"),
        ({"ppo.clip": -0.1}, "ppo.clip=-0.1 must be a number of 0 or more"),
        ({"ppo.clip": float("nan")}, "ppo.clip=nan must be a number of 0 or more"),
        ({"ppo.clip": "much"}, "ppo.clip='much' must be a number of 0 or more"),
        ({"clone.own_share": 5}, "clone.own_share=5 must be a number of 0..1"),
        ({"threads": 99999999999}, "threads=99999999999 must be at most 1024"),
        ({"network.width": 10**9}, "network.width=1000000000 must be at most 4096"),
        ({"clone.kept": 10**12}, "clone.kept=1000000000000 must be at most"),
        ({"clone.worlds": 10**9}, "clone.worlds=1000000000 must be at most 4096"),
        ({"game.scenario": 3}, "game.scenario=3 must be a word"),
        ({"game.rules": 3}, "game.rules=3 must be a mapping"),
        ({"evaluation.against": "rule_ai"}, "evaluation.against='rule_ai' must be a list of names"),
        ({"evaluation.against": ["rule_ia"]}, "evaluation.against='rule_ia': there are rule_ai, random"),
        ({"league.past": 0.9}, "league: rule_ai, past and present must sum to 1"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        configs.load(None, changes)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("content", [b"- 1\n- 2\n", b"a: [\n", b"\xff\xfe\xff", None])
def test_a_file_that_is_no_config_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "run.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"run\.yaml: (can't be read as YAML|must be a mapping)"):
        configs.load(file)


@pytest.mark.parametrize("text", ["seed: 2001-99-99", "[" * 3000], ids=["no date", "deep"])
def test_a_file_that_is_no_yaml_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"run\.yaml: can't be read as YAML"):
        configs.load(file)
