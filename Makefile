# Two commands are enough on a machine that has the Swift toolchain: make demo, make test.
# What else they need they install with apt-get, and say so.
FLAGS = --explicit-target-dependency-import-check error
# All at once, the tests that end a process of their own wait for one another, and burn a processor.
TESTS = --disable-xctest --experimental-maximum-parallelization-width 8

.PHONY: build install demo test crash bench counts simulate fuzz docs lint format

# How long to fuzz each target.
SECONDS = 60

# The programs, for any Linux machine of this kind: the libraries are in them. STATIC= links to the
# machine's own.
STATIC = 1
RELEASE = $(if $(STATIC),FOLIO_STATIC=1) swift build $(FLAGS) -c release \
  $(if $(STATIC),--disable-local-rpath)
build:
	@.ci/needs
	$(RELEASE) --product folio
	$(RELEASE) --product folio-server

# The programs, their manual pages and completions, below PREFIX.
install: build
	@.ci/install $(PREFIX)

demo: build
	@$$(swift build -c release --show-bin-path)/folio demo

test:
	@.ci/needs
	swift test $(FLAGS) $(TESTS)

# Breaks the storage of both sides on purpose; LONG=1 for the form before a release.
crash:
	@.ci/needs
	@.ci/crash $(if $(LONG),--long) $(WHAT)

# Under five minutes; LONG=1 for the figures of the table in README.md. Ends non-zero where a bar is
# missed. WHAT="page save" for some of it; WHAT=--list tells what there is.
bench: build
	@.ci/needs liblmdb-dev libssl-dev pkg-config libsqlite3-dev
	swift run $(FLAGS) -c release --package-path Tests/Benchmarks \
	  --scratch-path .build/benchmarks folio-bench $(if $(LONG),--long) \
	  --programs $$(swift build -c release --show-bin-path) --plot .build/benchmarks/growth.svg $(WHAT)

# The instructions of the hot paths, held to those that are kept; KEEP=1 keeps what is counted.
counts:
	@.ci/needs liblmdb-dev libssl-dev pkg-config valgrind
	swift build $(FLAGS) -c release --product folio-counts
	@.ci/counts $(if $(KEEP),--keep)

# SEEDS=100000 for the long form; SEED=N tells one course in lines.
simulate:
	@.ci/needs
	swift build $(FLAGS) -c release --product folio-simulate
	@$$(swift build -c release --show-bin-path)/folio-simulate \
	  $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),2000) $(if $(FIRST),--first $(FIRST)))

fuzz:
	@.ci/needs
	Tests/Fuzz/run $(SECONDS) $(WHAT)

docs:
	@.ci/needs
	.ci/docs

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

format:
	swift format -i --recursive Package.swift Sources Tests
