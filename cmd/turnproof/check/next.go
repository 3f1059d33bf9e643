package check

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/advise"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file says what helps after tables are refuted or undecided.

// nextRouting is the routing of ours that is tried on a network whose tables are refuted.
const nextRouting = "updown"

// nextStep is a command, and what it does.
type nextStep struct {
	Step  string `json:"step"` // a command line, or what to do
	About string `json:"about"`
}

// advised is advice about tables. A nil value has none.
type advised struct {
	table *model.Table
	found *advise.Advice
	steps []nextStep
}

// adviseOn finds what helps if tables of InfiniBand are not proved. It returns nil for others.
func adviseOn(c *cli.Context, in *resolve.Subject, rep *verify.Report) (a *advised, err error) {
	t, ok := in.Rel.(*model.Table)
	if !ok || in.Table == nil || !in.Net.IsInfiniBand() || rep.Verdict() == verify.Proved || model.ConditionOf[*model.Protocol](rep.Conditions) != nil {
		return nil, nil
	}
	a = &advised{table: t, found: &advise.Advice{}}
	if rep.DeadlockFree.Verdict == verify.Refuted && rep.CycleBlocks() && in.Flows == nil && rep.Multicast() == nil {
		cli.ProgressOf(c.App.ErrWriter).Say("looking for what helps")
		if a.found, err = advise.Find(c.Context, t, advise.Options{Route: routeNext}); err != nil {
			return nil, err
		}
	}
	a.addSteps(c, in, rep)
	return a, nil
}

// routeNext routes by nextRouting with one path for each destination, as table --format opensm does.
func routeNext(ctx context.Context, n *model.Network) (model.Relation, error) {
	r, err := resolve.Routing(ctx, nextRouting, "table", n, format.Options{})
	if err != nil {
		return nil, err
	}
	return r.Relation, nil
}

// addSteps adds the steps, those that change nothing in the fabric first.
func (a *advised) addSteps(c *cli.Context, in *resolve.Subject, rep *verify.Report) {
	add := func(about string, words ...string) {
		a.steps = append(a.steps, nextStep{wording.ShellLine(words...), about})
	}
	refuted := rep.Verdict() == verify.Refuted
	assumed := slices.ContainsFunc(rep.Premises, func(p model.Premise) bool {
		return p.Name == model.PremiseLevels && p.IsAssumed()
	})
	if rep.DeadlockFree.Verdict != verify.Proved && rep.LivelockFree.Verdict != verify.Refuted && assumed {
		a.steps = append(a.steps, nextStep{"SLS=1 collect.sh FOLDER",
			"if OpenSM routes by dfsssp, lash, nue or torus-2QoS: collects service levels, which are assumed here"})
	}
	for _, d := range rep.Doubts {
		if d.Next != "" && !slices.ContainsFunc(a.steps, func(s nextStep) bool { return s.Step == d.Next }) {
			a.steps = append(a.steps, nextStep{d.Next, "the verdict is in doubt: " + d.Reason})
		}
	}
	if !refuted || in.Flows != nil {
		return
	}
	given := []string{c.Args().First()}
	if c.IsSet("routing") {
		given = append(given, "-r", c.String("routing"))
	}
	if c.String("mend") == "" {
		add("looks for the fewest table entries to change such that every packet arrives and none waits forever, and proves them",
			slices.Concat([]string{"turnproof", "check"}, given, levelWords(c), []string{"--mend", "mended.lfts"})...)
	}
	if k := a.found.Layers; k > 0 {
		add(fmt.Sprintf("gives the paths service levels, such that these tables are proved with %s", wording.Count(k, "VL", "s")),
			slices.Concat([]string{"turnproof", "layers"}, given, []string{"-o", "path-sl.txt"})...)
	}
	if a.found.IsProved {
		add(fmt.Sprintf("writes tables for opensm -R file -U FILE that are proved on this network; no packet passes more than %s",
			wording.Count(a.found.Longest, "switch", "es")), "turnproof", "table", c.Args().First(), "-r", nextRouting, "--kind", "next-hops", "--format",
			"opensm", "-o", nextRouting+".lfts")
	}
}

