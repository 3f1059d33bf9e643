package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file prints what "turns" made: as text, or as docs/schema/turns.json says.

type turnsJSON struct {
	Schema      string        `json:"schema"`
	Network     string        `json:"network"`
	Traffic     string        `json:"traffic"`
	Switches    int           `json:"switches"`
	Hosts       int           `json:"hosts"`
	Links       int           `json:"links"`
	Channels    int           `json:"channels"`
	Turns       int           `json:"turns"`
	Inputs      []cert.Input  `json:"inputs"` // the files that were read
	*methodJSON               // of a single method
	Compare     []*methodJSON `json:"compare,omitempty"`
}

// methodJSON is what one method made.
type methodJSON struct {
	Method            string      `json:"method"`
	Root              *int        `json:"root"`
	Prohibited        int         `json:"prohibited"`
	ProhibitedShare   float64     `json:"prohibited_share"`
	PT                float64     `json:"pt"`
	SDPT              float64     `json:"sdpt"`
	PPT               int         `json:"ppt"`
	LowerBound        *int        `json:"lower_bound"`    // null: not worked out
	Optimal           *bool       `json:"optimal"`        // null: not asked
	LowerBoundBy      string      `json:"lower_bound_by"` // its evidence; empty: there is none
	Objective         string      `json:"objective,omitempty"`
	Values            []float64   `json:"values,omitempty"` // its sums
	Front             []frontJSON `json:"front,omitempty"`
	Acyclic           bool        `json:"acyclic"`
	Connected         bool        `json:"connected"`
	Cycle             []hopJSON   `json:"cycle"`
	Pairs             int64       `json:"pairs"`
	UnreachablePairs  int64       `json:"unreachable_pairs"`
	UnreachablePair   *pairJSON   `json:"unreachable_pair"` // null: all are connected
	MeanPath          float64     `json:"mean_path"`
	MaxPath           int         `json:"max_path"`
	PathsPerPair      float64     `json:"paths_per_pair"`
	MaxLinkLoad       float64     `json:"max_link_load"`
	MaxLink           *hopJSON    `json:"max_link"`
	MaxTurnLoad       float64     `json:"max_turn_load"`
	Throughput        *float64    `json:"throughput"` // null: nothing is sent
	ThroughputOnePath *float64    `json:"throughput_one_path"`
	CrossingRoot      *float64    `json:"crossing_root"`
	CrossingMax       float64     `json:"crossing_max"`
	Simulated         *simulated  `json:"simulated,omitempty"`
	Notes             []string    `json:"notes"`
	Seconds           float64     `json:"seconds"`
}

// frontJSON is a set of a Pareto front.
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

func printTurns(c *cli.Context, run *turnsRun, made []*turnsMade) error {
	if !c.Bool("json") {
		if c.Bool("compare") {
			return compareText(c.App.Writer, run, made)
		}
		turnsText(c.App.Writer, run, made[0])
		return nil
	}
	n := run.in.net
	out := turnsJSON{Schema: "turnproof.turns/1", Network: run.in.name, Traffic: run.word, Switches: n.NumSwitches(), Hosts: n.NumHosts(),
		Links: n.NumLinks(), Channels: n.NumLinkChannels(), Turns: made[0].count.Turns, Inputs: run.in.inputsJSON()}
	if c.Bool("compare") {
		for _, m := range made {
			out.Compare = append(out.Compare, m.json())
		}
	} else {
		out.methodJSON = made[0].json()
	}
	return cli.PrintJSON(c.App.Writer, out)
}

