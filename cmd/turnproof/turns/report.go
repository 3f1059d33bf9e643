package turns

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/turnset"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file prints turn sets and their measurements as text or JSON (docs/schema/turns.json).

type turnsJSON struct {
	Schema      string        `json:"schema"`
	Network     string        `json:"network"`
	Traffic     string        `json:"traffic"`
	Switches    int           `json:"switches"`
	Hosts       int           `json:"hosts"`
	Links       int           `json:"links"`
	Channels    int           `json:"channels"`
	Turns       int           `json:"turns"`
	Inputs      []model.Input `json:"inputs"` // the files that were read
	*methodJSON               // without --compare
	Compare     []*methodJSON `json:"compare,omitempty"`
}

// methodJSON describes the turn set of one method.
type methodJSON struct {
	Method            string          `json:"method"`
	Root              *int            `json:"root"`
	Prohibited        int             `json:"prohibited"`
	ProhibitedShare   float64         `json:"prohibited_share"`
	PT                float64         `json:"pt"`
	SDPT              float64         `json:"sdpt"`
	PPT               int             `json:"ppt"`
	LowerBound        *int            `json:"lower_bound"`    // null if not computed
	Optimal           *bool           `json:"optimal"`        // null if lower_bound is
	LowerBoundBy      string          `json:"lower_bound_by"` // kind of the evidence for lower_bound; empty if there is none
	Objective         string          `json:"objective,omitempty"`
	Values            []float64       `json:"values,omitempty"` // values of the objective
	Front             []frontJSON     `json:"front,omitempty"`
	Acyclic           bool            `json:"acyclic"`
	Connected         bool            `json:"connected"`
	Cycle             []say.HopJSON   `json:"cycle"`
	Pairs             int64           `json:"pairs"`
	UnreachablePairs  int64           `json:"unreachable_pairs"`
	UnreachablePair   *pairJSON       `json:"unreachable_pair"` // null if all pairs are connected
	MeanPath          float64         `json:"mean_path"`
	MaxPath           int             `json:"max_path"`
	PathsPerPair      float64         `json:"paths_per_pair"`
	MaxLinkLoad       float64         `json:"max_link_load"`
	MaxLink           *say.HopJSON    `json:"max_link"`
	MaxTurnLoad       float64         `json:"max_turn_load"`
	Throughput        *float64        `json:"throughput"` // null if no host sends
	ThroughputOnePath *float64        `json:"throughput_one_path"`
	ThroughputWorst   *float64        `json:"throughput_worst"` // under the worst permutation; null if not computed
	WorstLink         *say.HopJSON    `json:"worst_link"`       // the channel that this permutation fills
	CrossingRoot      *float64        `json:"crossing_root"`
	CrossingMax       float64         `json:"crossing_max"`
	Simulated         *confirm.Result `json:"simulated,omitempty"`
	Notes             []string        `json:"notes"`
	Seconds           float64         `json:"seconds"`
}

// frontJSON is a turn set of a Pareto front.
type frontJSON struct {
	Values     []float64 `json:"values"`
	Prohibited int       `json:"prohibited"`
	Acyclic    bool      `json:"acyclic"`
	Connected  bool      `json:"connected"`
}

type pairJSON struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
}

func printTurns(c *cli.Context, run *turnset.Run, made []*turnset.Made, names []string) error {
	if !c.Bool("json") {
		if c.Bool("compare") {
			return compare(c.App.Writer, c.String("format"), run, made, names)
		}
		turnsText(c.App.Writer, run, made[0])
		return nil
	}
	n := run.In.Net
	out := turnsJSON{Schema: "turnproof.turns/1", Network: run.In.Name, Traffic: run.Word, Switches: n.NumSwitches(), Hosts: n.NumHosts(),
		Links: n.NumLinks(), Channels: n.NumLinkChannels(), Turns: made[0].Count.Turns, Inputs: input.InputsJSON(run.In)}
	if c.Bool("compare") {
		for _, m := range made {
			out.Compare = append(out.Compare, newMethodJSON(m))
		}
	} else {
		out.methodJSON = newMethodJSON(made[0])
	}
	return cli.PrintJSON(c.App.Writer, out)
}

