package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file implements check --fail on folders with dumps of Ethernet switches.

// ethernetFound returns what the folder shows, or nil if the input is none, or has another routing.
func ethernetFound(in *resolve.Subject) *ethernet.Found {
	f, _ := in.Source.(*ethernet.Found)
	return f
}

// rerouteFlags are the flags for failures of routed Ethernet fabrics.
func rerouteFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Words{StringFlag: cli.StringFlag{Name: "reroute",
			Usage:    "with --fail, on dumps of Ethernet switches: get new routes by `none|bgp|ospf|updown`; none: each switch stops to use dead ports",
			Category: cli.CategoryFailures}, List: ethernet.ReroutingWords},
		&cli.Words{StringFlag: cli.StringFlag{Name: "as",
			Usage:    "with --reroute bgp: AS numbers by a rule or a `FILE` with lines SWITCH NUMBER, unique|rfc7938|FILE (default: those in the dumps)",
			Category: cli.CategoryFailures}, List: ethernet.ASWords, Open: true},
	}
}

// checkRerouteFlags returns an error if flags for failures of Ethernet fabrics do not go with each other, or with the input.
func checkRerouteFlags(c *cli.Context, in *resolve.Subject) error {
	isEthernet := ethernetFound(in) != nil
	switch reroute, fail := c.String("reroute"), c.String("fail"); {
	case reroute != "" && !isEthernet:
		return errors.New("--reroute needs a folder with dumps of Ethernet switches, with their routes")
	case reroute != "" && fail == "":
		return errors.New("--reroute needs --fail")
	case c.String("as") != "" && reroute != "bgp":
		return errors.New("--as needs --reroute bgp")
	case fail == "":
		return nil
	case isEthernet && reroute == "":
		return errors.New("--fail on dumps of Ethernet switches needs --reroute none|bgp|ospf|updown, to compute routes after a failure")
	case isEthernet && in.Flows != nil:
		return errors.New("--fail with --reroute cannot be combined with --flows")
	}
	return nil
}

// failureKinds are the values of --fail: what fails, and how many at once.
var failureKinds = map[string]struct {
	kind   failures.Kind
	atOnce int
}{"links:1": {failures.Links, 1}, "links:2": {failures.Links, 2}, "switches:1": {failures.Switches, 1}, "switches:2": {failures.Switches, 2}}

// ethernetAnalysis returns the analysis of failures of a fabric, and what its checksum depends on.
func ethernetAnalysis(c *cli.Context, in *resolve.Subject, o verify.Options) (*failures.Analysis, func(io.Writer), error) {
	fabric, word := ethernetFound(in).Fabric(), c.String("reroute")
	var as []uint32
	if word == "bgp" {
		file, err := c.String("as"), error(nil)
		if file != "" && file != "unique" && file != "rfc7938" {
			cli.Reads(c, file)
		}
		if as, err = fabric.ASNumbers(file); err != nil {
			return nil, nil, err
		}
	}
	how, err := fabric.NewRerouting(word, as)
	if err != nil {
		return nil, nil, fmt.Errorf("--reroute %s: %w", word, err)
	}
	what := failureKinds[c.String("fail")]
	list, err := fabric.Failures(what.kind == failures.Switches, what.atOnce, how)
	if err != nil {
		return nil, nil, fmt.Errorf("--fail: %w", err)
	}
	cases := make([]failures.Case, len(list))
	for i, x := range list {
		cases[i] = failures.Case{Label: failureLabel(fabric, x.Down), LostHosts: fabric.Lost(x.Down), Like: x.Like,
			Left: func(context.Context) (*failures.Left, error) {
				s, err := fabric.After(x.Down, how)
				if err != nil {
					return nil, err
				}
				return &failures.Left{Relation: s.Relation, Doubts: in.NotAssumed(s.Doubts), Found: s.Found}, nil
			}}
	}
	return failures.Of(what.kind, what.atOnce, cases, o), func(w io.Writer) { fabric.WriteRoutes(w, how) }, nil
}