func (m *turnsMade) json() *methodJSON {
	n := m.Allowed.Network()
	var front []frontJSON
	for _, f := range m.front {
		front = append(front, frontJSON{f.Values, f.Allowed.Complement().Len(), f.proof.Acyclic.Verdict == verify.Proved, f.proof.Connected.Verdict == verify.Proved})
	}
	j := &methodJSON{Objective: m.Objective, Values: m.Values, Front: front, Method: m.Method, Prohibited: m.count.Prohibited, ProhibitedShare: m.count.Share(), PT: m.count.PT, SDPT: m.count.SDPT, PPT: m.count.PPT,
		Acyclic: m.proof.Acyclic.Verdict == verify.Proved, Connected: m.proof.Connected.Verdict == verify.Proved,
		Cycle: []hopJSON{}, LowerBoundBy: m.proof.BoundBy, Pairs: m.proof.Pairs, UnreachablePairs: m.proof.Unreachable,
		MeanPath: m.ways.MeanPath, MaxPath: m.ways.MaxPath, PathsPerPair: m.ways.Paths,
		Throughput: m.throughput(), ThroughputOnePath: m.onePath, Simulated: m.sim, Notes: append([]string{}, m.Notes...), Seconds: m.seconds}
	if lost := m.proof.Lost; lost[0] != model.NoHost {
		j.UnreachablePair = &pairJSON{n.HostLabel(lost[0]), n.HostLabel(lost[1])}
	}
	if b := m.Bound; b != nil {
		j.LowerBound, j.Optimal = &b.Least, &b.Optimal
	}
	for _, v := range m.proof.Cycle {
		j.Cycle = append(j.Cycle, newHopJSON(n, v))
	}
	var at model.ChannelID
	if j.MaxLinkLoad, at = m.mostLoaded(); at != model.NoChannel {
		h := newHopJSON(n, n.VC(at, 0))
		j.MaxLink = &h
	}
	for _, x := range m.ways.TurnLoad {
		j.MaxTurnLoad = max(j.MaxTurnLoad, x)
	}
	for _, x := range m.ways.Crossing {
		j.CrossingMax = max(j.CrossingMax, x)
	}
	if u := m.root(); u != nil {
		root, crossing := int(*u), m.ways.Crossing[*u]
		j.Root, j.CrossingRoot = &root, &crossing
	}
	return j
}

// throughput is 1/M, nil where nothing is sent.
func (m *turnsMade) throughput() *float64 {
	x := m.ways.Throughput()
	if x == 0 {
		return nil
	}
	return &x
}

// mostLoaded returns the most loaded channel between switches.
func (m *turnsMade) mostLoaded() (load float64, at model.ChannelID) {
	return mostLoadedLink(m.Allowed.Network(), m.ways.Load)
}

// mostLoadedLink returns the most loaded channel between switches.
func mostLoadedLink(n *model.Network, load []float64) (most float64, at model.ChannelID) {
	at = model.NoChannel
	for c, x := range load[:n.NumLinkChannels()] {
		if x > most {
			most, at = x, model.ChannelID(c)
		}
	}
	return most, at
}

func turnsText(w io.Writer, run *turnsRun, m *turnsMade) {
	n := run.in.net
	fmt.Fprintf(w, "%s: %s, %s, %s\n", run.in.name, count(n.NumSwitches(), "switch", "es"), count(n.NumHosts(), "host", "s"), count(n.NumLinks(), "link", "s"))
	fmt.Fprintf(w, "method: %s", m.Method)
	if u := m.root(); u != nil {
		fmt.Fprintf(w, ", root %s", n.SwitchName(*u))
	}
	fmt.Fprintf(w, ", traffic %s\n\n", run.word)
	claim := func(c verify.Claim) { fmt.Fprintf(w, "%-12s %s  %s\n", c.Name+":", c.Verdict, claimText(c)) }
	claim(m.proof.Acyclic)
	for i, v := range m.proof.Cycle {
		if i == 10 {
			fmt.Fprintf(w, "             and %d more channels\n", len(m.proof.Cycle)-i)
			break
		}
		c, _ := n.Channel(v)
		fmt.Fprintf(w, "             %s port %s > %s\n", n.SwitchName(n.Tail(c)), n.PortLabel(n.Tail(c), n.TailPort(c)), n.SwitchName(n.Head(c)))
	}
	claim(m.proof.Connected)
	if lost := m.proof.Lost; lost[0] != model.NoHost {
		fmt.Fprintf(w, "             no allowed way leads from %s to %s\n", n.HostLabel(lost[0]), n.HostLabel(lost[1]))
	}
	if m.sim != nil {
		fmt.Fprintf(w, "simulated:   %s\n", simulatedText(m.sim))
	}
	load, at := m.mostLoaded()
	fmt.Fprintf(w, "\nprohibited:  %d of %d turns (%.1f %%), in both directions %s\n", m.count.Prohibited, m.count.Turns, 100*m.count.Share(), count(m.count.PPT, "pair", "s"))
	if b := m.Bound; b != nil && b.Optimal {
		fmt.Fprintf(w, "at least:    %d in every such set%s, so there is no better one\n", b.Least, m.shownBy())
	} else if b != nil {
		fmt.Fprintf(w, "at least:    %d in every such set%s; %d more than that were prohibited, which is not proved to be needed\n", b.Least, m.shownBy(), m.count.Prohibited-b.Least)
	}
	if m.Objective != "" {
		fmt.Fprintf(w, "objective:   %s = %s\n", m.Objective, valuesText(m.Values))
	}
	for i, f := range m.front {
		if i == 0 {
			fmt.Fprintf(w, "front:       of %s, %s\n", m.Options.Pareto, count(len(m.front), "set", "s"))
		}
		fmt.Fprintf(w, "             %s  %s, %s\n", valuesText(f.Values), f.proof.Acyclic.Verdict, f.proof.Connected.Verdict)
	}
	fmt.Fprintf(w, "per switch:  %.3f (PT), standard deviation %.3f (SDPT)\n", m.count.PT, m.count.SDPT)
	fmt.Fprintf(w, "paths:       %.3f links in the mean, %d at most; %.2f shortest ones a pair\n", m.ways.MeanPath, m.ways.MaxPath, m.ways.Paths)
	if at != model.NoChannel {
		fmt.Fprintf(w, "load:        at most %.3f, on the link from %s port %s to %s\n", load, n.SwitchName(n.Tail(at)), n.PortLabel(n.Tail(at), n.TailPort(at)), n.SwitchName(n.Head(at)))
	}
	if x := m.throughput(); x != nil {
		fmt.Fprintf(w, "throughput:  %.4f with all shortest ways in use alike", *x)
		if m.onePath != nil {
			fmt.Fprintf(w, ", %.4f with one balanced way a pair", *m.onePath)
		}
		fmt.Fprintln(w)
	}
	for _, note := range m.Notes {
		fmt.Fprintln(w, "note:       ", note)
	}
	fmt.Fprintf(w, "%.2f s\n", m.seconds)
}

