package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file implements check --fail: it removes each link or switch, one at a time, routes the
// rest of the network again, and checks the new routes.

func failFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "fail",
		Usage:    "remove each link or switch in turn, `links:1|switches:1`, route again by the routing's name, and check each network",
		Category: cli.CategoryFailures}, List: []string{"links:1", "switches:1"}}
}

// checkFailFlag returns an error if the value of --fail is unknown, or if the routing comes from a
// file and so cannot be computed again.
func checkFailFlag(c *cli.Context, in *resolve.Subject) error {
	switch word := c.String("fail"); {
	case word == "":
	case in.Flows != nil:
		return errors.New("--fail routes again between all pairs of hosts: remove --flows")
	case in.Table != nil || in.Vlans != nil || in.Made == nil && !resolve.IsRoutingName(in.From.Routing):
		return fmt.Errorf("--fail needs the name of a routing to route again; %s is a file", in.Routing)
	case word != "links:1" && word != "switches:1":
		return fmt.Errorf("--fail %s: want links:1 or switches:1", word)
	}
	return nil
}

// checkFailures checks the network after each failure that --fail selects. It returns nil if
// --fail is not set.
func checkFailures(c *cli.Context, in *resolve.Subject, o verify.Options) (*failures.Result, error) {
	kind, _, ok := strings.Cut(c.String("fail"), ":")
	if !ok {
		return nil, nil
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Say("failures")
	route := func(ctx context.Context, left *model.Network) (model.Relation, error) {
		r, err := resolve.Routing(ctx, in.From.Routing, c.String("paths"), left, format.Options{})
		if err != nil {
			return nil, err
		}
		return r.Relation, nil
	}
	return failures.Try(c.Context, in.Whole, failures.Kind(kind), route, failures.Options{Check: o, Progress: func(done, tried int) {
		line.Tell("%d of %d failures checked", done, tried)
		line.Part(float64(done) / float64(tried))
	}})
}

// worstShown is the number of failures listed in the text output.
const worstShown = 10

func printFailures(w io.Writer, f *failures.Result) {
	if f == nil {
		return
	}
	what := map[failures.Kind]string{failures.Links: wording.Count(f.Tried, "link", "s"), failures.Switches: wording.Count(f.Tried, "switch", "es")}[f.Kind]
	fmt.Fprintf(w, "\nEach of %s removed in turn and routed again: %d proved, %d refuted, %d undecided, %d not routed.\n", what, f.Proved, f.Refuted,
		f.Undecided, f.Unrouted)
	for i, x := range f.List {
		if i == worstShown {
			fmt.Fprintf(w, "  and %d more, none of them worse\n", len(f.List)-i)
			break
		}
		fmt.Fprintf(w, "  %-9s  without %s%s: ", x.Verdict, x.Failed, plain.Text(lostHostsText(x.LostHosts)))
		switch {
		case x.Reason != "":
			fmt.Fprintln(w, x.Reason)
		default:
			fmt.Fprintf(w, "no packet passes more than %s\n", wording.Count(*x.Longest, "switch", "es"))
		}
	}
}

// mostLost limits how many hosts of a failed switch the text output names. The JSON output names
// all.
const mostLost = 10

// lostHostsText names the hosts attached to a failed switch.
func lostHostsText(hosts []string) string {
	switch {
	case len(hosts) == 0:
		return ""
	case len(hosts) > mostLost:
		return fmt.Sprintf(" (its hosts %s and %d more are lost)", strings.Join(hosts[:mostLost], ", "), len(hosts)-mostLost)
	case len(hosts) == 1:
		return fmt.Sprintf(" (its host %s is lost)", hosts[0])
	}
	return fmt.Sprintf(" (its hosts %s are lost)", strings.Join(hosts, ", "))
}

// worse returns the worse of two verdicts.
func worse(a, b verify.Verdict) verify.Verdict {
	order := []verify.Verdict{verify.Proved, verify.Undecided, verify.Refuted}
	return slices.MaxFunc([]verify.Verdict{a, b}, func(x, y verify.Verdict) int {
		return cmp.Compare(slices.Index(order, x), slices.Index(order, y))
	})
}
