# The few commands of this project. Everything runs in .venv, which `make setup` makes and which is
# brought up to date whenever pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
CLIENT := tests/client
CLIENT_STAMP := $(CLIENT)/node_modules/.ready
NPM_FLAGS := --no-package-lock --no-audit --no-fund --loglevel=error
ARGS ?=

.PHONY: help setup run test check check-python check-browser check-client check-coverage format bench coverage clean
.DELETE_ON_ERROR:

help: ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(STAMP) ## make .venv with everything the project needs

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(STAMP) ## start the server (make run ARGS="--port 9000")
	@exec $(BIN)/python -m server $(ARGS)

test: $(STAMP) ## run every test (make test ARGS="tests/engine -k undo")
	@$(BIN)/python -m pytest $(ARGS)

check: check-python check-browser ## lint, formatting, types of Python and of the browser client

check-python: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@git ls-files -z -- '*.py' '*.js' '*.css' '*.lua' 2>/dev/null | xargs -0 -r wc -l 2>/dev/null | \
	  awk '$$2 != "total" && $$1 > 330 { print "note: " $$2 " has " $$1 " lines; about 300 is where a file asks to be split" }'

check-browser:
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory check-client; \
	elif [ "$$CI" = true ]; then \
	  echo "make check: Node.js with npm is missing; with CI=true that is a failure" >&2; exit 1; \
	else \
	  echo "make check: no Node.js with npm here, so the types of client/ were not checked"; \
	fi

check-client: $(CLIENT_STAMP) ## types of the browser client alone (wants Node.js)
	@cd $(CLIENT) && node_modules/.bin/tsc --project tsconfig.json && echo "Success: client/ has no type errors"

$(CLIENT_STAMP): $(CLIENT)/package.json
	@cd $(CLIENT) && npm install $(NPM_FLAGS)
	@touch $@

format: $(STAMP) ## put the source into its one form
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench: $(STAMP) ## measure: make bench ARGS="engine"
	@$(BIN)/python -m bench $(ARGS)

coverage: $(STAMP) ## run every test and say which lines and branches none reaches
	@$(BIN)/python -m pytest --cov --cov-report=term-missing $(ARGS)

# What recorded games and examples reach, without what chance finds: the answer is the same each time.
check-coverage: $(STAMP) ## fail unless the engine's tests reach every line and branch of engine/
	@COVERAGE_FILE=.coverage.engine $(BIN)/python -m pytest --quiet tests/engine -m "not hypothesis" \
	  --ignore tests/engine/test_reachable.py --cov=engine --cov-report=term-missing --cov-fail-under=100

clean: ## remove what the tools made, .venv too
	rm -rf $(VENV) build dist .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache $(CLIENT)/node_modules
