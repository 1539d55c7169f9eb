"""Policies as files: what is refused, and what reading one needs."""

from __future__ import annotations

import copy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

import torch
from hakoenv.agents.policy import checkpoint
from hakoenv.agents.policy.checkpoint import CheckpointError

from hakoenv import controllers
from hakoenv.controllers import ControllerError


def test_a_network_comes_back_as_it_was(network: Any, file: Path) -> None:
    again = checkpoint.load(file)
    assert again.form == network.form and again.sizes == network.sizes
    assert not again.training
    for name, weights in network.state_dict().items():
        assert torch.equal(weights, again.state_dict()[name])
    assert checkpoint.read(file)["note"] == "a test"
    assert [path.name for path in file.parent.iterdir()] == ["policy.pt"]


def changed(file: Path, place: Path, **what: Any) -> Path:
    torch.save({**checkpoint.read(file), **what}, place)
    return place


def test_what_is_no_policy_is_refused_in_a_sentence(file: Path, tmp_path: Path) -> None:
    missing, garbage, cut, other = (tmp_path / name for name in ("missing.pt", "no.pt", "cut.pt", "o.pt"))
    garbage.write_bytes(b"not a policy at all")
    cut.write_bytes(file.read_bytes()[:-2000])
    torch.save({"weights": {}}, other)
    for path, words in (
        (missing, "there is no such file"),
        (garbage, "can't be read as a policy"),
        (cut, "can't be read as a policy"),
        (tmp_path, "can't be read as a policy"),
        (other, "holds no policy of hakoenv's"),
        (changed(file, tmp_path / "v.pt", version=99), "is a policy of version 99, not 3"),
        (changed(file, tmp_path / "w.pt", sizes={"width": 8, "depth": 32}), "fits another version"),
        (changed(file, tmp_path / "f.pt", form={"verbs": ["no_verb"]}), "fits another version"),
        (
            changed(file, tmp_path / "u.pt", form={"verbs": ["no_verb"], "commands_per_turn": 4}),
            "fits another version",
        ),
    ):
        with pytest.raises(CheckpointError, match=words) as error:
            checkpoint.load(path)
        assert str(error.value).startswith(f"{path}: ") and len(str(error.value)) <= 300
        with pytest.raises(ControllerError, match=words):
            controllers.get(f"policy:{path}")


def test_a_policy_needs_its_path() -> None:
    with pytest.raises(ControllerError, match="policy:PATH"):
        controllers.get("policy")


def test_an_interrupted_write_leaves_the_old_file(
    network: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()

    def stop(content: Any, place: Path) -> None:
        place.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint.torch, "save", stop)
    with pytest.raises(KeyboardInterrupt):
        checkpoint.save(file, network)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["policy.pt"]


def test_reading_needs_torch_only(file: Path) -> None:
    """What trains and what runs tournaments may be missing."""
    code = (
        "import sys\n"
        "for name in ('ray', 'yaml', 'tensorboard', 'matplotlib', 'hakoenv.experiments'):\n"
        "    sys.modules[name] = None  # its import fails\n"
        "from hakoenv import controllers\n"
        "print(controllers.get(sys.argv[1]).registered_name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, f"policy:{file}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"policy:{file}"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_neither_read_nor_written(
    network: Any, file: Path, tmp_path: Path, number: float
) -> None:
    """Such a network plays as if it were idle."""
    weights = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    next(iter(weights.values())).view(-1)[0] = number
    broken = changed(file, tmp_path / "broken.pt", weights=weights)
    with pytest.raises(ControllerError, match="broken.pt: holds weights that are NaN or infinite"):
        controllers.get(f"policy:{broken}")
    diverged = copy.deepcopy(network)
    diverged.load_state_dict(weights)
    kept = shutil.copy(file, tmp_path / "kept.pt")
    with pytest.raises(CheckpointError, match="kept.pt: is not written"):
        checkpoint.save(kept, diverged)
    assert kept.read_bytes() == file.read_bytes()


class Trap:
    """Runs something where it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return Path.touch, (self.place,)


def test_what_a_file_would_run_is_not_run_and_nobody_is_told_to(file: Path, tmp_path: Path) -> None:
    trap = changed(file, tmp_path / "trap.pt", note=Trap(tmp_path / "sprung"))
    with pytest.raises(CheckpointError, match="it is damaged, or holds more than numbers and words") as error:
        checkpoint.load(trap)
    assert not (tmp_path / "sprung").exists()
    assert "weights_only" not in str(error.value)


def test_a_policy_of_things_of_another_kind_is_refused_in_one_line(file: Path, tmp_path: Path) -> None:
    """A file can hold whatever torch can write."""
    content = checkpoint.read(file)
    name, good = next(iter(content["weights"].items()))
    weights = {
        "sparse": good.to_sparse(),
        "without content": good.to("meta"),
        "too great for the network": torch.full(good.shape, 1e300, dtype=torch.float64),
        "of another size": torch.ones(3),
        "no tensor": None,
    }
    for what, tensor in weights.items():
        path = changed(file, tmp_path / f"{what}.pt", weights={**content["weights"], name: tensor})
        with pytest.raises(CheckpointError) as error:
            checkpoint.load(path)
        assert "\n" not in str(error.value) and len(str(error.value)) <= 300
    for entry in (
        {"weights": {**content["weights"], 1: torch.ones(1)}},
        {"weights": None},
        {"version": torch.ones(2)},
        {"form": {**content["form"], "commands_per_turn": float("inf")}},
        {"form": {**content["form"], "verbs": [["mine"]]}},
        {"sizes": {"width": 10**30}},
    ):
        path = changed(file, tmp_path / "odd.pt", **entry)
        with pytest.raises(CheckpointError) as error:
            checkpoint.load(path)
        assert "\n" not in str(error.value) and len(str(error.value)) <= 300
