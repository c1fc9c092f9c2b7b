# make run: the app on the embedded sample data.   make test: before every commit, browser tests included.
# make test-more: what is long by nature; .ci/run runs both.
# make serve: the app for other machines, see SECURITY.md.
# All set everything up first: a virtual environment in .venv with the versions of constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
# Bytecode is written by the process that imports first, and read by the hundred that follow: compiling all of every
# package takes longer, and compiling in each process twice as long as the import.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt

ADDRESS ?= 0.0.0.0
PORT ?= 8501

.PHONY: setup tools run serve test test-more lint types audit check bench screenshots clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 $(or $(MAKECMDGOALS),run)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -e ".[test]"
	@echo "Compiling the kernels (once) ..."
	$(BIN)/python -c 'from core.warm_up import warm_up; warm_up()'
	@touch $@

tools: $(TOOLS)

$(TOOLS): $(READY)
	$(INSTALL) -e ".[dev]"
	@touch $@

run: setup
	$(BIN)/streamlit run app.py --server.headless false

# On every interface on purpose; the server's log warns of it. exec, so that a signal to stop reaches the server.
serve: setup
	SPARSE_RANK_LOG=$${SPARSE_RANK_LOG-json} exec $(BIN)/streamlit run app.py --server.address $(ADDRESS) \
	  --server.port $(PORT) --server.fileWatcherType none --logger.hideWelcomeMessage true

test: setup
	CHROMIUM="$$(bash .ci/chromium $(BIN)/python)" bash .ci/test $(BIN)/python $(ARGS)

test-more: setup
	CHROMIUM="$$(bash .ci/chromium $(BIN)/python)" bash .ci/test-more $(BIN)/python $(ARGS)

lint: tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: tools
	$(BIN)/mypy --strict core pages benchmarks app.py

# Needs a network: without one it says so and passes.
audit: tools
	$(BIN)/python .ci/audit.py

check: test lint types

bench: setup
	$(BIN)/python -m benchmarks $(ARGS)

screenshots: setup
	CHROMIUM="$$(bash .ci/chromium $(BIN)/python)" $(BIN)/python -m tests.browser.take_screenshots

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
