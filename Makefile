# Needs Python 3.11 or newer and make, nothing else. The first target that wants them sets up the tools in .venv;
# a later run finds the stamp and starts at once, and a changed pyproject.toml sets up again.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# A name on the path may be a launcher without a Python behind it, or a Python without venv: only running it tells.
PYTHONS := python3.14 python3.13 python3.12 python3.11 python3 python
SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

FLOORS := import tomllib; \
  project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
  print(*(line.replace(">=", "==") for line in project["dependencies"]), sep="\n")

# Without it pyright asks a registry at every run whether there is a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

BODIES ?= 200000

.PHONY: help demo test sessions attack check lint types imports format coverage oldest bench instructions docs wheel clean

help: ## Show the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(VENV)/library.stamp ## Render the example, tell what was sent and what was not, and run a loop with tools
	@$(BIN)/python examples/demo.py
	@mkdir -p build
	@$(BIN)/seamwright show examples/support_agent.json --html build/page.html
	@printf '\nThe same as a page, for the browser: build/page.html\n'
	@printf '\nA conversation with tools, over the client of the vendor (examples/tool_loop.py):\n'
	@$(BIN)/python examples/tool_loop.py

# Whole files to a worker: what a file sets up is made once, and a page of documentation is one namespace.
test: $(VENV)/tools.stamp ## Run every test; ARGS="-k name" is passed on to pytest
	@$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

attack: $(VENV)/tools.stamp ## Try to get out of the envelopes, with at least 200,000 hostile bodies
	@SEAMWRIGHT_ATTACK_BODIES=$(BODIES) $(BIN)/python -m pytest -n auto tests/attack $(ARGS)

sessions: $(VENV)/tools.stamp ## Run conformance, properties and concurrency with sessions on
	@$(BIN)/python -m pytest -n auto --dist loadfile --sessions tests/attack tests/check tests/conformance tests/ingest \
	  tests/properties tests/recorded tests/replay tests/session tests/tokens tests/wiring $(ARGS)

coverage: $(VENV)/tools.stamp ## Run every test under branch coverage
	@$(BIN)/python -m pytest -n auto --dist loadfile --cov --cov-report=term $(ARGS)

check: lint types imports docs ## Lint, format, types, import contracts, documentation

lint: $(VENV)/tools.stamp
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(VENV)/tools.stamp
	@$(BIN)/mypy
	@$(BIN)/pyright --pythonpath $(BIN)/python

imports: $(VENV)/tools.stamp
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/tools.stamp ## Put the code in form
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

oldest: $(VENV)/tools.stamp ## Run every test with the oldest releases that pyproject.toml admits
	@mkdir -p build
	@$(BIN)/python -c '$(FLOORS)' >build/oldest.txt
	@$(BIN)/python -m venv --clear build/oldest
	@build/oldest/bin/python -m pip install -qq 'pip>=25.1'
	@build/oldest/bin/python -m pip install -qq --constraint build/oldest.txt --editable . --group test
	@build/oldest/bin/python -m pytest -n auto --dist loadfile $(ARGS)

bench: $(VENV)/bench.stamp ## Measure, beside json and other libraries; these are installed for it
	@$(BIN)/python -m benchmarks

docs: $(VENV)/tools.stamp ## Build the documentation into build/docs
	@rm -rf docs/reference
	@$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs build/docs

wheel: $(VENV)/tools.stamp ## Build the sdist, and the wheel from the sdist, into dist
	@rm -rf dist
	@$(BIN)/python -m hatchling build --target sdist
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz
	@ls dist

instructions: $(VENV)/library.stamp ## Count the instructions of a build with valgrind, beside the figure that is kept
	@$(BIN)/python -m benchmarks.instructions

# Where they can't be had the table names them as skipped.
$(VENV)/bench.stamp: $(VENV)/library.stamp
	@$(PIP) install 'pip>=25.1'
	@$(PIP) install --group bench || echo "Other libraries can't be installed here"
	@touch $@

clean: ## Remove everything the other targets made
	rm -rf $(VENV) build dist docs/reference htmlcov .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src containers tests docs examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp holds the folder it was made in: scripts and the editable install carry that path, so a folder that was
# moved or copied, or whose Python is gone, gets its tools anew.
ifneq ($(shell test -x $(BIN)/python && cat $(VENV)/library.stamp 2>/dev/null),$(CURDIR))
$(VENV)/library.stamp: new-venv
endif

.PHONY: new-venv
new-venv:
	@for python in $(PYTHONS); do \
	  if $$python -c '$(SUITABLE)' >/dev/null 2>&1; then \
	    echo "Setting up $(VENV) with $$($$python --version)"; \
	    exec $$python -m venv --clear $(VENV); \
	  fi; \
	done; \
	echo "make: no Python 3.11 or newer with the venv module among: $(PYTHONS)" >&2; exit 1

# The client comes along, in the same run of pip: the demo talks through it. So does what a terminal needs for show.
$(VENV)/library.stamp: pyproject.toml
	@$(PIP) install --editable '.[openai,show]'
	@printf '%s' '$(CURDIR)' >$@

# The pip that comes with Python 3.11 to 3.13 can't read dependency groups. Where there is a browser to drive, what
# drives it comes along: the tests of the page then run in it, and are skipped by name elsewhere.
$(VENV)/tools.stamp: $(VENV)/library.stamp
	@echo "Installing the tools"
	@$(PIP) install 'pip>=25.1'
	@$(PIP) install --group dev
	@if command -v chromedriver >/dev/null; then $(PIP) install --group browser; fi
	@touch $@
