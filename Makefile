# make lists the targets. Each does its own set-up: Go's modules are fetched by
# go itself, Z3 is installed where that is allowed and left out elsewhere
# (.build/setup.sh). Written for GNU make 3.81 and any POSIX shell.

# Variables for the command line: make bench PKG=./cdg BENCH=Tarjan
PKG       = ./...
TESTFLAGS =
FUZZTIME  = 20s
BENCH     = .
BENCHTIME = 1s
COUNT     = 6
REF       = HEAD

WITH_Z3 = sh .build/with-z3.sh
BIN     = PATH="$(CURDIR)/bin:$$PATH"
LDFLAGS = -ldflags "`v=$$(git describe --tags --always --dirty 2>/dev/null) && echo -X main.version=$$v`"

# Folders of real fabrics, and of dumps that must not get a plain answer, beside the
# checkout are tried as a whole by the tests. Without them the tests use the fabrics
# that the repository brings along.
FABRICS = if [ -z "$$TURNPROOF_FABRICS" ] && [ -d ../shared/fabrics ]; then \
	TURNPROOF_FABRICS=`cd ../shared/fabrics && pwd`; export TURNPROOF_FABRICS; fi; \
	if [ -z "$$TURNPROOF_PREMISES" ] && [ -d ../shared/premises ]; then \
	TURNPROOF_PREMISES=`cd ../shared/premises && pwd`; export TURNPROOF_PREMISES; fi;

.PHONY: help setup test-tools build demo test test-long race fuzz fuzz-long bench bench-compare lint figures reproduce minimum golden comparison proved trust mutants release clean

help: ## list the targets
	@awk -F ':.* ## ' '/^[a-z][a-z-]*:.* ## / { printf "%-14s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'NO_INSTALL=1 never installs Z3; CGO_ENABLED=0 builds without it. PKG=./cdg narrows'
	@echo 'test, race, fuzz and bench; BENCH, BENCHTIME, COUNT, REF, FUZZTIME, TESTFLAGS steer them.'

setup: ## look for Z3, install it where allowed (done by the other targets)
	@sh .build/setup.sh

test-tools: ## install the programs that tests hold our output against, where allowed
	@sh .build/test-tools.sh

build: setup ## build bin/turnproof, with Z3 if found, bin/turnproof-check and bin/turnproof-layout
	@mkdir -p bin
	@$(WITH_Z3) go build $(LDFLAGS) -o bin/turnproof ./cmd/turnproof
	@CGO_ENABLED=0 go build $(LDFLAGS) -o bin/turnproof-check ./cmd/turnproof-check
	@CGO_ENABLED=0 go build -o bin/turnproof-layout ./cmd/turnproof-layout

demo: build ## check a real fabric for credit loops, from files to a report
	@$(BIN) examples/credit-loop/run.sh

# GOGC=400 saves a tenth of the CPU time. "go list -export" compiles all packages without
# linking the commands.
test: setup ## run the tests, and show that all builds and checks without cgo
	@$(FABRICS) GOGC=$${GOGC:-400} $(WITH_Z3) go test $(TESTFLAGS) $(PKG)
	@CGO_ENABLED=0 go list -export ./... >/dev/null
	@CGO_ENABLED=0 go test $(TESTFLAGS) ./verify/smt

test-long: setup ## run the tests with TURNPROOF_LONG=1, without a clock
	@$(FABRICS) TURNPROOF_LONG=1 $(WITH_Z3) go test -count=1 -timeout 0 $(TESTFLAGS) $(PKG)

race: setup ## run the tests under the race detector (needs cgo)
	@$(FABRICS) $(WITH_Z3) go test -race $(TESTFLAGS) $(PKG)

fuzz: setup ## run every fuzz target for FUZZTIME
	@FUZZTIME="$(FUZZTIME)" $(WITH_Z3) sh .build/fuzz.sh $(PKG)

fuzz-long: ## run every fuzz target for five minutes, with the lowest priority
	@nice -n 19 $(MAKE) fuzz FUZZTIME=5m

bench: setup ## run the benchmarks that match BENCH
	@$(FABRICS) $(WITH_Z3) go test -run '^$$' -bench "$(BENCH)" -benchtime "$(BENCHTIME)" -benchmem $(PKG)

bench-compare: setup ## compare benchmarks of commit REF and of the present tree
	@$(FABRICS) REF="$(REF)" BENCH="$(BENCH)" BENCHTIME="$(BENCHTIME)" COUNT="$(COUNT)" \
		$(WITH_Z3) sh .build/bench-compare.sh $(PKG)

lint: setup ## check format, vet, staticcheck, errcheck, go.mod and who imports whom
	@sh .build/lint.sh

figures: build ## draw the figures of the papers and of the examples again
	@for f in examples/*/figures.sh; do \
		if [ -f "$$f" ]; then $(BIN) sh "$$f" || exit 1; fi; done
	@$(BIN) turnproof draw ranks torus:4x4,vcs=2 --routing nf+1 -o docs/figures/nf1-ranks.svg
	@$(BIN) turnproof draw vlan mesh:4x4 --routing vlan-dor -o docs/figures/vlan-5.svg
	@$(BIN) sh docs/figures/papers/figures.sh

reproduce: build ## put the papers' tables and figures beside ours, in docs/reproduction.md
	@$(BIN) sh .build/reproduce.sh > docs/reproduction.md.new && mv docs/reproduction.md.new docs/reproduction.md

minimum: build ## put the fewest prohibited turns beside the published methods, in docs/minimum-turns.md
	@$(BIN) sh .build/minimum.sh > docs/minimum-turns.md.new && mv docs/minimum-turns.md.new docs/minimum-turns.md

comparison: build ## measure beside ibdmchk and OpenSM, into docs/comparison.md (Debian: ibutils, time, ibsim-utils, opensm)
	@$(FABRICS) $(BIN) sh .build/comparison.sh > docs/comparison.new && \
		awk '/^<!-- measured: end/ { print ""; out = 0 } !out { print } \
			/^<!-- measured: begin/ { out = 1; print ""; while ((getline line < "docs/comparison.new") > 0) print line }' \
			docs/comparison.md > docs/comparison.md.new && \
		mv docs/comparison.md.new docs/comparison.md && rm docs/comparison.new

golden: setup ## rewrite golden files (-update); read the diff before committing it
	@dirs=`grep -rlE 'flag\.Bool(Var)?\(.*"update"' --include='*_test.go' . | sed 's|/[^/]*$$||' | sort -u`; \
		if [ -n "$$dirs" ]; then $(WITH_Z3) go test -count=1 $$dirs -update; \
		else echo 'no test defines -update'; fi

proved: ## build bin/turnproof-proved, a checker with a proof in Coq (Debian: coq ocaml-findlib ocaml-nox libsha-ocaml-dev libyojson-ocaml-dev)
	@sh .build/proved.sh bin

trust: build ## try to show that turnproof is wrong, for hours; STAGES=agree narrows it; into trust-record
	@$(FABRICS) $(BIN) $(WITH_Z3) go run ./cmd/trust --record trust-record $(TRUSTFLAGS) $(STAGES)

mutants: setup ## make mutants of PKG by rule, and list those that no test of PKG catches
	@CGO_ENABLED=0 go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash $(PKG)

release: ## build the archives of a release in dist, twice, and run what runs here
	@sh .build/release.sh

clean: ## remove what make built
	@rm -rf bin dist verify/proved/_build
