# Targets run in .venv, which is set up on first use. PYTHON is the interpreter for it, 3.11 or newer.

# Recipes with a pipe say so by $(PIPEFAIL), since make 3.81, which macOS has, ignores .SHELLFLAGS.
SHELL := /bin/bash
PIPEFAIL := set -o pipefail;

PYTHON ?= python3
# The path of an interpreter may contain spaces. Anything else with a space is a command with its arguments.
empty :=
ifneq ($(findstring $(empty) $(empty),$(PYTHON)),)
override PYTHON := $(shell test -f '$(PYTHON)' 2>/dev/null && echo "'$(PYTHON)'" || echo "$(PYTHON)")
endif
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# What each tier needs: dependency groups of pyproject.toml.
TEST := build generate test columns cli detect
GATE := $(TEST) gate mcp
BENCH := $(GATE) bench bench-detect
# A built wheel to test instead of this tree.
WHEEL ?=
# The tests of a file run in one process, since they share what takes long to make, and files in their order, so that
# quick folders come last.
PARALLEL := -n auto --dist loadfile --no-loadscope-reorder
TEST_ARGS ?=

# Many processes read the tests and the generator: keep their compiled form.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help generate build dev detect-table mend-table test gate lint exhaust test-debug sanitize fuzz bench count \
	test-aarch64 cross-compile docs dist release-check library install-library npm wheel-pyodide clean

help:  ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/ —/'

# -- Set-up -----------------------------------------------------------------------------------------------------------

# In a form that every Python reads: an older one would call build/compiler.py a syntax error.
define check_python
$(1) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
  echo "Python 3.11 or newer is required, $(1) is not; set it with make PYTHON=python3.x" >&2; exit 1; }
endef

.venv/.installed: pyproject.toml
	@$(call check_python,$(PYTHON))
	@echo "Setting up .venv …"
	@mkdir -p build/_out
	@trap 'exit 130' INT; $(PIP) --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv >build/_out/venv.log 2>&1 \
	  || { cat build/_out/venv.log >&2; exit 1; }
	@$(PIP) install --quiet --upgrade pip
	@$(call require,$(TEST))
	@touch $@

.venv/.gate: .venv/.installed
	@echo "Adding the packages of the gate to .venv …"
	@$(call require,$(GATE))
	@touch $@

.venv/.bench: .venv/.gate
	@echo "Adding the packages of the benchmarks to .venv …"
	@$(call require,$(BENCH))
	@touch $@

# Python compiles what is imported; pip would compile all of the packages, one file after the other.
require = $(PIP) install --quiet --no-compile $(addprefix --group=,$(1))

# Check for a compiler first, since the set-up takes a minute. A built wheel needs none.
.PHONY: compiler
compiler:
	@$(call check_python,$(PYTHON))
	@$(if $(WHEEL),,$(PYTHON) build/compiler.py)

# What the installed package is made of, with its folders: their time changes when a file is added or removed.
# After `make dev` an edit of a .py file needs no build, since the installed one is a link to it; but the manual page
# and the completions are made of the command's.
LINKED := .venv/.linked
PACKAGE_FILES := setup.py pyproject.toml data/snapshot.toml \
  $(addprefix build/,command_line.py description.py extensions.py sbom.py) \
  $(shell find src generated -name __pycache__ -prune -o \
    $(if $(wildcard $(LINKED)),-path 'src/*.py' ! -path 'src/whatwg_encoding/_cli/*' -o) -print 2>/dev/null)
# A built wheel is installed each time.
build: compiler $(if $(WHEEL),.venv/.wheel,.venv/.built)  ## compile the package into .venv, if anything of it changed

