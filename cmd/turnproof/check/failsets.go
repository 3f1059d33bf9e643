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
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/model/format/ethernet/symmetric"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file implements check --fail for pairs of links or switches, and for routings that keep the hops that are left.

// failureKinds are the values of --fail: what fails, and how many at once.
var failureKinds = map[string]struct {
	kind   failures.Kind
	atOnce int
}{"links:1": {failures.Links, 1}, "links:2": {failures.Links, 2}, "switches:1": {failures.Switches, 1}, "switches:2": {failures.Switches, 2}}

// keepsHops reports whether packets keep the hops of the routing that are left after a failure: no name computes it again.
func keepsHops(in *resolve.Subject) bool {
	return in.From.Routing == "" || in.Table != nil || in.Allowed == nil && !resolve.IsRoutingName(in.From.Routing)
}

// setAnalysis returns the analysis of each set of parts that fails.
func setAnalysis(c *cli.Context, in *resolve.Subject, o verify.Options) (*failures.Analysis, error) {
	what, keeps := failureKinds[c.String("fail")], keepsHops(in)
	if keeps && slices.ContainsFunc(o.Conditions, func(m model.Condition) bool { return model.ClassesOf([]model.Condition{m}) == nil }) {
		return nil, errors.New("--fail of tables and other files goes with neither --gate nor --flow")
	}
	if keeps && in.Flows != nil && len(o.Conditions) > 0 {
		return nil, errors.New("--fail of tables and other files goes with --flows or with --classes, not with both: replies go between other pairs")
	}
	symmetries := failSymmetries(in, o)
	limit := time.Time{}
	if c.IsSet("seconds") {
		d, err := cli.ReadSeconds(c, "seconds")
		if err != nil {
			return nil, err
		}
		limit = time.Now().Add(d)
	}
	var cases []failures.Case
	for _, x := range failures.Sets(in.Whole, what.kind, what.atOnce, symmetries) {
		k := failures.Case{Label: x.Label(in.Whole), LostHosts: x.Hosts(in.Whole), Left: func(ctx context.Context) (*failures.Left, error) {
			r, err := routeSet(ctx, c, in, &x)
			return &failures.Left{Relation: r, Remaining: in.Whole.Remaining(x.Switches)}, err
		}}
		if k.Within = limit; symmetries != nil {
			k.Like = x.Like
		}
		cases = append(cases, k)
	}
	return failures.Of(what.kind, what.atOnce, cases, o), nil
}

// routeSet returns the routing after a failure.
func routeSet(ctx context.Context, c *cli.Context, in *resolve.Subject, x *failures.Set) (model.Relation, error) {
	if keepsHops(in) {
		return failures.Keep(in.Rel, x.Links, x.Switches)
	}
	left, err := in.Whole.Without(x.Links, x.Switches)
	if err != nil {
		return nil, err
	}
	return routeAgain(c, in)(ctx, left)
}

// failSymmetries returns symmetries of the network under which failures have the same verdict: those that tables have, and all under the
// routing minimal, which looks at the links only. With flows, conditions, or channels that differ, there are none.
func failSymmetries(in *resolve.Subject, o verify.Options) []*model.Automorphism {
	n := in.Whole
	isMinimal := in.From.Routing == "minimal"
	if in.Flows != nil || len(o.Conditions) > 0 || n.ChannelAttributes() != nil || n.FlowControl() != nil || !keepsHops(in) && !isMinimal {
		return nil
	}
	list := n.Symmetries()
	g := &symmetric.Graph{Near: make([][]int, n.NumSwitches()), Color: make([]int, n.NumSwitches())}
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch {
				g.Near[u] = append(g.Near[u], int(n.Head(c)))
			} else {
				g.Color[u]++
			}
		}
	}
	for _, p := range g.Generators() {
		image := make([]model.SwitchID, len(p))
		for u := range image {
			image[u] = model.SwitchID(p[u])
		}
		if a := n.Automorphism(image); a != nil {
			list = append(list, a)
		}
	}
	if isMinimal {
		return list
	}
	return failures.Kept(in.Rel, list)
}

// setWords are words about failures.
type setWords struct {
	link, packet string // cable, frame
	after        string // by what packets go on
}

// printSets prints failures, those that can deadlock first.
func printSets(w io.Writer, f *failures.Result, word *setWords) {
	parts, many := wording.Count(f.Tried, word.link, "s"), word.link+"s"
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
	fmt.Fprintf(w, "\nEach of %s fails, %s: %d proved, %d refuted (%d can deadlock, %d lose %ss), %d undecided.\n", parts, word.after, f.Proved,
		f.Refuted, deadlocks, lost, word.packet, f.Undecided+f.Unrouted)
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
		printSet(w, &x, word)
	}
}

// printSet prints one failure, with a valley path and its cause if it has one.
func printSet(w io.Writer, x *failures.Failure, word *setWords) {
	like := ""
	if x.Like > 1 {
		like = fmt.Sprintf(" (and %d like it)", x.Like-1)
	}
	text := x.Reason
	if text == "" {
		text = "no " + word.packet + " passes more than " + wording.Count(*x.Longest, "switch", "es")
	}
	fmt.Fprintf(w, "  %-9s  without %s%s%s: %s\n", x.Verdict, plain.Text(x.Failed), like, plain.Text(lostHostsText(x.LostHosts)), text)
	var found ethernet.Found
	if x.Found == nil || json.Unmarshal(x.Found, &found) != nil || len(found.Valleys) == 0 {
		return
	}
	v := found.Valleys[0]
	fmt.Fprintf(w, "             valley paths: %d; %s: %s\n", *found.ValleyPaths, plain.Text(strings.Join(v.Bend, " > ")), plain.Text(v.Reason))
}
