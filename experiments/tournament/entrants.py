"""Entrants: a name, and what stands behind it: a controller of the registry, or somebody's own function.

An own entrant is `module:function`, importable from the current folder or installed:

- a *policy*, a function with an argument: it gets the observation of its nation and gives an action;
- a *factory*, a function or class that can be called without arguments: it is called for every season and
  seat, and gives a policy, a controller or the name of one. If it has a parameter `seed`, it gets a number
  to draw chance from, the same whenever that season is played.
"""

from __future__ import annotations

import difflib
import hashlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from hakoenv import controllers
from hakoenv.controllers import Controller, ControllerError

_OWN_DEADLINE = ("llm",)
_TRUSTED = ("idle", "random", "rule_ai")
_TRAINED = "policy"
_LONGEST_NAME = 60
_LONGEST_REASON = 300
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


class EntrantError(ValueError):
    """Somebody can't enter; one sentence."""


class Entrant(NamedTuple):
    """Who plays.

    Attributes:
        name: what results call it.
        spec: what `make` makes it from.
        digest: of the file or folder that the spec names, so that a run is not resumed with another one;
            empty where it names none.
    """

    name: str
    spec: str
    digest: str = ""


def parse(texts: Sequence[str], reserved: Sequence[str] = (), least: int = 2) -> list[Entrant]:
    """Entrants as the command line names them: `NAME=SPEC`, or `NAME` where it is its own spec.

    Args:
        texts: one each.
        reserved: names that are taken.
        least: fewest entrants.

    Raises:
        EntrantError: a name is twice there, nobody stands behind a spec, or there are too few.
    """
    found: list[Entrant] = []
    for text in texts:
        name, equals, spec = (part.strip() for part in text.partition("="))
        spec = spec if equals else name
        if not name or not spec:
            raise EntrantError(f"entrant {text!r}: expected NAME=SPEC or NAME, for example mine=my_bot:play")
        if len(name) > _LONGEST_NAME or not name.isprintable():
            raise EntrantError(f"entrant {text!r}: a name has 1..{_LONGEST_NAME} printable characters")
        if not can_be_written(spec):
            raise EntrantError(f"entrant {name!r}: {spec!r} is no UTF-8; give the file another name")
        if name in reserved:
            raise EntrantError(f"entrant {name!r}: is the name of the field; give another, such as my_{name}")
        if any(other.name == name for other in found):
            raise EntrantError(
                f"entrant {name!r}: is named twice; give names of their own, such as {name}-2={spec}"
            )
        found.append(Entrant(name, spec))
    if len(found) < least:
        raise EntrantError(f"--entrant: {len(found)} are too few; name {least} or more")
    for entrant in found:
        check(entrant)
    return [entrant._replace(digest=digest_of(entrant.spec)) for entrant in found]


def check(entrant: Entrant) -> None:
    """See that an entrant can be made, without making an own one.

    Raises:
        EntrantError: it can't.
    """
    try:
        if _is_named(entrant.spec):
            _by_name(entrant.spec)
        else:
            _is_policy(_own(entrant.spec), entrant.spec)
    except (ControllerError, ImportError) as error:
        raise EntrantError(f"entrant {entrant.name!r}: {error}") from error
    except Exception as error:  # somebody's own code, a property say
        raise EntrantError(
            f"entrant {entrant.name!r}: {entrant.spec} can't be looked at ({told(error)})"
        ) from error


def make(entrant: Entrant, seed: int) -> Controller:
    """A controller for one seat of one season.

    Args:
        entrant: who.
        seed: for a factory that wants one.

    Raises:
        ControllerError: its name or what a factory gave is none, or its file has changed since it entered;
            what a factory raises goes on to the caller.
    """
    if _is_named(entrant.spec):
        named = _by_name(entrant.spec)
        if entrant.digest and digest_of(entrant.spec) != entrant.digest:
            raise ControllerError(f"entrant {entrant.name!r}: {entrant.spec} is not the file that entered")
        return named
    own = _own(entrant.spec)
    if _is_policy(own, entrant.spec):
        return controllers.get(own)
    made = own(seed) if "seed" in _parameters(own) else own()
    return controllers.get(made)


def is_trusted(entrant: Entrant) -> bool:
    """Whether it plans at once and never hangs: the engine's own controllers."""
    return entrant.spec in _TRUSTED


def is_the_engines(entrant: Entrant) -> bool:
    """Whether it is trusted, or a language model, which keeps a deadline of its own."""
    return is_trusted(entrant) or _base(entrant.spec) in _OWN_DEADLINE


def is_trained(entrant: Entrant) -> bool:
    """Whether it is a policy of a checkpoint, whose code is compiled where it first plans."""
    return _base(entrant.spec) == _TRAINED


