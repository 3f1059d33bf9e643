package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file implements check --fail: it removes each link or switch, one at a time, routes the
// rest of the network again, and checks the new routes. failsets.go has pairs, and routings that no name computes again.

func failFlags() []cli.Flag {
	return append([]cli.Flag{&cli.Words{StringFlag: cli.StringFlag{Name: "fail",
		Usage: "let each link or switch fail, or each pair, `links:1|links:2|switches:1|switches:2`, route again by the routing's name or by --reroute, " +
			"and check what is left; packets of tables keep the hops that are left",
		Category: cli.CategoryFailures}, List: []string{"links:1", "switches:1", "links:2", "switches:2"}}},
		append(rerouteFlags(), machines.Flags("failures", "none")...)...)
}

// checkFailFlags returns an error if the value of --fail is unknown, or does not go with the input or other flags.
func checkFailFlags(c *cli.Context, in *resolve.Subject) error {
	if err := checkRerouteFlags(c, in); err != nil {
		return err
	}
	word := c.String("fail")
	switch {
	case word == "":
		if flag := machines.Given(c); flag != "" {
			return fmt.Errorf("--%s needs --fail", flag)
		}
		return nil
	case failureKinds[word].atOnce == 0:
		return fmt.Errorf("--fail %s: want links:1, links:2, switches:1 or switches:2", word)
	case c.String("reroute") != "" && ethernetFound(in) != nil:
		return nil
	case in.Whole.FlowControl() != nil && in.Whole.FlowControl().Rings != nil:
		return fmt.Errorf("--fail: %s states the rings that its flow control protects, and a failure takes some of them away", in.Name)
	case in.Vlans != nil:
		return fmt.Errorf("--fail judges a routing or its tables; %s are VLANs", in.Routing)
	case c.IsSet("seconds") && c.String("mend") == "" && (c.String("journal") != "" || failureKinds[word].atOnce == 1):
		return errors.New("with --fail, --seconds limits the check of pairs, and cannot be combined with --journal, which continues a run")
	}
	return machines.CheckFlags(c, append(quality.Names(), "certificate", "figure", "mend", "sarif", "junit")...)
}

// analysis is what --fail asks for. A nil analysis has no failures.
type analysis struct {
	*failures.Analysis
	work   batch.Work[failures.Failure]
	result *failures.Result // nil before the failures are checked
}

// newAnalysis returns nil if --fail is not set.
func newAnalysis(c *cli.Context, in *resolve.Subject, o verify.Options) (*analysis, error) {
	kind, _, ok := strings.Cut(c.String("fail"), ":")
	if !ok {
		return nil, nil
	}
	if c.String("reroute") != "" && ethernetFound(in) != nil {
		list, beside, err := ethernetAnalysis(c, in, o)
		if err != nil {
			return nil, err
		}
		return journaled(c, in, o, list, beside)
	}
	if keepsHops(in) || failureKinds[c.String("fail")].atOnce > 1 {
		list, err := setAnalysis(c, in, o)
		if err != nil {
			return nil, err
		}
		return journaled(c, in, o, list, func(io.Writer) {})
	}
	single, err := failures.New(in.Whole, failures.Kind(kind), routeAgain(c, in), o)
	if err != nil {
		return nil, err
	}
	return journaled(c, in, o, single, func(io.Writer) {})
}

// routeAgain returns a function that routes what is left of the network by the name of the routing.
func routeAgain(c *cli.Context, in *resolve.Subject) failures.Route {
	return func(ctx context.Context, left *model.Network) (model.Relation, error) {
		r, err := resolve.Routing(ctx, in.From.Routing, c.String("paths"), left, format.Options{})
		if err != nil {
			return nil, err
		}
		if in.Flows == nil {
			return r.Relation, nil
		}
		return model.WithFlows(r.Relation, flowsLeft(in.Whole, left, in.Flows)), nil
	}
}

// journaled returns an analysis with the journal of its failures. beside writes what they depend on beside the network and flags.
func journaled(c *cli.Context, in *resolve.Subject, o verify.Options, single *failures.Analysis, beside func(io.Writer)) (*analysis, error) {
	hash, err := hashOf(c, in, o, beside)
	if err != nil {
		return nil, err
	}
	header := batch.Header{Schema: "turnproof.failures-journal/1", Hash: hash, Items: single.Number(), Stamp: c.App.Version}
	work := batch.Work[failures.Failure]{N: single.Number(), Hash: hash, Run: "check", Item: "failure",
		Format: batch.Indexed[failures.Failure](header, "network, routing, sizes or kind of failures", nil), Compute: single.Check}
	if err := batch.CheckJournal(work, c.String("journal")); err != nil {
		return nil, err
	}
	return &analysis{single, work, nil}, nil
}

// flowsLeft returns the flows between hosts that are left. Hosts of what is left have the order of those of the whole.
func flowsLeft(whole, left *model.Network, flows []model.Flow) (list []model.Flow) {
	kept, next := make([]model.HostID, whole.NumHosts()), model.HostID(0)
	for h := range model.HostID(len(kept)) {
		kept[h] = -1
		if int(next) < left.NumHosts() && isSameHost(whole, h, left, next) {
			kept[h] = next
			next++
		}
	}
	for _, f := range flows {
		if f.Source, f.Dest = kept[f.Source], kept[f.Dest]; f.Source >= 0 && f.Dest >= 0 {
			list = append(list, f)
		}
	}
	return list
}

