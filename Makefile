# make lab · make check · make test · make test-more · make test-all · make durations · make bench
# make sizes · make helper · make conformance · make real-gpu · make site
# make pictures
# (ARGS="…" is passed to the command; TORCH=cpu or TORCH=pip chooses the build of PyTorch: install.py)
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
VIRTUAL_CUDA_TESTS := cd packages/virtual_cuda/tests && $(abspath $(BIN))/python
CUDA_VENV ?= .venv-cuda
CUDA_TORCH ?= $(shell sed -n 's/^torch==//p' constraints.txt)
CUDA_ROOM ?= 12

.PHONY: lab test check test-more test-all tools durations bench sizes helper conformance real-gpu torch-tests
.PHONY: test-cuda-build test-cuda-build-if-possible
.PHONY: build doctor site pictures clean

# Without bytecode, each of the hundreds of processes that tests start would compile the course again.
unexport PYTHONDONTWRITEBYTECODE

lab: $(VENV)/installed
	@$(BIN)/course lab $(ARGS)

# tests/README.md says what each of the four proves.
check: tools
	$(BIN)/pytest -n 2 -m "not slow and not more and not full" $(ARGS)

test: tools
	$(BIN)/pytest $(ARGS)

test-more: $(VENV)/installed-test
	$(BIN)/pytest -m "more and not full" --longest-first $(ARGS)
	@$(if $(ARGS),true,$(MAKE) --no-print-directory test-cuda-build-if-possible)

test-all: tools
	$(BIN)/pytest -m "" --longest-first $(ARGS)

tools: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Record the time of each file of tests; the order of the next run follows from it.
durations: $(VENV)/installed-test
	$(BIN)/pytest -m "not full" --longest-first --record-durations $(ARGS)

bench: $(VENV)/installed-test
	@$(BIN)/python packages/virtual_cuda/tests/bench/speed.py
	@$(BIN)/python packages/virtual_cuda/tests/bench/size.py
	@$(VIRTUAL_CUDA_TESTS) -m conformance.peers
	@$(BIN)/python -m tests.bench.grading

# Lines of code of each package, the part of course_utils that each imports, and circles of files.
sizes: $(VENV)/installed
	@$(BIN)/python -m tests.sizes

# The compiled helper halves the time of small operators on virtual GPUs. The first program that uses
# them compiles it in the background, if g++ is installed. This target waits for it, and prints why
# if it fails.
helper: $(VENV)/installed
	@$(BIN)/python -m virtual_cuda compile

conformance: $(VENV)/installed-test
	@$(VIRTUAL_CUDA_TESTS) -m conformance.record $(ARGS)

# For owners of one real GPU or several: fifteen minutes, and one file to commit or to send. A second
# call goes on where the first one stopped. ARGS=5 stops after five minutes.
real-gpu: $(VENV)/installed-test
	@$(BIN)/python -m tests.real_gpu $(ARGS)

# torch's own tests, from Debian's source package or from the folder TORCH_TESTS. Takes hours.
torch-tests: $(VENV)/installed-test
	@$(VIRTUAL_CUDA_TESTS) -m torch_tests $(ARGS)

# Tests with the CUDA build of torch, which pip installs on Linux by default, on a machine without a
# GPU: virtual GPUs, all checks and grading of 01 to 04, one lesson, and the error index. They run in
# a separate environment, with Python 3.13 if it is installed.
CUDA_TESTS := tests/exercises/test_verify.py tests/grading/test_split.py tests/unit/test_errors_page.py \
    tests/unit/test_fork_server.py
CUDA_NAMES := machine or tensors or modules or toolbox or unit
test-cuda-build: $(CUDA_VENV)/installed
	$(CUDA_VENV)/bin/pytest --longest-first packages/virtual_cuda/tests tests/notebooks/test_one_lesson.py $(ARGS)
	$(CUDA_VENV)/bin/pytest --longest-first -m "not full" -k "$(CUDA_NAMES)" $(CUDA_TESTS) $(ARGS)

# A test that fails there is a fault. A full disk, or no way to get that build, is none: a line says so.
test-cuda-build-if-possible:
	@free=$$(df -Pk . | awk 'NR == 2 { print int($$4 / 1000000) }'); \
	left_out() { echo "Tests with PyTorch's CUDA build: left out, since $$1."; }; \
	if [ ! -e $(CUDA_VENV)/installed ] && [ "$$free" -lt $(CUDA_ROOM) ]; then \
	    left_out "it needs $(CUDA_ROOM) GB of free disk, and there are $$free GB"; \
	elif ! $(MAKE) --no-print-directory $(CUDA_VENV)/installed; then \
	    left_out "it could not be installed (the reason is above)"; \
	else $(MAKE) --no-print-directory test-cuda-build; fi

$(CUDA_VENV)/installed: pyproject.toml packages/virtual_cuda/pyproject.toml packages/exercise_kit/pyproject.toml constraints.txt
	@python=$$(for each in python3.13 $(wildcard $(HOME)/.pyenv/versions/3.13*/bin/python3.13) $(PYTHON); do \
	    $$each -c 'import ensurepip, sys; print(sys.executable)' 2> /dev/null && break; done) && $$python -m venv $(CUDA_VENV)
	@echo "Installing the course with the CUDA build into $(CUDA_VENV) (6 GB: a few minutes, only this time) …"
	@TORCH=pip $(CUDA_VENV)/bin/python install.py "torch===$(CUDA_TORCH)" -e ./packages/exercise_kit -e ./packages/virtual_cuda -e ".[test]"
	@$(CUDA_VENV)/bin/python -c 'import sys, torch; sys.exit(None if torch.version.cuda else "torch " + torch.__version__ + " is not a CUDA build")'
	@touch $@

# The site, in site/_build/html. The lessons run at the first build, and again when they change.
site: $(VENV)/installed-site
	@$(BIN)/python site/build.py

build: $(VENV)/installed
	@$(BIN)/course build $(ARGS)

# README's pictures, taken of JupyterLab. They differ a little with the machine's fonts.
pictures: $(VENV)/installed-test
	$(BIN)/pytest -n 0 tests/browser/pictures.py $(ARGS)

doctor: $(VENV)/installed
	@$(BIN)/course doctor

$(VENV)/created:
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(0 if sys.version_info >= (3, 11) else "This course needs Python 3.11 or later; $(PYTHON) is " + v + ". Name another one: make PYTHON=python3.12 …")'
	@$(PYTHON) -m venv $(VENV) || { echo "The virtual environment could not be made. Install Python's venv module (Debian, Ubuntu: apt install python3-venv) and try again."; rm -rf $(VENV); exit 1; }
	@touch $@

# JupyterLab and IPython read copies of these files; the installation makes the copies.
$(VENV)/installed: $(VENV)/created pyproject.toml packages/virtual_cuda/pyproject.toml packages/exercise_kit/pyproject.toml constraints.txt \
    $(wildcard packages/course_workspace/labextension/* packages/course_workspace/labextension/*/* course_utils/checking/ipython_config/*)
	@echo "Installing the course into $(VENV)$(if $(wildcard $@),, (PyTorch is large: a few minutes, only this time)) …"
	@$(BIN)/python install.py -e ./packages/exercise_kit -e ./packages/virtual_cuda -e .
	@touch $@

$(VENV)/installed-site: $(VENV)/installed
	@echo "Installing the packages for the site …"
	@$(BIN)/python install.py -e ".[site]"
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	@echo "Installing the packages for the tests …"
	@$(BIN)/python install.py -e ".[test]"
	@touch $@

clean:
	rm -rf $(VENV)
