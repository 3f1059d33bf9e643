package quality

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/quality"
)

// Names of the flags of limits. JUnit and SARIF use them as names of test cases and rules.
const (
	MaxLoad   = "max-load"
	MaxHops   = "max-hops"
	MaxUnused = "max-unused"
)

// Limits returns the names of the flags of limits, each with the rule that it states.
func Limits() [][2]string {
	return [][2]string{
		{MaxLoad, "No direction of a link carries more paths than the limit."},
		{MaxHops, "No path passes more links between switches than the limit."},
		{MaxUnused, "No more links than the limit carry no path."},
	}
}

// Flags returns the flags of a command that measures a routing.
func Flags() []cli.Flag {
	limit := func(name, usage string) cli.Flag {
		return &cli.IntFlag{Name: name, DefaultText: "no limit", Category: cli.CategoryQuality, Usage: usage}
	}
	return []cli.Flag{
		&cli.BoolFlag{Name: "quality", Category: cli.CategoryQuality,
			Usage: "print how the routing uses the links: hops, busiest and unused links, worst permutation, rounds of all-to-all, bisection"},
		&cli.Output{StringFlag: cli.StringFlag{Name: "link-table", Category: cli.CategoryQuality,
			Usage: "write the use of each direction of a link to `FILE`, as CSV"}},
		limit(MaxLoad, "exit with status 1 if a direction of a link carries more than `PATHS` (pairs of a host and an address)"),
		limit(MaxHops, "exit with status 1 if a path passes more than this many `LINKS` between switches"),
		limit(MaxUnused, "exit with status 1 if more than this many `LINKS` carry no path in either direction"),
	}
}

// Names returns the names of Flags.
func Names() []string { return []string{"quality", "link-table", MaxLoad, MaxHops, MaxUnused} }

// Given returns the first flag of Flags that is set, or "".
func Given(c *cli.Context) string {
	for _, name := range Names() {
		if c.IsSet(name) {
			return name
		}
	}
	return ""
}

// CheckFlags returns an error if a limit is negative.
func CheckFlags(c *cli.Context) error {
	for _, l := range Limits() {
		if c.Int(l[0]) < 0 {
			return fmt.Errorf("--%s %d: want 0 or more", l[0], c.Int(l[0]))
		}
	}
	return nil
}

// Measure measures the routing if a flag of Flags is set, and writes the file of --link-table. It returns nil if none is set.
func Measure(c *cli.Context, r model.Relation) (*Result, error) {
	flag := Given(c)
	if flag == "" {
		return nil, nil
	}
	m, err := quality.Measure(c.Context, r, quality.Options{})
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case errors.Is(err, quality.ErrSeveral):
		return nil, fmt.Errorf("--%s measures routings with one path for each pair of hosts; want forwarding tables, got a routing that permits several paths",
			flag)
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	x := &Result{Measures: m, Limits: []Limit{}}
	for _, l := range Limits() {
		if c.IsSet(l[0]) {
			x.Limits = append(x.Limits, x.limit(l[0], c.Int(l[0])))
		}
	}
	if file := c.String("link-table"); file != "" {
		err = cli.WriteFile(c, file, x.writeLinks)
	}
	return x, err
}
