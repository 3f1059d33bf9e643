package whatif

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/quality"
	"github.com/turnproof/turnproof/synth/judge"
	"github.com/turnproof/turnproof/synth/opensm"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file routes and judges one run.

// run is the result of one engine in one case.
type run struct {
	Engine    string   `json:"engine"`
	Failed    string   `json:"failed"` // what fails, or ""
	LostHosts []string `json:"lost_hosts"`
	Routed    string   `json:"routed_by"` // another engine than Engine if that one failed; "" if the network is not routed
	Fallback  string   `json:"fallback_reason,omitempty"`
	Verdict   string   `json:"verdict"` // proved, refuted, undecided, unrouted
	// DeadlockFree is the verdict on this claim, or "".
	DeadlockFree string   `json:"deadlock_free"`
	Reason       string   `json:"reason,omitempty"` // of a verdict other than proved
	Loop         []string `json:"loop"`             // the channels of a shortest dependency cycle
	Pairs        int64    `json:"pairs"`
	Lost         int64    `json:"unreachable_pairs"`
	Lanes        int      `json:"virtual_lanes"`
	Quality      *use     `json:"quality"` // nil if the routing is not measured
}

// use is how a routing uses the links.
type use struct {
	MaxLoad     int64   `json:"max_load"`
	MeanHops    float64 `json:"mean_hops"`
	MaxHops     int     `json:"max_hops"`
	Unused      int     `json:"unused_links"`
	Permutation *int    `json:"worst_permutation"`
}

// compute computes run i.
func (w *whatif) compute(ctx context.Context, i int) (run, error) {
	engine, k := w.engines[i/w.cases()], i%w.cases()
	r := run{Engine: engine, LostHosts: []string{}, Loop: []string{}}
	var failed failures.Set
	if k > 0 {
		failed = w.sets[k-1]
		r.Failed, r.LostHosts = failed.Label(w.in.Whole), append(r.LostHosts, failed.Hosts(w.in.Whole)...)
	}
	if engine == present {
		return r, w.keepTables(ctx, &r, &failed)
	}
	net, err := w.net.Without(failed.Links, failed.Switches)
	if err == nil {
		err = isWhole(net)
	}
	if err != nil {
		r.unrouted(err)
		return r, nil
	}
	folder := filepath.Join(w.folder, engine, "now")
	if k > 0 {
		folder = filepath.Join(w.folder, engine, fmt.Sprintf("failure-%d", k))
	}
	if w.folder == "" {
		if folder, err = os.MkdirTemp("", "turnproof-whatif-"); err != nil {
			return r, err
		}
		defer func() { _ = os.RemoveAll(folder) }() // a temporary folder
	}
	if w.folder != "" { // what is left of an interrupted run
		if err := os.RemoveAll(folder); err != nil {
			return r, err
		}
	}
	how := w.how
	how.Engine = engine
	routed, err := w.tools.Route(ctx, net, folder, how)
	if none := (*opensm.Failed)(nil); errors.As(err, &none) {
		r.unrouted(err)
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if r.Routed = routed.Engine; routed.Engine != engine {
		r.Fallback = routed.Reason
	}
	return r, r.judgeFolder(ctx, routed.Folder)
}

// isWhole returns an error if not all switches are connected. OpenSM routes only the part in which it runs.
func isWhole(n *model.Network) error {
	seen := make([]bool, n.NumSwitches())
	seen[0] = true
	todo, found := []model.SwitchID{0}, 1
	for len(todo) > 0 {
		u := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch && !seen[n.Head(c)] {
				seen[n.Head(c)] = true
				todo = append(todo, n.Head(c))
				found++
			}
		}
	}
	if found < n.NumSwitches() {
		return fmt.Errorf("the fabric falls apart: %d of %s are cut off from %s, and OpenSM routes one part", n.NumSwitches()-found,
			wording.Count(n.NumSwitches(), "switch", "es"), n.SwitchLabel(0))
	}
	return nil
}

// unrouted notes that there is no routing.
func (r *run) unrouted(err error) { r.Verdict, r.Reason = failures.Unrouted, err.Error() }

// keepTables judges the present tables. After a failure packets keep the hops that are left.
func (w *whatif) keepTables(ctx context.Context, r *run, failed *failures.Set) error {
	r.Routed = present
	o, err := judge.Options(w.in)
	if err != nil {
		return err
	}
	rel := w.in.Rel
	if r.Failed != "" {
		if rel, err = failures.Keep(rel, failed.Links, failed.Switches); err != nil {
			r.unrouted(err)
			return nil
		}
	}
	return r.judge(ctx, rel, o)
}

// judgeFolder judges dumps of OpenSM.
func (r *run) judgeFolder(ctx context.Context, folder string) error {
	in, err := resolve.Load(ctx, resolve.Request{Network: folder, NeedsRouting: true, Management: "none", Multicast: resolve.NoMulticast})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // tables that check refuses, such as those of half a fabric
		r.unrouted(fmt.Errorf("the dumps are refused: %s", strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), "")))
		return nil
	}
	o, err := judge.Options(in)
	if err != nil {
		return err
	}
	return r.judge(ctx, in.Rel, o)
}

// judge judges and measures a routing. The checker has accepted the verdict.
func (r *run) judge(ctx context.Context, rel model.Relation, o verify.Options) error {
	rep, err := verify.Check(ctx, rel, o)
	if none := (*verify.NoPairs)(nil); errors.As(err, &none) {
		r.unrouted(err)
		return nil
	}
	if err != nil {
		return err
	}
	n := rel.Network()
	r.Verdict, r.DeadlockFree = string(rep.Verdict()), string(rep.DeadlockFree.Verdict)
	r.Reason = verify.Unproved(rep.Claims())
	r.Pairs, r.Lost, r.Lanes = rep.Routes.Pairs, rep.Routes.Unreachable, lanes(rep)
	for _, v := range rep.Cycle {
		r.Loop = append(r.Loop, wording.Channel(n, v))
	}
	m, err := quality.Measure(ctx, rel, quality.Options{})
	if err != nil {
		return ctx.Err() // several paths for a pair: not measured
	}
	links, _ := m.Unused()
	r.Quality = &use{MaxLoad: m.MaxLoad(), MeanHops: m.MeanHops(), MaxHops: m.MaxHops(), Unused: len(links)}
	if m.Permutation != nil {
		r.Quality.Permutation = &m.Permutation.Load
	}
	return nil
}

// lanes returns the number of virtual lanes that packets are on, or 0 if the report has no graph.
func lanes(rep *verify.Report) (count int) {
	if rep.Graph == nil {
		return 0
	}
	n := rep.Graph.Network()
	used := make([]bool, n.VCs())
	for v := range model.VCID(rep.Graph.NumVCs()) {
		if c, lane := n.Channel(v); n.Kind(c) == model.SwitchToSwitch && rep.Graph.Used(v) {
			used[lane] = true
		}
	}
	for _, is := range used {
		if is {
			count++
		}
	}
	return count
}
