# "make" lists the targets. Every target prepares what it needs: go downloads its modules,
# and .build/setup.sh installs Z3 if that is allowed; otherwise builds have no Z3.
# Works with GNU make 3.81 and any POSIX shell.

# Variables for the command line: make bench PKG=./cdg BENCH=Tarjan
PKG       = ./...
TESTFLAGS =
FUZZTIME  = 20s
BENCH     = .
BENCHTIME = 1s
COUNT     = 6
REF       = HEAD
PREFIX    = /usr/local

WITH_Z3 = sh .build/with-z3.sh
BIN     = PATH="$(CURDIR)/bin:$$PATH"
LDFLAGS = -ldflags "-s -w `v=$$(git describe --tags --always --dirty 2>/dev/null) && echo -X main.version=$$v`"

# If the parent folder has further fabrics, labs of Ethernet routers, transitions with known answers, and dumps on which
# check must not give a plain verdict, tests use all of them. Otherwise they use the fabrics of the repository.
FABRICS = if [ -z "$$TURNPROOF_FABRICS" ] && [ -d ../shared/fabrics ]; then \
	TURNPROOF_FABRICS=`cd ../shared/fabrics && pwd`; export TURNPROOF_FABRICS; fi; \
	if [ -z "$$TURNPROOF_ROCE" ] && [ -d ../shared/roce ]; then \
	TURNPROOF_ROCE=`cd ../shared/roce && pwd`; export TURNPROOF_ROCE; fi; \
	if [ -z "$$TURNPROOF_PREMISES" ] && [ -d ../shared/premises ]; then \
	TURNPROOF_PREMISES=`cd ../shared/premises && pwd`; export TURNPROOF_PREMISES; fi; \
	if [ -z "$$TURNPROOF_ACCELERATORS" ] && [ -d ../shared/accelerator-fabrics ]; then \
	TURNPROOF_ACCELERATORS=`cd ../shared/accelerator-fabrics && pwd`; export TURNPROOF_ACCELERATORS; fi; \
	if [ -z "$$TURNPROOF_TRANSITIONS" ] && [ -d ../shared/transitions ]; then \
	TURNPROOF_TRANSITIONS=`cd ../shared/transitions && pwd`; export TURNPROOF_TRANSITIONS; fi;

.PHONY: help setup test-tools build install uninstall packages demo test test-long race fuzz fuzz-long bench bench-compare lint house figures papers reproduce minimum golden comparison proved trust mutants release clean

help: ## list the targets
	@awk -F ':.* ## ' '/^[a-z][a-z-]*:.* ## / { printf "%-14s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'NO_INSTALL=1 never installs Z3; CGO_ENABLED=0 builds without it. PKG=./cdg narrows'
	@echo 'test, race, fuzz and bench. More variables: BENCH, BENCHTIME, COUNT, REF, FUZZTIME, TESTFLAGS.'

setup: ## look for Z3 and install it if allowed (other targets do this)
	@sh .build/setup.sh

test-tools: ## install the programs with which tests compare our output, if allowed
	@sh .build/test-tools.sh

build: setup ## build bin/turnproof, with Z3 if found, bin/turnproof-check and bin/turnproof-layout
	@mkdir -p bin
	@echo "building bin/turnproof, bin/turnproof-check, bin/turnproof-layout (a few minutes the first time, then seconds)" >&2
	@$(WITH_Z3) go build $(LDFLAGS) -o bin/turnproof ./cmd/turnproof
	@CGO_ENABLED=0 go build $(LDFLAGS) -o bin/turnproof-check ./cmd/turnproof-check
	@CGO_ENABLED=0 go build -o bin/turnproof-layout ./cmd/turnproof-layout

install: build ## install programs, manual pages, completions and scripts below DESTDIR and PREFIX (default: /usr/local)
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" sh .build/install.sh bin

uninstall: ## remove what install has made, with the same DESTDIR and PREFIX
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" sh .build/install.sh --remove

packages: ## build a deb and an rpm package in dist, of static programs without Z3
	@sh .build/packages.sh

