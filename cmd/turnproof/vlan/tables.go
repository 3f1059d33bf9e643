package vlan

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file judges forwarding tables with several next hops. VLANs carry one of the paths of each pair, so a verdict about VLANs is
// none about the tables, in which a switch hashes each flow to any of its next hops.

// ecmpTables are tables with several next hops, as the file states them.
type ecmpTables struct {
	in    resolve.Subject // before it has the VLANs
	name  string          // of the file
	pairs int64           // of hosts with several next hops on a path
	rep   *verify.Report
}

// findECMP returns the tables or the named routing of --routing if some pair of hosts has several next hops, or nil. VLANs, turn sets and
// programs are no tables.
func findECMP(in *resolve.Subject) *ecmpTables {
	if in.Rel == nil || in.Vlans != nil || in.Source != nil || in.TurnSet() != nil ||
		in.Net.NumHosts() > resolve.MaxPairHosts {
		return nil
	}
	t := &ecmpTables{in: *in, name: in.RoutingName()}
	for d := range model.DestID(in.Rel.Destinations()) {
		w := choices{rel: in.Rel, dest: d, known: map[model.State]bool{}}
		for h := range model.HostID(in.Rel.Sources()) {
			if h != in.Rel.DestinationHost(d) && w.fromHost(h) {
				t.pairs++
			}
		}
	}
	if t.pairs == 0 {
		return nil
	}
	in.Warnings = append(in.Warnings, fmt.Sprintf("%s permits several next hops for %s of hosts; the VLANs carry one path of each, so their verdict "+
		"is not that of the tables", t.name, wording.Count(int(t.pairs), "pair", "s")))
	return t
}

// choices finds states from which a packet to one destination reaches a state with several next hops.
type choices struct {
	rel   model.Relation
	dest  model.DestID
	known map[model.State]bool // by state that was visited; true if it has a choice ahead
}

// fromHost reports whether a packet from h has several paths to choose from, or several next hops on its path.
func (w *choices) fromHost(h model.HostID) bool {
	classes := w.rel.Inject(h, w.dest, nil)
	return len(classes) > 1 || len(classes) == 1 && w.ahead(model.InjectState(w.rel, h, w.dest, classes[0]))
}

// ahead reports whether a packet in state s has a choice there or later. It visits each state once.
func (w *choices) ahead(s model.State) (found bool) {
	var path []model.State
	for {
		if known, visited := w.known[s]; visited {
			found = known
			break
		}
		w.known[s] = false
		path = append(path, s)
		hops := w.rel.Next(s, nil)
		if len(hops) != 1 || w.ends(hops[0]) {
			found = len(hops) > 1
			break
		}
		s = model.State{VC: hops[0].VC, Dest: w.dest, Class: hops[0].Class}
	}
	for _, before := range path {
		w.known[before] = found
	}
	return found
}

// ends reports whether a hop leads to a host.
func (w *choices) ends(hop model.Hop) bool {
	c, _ := w.rel.Network().Channel(hop.VC)
	return w.rel.Network().Kind(c) == model.Eject
}

// check decides the tables as Ethernet forwards by them: whole frames, and a next hop that is chosen before a frame waits.
func (t *ecmpTables) check(ctx context.Context) (err error) {
	if t == nil {
		return nil
	}
	t.rep, err = verify.Check(ctx, t.in.Rel, verify.Options{Switching: model.StoreAndForward, Waiting: model.WaitOne})
	return err
}

// print prints the claims about the tables.
func (t *ecmpTables) print(w io.Writer) {
	fmt.Fprintf(w, "\nThe tables themselves, each next hop that %s permits (saf, waiting one):\n", t.name)
	for _, c := range t.rep.Claims() {
		fmt.Fprintf(w, "%-9s  %-14s %s\n", strings.ToUpper(string(c.Verdict)), c.Name, explain.ClaimNote(c, t.rep))
	}
	verdict.PrintCycle(w, &t.in, t.rep)
}

// tablesJSON is what the JSON output says about the tables.
type tablesJSON struct {
	Pairs        int64  `json:"pairs"` // of hosts with several next hops
	Verdict      string `json:"verdict"`
	DeadlockFree *bool  `json:"deadlock_free"`
	Connected    *bool  `json:"connected"`
	LivelockFree *bool  `json:"livelock_free"`
}

// json returns nil without tables.
func (t *ecmpTables) json() *tablesJSON {
	if t == nil {
		return nil
	}
	check := verdict.NewCheckJSON(&t.in, t.rep, "", nil, 0)
	return &tablesJSON{t.pairs, string(t.rep.Verdict()), check.DeadlockFree, check.Connected, check.LivelockFree}
}
