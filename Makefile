# `make run` plays the table without hardware, `make test` passes every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test bench lock clean

run: $(VENV)/ready
	$(BIN)/referee simulate

test: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest

bench: $(VENV)/ready
	$(BIN)/pytest tests/bench/bench_*.py --benchmark-only --benchmark-disable-gc -s --timeout=0 -q

$(VENV)/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
	  || { echo "$(PYTHON) is not Python 3.11 to 3.13: name one that is, as in make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --extra dev \
	  --no-header --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV)