// levelWords are the flags of service levels and of management traffic.
func levelWords(c *cli.Context) (words []string) {
	for _, name := range []string{"sl", "sl2vl"} {
		if c.IsSet(name) {
			words = append(words, "--"+name, c.String(name))
		}
	}
	if m := c.String(input.ManagementFlagName); m != "" {
		words = append(words, "--"+input.ManagementFlagName+"="+m)
	}
	return words
}

// next returns the steps, or nil.
func (a *advised) next() []nextStep {
	if a == nil {
		return nil
	}
	return a.steps
}

// rankingJSON is the ranking that fits tables best, and the turns against it.
type rankingJSON struct {
	Root         string     `json:"root"`
	Dependencies int        `json:"dependencies"`
	Wrong        []turnJSON `json:"wrong_turns"`
}

// turnJSON is a dependency that goes up after down, with a packet.
type turnJSON struct {
	In          say.HopJSON `json:"in"`
	Out         say.HopJSON `json:"out"`
	Source      string      `json:"source"`
	Destination string      `json:"destination"`
	LID         uint16      `json:"lid,omitempty"`
	Legal       bool        `json:"legal_from_switch"` // the path from the switch on obeys up*/down*
}

// ranking returns the ranking, or nil.
func (a *advised) ranking() *rankingJSON {
	if a == nil || a.found.Ranking == nil {
		return nil
	}
	n, k := a.table.Network(), a.found.Ranking
	j := &rankingJSON{Root: n.SwitchLabel(k.Root), Dependencies: k.Dependencies, Wrong: []turnJSON{}}
	for _, x := range k.Wrong {
		j.Wrong = append(j.Wrong, turnJSON{say.NewHopJSON(n, n.VC(x.In, 0)), say.NewHopJSON(n, n.VC(x.Out, 0)), n.HostLabel(x.From),
			n.HostLabel(a.table.DestinationHost(x.Dest)), model.LIDOf(a.table, x.Dest), x.IsLegal})
	}
	return j
}

// print prints the turns against up*/down* and the steps.
func (a *advised) print(w io.Writer, rep *verify.Report) {
	if a == nil {
		return
	}
	if a.found.Ranking != nil {
		a.printRanking(w, rep)
	}
	if len(a.steps) > 0 {
		fmt.Fprintf(w, "\nNext:\n")
	}
	for _, s := range a.steps {
		fmt.Fprintf(w, "  %s\n      %s\n", plain.Text(s.Step), plain.Text(s.About))
	}
}

// printRanking names the turns of the loop that go up after down.
func (a *advised) printRanking(w io.Writer, rep *verify.Report) {
	n, k := a.table.Network(), a.found.Ranking
	root := n.SwitchName(k.Root)
	fmt.Fprintf(w, "\nThese tables follow up*/down* from %s, the root that fits best. Dependencies that go up, nearer to the root,\nafter down: %d of %s. "+
		"Without them there is no loop. In this loop:\n", root, len(k.Wrong), wording.Thousands(int64(k.Dependencies)))
	for i, v := range rep.Cycle {
		in, _ := n.Channel(v)
		out, _ := n.Channel(rep.Cycle[(i+1)%len(rep.Cycle)])
		j := slices.IndexFunc(k.Wrong, func(x advise.Turn) bool { return x.In == in && x.Out == out })
		if j < 0 {
			continue
		}
		at := n.SwitchLabel(n.Head(in))
		fmt.Fprintf(w, "  at %s: down from %s, then up to %s: %s\n", n.SwitchName(n.Head(in)), n.SwitchLabel(n.Tail(in)), n.SwitchLabel(n.Head(out)),
			explain.PacketText(a.table, rep.CyclePackets[i]))
		if k.Wrong[j].IsLegal {
			fmt.Fprintf(w, "      The path of %s itself is legal up*/down*. Tables do not know from where a packet comes.\n", plain.Text(at))
		}
	}
}