def told(error: BaseException) -> str:
    """What was raised, in one line that is the same every time and can be written to any file.

    Even an error that raises when it is asked for its text is told.
    """
    kind = type(error).__name__
    try:
        text = " ".join(_ADDRESS.sub("0x...", f"{kind}: {error}").split())
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair, say
    except BaseException:  # somebody's own __str__
        return f"{kind}, which does not tell its text"
    return text.removesuffix(":")[:_LONGEST_REASON]


def can_be_written(text: str) -> bool:
    """Whether a text can stand in a file; the name of a file whose bytes are no UTF-8 can't."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def is_own(entrant: Entrant) -> bool:
    """Whether it is a `module:function`."""
    return not _is_named(entrant.spec)


def own_seed(seed: int, entrant: str, seat: int) -> int:
    """A number for an entrant to draw chance from, which betrays nothing of the season's seed."""
    digest = hashlib.sha256(f"{seed}/{seat}/{entrant}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def digest_of(spec: str) -> str:
    """SHA-256 of the file or folder that a spec names, of a function that of its module; else empty."""
    base, _, rest = spec.partition(":")
    if base in _OWN_DEADLINE or not rest:
        return ""
    named = rest if _is_named(spec) else getattr(sys.modules.get(base), "__file__", None)
    place = Path(named) if named else None
    if place is None or not place.exists():
        return ""
    files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    total = hashlib.sha256()
    for file in files:
        total.update(file.relative_to(place).as_posix().encode() + b"\0" + file.read_bytes())
    return total.hexdigest()


def look_here() -> None:
    """Let modules of the current folder be imported, as `python -m` does."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)


def _known() -> list[str]:
    """Controllers by name that can play."""
    return [name for name in controllers.names() if name != controllers.EXTERNAL]


def _base(spec: str) -> str:
    return spec.partition(":")[0]


def _is_named(spec: str) -> bool:
    """Whether a spec is the business of the registry: its names, and what is no `module:function`."""
    return ":" not in spec or _base(spec) in controllers.names()


def _by_name(spec: str) -> Controller:
    if _base(spec) == controllers.EXTERNAL:
        raise ControllerError("nobody can give the plans of an external nation here")
    if _base(spec) not in controllers.names() and ":" not in spec:
        near = difflib.get_close_matches(spec, _known(), n=2, cutoff=0.5)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        known = ", ".join(_known())
        raise ControllerError(
            f"no controller is called {spec!r}: there are {known}, or module:function{hint}"
        )
    if _base(spec) not in _OWN_DEADLINE:
        return controllers.get(spec)
    from hakoenv.agents.llm import config
    from hakoenv.agents.llm.nation import NO_MODEL

    made = config.from_environment().nation(
        spec.partition(":")[2], proxy=False
    )  # it is ranked by its own plans
    if not made.model:
        raise ControllerError(NO_MODEL)
    return made


def _own(spec: str) -> Callable[..., Any]:
    """The function of a `module:function`.

    Raises:
        ControllerError: there is none.
    """
    module, _, path = spec.partition(":")
    near = difflib.get_close_matches(module, _known(), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    look_here()
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        raise ControllerError(
            f"no controller is called {module!r}, and no module either ({error}){hint}"
        ) from error
    except KeyboardInterrupt:  # Ctrl-C: an import may take long
        raise
    except BaseException as error:  # the module is somebody else's: anything can happen, sys.exit() too
        raise ControllerError(f"module {module!r} can't be imported ({told(error)})") from error
    for part in path.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        names = [
            name for name, value in vars(sys.modules[module]).items() if callable(value) and name[0] != "_"
        ]
        raise ControllerError(
            f"module {module!r} has no function {path!r}; it has {', '.join(names) or 'none'}"
        )
    function: Callable[..., Any] = found
    return function


def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError) as error:  # some built-in functions do not tell
        raise ControllerError(f"{function!r} does not tell its parameters") from error


def _is_policy(function: Callable[..., Any], spec: str) -> bool:
    """Whether a function is asked for actions itself, rather than for somebody to ask.

    Raises:
        ControllerError: it can be called neither way.
    """
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [
        entry.name
        for entry in _parameters(function).values()
        if entry.default is inspect.Parameter.empty
        and entry.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    positional = [entry for entry in _parameters(function).values() if entry.kind in kinds]
    if not needed or needed == ["seed"]:
        return False
    if len(needed) == 1 and positional and positional[0].name == needed[0] and not isinstance(function, type):
        return True
    raise ControllerError(
        f"{spec.partition(':')[2]}({', '.join(needed)}): a policy has one argument, the observation, and a "
        "factory none, or `seed`"
    )