.venv/.built: .venv/.installed $(PACKAGE_FILES)
	@rm -rf build/_out/wheel
	@$(call install,$(wheel) && ,build/_out/wheel/*.whl)
	@$(if $(wildcard $(LINKED)),$(link))
	@touch $@

.PHONY: .venv/.wheel
.venv/.wheel: .venv/.installed
	@rm -f .venv/.built
	@$(call install,,"$(WHEEL)")

# Pip would start the build's back end three times.
wheel := $(BIN)/python -c 'from setuptools.build_meta import build_wheel; build_wheel("build/_out/wheel")'
define install
$(PIPEFAIL) trap 'exit 130' INT; mkdir -p build/_out; \
{ $(1)$(PIP) install -v --no-deps --no-compile --force-reinstall $(2); } 2>&1 | tee build/_out/build.log \
  | $(BIN)/python build/progress.py $$(find src generated -name '*.pyx' | wc -l) \
  || { cat build/_out/build.log >&2; exit 1; }
endef
define link
site=$$(cd / && "$(CURDIR)/$(BIN)/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
cd src && find whatwg_encoding -name '*.py' -exec ln -sf "$(CURDIR)/src/{}" "$$site/{}" \;
endef

dev: compiler .venv/.installed  ## compile, and from now on install the Python files as links: their edits need no build
	@touch $(LINKED)
	@rm -f .venv/.built
	@$(MAKE) --no-print-directory build

# -- Generation -------------------------------------------------------------------------------------------------------

generate: compiler .venv/.installed  ## fetch the standard's data, emit and compile (OFFLINE=1: do not fetch)
	@$(BIN)/python -m generator generate || test $$? -eq 3 # which says that upstream could not be compared with
	@$(MAKE) --no-print-directory build

detect-table: .venv/.gate  ## count the training text of detection again: data/detection.json (needs pip, npm)
	@$(BIN)/python -m generator.detect

mend-table: .venv/.gate  ## count the good lines of repair again: data/mojibake.json (needs pip, npm)
	@$(BIN)/python -m generator.mend

# -- Verification -----------------------------------------------------------------------------------------------------

test: build  ## run the tests that need no other packages and not long (TEST_ARGS for pytest, WHEEL: a wheel)
	@$(BIN)/python -m pytest -q $(PARALLEL) $(TEST_ARGS)

gate: .venv/.gate build  ## run what .ci/run adds: long tests, clients, documentation, types, shells, C libraries
	@$(BIN)/python -m pytest -q $(PARALLEL) $(TEST_ARGS) --gate -m gate

exhaust: .venv/.installed  ## decode all of 2^32 four bytes of UTF-8 and gb18030 at each level: minutes each (LEVELS)
	@$(BIN)/python -m tests.kernels.exhaust $(LEVELS)

# A debug build of CPython checks the consistency of every string and asserts the preconditions of its C API.
DEBUG_PYTHON ?= python3.11-dbg
DEBUG_VENV := build/_out/debug-python
SWEEPS := every_scalar_value or every_three_bytes or end_of_queue or iso_2022_jp_every or iso_2022_jp_four_bytes
test-debug: .venv/.installed  ## test under a debug build of CPython (DEBUG_PYTHON; Debian's is installed)
	@command -v $(DEBUG_PYTHON) >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq $(notdir $(DEBUG_PYTHON)) >/dev/null; } \
	  || { echo "test-debug needs a debug build of CPython: install python3.11-dbg or set DEBUG_PYTHON" >&2; exit 1; }
	@test -x $(DEBUG_VENV)/bin/python || $(DEBUG_PYTHON) -m venv $(DEBUG_VENV)
	@$(DEBUG_VENV)/bin/python -c 'import sys; sys.exit(not hasattr(sys, "gettotalrefcount"))' \
	  || { echo "$(DEBUG_PYTHON) is not a debug build of CPython" >&2; exit 1; }
	@$(DEBUG_VENV)/bin/python -m pip install --quiet --upgrade pip
	@$(DEBUG_VENV)/bin/python -m pip --disable-pip-version-check install --quiet \
	  $(addprefix --group=,build test columns clients arrow-test detect)
	@WHATWG_ENCODING_BUILD=debug CFLAGS="-O2 -g0 $(CFLAGS)" \
	  $(DEBUG_VENV)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps \
	  --force-reinstall --no-build-isolation .
	@# Without --all and without the sweeps of all scalar values and of three bytes or more: they make the calls of the
	@# others, for other entries of the same tables, and run on the release build, where the form in memory of each text
	@# is compared, too. The allocator's debug hooks are off: they take a third of the time, and make sanitize covers
	@# what they check.
	@PYTHONMALLOC=pymalloc $(DEBUG_VENV)/bin/python -m pytest -q -p no:cacheprovider $(PARALLEL) $(TEST_ARGS) \
	  tests/standard tests/streaming tests/api --ignore tests/api/test_w3lib.py -k "not ($(SWEEPS))"

lint: .venv/.gate  ## check style, types, workflows, data/ against its pin, and that generated/ is up to date
	@$(BIN)/ruff check .
	@! LC_ALL=C.UTF-8 git grep -nE '^.{121,}' -- '*.py[xd]' '*.px[di]' 'templates/*.j2' 'src/*.[ch]' 'tests/*.[ch]' \
	  '*.js' '*.mjs' '*.css' '*.html' 'benchmarks/*.toml'
	@$(BIN)/ruff format --check .
	@$(BIN)/zizmor --offline --quiet .github
	@$(PIPEFAIL) find src tests examples benchmarks -name '*.[ch]' | xargs $(BIN)/clang-format --dry-run -Werror
	@# Check the package as installed: with what is emitted, and with stubs instead of compiled modules.
	@rm -rf build/_out/typecheck/whatwg_encoding
	@$(BIN)/python setup.py --quiet build_py --build-lib build/_out/typecheck
	@# import-linter sees no import of a module that has a stub alone.
	@for stub in build/_out/typecheck/whatwg_encoding/_native/*.pyi; do touch "$${stub%i}"; done
	@PYTHONPATH=build/_out/typecheck $(BIN)/lint-imports --no-cache --no-logo >build/_out/imports \
	  || { cat build/_out/imports; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/python -m generator verify
	@$(BIN)/python -m generator check

# Tests that run other programs or the generator, or measure the package, are excluded.
# What builds or loads libraries of its own is excluded, too.
UNSANITIZED := capi/test_columns.py capi/test_examples.py capi/test_library.py capi/test_sqlite.py \
  machines/test_pyodide.py npm \
  benchmarks cli compilation docs engines generator peers regenerate typing \
  explorer api/clients
# SANITIZED="tests/…": some of the tests.
SANITIZED ?= tests $(UNSANITIZED:%=--ignore tests/%)
sanitize: .venv/.gate  ## test the compiled code under ASan and UBSan (needs GCC; SANITIZED: some of the tests)
	@$(BIN)/python build/instrumented.py sanitize $(BIN)/python -m pytest -q -p no:cacheprovider --all --gate \
	  $(PARALLEL) $(TEST_ARGS) $(SANITIZED)

TIME ?= 60
# Executions below which a target has not been fuzzed, and targets at a time.
LEAST ?= 0
JOBS ?= 1
fuzz: .venv/.installed  ## fuzz against the reference for TIME=60 seconds, each target LEAST=0 times (Clang; JOBS)
	@$(call require,fuzz)
	@$(BIN)/python build/instrumented.py fuzz $(BIN)/python -m tests.fuzz --time $(TIME) --least $(LEAST) --jobs $(JOBS)

# PART=1: a fixed third. ONLY=regex: some doors. BASE=commit: compared with that. WRITE=1: change the table.
count: .venv/.gate build  ## count the instructions of a call of each function (Valgrind; PART, ONLY, BASE, WRITE)
	@$(BIN)/python -m benchmarks.count $(if $(PART),--part) $(if $(ONLY),--only '$(ONLY)') \
	  $(if $(BASE),--base '$(BASE)') $(if $(WRITE),--write)

bench: .venv/.bench build  ## measure each function beside peers (BASE=commit: beside that, too; ONLY, BENCH_ARGS)
	@$(BIN)/python -m benchmarks $(if $(BASE),--base '$(BASE)') $(if $(ONLY),--only '$(ONLY)') $(BENCH_ARGS)

test-aarch64: build  ## run the kernel and core tests on emulated AArch64 (Debian; installs what it needs)
	@$(BIN)/python build/emulated.py $(PARALLEL) $(TEST_ARGS)

cross-compile: .venv/.installed  ## compile the kernels for macOS, Windows and musl, as for the wheels
	@$(call require,cross)
	@$(BIN)/python build/cross_compile.py

docs: .venv/.gate build  ## bring pages up to date, and build documentation and explorer in build/_out/docs
	@$(BIN)/python -m docs.pages
	@$(BIN)/python -m docs

dist: .venv/.gate  ## build an sdist, and a wheel from it, in dist/
	@rm -rf dist
	@mkdir -p build/_out
	@$(BIN)/python -m build --outdir dist . >build/_out/dist.log 2>&1 || { cat build/_out/dist.log >&2; exit 1; }
	@ls dist

# What a release lacks, and the steps to make it, which name this target.
release-check: dist
	@$(BIN)/python build/release.py

# -- Without Python ---------------------------------------------------------------------------------------------------

# These need Cython alone of Python's packages: any interpreter that has it will do.
CYTHON_PYTHON := $(if $(wildcard .venv/.installed),$(BIN)/python,$(PYTHON))
PREFIX ?= /usr/local
# What to leave out: columns, detection, or both, with a comma or a space between them.
WITHOUT ?=
comma := ,

library:  ## build libwhatwg_encoding in build/_out/library (Cython; CC, CFLAGS, LDFLAGS, AR; WITHOUT=columns …)
	@$(call check_python,$(CYTHON_PYTHON))
	@$(CYTHON_PYTHON) build/library.py --without $(subst $(comma), ,$(WITHOUT))

install-library: library  ## install it to PREFIX=/usr/local, within DESTDIR if that is set
	@$(CYTHON_PYTHON) build/library.py --install $(PREFIX)

npm:  ## build the npm package and its WebAssembly module in build/_out/npm (Cython, Clang and LLD; CLANG, WASM_LD)
	@$(call check_python,$(CYTHON_PYTHON))
	@$(CYTHON_PYTHON) build/npm.py

wheel-pyodide: .venv/.installed  ## build a wheel for Pyodide in dist/ (Clang, LLD, wasi-libc and npm; no emsdk)
	@$(BIN)/python build/pyodide.py

clean:  ## remove build output
	rm -rf build/_out dist