func newMethodJSON(m *turnset.Made) *methodJSON {
	n := m.Allowed.Network()
	var front []frontJSON
	for _, f := range m.Front {
		front = append(front, frontJSON{f.Values, f.Allowed.Complement().Len(), f.Proof.Acyclic.Verdict == verify.Proved,
			f.Proof.Connected.Verdict == verify.Proved})
	}
	j := &methodJSON{Objective: m.Objective, Values: m.Values, Front: front, Method: m.Method, Prohibited: m.Count.Prohibited,
		ProhibitedShare: m.Count.Share(), PT: m.Count.PT, SDPT: m.Count.SDPT, PPT: m.Count.PPT,
		Acyclic: m.Proof.Acyclic.Verdict == verify.Proved, Connected: m.Proof.Connected.Verdict == verify.Proved,
		Cycle: []say.HopJSON{}, LowerBoundBy: m.Proof.BoundBy, Pairs: m.Proof.Pairs, UnreachablePairs: m.Proof.Unreachable,
		MeanPath: m.Paths.MeanPath, MaxPath: m.Paths.MaxPath, PathsPerPair: m.Paths.Paths,
		Throughput: m.Throughput(), ThroughputOnePath: m.OnePath, Simulated: m.Sim, Notes: append([]string{}, m.Notes...), Seconds: m.Seconds}
	if lost := m.Proof.Lost; lost[0] != model.NoHost {
		j.UnreachablePair = &pairJSON{n.HostLabel(lost[0]), n.HostLabel(lost[1])}
	}
	if b := m.Bound; b != nil {
		j.LowerBound, j.Optimal = &b.Least, &b.Optimal
	}
	for _, v := range m.Proof.Cycle {
		j.Cycle = append(j.Cycle, say.NewHopJSON(n, v))
	}
	var at model.ChannelID
	if j.MaxLinkLoad, at = m.BusiestLink(); at != model.NoChannel {
		h := say.NewHopJSON(n, n.VC(at, 0))
		j.MaxLink = &h
	}
	if w := m.Worst; w != nil {
		x, h := w.Throughput(), say.NewHopJSON(n, n.VC(w.Channel, 0))
		j.ThroughputWorst, j.WorstLink = &x, &h
	}
	for _, x := range m.Paths.TurnLoad {
		j.MaxTurnLoad = max(j.MaxTurnLoad, x)
	}
	for _, x := range m.Paths.Crossing {
		j.CrossingMax = max(j.CrossingMax, x)
	}
	if u := m.Root(); u != nil {
		root, crossing := int(*u), m.Paths.Crossing[*u]
		j.Root, j.CrossingRoot = &root, &crossing
	}
	return j
}

// turnsText prints the report about a set of turns.
func turnsText(w io.Writer, run *turnset.Run, m *turnset.Made) {
	n := run.In.Net
	fmt.Fprintf(w, "%s: %s, %s, %s\n", run.In.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
		wording.Count(n.NumLinks(), "link", "s"))
	fmt.Fprintf(w, "method: %s", m.Method)
	if u := m.Root(); u != nil {
		fmt.Fprintf(w, ", root %s", n.SwitchName(*u))
	}
	fmt.Fprintf(w, ", traffic %s\n\n", run.Word)
	printProof(w, n, m)
	printCounts(w, m)
	printLoads(w, n, m)
	for _, note := range m.Notes {
		fmt.Fprintln(w, "note:       ", note)
	}
	fmt.Fprintf(w, "%.2f s\n", m.Seconds)
}

// printProof prints what is proved of the set, with the cycle or the lost pair that refutes a claim.
func printProof(w io.Writer, n *model.Network, m *turnset.Made) {
	claim := func(c verify.Claim) { fmt.Fprintf(w, "%-12s %s  %s\n", c.Name+":", c.Verdict, claimText(c)) }
	claim(m.Proof.Acyclic)
	for i, v := range m.Proof.Cycle {
		if i == 10 {
			fmt.Fprintf(w, "             and %d more channels\n", len(m.Proof.Cycle)-i)
			break
		}
		c, _ := n.Channel(v)
		fmt.Fprintf(w, "             %s %s > %s\n", n.SwitchName(n.Tail(c)), outText(n, c), n.SwitchName(n.Head(c)))
	}
	claim(m.Proof.Connected)
	if lost := m.Proof.Lost; lost[0] != model.NoHost {
		fmt.Fprintf(w, "             no allowed path leads from %s to %s\n", n.HostLabel(lost[0]), n.HostLabel(lost[1]))
	}
	if m.Sim != nil {
		fmt.Fprintf(w, "simulated:   %s\n", verdict.SimulatedText(m.Sim))
	}
}

