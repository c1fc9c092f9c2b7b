# make run: the app on the embedded sample data.   make test: before every commit, browser tests included.
# make test-more: what is long by nature; .ci/run runs both.
# make serve: the app for other machines, see SECURITY.md.   make class: in front of a class, see docs/how_to/class.md.
# make test-newest: the tests with the newest versions of all packages, see CONTRIBUTING.md.
# All set up first what they need: a virtual environment in .venv with the versions of constraints.txt, of which run needs
# a part, tests more and tools most. With HASHED=1, as CI has it, only files whose hashes stand in .ci/hashes/ are
# installed; without it another index may serve builds of its own.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run
TEST := $(VENV)/.test
TOOLS := $(VENV)/.tools
KERNELS := $(VENV)/.kernels
# Bytecode is written by the process that imports first, and read by the hundred that follow: compiling all of every
# package takes longer, and compiling in each process twice as long as the import. Installing ends with an import of what
# the server needs; beside the server's start both would compile the same.
unexport PYTHONDONTWRITEBYTECODE
INSTALL_WITH := install --quiet --disable-pip-version-check --no-compile
# Setuptools warns of each editable installation, and a newer pip shows it.
INSTALL := PYTHONWARNINGS=ignore::UserWarning $(BIN)/python -m pip $(INSTALL_WITH)
# The newest pip is installed sooner than Python's own is unpacked, and installs in half the time. Python's own is taken
# where hashes count and where the newest cannot be had so: by a pip before 22.3, or by none.
ifdef HASHED
environment = $(PYTHON) -m venv $(VENV)
install = $(INSTALL) --require-hashes -r .ci/hashes/$(1).txt && $(INSTALL) --no-deps --no-build-isolation -e .
else
environment = { $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python $(INSTALL_WITH) pip; } \
  2> /dev/null || $(PYTHON) -m venv $(VENV)
install = $(INSTALL) -c constraints.txt -e ".$(if $(filter-out run,$(1)),[$(1)])"
endif

ADDRESS ?= 0.0.0.0
PORT ?= 8501

.PHONY: setup tools kernels run serve class test test-more test-newest lint types audit hashes check bench screenshots clean

setup: $(TEST)

$(RUN): pyproject.toml constraints.txt $(wildcard .ci/hashes/*.txt)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 $(or $(MAKECMDGOALS),run)"; exit 1; }
	$(BIN)/python -m pip --version > /dev/null 2>&1 || $(environment)
	$(call install,run)
	-$(BIN)/python -c 'import core.warm_up, pandas, streamlit.web.cli, pages.views.start.page'
	@touch $@

$(TEST): $(RUN)
	$(call install,test)
	@touch $@

# The app compiles behind its open page. A class and visitors do not wait, and two workers of tests would both compile.
kernels: $(KERNELS)

$(KERNELS): $(RUN)
	@echo "Compiling the kernels (once) ..."
	$(BIN)/python -c 'from core.warm_up import warm_up; warm_up()'
	@touch $@

tools: $(TOOLS)

$(TOOLS): $(TEST)
	$(call install,dev)
	@touch $@

run: $(RUN)
	$(BIN)/streamlit run app.py --server.headless false --server.fileWatcherType none

# On every interface on purpose; the server's log warns of it. exec, so that a signal to stop reaches the server.
serve: kernels
	exec $(BIN)/python -m core serve --address $(ADDRESS) --port $(PORT)

class: kernels
	exec $(BIN)/python -m core serve --class --address $(ADDRESS) --port $(PORT)

test: setup kernels
	CHROMIUM="$$(bash .ci/chromium $(BIN)/python)" bash .ci/test $(BIN)/python $(ARGS)

test-more: setup kernels
	CHROMIUM="$$(bash .ci/chromium $(BIN)/python)" bash .ci/test-more $(BIN)/python $(ARGS)

test-newest:
	CHROMIUM="$$(bash .ci/chromium $(PYTHON))" $(PYTHON) .ci/newest.py $(ARGS)

lint: tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: tools
	$(BIN)/mypy --strict core pages benchmarks app.py

# Needs a network: without one it says so and passes.
audit: tools
	$(BIN)/python .ci/audit.py

# After a change of versions in constraints.txt.
hashes: tools
	$(BIN)/python .ci/hashes.py

check: test lint types

bench: setup kernels
	$(BIN)/python -m benchmarks $(ARGS)

screenshots: setup kernels
	CHROMIUM="$$(bash .ci/chromium $(BIN)/python)" $(BIN)/python -m tests.browser.take_screenshots

clean:
	rm -rf $(VENV) .venv-newest build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