func valuesText(values []float64) string {
	var words []string
	for _, v := range values {
		words = append(words, strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64))
	}
	return strings.Join(words, ", ")
}

// shownBy says what the bound rests on.
func (m *turnsMade) shownBy() string {
	switch m.proof.BoundBy {
	case cert.EvidencePacking, cert.EvidencePackingBoth:
		return " (a packing of cycles)"
	case cert.EvidenceGossip, cert.EvidenceGossipBoth:
		return " (connectedness)"
	case cert.EvidenceRefutation, cert.EvidenceRefutationBoth:
		return " (fewer are refuted)"
	}
	return ""
}

func claimText(c verify.Claim) string {
	if c.Verdict == verify.Proved {
		return c.Theorem
	}
	return c.Reason
}

func compareText(w io.Writer, run *turnsRun, made []*turnsMade) error {
	n := run.in.net
	fmt.Fprintf(w, "%s: %s, %s, %s, %s; traffic %s\n\n", run.in.name, count(n.NumSwitches(), "switch", "es"), count(n.NumHosts(), "host", "s"), count(n.NumLinks(), "link", "s"), count(made[0].count.Turns, "turn", "s"), run.word)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	bounded := slices.ContainsFunc(made, func(m *turnsMade) bool { return m.Bound != nil })
	least := func(text string) string { // a column that is there where some method gives a bound
		if !bounded {
			return ""
		}
		return text + "\t"
	}
	fmt.Fprintln(t, "method\troot\tacyclic\tconnected\tprohibited\t"+least("at least")+"PT\tSDPT\tPPT\tmean path\tmax\tpaths\tmax load\t1/M\tone path\tseconds\t")
	for _, m := range made {
		root, known, all, one := "-", "-", "-", "-"
		if x := m.throughput(); x != nil {
			all = fmt.Sprintf("%.4f", *x)
		}
		if m.Bound != nil {
			known = strconv.Itoa(m.Bound.Least)
		}
		if u := m.root(); u != nil {
			root = n.SwitchLabel(*u)
		}
		if m.onePath != nil {
			one = fmt.Sprintf("%.4f", *m.onePath)
		}
		load, _ := m.mostLoaded()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s%.3f\t%.3f\t%d\t%.3f\t%d\t%.2f\t%.3f\t%s\t%s\t%.2f\t\n", m.Method, root, m.proof.Acyclic.Verdict, m.proof.Connected.Verdict,
			m.count.Prohibited, least(known), m.count.PT, m.count.SDPT, m.count.PPT, m.ways.MeanPath, m.ways.MaxPath, m.ways.Paths, load, all, one, m.seconds)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if bounded {
		fmt.Fprintln(w, "at least: no set without a cycle that connects all prohibits fewer turns;")
	}
	fmt.Fprintln(w, "PT, SDPT: prohibited turns per switch, mean and standard deviation; PPT: pairs prohibited both ways;")
	fmt.Fprintln(w, "paths: shortest legal ones a pair; max load: of a link, each host sending 1 in all; 1/M: throughput with")
	fmt.Fprintln(w, "all shortest ways in use alike; one path: the same with one balanced way a pair.")
	return nil
}