// printCounts prints how many turns are prohibited and how many must be, the objective, and the front of --pareto.
func printCounts(w io.Writer, m *turnset.Made) {
	fmt.Fprintf(w, "\nprohibited:  %d of %d turns (%.1f %%), in both directions %s\n", m.Count.Prohibited, m.Count.Turns, 100*m.Count.Share(),
		wording.Count(m.Count.PPT, "pair", "s"))
	if b := m.Bound; b != nil && b.Optimal {
		fmt.Fprintf(w, "at least:    %d in every such set%s, so this set is optimal\n", b.Least, m.ShownBy())
	} else if b != nil {
		fmt.Fprintf(w, "at least:    %d in every such set%s; this set prohibits %d more, which may not be needed\n", b.Least, m.ShownBy(),
			m.Count.Prohibited-b.Least)
	}
	if m.Objective != "" {
		fmt.Fprintf(w, "objective:   %s = %s\n", m.Objective, valuesText(m.Values))
	}
	for i, f := range m.Front {
		if i == 0 {
			fmt.Fprintf(w, "front:       of %s, %s\n", m.Options.Pareto, wording.Count(len(m.Front), "set", "s"))
		}
		fmt.Fprintf(w, "             %s  %s, %s\n", valuesText(f.Values), f.Proof.Acyclic.Verdict, f.Proof.Connected.Verdict)
	}
	fmt.Fprintf(w, "per switch:  %.3f (PT), standard deviation %.3f (SDPT)\n", m.Count.PT, m.Count.SDPT)
}

// printLoads prints the lengths of paths, the load of the busiest link and the throughput.
func printLoads(w io.Writer, n *model.Network, m *turnset.Made) {
	fmt.Fprintf(w, "paths:       %.3f links on average, %d at most; %.2f shortest paths per pair\n", m.Paths.MeanPath, m.Paths.MaxPath, m.Paths.Paths)
	if load, at := m.BusiestLink(); at != model.NoChannel {
		fmt.Fprintf(w, "load:        at most %.3f, on the link from %s %s to %s\n", load, n.SwitchName(n.Tail(at)), outText(n, at), n.SwitchName(n.Head(at)))
	}
	if x := m.Throughput(); x != nil {
		fmt.Fprintf(w, "throughput:  %.4f with equal use of all shortest paths", *x)
		if m.OnePath != nil {
			fmt.Fprintf(w, ", %.4f with one balanced path per pair", *m.OnePath)
		}
		fmt.Fprintln(w)
	}
	if x := m.Worst; x != nil {
		fmt.Fprintf(w, "worst case:  %.4f under the worst permutation%s\n", x.Throughput(), filled(n, x.Channel))
	}
}

// filled names the channel that a permutation fills, if it is a channel between switches.
func filled(n *model.Network, c model.ChannelID) string {
	if n.Kind(c) != model.SwitchToSwitch {
		return ", which fills the links of the hosts"
	}
	return fmt.Sprintf(", which fills the link from %s %s to %s", n.SwitchName(n.Tail(c)), outText(n, c), n.SwitchName(n.Head(c)))
}

// outText names the port by which a channel leaves its switch: by its direction, or as "port 3".
func outText(n *model.Network, c model.ChannelID) string {
	if d := wording.Direction(n, c); d != "" {
		return d
	}
	return "port " + n.PortLabel(n.Tail(c), n.TailPort(c))
}

func valuesText(values []float64) string {
	var words []string
	for _, v := range values {
		words = append(words, strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64))
	}
	return strings.Join(words, ", ")
}

func claimText(c verify.Claim) string {
	if c.Verdict == verify.Proved {
		return c.Theorem
	}
	return c.Reason
}
