package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model"
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
	case reroute != "" && !isEthernet && !(reroute == "none" && keepsHops(in)):
		return errors.New("--reroute needs a folder with dumps of Ethernet switches, with their routes; or none, tables")
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

// ethernetAnalysis returns the analysis of failures of a fabric, and what its checksum depends on.
func ethernetAnalysis(c *cli.Context, in *resolve.Subject, o verify.Options) (*failures.Analysis, func(io.Writer), error) {
	fabric, word := ethernetFound(in).Fabric(), c.String("reroute")
	if slices.ContainsFunc(o.Conditions, func(m model.Condition) bool { p, ok := m.(*model.Protocol); return !ok || !p.IsList() }) {
		return nil, nil, errors.New("--fail with --reroute goes with lists of classes such as request,reply only: roles of hosts, flow control and gates " +
			"are those of the whole fabric")
	}
	var as []uint32
	if word == "bgp" {
		file, err := c.String("as"), error(nil)
		if file != "" && file != "unique" && file != "rfc7938" {
			cli.Reads(c, file)
		}
		if as, err = fabric.ASNumbers(file); err != nil {
			return nil, nil, err
		}
		if text := fabric.AgainstDumps(as); text != "" { // of a file: what if they were these
			input.PrintWarnings(c, in.Warn("--as "+file+" "+text))
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
	if o.Waiting == model.WaitOne && fabric.HasPriorities() {
		o.Waiting = model.WaitMixed // after a failure, frames may be dropped where none were before
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
