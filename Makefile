# The whole manual: `make run` and `make test` need Python 3.11+ and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
DATA ?= data/locomo.json
# Each worker of the tests has a Neo4j of its own; one that is given is used by one worker.
TEST_WORKERS ?= $(if $(GRAPHMEM_TEST_NEO4J_URI),0,2)
# The groups of tests/conftest.py, in their order.
BY_GROUP := --dist loadscope --no-loadscope-reorder
# With KEEP=folder recall is measured over the data in it, and only what is missing is sent.
SERVICE := $(BIN)/python -m benchmarks.service $(if $(KEEP),--data $(KEEP))
PYTHONS ?= python3.11 python3.12 python3.13 python3.14

# Where it is set, every process compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: fuzz isolation soak eval train-extractor train-likeness train-overlays train-standing bench-continuity bench-fairness bench-impact bench-repo bench-start bench-store bench-supersession bench-write screenshot run test test-unit test-long test-pythons check format bench bench-recall bench-recall-long bench-recall-speed bench-latency lock clean

run: $(VENV)/run.stamp  ## set up, start Neo4j and the API, load the sample story, serve until Ctrl-C
	$(BIN)/graphmem demo

test: $(VENV)/dev.stamp  ## set up, run the tests against a real Neo4j
	$(BIN)/python -m pytest -m "not long" -n $(TEST_WORKERS) $(BY_GROUP)

test-unit: $(VENV)/dev.stamp  ## the tests that need no server
	$(BIN)/python -m pytest tests/unit graphmem/rules -m "not long" -n 2 $(BY_GROUP)

test-long: $(VENV)/dev.stamp  ## the slower proofs, and all properties with many examples
	$(BIN)/python -m pytest -m long --hypothesis-profile=long

test-pythons: $(VENV)/dev.stamp  ## install the built wheel with each of PYTHONS, and use it
	$(BIN)/python scripts/try_pythons.py $(PYTHONS)

check: $(VENV)/dev.stamp  ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(VENV)/dev.stamp  ## put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench-store: $(VENV)/dev.stamp  ## writing, grep, pages and disk at 10,000 and 100,000 messages, beside SQLite FTS5
	$(BIN)/python -m benchmarks.store

bench-supersession: $(VENV)/dev.stamp  ## a sweep of 100,000 facts, a second one, and what supersession adds to a write
	$(BIN)/python -m benchmarks.supersession

bench-continuity: $(VENV)/dev.stamp  ## analysis, contexts, lattice queries, compaction and recaps at 10,000 turns
	$(BIN)/python -m benchmarks.continuity

bench-repo: $(VENV)/dev.stamp  ## ingest-repo over 1,000 Python files, and again with one changed
	$(BIN)/python -m benchmarks.repo

bench-impact: $(VENV)/dev.stamp  ## impact in graphs of 10,000, 100,000 and 1,000,000 entities, and the import of such graphs, beside networkx and naive Cypher
	$(BIN)/python -m benchmarks.impact

bench-write: $(VENV)/dev.stamp  ## messages a second, with the plain driver beside them
	$(BIN)/python -m benchmarks.write

screenshot: $(VENV)/dev.stamp  ## the sample graph in Neo4j Browser, as a picture (needs Chromium)
	$(UV) run --script scripts/browser_screenshot.py

soak: $(VENV)/dev.stamp  ## half an hour of writing and reading with a fault a minute: what is lost, answered, left of memory
	$(BIN)/python -m benchmarks.soak

fuzz: $(VENV)/dev.stamp  ## 20,000 random and 4,000 hostile requests: every answer is as described
	$(BIN)/python -m benchmarks.fuzz

isolation: $(VENV)/dev.stamp  ## a stranger with a key asks for another agent's memory in every place
	$(BIN)/python -m benchmarks.isolation

bench-fairness: $(VENV)/dev.stamp  ## how soon fifty short sessions are known that end behind one of 20,000 messages
	$(BIN)/python -m benchmarks.fairness

bench-start: $(VENV)/dev.stamp  ## start of Neo4j and the service, with and without the AOT cache, of an empty database, and of the embedding model
	$(BIN)/graphmem db train
	$(BIN)/python -m benchmarks.start

eval: $(VENV)/dev.stamp  ## how well extraction, supersession and continuity do on labelled examples; writes docs/quality.md; with DATA recall too
	$(BIN)/python -m benchmarks.quality
	$(if $(wildcard $(DATA)),$(MAKE) bench-recall DATA=$(DATA),@echo "recall was not measured: make eval DATA=path/to/locomo.json does that too")

train-extractor: $(VENV)/dev.stamp  ## train the scorers of extraction on the labelled conversations
	$(BIN)/python scripts/train_extractor.py

train-likeness: $(VENV)/dev.stamp  ## train the scorer that compares facts on the labelled stories and pairs
	$(BIN)/python scripts/train_likeness.py

train-overlays: $(VENV)/dev.stamp  ## train the probe that scores the overlays of turns on the labelled conversations
	$(BIN)/python scripts/train_overlays.py

train-standing: $(VENV)/dev.stamp  ## train which sentences a recap is made of, on the labelled stories
	$(BIN)/python scripts/train_standing.py

bench: bench-latency  ## measure, and write the tables of docs/benchmarks.md

bench-recall: $(VENV)/dev.stamp  ## evidence recall on LoCoMo: make bench-recall DATA=path/to/locomo.json; with LONG=path/to/BEAM in long talk too
	mkdir -p build
	$(SERVICE) benchmarks.recall $(DATA) --both --out build/recall.jsonl
	$(if $(LONG),$(MAKE) bench-recall-long DATA=$(LONG))

bench-recall-long: $(VENV)/dev.stamp  ## evidence recall in long talk: make bench-recall-long DATA=path/to/BEAM
	mkdir -p build
	$(SERVICE) benchmarks.recall_long $(DATA) --out build/recall_long.jsonl

bench-recall-speed: $(VENV)/dev.stamp  ## recall and expand over HTTP at 100,000 messages and 50,000 facts
	$(BIN)/python -m benchmarks.recall_speed

bench-latency: $(VENV)/dev.stamp  ## start-up, memory and latency on the sample story
	$(BIN)/python -m benchmarks.latency

lock: $(VENV)/dev.stamp  ## renew requirements/*.lock
	PATH="$(CURDIR)/$(BIN):$$PATH" scripts/lock.sh --upgrade

clean:  ## remove the virtual environment
	rm -rf $(VENV)

# uv installs the locked packages in seconds; it comes by its own hash.
$(UV): requirements/build.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "graphmem needs Python 3.11 or newer: make PYTHON=python3.12 run")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/build.lock
	@touch $@

$(VENV)/run.stamp: $(UV) requirements/run.lock pyproject.toml
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/run.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements/dev.lock
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.lock
	@touch $@