// isSameHost reports whether host h of the whole network is host k of what is left: both have the same place and name.
func isSameHost(whole *model.Network, h model.HostID, left *model.Network, k model.HostID) bool {
	a, b := whole.Host(h), left.Host(k)
	return a.Port == b.Port && whole.SwitchLabel(a.Switch) == left.SwitchLabel(b.Switch) && whole.HostLabel(h) == left.HostLabel(k)
}

// failureOptions returns what to check after each failure. Multicast tables are not computed again: they are a doubt.
func failureOptions(o *verify.Options) verify.Options {
	after := verify.Options{Switching: o.Switching, Open: o.Open, Waiting: o.Waiting, Facts: o.Facts,
		Known: model.Known{Premises: o.Premises, Doubts: o.Doubts, Strict: o.Strict}}
	for _, m := range o.Conditions {
		if m.Condition() != model.ConditionMulticast {
			after.Conditions = append(after.Conditions, m)
			continue
		}
		after.Doubts = append(slices.Clone(after.Doubts), model.Doubt{Premise: model.PremiseMulticast,
			Claims: []string{cert.ClaimDeadlockFree, cert.ClaimLivelockFree}, Against: model.AgainstProof,
			Reason: "multicast tables are not computed again after a failure", Next: "omit them with --multicast none"})
	}
	return after
}

// hashOf returns the SHA-256 of what defines the failures and their verdicts, in hex: the contents of all files that were read, too. Those of
// files that the options of a routing name are not part of it.
func hashOf(c *cli.Context, in *resolve.Subject, o verify.Options, beside func(io.Writer)) (string, error) {
	h, known := sha256.New(), o.Facts
	known.Source, known.Words = "", ""
	if err := format.WriteNetwork(h, in.Whole, "json"); err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%q", []string{c.String("fail"), in.From.Routing, c.String("paths"), string(o.Switching), fmt.Sprint(o.Open), string(o.Waiting),
		c.String("gate"), c.String("flow"), c.String("classes"), fmt.Sprint(c.Int("packet")), fmt.Sprint(c.Int("buffer")), fmt.Sprintf("%+v", known),
		fmt.Sprint(o.Strict), c.String("assume"), fmt.Sprint(o.Doubts), fmt.Sprint(in.Flows),
		c.String(input.ManagementFlagName), c.String("multicast")})
	var sums []string
	for _, x := range in.Files {
		sums = append(sums, x.SHA256)
	}
	fmt.Fprintf(h, "%q", sums) // in the order of reading: those of switches have the same names
	if p := model.RulesOf(o.Conditions); p != nil {
		fmt.Fprintf(h, "%+v", *p)
	}
	beside(h)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// notForFailures are the flags that have no influence on failures, besides those of files.
var notForFailures = append(quality.Names(), "cross-check", "simulate", "check", "memory", "seconds")

// run checks the network after each failure. It returns false if this command has no results to print.
func (a *analysis) run(c *cli.Context) (bool, error) {
	if a == nil || a.result != nil {
		return true, nil
	}
	cli.ProgressOf(c.App.ErrWriter).Again("failures")
	list, done, err := machines.Run(c, a.work, machines.Options{Skip: notForFailures})
	switch {
	case done:
		a.result = a.Sum(list)
	case errors.Is(err, context.Canceled) && !machines.Elsewhere(c):
		a.result = a.Partial(list)
	}
	return done, err
}

// found returns the results, or nil if there are none.
func (a *analysis) found() *failures.Result {
	if a == nil {
		return nil
	}
	return a.result
}

// printInterrupted says after an interruption how many failures are judged, and how to go on.
func printInterrupted(w io.Writer, journal string, judged, missing int) {
	how := "With --journal FILE a run goes on where an earlier one has ended."
	if journal != "" {
		how = "They are in " + journal + ": the same command goes on."
	}
	fmt.Fprintf(w, "\nInterrupted: %d of %s are judged. %s\n", judged, wording.Count(judged+missing, "failure", "s"), how)
}

func printFailures(c *cli.Context, in *resolve.Subject, f *failures.Result) {
	w, reroute := c.App.Writer, c.String("reroute")
	if f == nil {
		return
	}
	if f.Missing > 0 {
		printInterrupted(w, c.String("journal"), len(f.List), f.Missing)
	}
	switch {
	case ethernetFound(in) != nil:
		how := reroutedBy[reroute]
		if as := c.String("as"); as != "" {
			how += ", AS numbers by --as " + plain.Text(as)
		}
		printSets(w, f, &setWords{"cable", "frame", how})
		return
	case keepsHops(in):
		printSets(w, f, &setWords{"link", "packet", "packets keep the hops that are left"})
		return
	case f.AtOnce > 1:
		printSets(w, f, &setWords{"link", "packet", "routed again by " + in.Routing})
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

// worse returns the worse of two verdicts.
func worse(a, b verify.Verdict) verify.Verdict {
	order := []verify.Verdict{verify.Proved, verify.Undecided, verify.Refuted}
	return slices.MaxFunc([]verify.Verdict{a, b}, func(x, y verify.Verdict) int {
		return cmp.Compare(slices.Index(order, x), slices.Index(order, y))
	})
}