// failureLabel names what fails.
func failureLabel(f *ethernet.Fabric, x ethernet.Down) string {
	var list []string
	for _, cable := range x.Cables {
		list = append(list, f.CableName(cable))
	}
	for _, u := range x.Switches {
		list = append(list, f.SwitchName(u))
	}
	return strings.Join(list, " and ")
}

// reroutedBy says in the text output by what routes are computed.
var reroutedBy = map[string]string{"none": "each switch stops to use dead ports", "bgp": "rerouted by the model of BGP",
	"ospf": "rerouted by the model of OSPF", "updown": "rerouted by the model of shortest paths up, then down"}

// printEthernetFailures prints the failures of a fabric.
func printEthernetFailures(w io.Writer, f *failures.Result, word string) {
	parts, many := wording.Count(f.Tried, "cable", "s"), "cables"
	if f.Kind == failures.Switches {
		parts, many = wording.Count(f.Tried, "switch", "es"), "switches"
	}
	if f.AtOnce == 2 {
		parts = wording.Count(f.Tried, "pair", "s") + " of " + many
	}
	canDeadlock := func(x *failures.Failure) bool { return x.DeadlockFree != nil && !*x.DeadlockFree }
	deadlocks, lost := 0, 0
	for _, x := range f.List {
		if canDeadlock(&x) {
			deadlocks += max(1, x.Like)
		}
		if x.Unreachable > 0 && x.Verdict == string(verify.Refuted) {
			lost += max(1, x.Like)
		}
	}
	fmt.Fprintf(w, "\nEach of %s fails, %s: %d proved, %d refuted (%d can deadlock, %d lose frames), %d undecided.\n", parts, reroutedBy[word], f.Proved,
		f.Refuted, deadlocks, lost, f.Undecided+f.Unrouted)
	if f.Judged > 0 {
		fmt.Fprintf(w, "Judged: %s. The others are symmetric to these.\n", wording.Count(f.Judged, "failure", "s"))
	}
	if f.Undecided == f.Tried && len(f.List) > 1 && !slices.ContainsFunc(f.List, func(x failures.Failure) bool { return x.Reason != f.List[0].Reason }) {
		fmt.Fprintf(w, "  undecided  each of them: %s\n", f.List[0].Reason)
		return
	}
	list := slices.Clone(f.List)
	slices.SortStableFunc(list, func(a, b failures.Failure) int { // deadlocks first
		return cmp.Compare(map[bool]int{true: 0, false: 1}[canDeadlock(&a)], map[bool]int{true: 0, false: 1}[canDeadlock(&b)])
	})
	for i, x := range list {
		if i == worstShown {
			fmt.Fprintf(w, "  and %d more (--json has all)\n", len(list)-i)
			break
		}
		printEthernetFailure(w, &x)
	}
}

// printEthernetFailure prints one failure, with a valley path and its cause if it has one.
func printEthernetFailure(w io.Writer, x *failures.Failure) {
	like := ""
	if x.Like > 1 {
		like = fmt.Sprintf(" (and %d like it)", x.Like-1)
	}
	text := x.Reason
	if text == "" {
		text = "no frame passes more than " + wording.Count(*x.Longest, "switch", "es")
	}
	fmt.Fprintf(w, "  %-9s  without %s%s%s: %s\n", x.Verdict, plain.Text(x.Failed), like, plain.Text(lostHostsText(x.LostHosts)), text)
	var found ethernet.Found
	if x.Found == nil || json.Unmarshal(x.Found, &found) != nil || len(found.Valleys) == 0 {
		return
	}
	v := found.Valleys[0]
	fmt.Fprintf(w, "             valley paths: %d; %s: %s\n", *found.ValleyPaths, plain.Text(strings.Join(v.Bend, " > ")), plain.Text(v.Reason))
}
