# Everything that this project does, as one word each. A machine needs make and Python 3.11 or
# newer; the rest is installed into .venv, the first time that a target needs it.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := $(VENV)/packages-installed
READY := $(VENV)/project-installed

# The originals of the rule books, where they are at hand: traceability is then checked against them.
SOURCES ?= $(firstword $(wildcard sources ../shared/sources))
# Anything more for pytest: make conformance ARGS="-k WA-5"
ARGS ?=

# --- Which Python ------------------------------------------------------------------------
# PYTHON=python3.12 chooses one. Without it, an environment that works keeps its own; a new one
# takes the first of python3, python3.13, … that is fit. An environment whose Python is gone, is
# another than the one asked for, or that was made in another folder, is built anew.

fit = $(shell $(1) -c 'import sys; v = sys.version_info; print("%d.%d.%d" % v[:3] if (3, 11) <= v < (3, 14) else "")' 2>/dev/null)

ifneq ($(filter-out help clean lock,$(or $(MAKECMDGOALS),help)),)
  HAVE := $(if $(filter $(CURDIR),$(shell cat $(VENV)/made-in 2>/dev/null)),$(call fit,$(BIN)/python))
  ifneq ($(origin PYTHON),undefined)
    WANT := $(call fit,$(PYTHON))
    ifeq ($(WANT),)
      $(error PYTHON=$(PYTHON) does not run or is not Python 3.11 to 3.13: name one that is, such as PYTHON=python3.12)
    endif
  else ifneq ($(HAVE),)
    WANT := $(HAVE)
  else
    PYTHON := $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(if $(call fit,$(p)),$(p))))
    WANT := $(if $(PYTHON),$(call fit,$(PYTHON)))
    ifeq ($(WANT),)
      $(error no Python 3.11 to 3.13 found: install one, or name it with PYTHON=/path/to/python3.12)
    endif
  endif
  ifneq ($(HAVE),$(WANT))
    .PHONY: $(PACKAGES)
  endif
endif

.PHONY: help setup test report bench lint conformance tests mutants notebooks figures format lock clean

help: ## Show these lines
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo 'PYTHON=python3.12 chooses the interpreter, SOURCES=DIR the folder with the original texts,'
	@echo 'ARGS="-k WA-5" adds to the pytest of conformance, tests and notebooks.'

# --- The environment ---------------------------------------------------------------------

setup: $(READY) ## Install what is needed into .venv (every other target does it by itself)
	@echo "$(VENV) is ready: Python $(WANT)"

$(PACKAGES): requirements.lock
	@if [ '$(HAVE)' != '$(WANT)' ]; then \
	  echo '== setup: a new $(VENV) with Python $(WANT)'; \
	  rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) && printf '%s\n' '$(CURDIR)' > $(VENV)/made-in; \
	fi
	@echo "== setup: $$(grep -c '==' requirements.lock) locked packages, about a minute"
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements.lock
	@touch $@

$(READY): $(PACKAGES) pyproject.toml
	@echo '== setup: the project itself'
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check
	@touch $@

# --- Checks ------------------------------------------------------------------------------

# All steps run, though one fails: one run then shows everything that is wrong.
test: $(READY) ## Check everything: lint, conformance, tests, notebooks; with the time of each
	@failed=0; table=''; \
	for step in lint conformance tests notebooks; do \
	  printf '\n== %s\n' $$step; began=$$(date +%s); \
	  if $(MAKE) $$step; then verdict=passed; else verdict=FAILED; failed=1; fi; \
	  table="$$table$$(printf '== %-12s %s in %d s' $$step $$verdict $$(($$(date +%s) - began)))\n"; \
	done; \
	printf "\n$$table"; exit $$failed

lint: $(READY) ## Check style, types and the walls between packages
	@failed=0; \
	$(BIN)/ruff check . || failed=1; \
	$(BIN)/ruff format --check . || failed=1; \
	$(BIN)/mypy || failed=1; \
	$(BIN)/lint-imports --no-logo --cache-dir .import_linter_cache || failed=1; \
	exit $$failed

conformance: $(READY) ## Check that rule books, engine and worked examples agree
	@$(BIN)/pytest conformance -q $(if $(SOURCES),--sources '$(SOURCES)') $(ARGS)

tests: $(READY) ## Test the project's own code
	@$(BIN)/pytest tests -q $(ARGS)

mutants: $(READY) ## Change each rule of SYSTEM a little: does the conformance suite notice?
	@$(BIN)/python -m tests.mutants $(SYSTEM) $(ARGS)

notebooks: $(READY) ## Run the notebooks anew and compare them with their stored outputs
	@$(BIN)/pytest notebooks -q --nbval --nbval-current-env $(ARGS)

# --- What it makes -----------------------------------------------------------------------

report: $(READY) ## Build the conformance report and say where it lies
	@$(BIN)/raw report

bench: $(READY) ## Measure speed against the design's budgets
	@$(BIN)/python -m tests.bench

# --- Upkeep ------------------------------------------------------------------------------

format: $(READY) ## Lay out the code and mend what can be mended by itself
	@$(BIN)/ruff check --fix . || true
	@$(BIN)/ruff format .

figures: $(READY) ## Store the figures of the notebooks anew, after a change to a rule book
	@$(BIN)/python -m conformance.report.store

lock: ## Pin the newest releases that pyproject.toml allows (needs uv)
	@uv pip compile --quiet --upgrade --universal --fork-strategy fewest --python-version 3.11 --all-extras \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
	  pyproject.toml --output-file requirements.lock

clean: ## Remove what was built, the environment too
	@rm -rf $(VENV) build dist report results *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
