# Everything runs in .venv, which the first target that needs it sets up. PYTHON: any Python from 3.11 on.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# What the tests, the linters and the documentation need.
EXTRAS := generate cli test arrow-test detect recipes clients bench docs visualize-test lint dist
# A built wheel to test instead of this tree.
WHEEL ?=
TEST_ARGS ?= -n auto
NO_NODE := $(if $(shell command -v node 2>/dev/null),,WHATWG_ENCODING_WITHOUT_NODE=1)

.DEFAULT_GOAL := help
.PHONY: help generate test build verify-data check-generated report lint test-generator test-debug sanitize fuzz \
	test-aarch64 cross-compile test-windows bench-aarch64 visualize docs bench dist clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/ —/'

# -- Setting up ---------------------------------------------------------------------------------------------------------

.venv/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one with make PYTHON=python3.x" >&2; exit 1; }
	@echo "Setting up .venv; a dot for each package …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --quiet --upgrade pip
	@$(BIN)/python build/requirements.py $(EXTRAS) | $(PIP) install -r /dev/stdin \
	  | awk '/^(Collecting|Installing)/ { printf "."; fflush() } END { print "" }'
	@touch $@

# Asked first, since setting up takes a minute: a built wheel needs no compiler.
.PHONY: compiler
compiler:
	@$(if $(WHEEL),,$(PYTHON) build/compiler.py)

build: compiler .venv/.installed  ## compile the package into .venv
	@mkdir -p build/_out
	@$(PIP) install -v --no-deps --force-reinstall $(if $(WHEEL),$(WHEEL),--no-build-isolation .) 2>&1 | tee build/_out/build.log \
	  | sed -un "s/^ *building '\(.*\)' extension/Compiling \1 …/p" \
	  || { cat build/_out/build.log >&2; exit 1; }

# -- The main job -------------------------------------------------------------------------------------------------------

generate: compiler .venv/.installed  ## fetch the standard's data, emit the modules, compile them (OFFLINE=1: without fetching)
	@$(BIN)/python -m generator generate
	@$(MAKE) --no-print-directory build
	@$(BIN)/python -m generator report

verify-data: .venv/.installed  ## check data/ against its pin and the standard's invariants
	@$(BIN)/python -m generator verify

check-generated: .venv/.installed  ## check that generated/ is what data/ and templates/ give
	@$(BIN)/python -m generator check

report: .venv/.installed  ## bytes of every table and module
	@$(BIN)/python -m generator report

# -- Proof --------------------------------------------------------------------------------------------------------------

test: build  ## all tests (TEST_ARGS for pytest, WHEEL to test a wheel)
	@$(NO_NODE) $(BIN)/python -m pytest -q $(TEST_ARGS)

test-generator: .venv/.installed  ## the generator's tests, which need no compiler
	@$(BIN)/python -m pytest -q -p no:cacheprovider tests/generator

# A debug build of CPython checks each string that it is handed, and asserts what its C API presumes.
DEBUG_PYTHON ?= python3.11-dbg
DEBUG_VENV := build/_out/debug-python
test-debug: .venv/.installed  ## the tests of the results, under a debug build of CPython (DEBUG_PYTHON; Debian's is installed)
	@command -v $(DEBUG_PYTHON) >/dev/null || { apt-get update -qq && apt-get install -y -qq $(notdir $(DEBUG_PYTHON)) >/dev/null; } \
	  || { echo "test-debug needs a debug build of CPython: install python3.11-dbg, or name one with DEBUG_PYTHON=" >&2; exit 1; }
	@test -x $(DEBUG_VENV)/bin/python || $(DEBUG_PYTHON) -m venv $(DEBUG_VENV)
	@$(DEBUG_VENV)/bin/python -c 'import sys; sys.exit(0 if hasattr(sys, "gettotalrefcount") else "$(DEBUG_PYTHON) is no debug build")'
	@$(BIN)/python build/requirements.py test clients | $(DEBUG_VENV)/bin/python -m pip --disable-pip-version-check install --quiet -r /dev/stdin
	@WHATWG_ENCODING_BUILD=debug CFLAGS="-O2 $(CFLAGS)" $(DEBUG_VENV)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps \
	  --force-reinstall --no-build-isolation .
	@# (Without the hooks of the allocator: they take a third of the time, and make sanitize looks for what they look for.)
	@PYTHONMALLOC=pymalloc $(DEBUG_VENV)/bin/python -m pytest -q -p no:cacheprovider $(TEST_ARGS) tests/standard tests/streaming tests/api

lint: .venv/.installed  ## ruff and mypy --strict
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@# The package as it is installed, but for the compiled modules, of which the stubs are enough.
	@$(BIN)/python setup.py --quiet build_py --build-lib build/_out/typecheck
	@$(BIN)/mypy

# Not those that run other programs or the generator instead of the package, or measure it.
UNSANITIZED := benchmarks docs generator peers regenerate typing visualize api/clients
sanitize: .venv/.installed  ## the tests of the compiled code, under ASan and UBSan (needs GCC)
	@$(BIN)/python build/instrumented.py sanitize $(BIN)/python -m pytest -q -p no:cacheprovider $(TEST_ARGS) \
	  tests $(UNSANITIZED:%=--ignore tests/%)

TIME ?= 60
fuzz: .venv/.installed  ## fuzz against the reference for TIME=60 seconds (needs Clang)
	@$(BIN)/python build/requirements.py fuzz | $(PIP) install --quiet -r /dev/stdin
	@$(BIN)/python build/instrumented.py fuzz $(BIN)/python -m tests.fuzz --time $(TIME)

bench: build  ## our speed beside our peers' (CORPUS=folder of UTF-8 files, BENCH_ARGS=--full)
	@$(BIN)/python -m benchmarks $(BENCH_ARGS)

test-aarch64: build  ## the kernels' tests and the core of the others on AArch64, emulated (Debian; installs what it needs)
	@$(BIN)/python build/emulated.py test aarch64 $(TEST_ARGS)

cross-compile: .venv/.installed  ## compile the kernels for macOS, Windows and musl, as the wheels' compilers do
	@$(BIN)/python build/requirements.py cross | $(PIP) install --quiet -r /dev/stdin
	@$(BIN)/python build/cross_compile.py

test-windows: .venv/.installed  ## the kernels' tests on Windows' libraries, under Wine
	@$(BIN)/python build/requirements.py cross | $(PIP) install --quiet -r /dev/stdin
	@$(BIN)/python build/cross_compile.py windows $(TEST_ARGS)

bench-aarch64: build  ## instructions per byte on AArch64 beside CPython's codecs (CORPUS, BENCH_ARGS="--only REGEX")
	@$(BIN)/python -m benchmarks.instructions $(BENCH_ARGS)

visualize: .venv/.installed  ## the indexes as pages to look at, in build/_out/visualizations
	@$(BIN)/python -m generator visualize

docs: build  ## the documentation, in build/_out/docs: no network, no warnings, links checked
	@$(BIN)/python -m docs

dist: .venv/.installed  ## sdist, and a wheel made from it, in dist/
	@rm -rf dist
	@$(BIN)/python -m build --quiet --outdir dist .
	@ls dist

clean:  ## remove what was built, and nothing else
	rm -rf build/_out dist
