# shellcheck shell=sh
# Sourced by other scripts. Sets the tools that they run with `go run`, each with its
# exact version, so that go.mod does not list them.
# shellcheck disable=SC2034
BENCHSTAT=golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
ERRCHECK=github.com/kisielk/errcheck@v1.30.0
GOIMPORTS=golang.org/x/tools/cmd/goimports@v0.52.0
INEFFASSIGN=github.com/gordonklaus/ineffassign@v0.2.0
STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2
