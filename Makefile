# `make demo` installs everything and scans a table; `make test` runs the quick tests, `make test-all` all of them.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOWEST := build/lowest
# Workers take work from each other, file by file, so that tests of a file share what the file prepares.
PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal

.PHONY: demo test test-all test-lowest fuzz lint install lock clean examples

install: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	@echo "Installing the pinned packages into $(VENV); this takes some minutes, once."
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(STAMP)

fixtures/people.csv: fixtures/make.py $(STAMP)
	$(BIN)/python fixtures/make.py

# Findings are what the demo is for, so the gate's "failed" (1) is a success here; anything else is not.
demo: fixtures/people.csv
	mkdir -p demo
	$(BIN)/privaudit scan fixtures/people.csv --auxiliary fixtures/register.csv --truth person_key=person_key \
	    -o demo/report.html -o demo/report.json || test $$? -eq 1
	@echo "Open demo/report.html in a browser."

# The quick tests: without those marked slow, and with fewer examples for each property.
test: $(STAMP)
	$(PYTEST) -m "not slow"

test-all: $(STAMP)
	HYPOTHESIS_PROFILE=full $(PYTEST)

# The oldest versions that pyproject.toml allows, in an environment of its own.
test-lowest:
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/pip install --quiet --disable-pip-version-check -c constraints-lowest.txt --editable ".[models,excel,dev]"
	$(LOWEST)/bin/python -m pytest -q -n auto --dist worksteal -m "not slow"

# Files of every format with bytes flipped, cut and spliced: none may end in an internal error (exit code 4).
fuzz: $(STAMP)
	$(BIN)/python -m tests.hostile.fuzz 5000

lint: $(STAMP)
	$(BIN)/ruff check privaudit tests benchmarks fixtures docs reports
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/privaudit rules test

# Renders reports/examples afresh; read the difference before committing it.
examples: $(STAMP)
	$(BIN)/python reports/examples/make.py

# Writes the pins again; the result holds no index address.
lock:
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	    --no-emit-options --strip-extras --allow-unsafe --extra models --extra excel --extra dev \
	    --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) demo build dist