demo: build ## check a real fabric for credit loops, from files to a report
	@$(BIN) examples/credit-loop/run.sh

# GOGC=400 saves 2 to 10 % of the CPU time, by package. "make lint" runs vet, so that tests need not. Without
# debugging information (-s -w) the linker takes a third less. "go list -export" compiles all packages without
# linking the commands.
test: setup ## run the tests, also build without cgo and test verify/smt without it
	@$(FABRICS) GOGC=$${GOGC:-400} $(WITH_Z3) go test -vet=off -ldflags='-s -w' $(TESTFLAGS) $(PKG)
	@CGO_ENABLED=0 go list -export ./... >/dev/null
	@CGO_ENABLED=0 go test -vet=off $(TESTFLAGS) ./verify/smt

# The long run has all kinds of cases, of random ones ten times as many as "make test", and starts the programs of
# "make test-tools". With TURNPROOF_LONG=full it has all cases, which takes many hours.
test-long: setup ## run the long tests, without a time limit (TURNPROOF_LONG=full: all cases)
	@$(FABRICS) TURNPROOF_LONG=$${TURNPROOF_LONG:-1} GOGC=$${GOGC:-400} $(WITH_Z3) \
		go test -count=1 -timeout 0 -vet=off -ldflags='-s -w' $(TESTFLAGS) $(PKG)

race: setup ## run the tests under the race detector (needs cgo)
	@$(FABRICS) $(WITH_Z3) go test -race $(TESTFLAGS) $(PKG)

fuzz: setup ## run every fuzz target for FUZZTIME
	@FUZZTIME="$(FUZZTIME)" $(WITH_Z3) sh .build/fuzz.sh $(PKG)

fuzz-long: ## run every fuzz target for five minutes, with the lowest priority
	@nice -n 19 $(MAKE) fuzz FUZZTIME=5m

bench: setup ## run the benchmarks that match BENCH
	@$(FABRICS) $(WITH_Z3) go test -run '^$$' -bench "$(BENCH)" -benchtime "$(BENCHTIME)" -benchmem $(PKG)

bench-compare: setup ## compare benchmarks of commit REF and of the working tree
	@$(FABRICS) REF="$(REF)" BENCH="$(BENCH)" BENCHTIME="$(BENCHTIME)" COUNT="$(COUNT)" \
		$(WITH_Z3) sh .build/bench-compare.sh $(PKG)

lint: setup ## check format, vet, staticcheck, errcheck, go.mod, imports and words
	@sh .build/lint.sh

house: setup ## print what each package links and rebuilds, circles of files, the largest types and functions
	@$(WITH_Z3) go run ./.build/house

