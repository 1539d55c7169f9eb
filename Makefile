# Two commands for a newcomer: `make season` plays a season, `make test` runs the tests.
# Each builds what it needs in .venv; nothing but Python >= 3.11 and make is assumed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
OUT ?= runs/season
SEED ?= 0
ARGS ?=
# Tests run in parallel, one process a core, unless told otherwise.
WORKERS ?= auto
# From an index a plain "torch" may be a build for graphics cards, of gigabytes.
TORCH ?= torch==2.13.0

.DEFAULT_GOAL := help
.PHONY: help setup dev season test trainers lint types soak bench docs clean

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

setup: $(VENV)/.light ## .venv with the package, kernels compiled; PYTHON=python3.12 to choose
	@$(BIN)/hakoenv warm

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "hakoenv needs Python 3.11 or newer; this is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python's venv module is missing. On Debian or Ubuntu: apt install python3-venv; on Fedora: dnf install python3" >&2; exit 1; }
	@touch $@

$(VENV)/.light: $(VENV)/.made pyproject.toml
	@echo "installing hakoenv into $(VENV); the program is $(BIN)/hakoenv (or: source $(BIN)/activate)" >&2
	@$(PIP) install -e '.[report]'
	@touch $@

$(VENV)/.dev: $(VENV)/.light
	@echo "installing the development tools into $(VENV) ..." >&2
	@$(PIP) install -e '.[dev]'
	@touch $@

dev: $(VENV)/.dev ## .venv with the development tools

season: setup ## play a whole season of rule AIs; OUT=folder SEED=n ARGS="--turns 60"
	@$(BIN)/hakoenv season --scenario season --seed $(SEED) --out "$(OUT)" $(ARGS)

test: $(VENV)/.dev setup ## the tests; ARGS="-k name" for some of them
	@$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

$(VENV)/.trainers: $(VENV)/.dev pyproject.toml
	@echo "installing torch and Ray into $(VENV) ..." >&2
	@$(PIP) install '$(TORCH)'
	@$(PIP) install -e '.[train,rllib,tournament,compat]' '$(TORCH)'
	@touch $@

# What masks say is the same beside any library: those tests run once, in `make test`.
SAME := $(addprefix --ignore=tests/envs/test_,actions_jit.py fog.py menu.py menu_navy.py menu_war.py)

trainers: $(VENV)/.trainers setup ## tests of environments and trainers, with torch and Ray (1 GB more)
	@$(BIN)/python -m pytest -n $(WORKERS) $(SAME) tests/envs tests/agents/policy tests/experiments $(ARGS)

lint: $(VENV)/.dev ## style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.dev ## type check of the installed package
	@rm -rf $(VENV)/.typed && $(PIP) install --no-deps --target $(VENV)/.typed . && \
	  cd $(VENV)/.typed && MYPYPATH=. ../bin/python -m mypy --config-file ../../pyproject.toml -p hakoenv

soak: $(VENV)/.trainers setup ## long runs: state machines, many seasons, 200 kills, tournaments on Ray
	@$(BIN)/python -m pytest -n $(WORKERS) --soak -m soak $(ARGS)

bench: setup ## measured speed and size, with the machine
	@$(BIN)/hakoenv bench $(ARGS)

docs: $(VENV)/.dev ## the index of rules by test, the pages under docs/rules, and docs/observation.md
	@$(BIN)/python -m hakoenv.rulebook.collect tests
	@$(BIN)/hakoenv rules --write-docs docs/rules
	@$(BIN)/python -m hakoenv.obs.spec_page docs/observation.md

clean: ## remove .venv and what was built; runs/ stays
	@rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
