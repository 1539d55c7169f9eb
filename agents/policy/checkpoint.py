"""Trained policies as files: weights, and what is needed to use them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from hakoenv.agents.policy.form import Form
from hakoenv.agents.policy.network import PlanNetwork

from hakoenv.engine.commands import table

_KIND = "hakoenv policy"
_VERSION = 3
_LONGEST = 300  # letters of an error


class CheckpointError(ValueError):
    """A file that is no policy, or one of another version; one sentence."""


def save(path: str | os.PathLike[str], network: PlanNetwork, **facts: Any) -> None:
    """Write a policy, whole or not at all; ``facts``: plain values and tensors that are kept with it.

    Raises:
        CheckpointError: a weight is NaN or infinite; a file that is there stays as it was.
    """
    place = Path(path)
    if not is_finite(network.state_dict()):
        raise CheckpointError(f"{place}: is not written, as weights of the network are NaN or infinite")
    place.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "kind": _KIND,
        "version": _VERSION,
        "form": network.form.as_dict(),
        "sizes": network.sizes,
        "weights": network.state_dict(),
        **facts,
    }
    part = place.with_name(f".{place.name}.part")
    try:
        torch.save(content, part)
        os.replace(part, place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """All that a file holds.

    Raises:
        CheckpointError: it is none of `save`'s, or broken, or weights are NaN or infinite.
    """
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise CheckpointError(f"{os.fspath(path)}: there is no such file") from None
    except pickle.UnpicklingError as error:  # whose text advises to run whatever the file holds
        told = "it is damaged, or holds more than numbers and words"
        raise CheckpointError(f"{os.fspath(path)}: can't be read as a policy ({told})") from error
    except Exception as error:  # whatever torch makes of bytes that are something else
        raise CheckpointError(_sentence(path, "can't be read as a policy", error)) from error
    if not isinstance(content, dict) or content.get("kind") != _KIND:
        raise CheckpointError(f"{os.fspath(path)}: holds no policy of hakoenv's")
    with fitting(path, "holds no policy of hakoenv's"):
        version, finite = content.get("version"), is_finite(content.get("weights"))
        if version != _VERSION:
            raise CheckpointError(
                f"{os.fspath(path)}: is a policy of version {version}, not {_VERSION}; train it anew"
            )
    if not finite:
        raise CheckpointError(f"{os.fspath(path)}: holds weights that are NaN or infinite; train it anew")
    return content


@contextmanager
def fitting(path: str | os.PathLike[str], words: str) -> Iterator[None]:
    """Around what is made of a file's content, which may be anything.

    Args:
        path: of the file.
        words: what is wrong with it, if that fails.

    Raises:
        CheckpointError: it failed.
    """
    try:
        yield
    except (CheckpointError, MemoryError):
        raise
    except Exception as error:  # every number of the content may be of any kind
        raise CheckpointError(_sentence(path, words, error)) from error


def _sentence(path: str | os.PathLike[str], words: str, error: Exception) -> str:
    """What is wrong with a file, in one line."""
    begin = f"{os.fspath(path)}: {words} ("
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{begin}{told[: max(100, _LONGEST - len(begin) - 1)]})"


def is_finite(weights: Any) -> bool:
    """Whether all weights are numbers: with others a network plays, and badly, without a word."""
    tensors = weights.values() if isinstance(weights, dict) else ()
    return all(bool(torch.isfinite(one.float()).all()) for one in tensors if isinstance(one, torch.Tensor))


def load(path: str | os.PathLike[str]) -> PlanNetwork:
    """A policy's network, ready to be asked.

    Raises:
        CheckpointError: the file is no policy, or of another network.
    """
    content = read(path)
    with fitting(path, "fits another version of hakoenv's network or commands"):
        form = Form(tuple(content["form"]["verbs"]), int(content["form"]["commands_per_turn"]))
        table.select(form.verbs)
        network = PlanNetwork(form, **content["sizes"])
        network.load_state_dict(content["weights"])
    return network.eval()
