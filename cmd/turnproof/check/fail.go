package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file is check --fail: each single failure, with the routing made anew.

// unrouted is the verdict on a failure after which the method makes no routing.
const unrouted = "unrouted"

func failFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "fail", Usage: "take out each link or switch by itself, `links:1|switches:1`, route anew by the routing's name, and check each", Category: cli.CategoryFailures}, List: []string{"links:1", "switches:1"}}
}

// checkFailFlag returns an error if the value of --fail is unknown, or if the routing is a file.
func checkFailFlag(c *cli.Context, in *input.Input) error {
	switch word := c.String("fail"); {
	case word == "":
	case in.Table != nil || in.Vlans != nil || in.Made == nil && !resolve.IsRoutingName(in.From.Routing):
		return fmt.Errorf("--fail routes anew, by a routing's name: %s is a file", in.Routing)
	case word != "links:1" && word != "switches:1":
		return fmt.Errorf("--fail %s: links:1 or switches:1 was expected", word)
	}
	return nil
}

// checkFailures tries all failures that --fail selects; nil without the flag.
func checkFailures(c *cli.Context, in *input.Input, o verify.Options) (*verdict.FailuresJSON, error) {
	f := &verdict.FailuresJSON{}
	var without func(i int) (*model.Network, error)
	var label func(i int) string
	n := in.Whole
	switch c.String("fail") {
	case "":
		return nil, nil
	case "links:1":
		f.Kind, f.Tried = "links", n.NumLinks()
		without = func(i int) (*model.Network, error) { return n.Without([]model.LinkID{model.LinkID(i)}, nil) }
		label = func(i int) string {
			l := n.Link(model.LinkID(i))
			return fmt.Sprintf("%s port %s - %s port %s", n.SwitchLabel(l.A), n.PortLabel(l.A, l.APort), n.SwitchLabel(l.B), n.PortLabel(l.B, l.BPort))
		}
	case "switches:1":
		f.Kind, f.Tried = "switches", n.NumSwitches()
		without = func(i int) (*model.Network, error) { return n.Without(nil, []model.SwitchID{model.SwitchID(i)}) }
		label = func(i int) string { return n.SwitchLabel(model.SwitchID(i)) }
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Say("failures")
	f.List = make([]verdict.FailedJSON, f.Tried)
	err := eachParallel(c.Context, f.Tried, func(ctx context.Context, i int) error {
		left, err := without(i)
		if err == nil {
			f.List[i], err = checkFailure(ctx, c, in, left, o)
		}
		f.List[i].Failed, f.List[i].LostHosts = label(i), []string{}
		if f.Kind == "switches" {
			f.List[i].LostHosts = hostsAt(n, model.SwitchID(i))
		}
		return err
	}, func(done int) {
		line.Tell("%d of %d failures checked", done, f.Tried)
		line.Part(float64(done) / float64(f.Tried))
	})
	if err != nil {
		return nil, err
	}
	count(f)
	return f, nil
}

// hostsAt lists the hosts at a switch.
func hostsAt(n *model.Network, u model.SwitchID) []string {
	list := []string{}
	for h := range model.HostID(n.NumHosts()) {
		if n.Host(h).Switch == u {
			list = append(list, n.HostLabel(h))
		}
	}
	return list
}

// checkFailure routes what is left of the network, and checks it.
func checkFailure(ctx context.Context, c *cli.Context, in *input.Input, left *model.Network, o verify.Options) (f verdict.FailedJSON, err error) {
	other := &input.Input{Name: in.Name, Net: left, From: in.From}
	if err := other.Route(ctx, in.From.Routing, c.String("paths"), format.Options{}); err != nil {
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
		return verdict.FailedJSON{Verdict: unrouted, Reason: err.Error(), Rank: [3]int64{3}}, nil
	}
	rep, err := verify.Check(ctx, other.Rel, o)
	if none := (*verify.NoPairs)(nil); errors.As(err, &none) {
		return verdict.FailedJSON{Verdict: string(verify.Undecided), Reason: err.Error(), Rank: [3]int64{1}}, nil
	}
	if err != nil {
		return f, err
	}
	f = verdict.FailedJSON{Verdict: string(rep.Verdict()), DeadlockFree: rep.DeadlockFree.Holds(), Unreachable: rep.Routes.Unreachable, Pairs: rep.Routes.Pairs}
	severity := map[verify.Verdict]int64{verify.Proved: 0, verify.Undecided: 1, verify.Refuted: 2}[rep.Verdict()]
	f.Rank = [3]int64{severity, rep.Routes.Unreachable}
	if rep.Routes.Loop == nil {
		f.Longest = &rep.Routes.Longest
		f.Rank[2] = int64(rep.Routes.Longest)
	}
	for _, claim := range rep.Claims() {
		if claim.Verdict != verify.Proved && f.Reason == "" {
			f.Reason = claim.Name + ": " + claim.Reason
		}
	}
	return f, nil
}

// count counts the verdicts and puts the worst first.
func count(f *verdict.FailuresJSON) {
	for _, x := range f.List {
		switch x.Verdict {
		case string(verify.Proved):
			f.Proved++
		case string(verify.Refuted):
			f.Refuted++
		case unrouted:
			f.Unrouted++
		default:
			f.Undecided++
		}
	}
	slices.SortStableFunc(f.List, func(a, b verdict.FailedJSON) int { return slices.Compare(b.Rank[:], a.Rank[:]) })
}

// eachParallel does the jobs 0 to k-1 and returns an error of one that failed; told
// hears how many are done.
func eachParallel(ctx context.Context, k int, job func(ctx context.Context, i int) error, told func(done int)) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var lock sync.Mutex
	done := 0
	for i := range k {
		group.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			if err := job(within, i); err != nil {
				return err
			}
			lock.Lock()
			defer lock.Unlock()
			done++
			told(done)
			return nil
		})
	}
	return group.Wait()
}

// worstShown is how many failures the text lists.
const worstShown = 10

func printFailures(w io.Writer, f *verdict.FailuresJSON) {
	if f == nil {
		return
	}
	what := map[string]string{"links": say.Count(f.Tried, "link", "s"), "switches": say.Count(f.Tried, "switch", "es")}[f.Kind]
	fmt.Fprintf(w, "\nEach of %s taken out by itself, and routed anew: %d proved, %d refuted, %d undecided, %d not routed.\n", what, f.Proved, f.Refuted, f.Undecided, f.Unrouted)
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
			fmt.Fprintf(w, "no packet passes more than %s\n", say.Count(*x.Longest, "switch", "es"))
		}
	}
}

// mostLost bounds the hosts of a failed switch that the text names; the JSON output has all.
const mostLost = 10

// lostHostsText names the hosts that are lost with a switch.
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
