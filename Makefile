# `make demo` installs everything, scans a table, remedies it and attacks the remedied table; `make test` runs the quick tests, `make test-all` all of them.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOWEST := build/lowest
ENGINES := build/engines
SERVERS := build/servers
DRIVERS := build/drivers
DRIVER_PINS := adbc-driver-manager==1.13.0 adbc-driver-postgresql==1.13.0 arro3-core==0.9.1 deltalake==1.6.6 \
    deprecated==1.3.1
LOCKED := text excel statistics learn engines fast population frames encryption fake joint pdf docx
# Modules are compiled once, not by each of the processes that tests start.
unexport PYTHONDONTWRITEBYTECODE
# Workers take work from each other, file by file, so that tests of a file share what the file prepares.
PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal

.PHONY: bench-check site demo mutants test compile-tests test-all test-lowest test-engines test-servers fuzz audit lint install lock clean examples

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
	$(BIN)/privaudit remedy fixtures/people.csv -o demo/safer.parquet -o demo/remedies.html
	$(BIN)/privaudit attack demo/safer.parquet --auxiliary fixtures/register.csv -o demo/attack.html --quiet
	@echo "Open demo/report.html and demo/remedies.html in a browser; demo/safer.parquet is the remedied table."

# The quick tests: without those marked slow, and with fewer examples for each property.
test: $(STAMP)
	$(PYTEST) -m "not slow"

# The byte code of the tests with their assertions rewritten: made once, not by each worker of `make test`.
compile-tests: $(STAMP)
	$(BIN)/python -m pytest -q --collect-only > /dev/null

test-all: $(STAMP)
	HYPOTHESIS_PROFILE=full $(PYTEST)

# The oldest versions that pyproject.toml allows, in an environment of its own.
test-lowest:
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/pip install --quiet --disable-pip-version-check -c constraints-lowest.txt --editable ".[all,dev]"
	$(LOWEST)/bin/python -m pytest -q -n auto --dist worksteal -m "not slow"

# Sources that are not files, in an environment of its own: PostgreSQL, S3, Google Cloud Storage, Azure (where npm is
# installed), Delta, Iceberg and Spark on the loopback interface. What the machine does not have is skipped and listed;
# REQUIRED=1 makes it an error. The servers of the stores have an environment of their own, because botocore needs an older
# python-dateutil than pandas may have.
test-engines:
	$(PYTHON) -m venv $(ENGINES)
	sed -nE 's/^([A-Za-z0-9_.-]+==[^ ;]+).*/\1/p' requirements.lock > $(ENGINES)/pins.txt
	$(ENGINES)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(ENGINES)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	for extra in postgres delta iceberg spark; do \
	    $(ENGINES)/bin/pip install --quiet --disable-pip-version-check --no-build-isolation -c $(ENGINES)/pins.txt \
	        --editable ".[$$extra]" || exit 1; \
	done
	$(ENGINES)/bin/pip install --quiet --disable-pip-version-check -c $(ENGINES)/pins.txt "pyiceberg[sql-sqlite]"
	$(PYTHON) -m venv $(SERVERS)
	$(SERVERS)/bin/pip install --quiet --disable-pip-version-check "moto[server]>=5" gcp-storage-emulator
	! command -v npm > /dev/null || npm install --silent --no-fund --no-audit --prefix $(SERVERS) azurite@3
	PRIVAUDIT_MOTO_SERVER="$(CURDIR)/$(SERVERS)/bin/moto_server" \
	    PRIVAUDIT_GCS_EMULATOR="$(CURDIR)/$(SERVERS)/bin/gcp-storage-emulator" \
	    PRIVAUDIT_AZURITE="$(CURDIR)/$(SERVERS)/node_modules/.bin/azurite-blob" PRIVAUDIT_REQUIRE_SERVICES=$(REQUIRED) \
	    $(ENGINES)/bin/python -m pytest -q -rs tests/engines

# The same tests without Java and without environments of their own: those of the servers that the machine has, with
# drivers that are quick to install. What is skipped is listed. `.ci/run` runs them after the other tests.
test-servers: $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(DRIVERS) $(DRIVER_PINS) || \
	    echo "The drivers cannot be installed; their tests are skipped."
	PYTHONPATH="$(CURDIR):$(CURDIR)/$(DRIVERS)" $(PYTEST) -rs tests/engines/test_postgres.py tests/engines/test_postgres_erasure.py tests/engines/test_spark.py \
	    tests/engines/test_stores.py tests/engines/test_warehouses.py

# Files of every format with bytes flipped, cut and spliced: none may end in an internal error (exit code 4).
fuzz: $(STAMP)
	$(BIN)/python -m tests.hostile.fuzz 5000
	$(BIN)/python -m tests.hostile.fuzz_documents 20000 1

# Faults in the code that decides, one after another: at most one in ten may pass the tests. `make mutants MODULES=gate`
# tries those of one module.
MUTMUT := build/mutmut
MUTMUT_PINS := mutmut==3.8.1 libcst==1.9.0
mutants: $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(MUTMUT) $(MUTMUT_PINS)
	HYPOTHESIS_PROFILE=mutants PYTHONPATH="$(CURDIR):$(CURDIR)/$(MUTMUT)" $(BIN)/python -m tests.packaging.mutants $(MODULES)

# Licences of the locked packages, and known vulnerabilities where a database is reachable.
audit: $(STAMP)
	$(BIN)/python -m tests.packaging.audit

lint: $(STAMP)
	$(BIN)/ruff check privaudit tests benchmarks fixtures docs reports
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/privaudit rules test

# Fails where a scan became slower by more than 20 % next to other tools in the same run; PEERS has ydata-profiling.
bench-check: $(STAMP)
	$(BIN)/python benchmarks/speed.py --check $(if $(PEERS),--peers $(PEERS))

# Renders reports/examples afresh; read the difference before committing it.
examples: $(STAMP)
	$(BIN)/python reports/examples/make.py

# The documentation site in build/site, from the Markdown of this repository; a broken link is an error.
SITE := build/site-tools
site: $(STAMP)
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/pip install --quiet --disable-pip-version-check "mkdocs-material>=9.6,<10"
	$(BIN)/python docs/make_site.py build/site-source
	NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --quiet --strict

# Writes the pins again; the result holds no index address.
lock:
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	    --no-emit-options --strip-extras --allow-unsafe $(addprefix --extra ,$(LOCKED)) --extra dev \
	    --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) demo build dist
