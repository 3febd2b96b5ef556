# make learn   set up what is needed and open the lessons
# make test    set up what is needed and run every check
# make fast    the tests that take less than a minute together: no browser, no long searches
# make lint    style and types alone
# make book    build the book into build/book; nothing is run or fetched for it
# make book-tables   write anew the tables and the glossary that book/ has from the program and its data
# make lessons   run the lessons and store them as they are committed
# make bench   measure the search and write book/benchmarks anew; some minutes on a quiet machine
# make clean   remove the environment and everything that was made here
#
# Nothing is installed outside .venv, and nothing again unless pyproject.toml has changed.
# Options for the trainer go into ARGS: make learn ARGS="--no-browser --port 9000"
# and so do those of the benchmark: make bench ARGS="--quick --only endings"

VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

# The first Python on the PATH that is new enough.
NAMES := python3 python3.15 python3.14 python3.13 python3.12 python3.11 python
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in $(NAMES); do \
	"$$name" -c "$(NEW_ENOUGH)" 2>/dev/null && { echo "$$name"; break; }; done)

# The tests of a lesson answer it step by step, so each lesson's stay together in one process.

.PHONY: learn test fast lint book book-tables lessons bench clean

learn: $(VENV)/learn.stamp
	@$(BIN)/python -m trainer learn $(ARGS)

test: lint
	$(BIN)/python -c "from trainer.search.backend import compile_now; compile_now()"
	$(BIN)/python -m pytest -n auto -m "not browser" --ignore tests/lessons
	$(BIN)/python -m pytest -n auto --dist loadfile tests/lessons
	$(BIN)/python -m trainer check puzzles --sample 100 --seed $$(date +%Y%m%d)
	$(BIN)/python -m pytest -m browser tests/browser
ifneq ($(wildcard lessons/*.ipynb),)
	IPYTHONDIR="$(CURDIR)/$(VENV)/ipython" SIXTY_SIX_DATA="$(CURDIR)/$(VENV)/record" \
		$(BIN)/python -m pytest -n auto --dist loadfile --nbval --nbval-current-env lessons
endif

fast: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n auto -m "not browser and not slow" --ignore tests/lessons
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow" tests/lessons

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict trainer

book: $(VENV)/book.stamp
	$(BIN)/python book/build.py

book-tables: $(VENV)/learn.stamp
	$(BIN)/python book/differences.py
	$(BIN)/python book/glossary.py
	$(BIN)/python book/grading_figures.py

$(VENV)/learn.stamp: pyproject.toml
	@test -n "$(PYTHON)" || \
		{ echo "Python 3.11 or newer is needed, and none was found: https://www.python.org/downloads/" >&2; exit 1; }
	@$(PYTHON) -c "$(NEW_ENOUGH)" 2>/dev/null || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is older or missing." >&2; exit 1; }
	@$(PYTHON) -c "import ensurepip, venv" 2>/dev/null || \
		{ echo "$(PYTHON) has no venv module; on Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Setting up $(VENV), once; this takes a minute or so ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) .
	@touch $@

$(VENV)/test.stamp: $(VENV)/learn.stamp
	@echo "Adding what the tests need ..."
	@$(PIP) ".[test]"
	@touch $@

$(VENV)/book.stamp: $(VENV)/learn.stamp
	@echo "Adding what the book needs ..."
	@$(PIP) ".[book]"
	@touch $@

lessons: $(VENV)/test.stamp
	SIXTY_SIX_DATA="$(CURDIR)/$(VENV)/record" $(BIN)/python book/lessons.py

bench: $(VENV)/learn.stamp
	$(BIN)/python book/bench.py $(ARGS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis tests/browser/shots
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