figures: build ## draw the figures of the examples and manuals
	@for f in examples/*/figures.sh; do \
		if [ -f "$$f" ]; then $(BIN) sh "$$f" || exit 1; fi; done
	@$(BIN) turnproof draw ranks torus:4x4,vcs=2 --routing nf+1 -o docs/figures/nf1-ranks.svg
	@$(BIN) turnproof prove nf+1 --figure docs/figures/nf1-classes.svg > /dev/null
	@$(BIN) turnproof draw vlan mesh:4x4 --routing vlan-dor -o docs/figures/vlan-5.svg
	@$(BIN) turnproof draw network dragonfly:a=4,h=2 -o docs/figures/dragonfly.svg
	@$(BIN) turnproof draw network chiplet:2x2,of=4x4 -o docs/figures/chiplets.svg
	@$(BIN) turnproof sim torus:5x5 -r dor --load 0.9 --packet 20 --clocks 3000 --figure docs/figures/worms.svg > /dev/null || [ $$? = 1 ]
	@$(BIN) turnproof sweep mesh:8x8 -r dor -r west-first -r odd-even --traffic uniform --traffic transpose --loads 0.02:0.24:0.02 \
		--latency docs/figures/panels.svg > /dev/null

papers: build ## write docs/papers, the papers beside ours, from the recorded results
	@rm -rf docs/papers && $(BIN) turnproof reproduce --all --recorded -o docs/papers

# To compute only what is new, begin with: gunzip -c examples/papers/record.jsonl.gz > record.journal
reproduce: build ## compute all results of the papers again (an hour and a half on two cores; an interrupted run resumes), then write docs/papers
	@$(BIN) turnproof reproduce --all --journal record.journal -o docs/papers
	@$(WITH_Z3) go run ./.build/seal record.journal examples/papers/record.jsonl.gz

minimum: build ## compare the fewest prohibited turns with the published methods, in docs/minimum-turns.md
	@$(BIN) sh .build/minimum.sh > docs/minimum-turns.md.new && mv docs/minimum-turns.md.new docs/minimum-turns.md

comparison: build ## measure turnproof beside ibdmchk and OpenSM, in docs/comparison.md (Debian: ibutils, time, ibsim-utils, opensm); beside BookSim 2 if BOOKSIM_SOURCE is its folder src
	@if [ -n "$$BOOKSIM_SOURCE" ]; then $(BIN) sh .build/booksim.sh > docs/simulator-booksim.new && \
		awk '/^<!-- measured: end/ { print ""; out = 0 } !out { print } \
			/^<!-- measured: begin/ { out = 1; print ""; while ((getline line < "docs/simulator-booksim.new") > 0) print line }' \
			docs/simulator-booksim.md > docs/simulator-booksim.md.new && \
		mv docs/simulator-booksim.md.new docs/simulator-booksim.md && \
		$(BIN) sh .build/booksim-packets.sh > docs/simulator-booksim.new && \
		awk '/^<!-- packets: end/ { print ""; out = 0 } !out { print } \
			/^<!-- packets: begin/ { out = 1; print ""; while ((getline line < "docs/simulator-booksim.new") > 0) print line }' \
			docs/simulator-booksim.md > docs/simulator-booksim.md.new && \
		mv docs/simulator-booksim.md.new docs/simulator-booksim.md && \
		$(BIN) sh .build/booksim-examples.sh > docs/simulator-booksim.new && \
		awk '/^<!-- examples: end/ { print ""; out = 0 } !out { print } \
			/^<!-- examples: begin/ { out = 1; print ""; while ((getline line < "docs/simulator-booksim.new") > 0) print line }' \
			docs/simulator-booksim.md > docs/simulator-booksim.md.new && \
		mv docs/simulator-booksim.md.new docs/simulator-booksim.md && rm docs/simulator-booksim.new; fi
	@$(FABRICS) $(BIN) sh .build/comparison.sh > docs/comparison.new && \
		awk '/^<!-- measured: end/ { print ""; out = 0 } !out { print } \
			/^<!-- measured: begin/ { out = 1; print ""; while ((getline line < "docs/comparison.new") > 0) print line }' \
			docs/comparison.md > docs/comparison.md.new && \
		mv docs/comparison.md.new docs/comparison.md && rm docs/comparison.new

golden: setup ## rewrite golden files (-update); read the diff before you commit it
	@dirs=`grep -rlE 'flag\.Bool(Var)?\(.*"update"' --include='*_test.go' . | sed 's|/[^/]*$$||' | sort -u`; \
		if [ -n "$$dirs" ]; then $(WITH_Z3) go test -count=1 $$dirs -update; \
		else echo 'no test defines -update'; fi

proved: ## build bin/turnproof-proved, a checker that is proved correct in Coq (Debian: coq ocaml-findlib ocaml-nox libsha-ocaml-dev libyojson-ocaml-dev)
	@sh .build/proved.sh bin

trust: build ## search for errors of turnproof, for hours; STAGES=agree selects stages; writes trust-record
	@go build -o bin/trust ./cmd/trust
	@$(FABRICS) $(BIN) $(WITH_Z3) bin/trust --record trust-record $(TRUSTFLAGS) $(STAGES)

mutants: setup ## generate mutants of PKG, and list those that no test of PKG detects
	@CGO_ENABLED=0 go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash $(PKG)

release: ## build the archives of a release in dist, twice, and run the binaries that can run here
	@sh .build/release.sh

clean: ## remove all build outputs
	@rm -rf bin dist verify/proved/_build
