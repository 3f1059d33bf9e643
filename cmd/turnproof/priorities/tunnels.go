package priorities

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/priorities"
	"github.com/turnproof/turnproof/synth/priorities/configure"
	"github.com/turnproof/turnproof/verify"
)

// This file finds priorities for the frames in tunnels of dual ToR.

// tunnels is what was found for them.
type tunnels struct {
	*configure.Tunnels
	list    []configure.Remap // nil: the present maps are free of deadlock, or none was found
	fresh   []int             // priorities that may be new, in order
	dscps   []int             // of fresh
	present *verify.Report    // of the maps as they are
	refusal verify.Claim      // of the last maps that were tried
	moved   []int             // DSCPs of frames that may be dropped, which leave the new priorities
}

// mostTried limits the priorities that are tried in all combinations of the present ones.
const mostTried = 3

// remap finds the priorities for tunnels.
func (r *result) remap() (err error) {
	if r.c.IsSet("bounces") {
		return errors.New("--bounces cannot be combined with tunnels (dual ToR): their frames get a priority of their own")
	}
	t := &tunnels{}
	if t.Tunnels, err = configure.NewTunnels(r.fabric); err != nil {
		return err
	}
	r.tunnels = t
	o, err := judging.Options(r.c, r.in)
	if err != nil {
		return err
	}
	if t.present, err = verify.Check(r.c.Context, r.in.Rel, o); err != nil {
		return err
	}
	for _, v := range t.present.Cycle {
		ch, group := t.present.Relation.Network().Channel(v)
		r.circle = append(r.circle, fmt.Sprintf("%s group %d", r.channel(ch), group))
	}
	r.found = &priorities.Found{Bound: max(1, len(t.Present))}
	r.options.Priorities = slices.Clone(t.Present)
	for _, k := range t.Present {
		r.options.DSCPs = append(r.options.DSCPs, t.DSCPOf(k))
	}
	isFree := t.present.DeadlockFree.Verdict == verify.Proved
	if err := r.newNumbers(); err != nil && (!isFree || r.c.IsSet("lossless") || r.c.IsSet("dscp")) {
		return err
	}
	if isFree {
		r.rep, r.found.Priorities, t.moved = t.present, len(t.Present), nil
		return nil
	}
	if isFree, err = r.amongPresent(); err != nil || isFree {
		return err
	}
	return r.withNew()
}

// newNumbers reads --lossless and --dscp: priorities that are not lossless now, and the DSCPs of their frames.
func (r *result) newNumbers() error {
	t := r.tunnels
	order, err := r.list("lossless", 1, 7)
	if err != nil {
		return err
	}
	isNamed := order != nil
	if !isNamed {
		order = usual
	}
	var refused []string
	for _, k := range order {
		carried := t.Carries(k)
		switch {
		case slices.Contains(t.Present, k):
		case len(carried) > 0 && !isNamed:
			refused = append(refused, fmt.Sprintf("%d (DSCP %s)", k, numbers(carried)))
		default:
			t.fresh, t.moved = append(t.fresh, k), append(t.moved, carried...)
		}
	}
	switch {
	case len(t.fresh) == 0 && isNamed:
		return fmt.Errorf("--lossless names no priority beside the present ones, %s; want one for tunnels", numbers(t.Present))
	case len(t.fresh) == 0:
		return fmt.Errorf("no priority is left for tunnels: these carry frames that may be dropped: %s; "+
			"--lossless %s,... names one, and its frames move to the class of DSCP 0",
			strings.Join(refused, ", "), strings.ReplaceAll(numbers(t.Present), " ", ""))
	}
	slices.Sort(t.moved)
	t.moved = slices.Compact(t.moved)
	if t.dscps, err = r.list("dscp", 0, 63); err != nil {
		return err
	}
	if len(t.dscps) == 0 {
		t.dscps = slices.Clone(t.fresh)
	}
	n := min(len(t.dscps), len(t.fresh))
	t.fresh, t.dscps = t.fresh[:n], t.dscps[:n]
	_, lossless := r.fabric.Lossless()
	for _, d := range t.dscps {
		if slices.Contains(lossless, d) {
			return fmt.Errorf("DSCP %d is that of lossless frames of hosts; want others for tunnels, by --dscp", d)
		}
	}
	return nil
}

// amongPresent tries all maps of the present priorities to each other. If none is free of deadlock, a further priority is needed.
func (r *result) amongPresent() (found bool, err error) {
	t := r.tunnels
	n := len(t.Present)
	if n > mostTried {
		return false, nil
	}
	all := 1
	for range n {
		all *= n
	}
	isRefuted := true
	for code := range all {
		var list []configure.Remap
		for i, rest := 0, code; i < n; i, rest = i+1, rest/n {
			to := t.Present[rest%n]
			list = append(list, configure.Remap{From: t.Present[i], To: to, DSCP: t.DSCPOf(to)})
		}
		rep, err := r.try(list)
		if err != nil {
			return false, err
		}
		if rep.DeadlockFree.Verdict == verify.Proved {
			t.list, r.rep, r.found.Priorities, t.moved = list, rep, n, nil
			return true, nil
		}
		isRefuted = isRefuted && rep.DeadlockFree.Verdict == verify.Refuted
	}
	if isRefuted {
		r.found.Bound = n + 1
	}
	return false, nil
}

// withNew gives the frames of each lossless priority one of their own in tunnels, or the same one to all of them if there are too few.
func (r *result) withNew() error {
	t := r.tunnels
	for _, shared := range []bool{false, true} {
		if !shared && len(t.fresh) < len(t.Present) {
			continue
		}
		var list []configure.Remap
		count := 1
		for i, k := range t.Present {
			if !shared {
				count = i + 1
			}
			list = append(list, configure.Remap{From: k, To: t.fresh[count-1], DSCP: t.dscps[count-1]})
		}
		rep, err := r.try(list)
		if err != nil {
			return err
		}
		r.tunnels.refusal = rep.DeadlockFree
		if rep.DeadlockFree.Verdict == verify.Proved {
			t.list, r.rep, r.found.Priorities = list, rep, len(t.Present)+count
			r.options.Priorities = append(r.options.Priorities, t.fresh[:count]...)
			r.options.DSCPs = append(r.options.DSCPs, t.dscps[:count]...)
			return nil
		}
	}
	return nil
}

// try decides the fabric with maps for tunnels.
func (r *result) try(list []configure.Remap) (*verify.Report, error) {
	files, err := r.tunnels.SONiC(list)
	if err != nil {
		return nil, err
	}
	s, err := r.fabric.WithQoS(files)
	if err != nil {
		return nil, err
	}
	o, err := judging.Options(r.c, r.in)
	if err != nil {
		return nil, err
	}
	o.Doubts = append(r.fabric.WithoutPriorities(o.Doubts), r.in.NotAssumed(s.Doubts)...)
	o.Premises = r.fabric.PremiseOf(o.Premises, "as now, and those of tunnels", "the maps for tunnels")
	return verify.Check(r.c.Context, s.Relation, o)
}

// numbers lists numbers.
func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// fewer names the flag with which all tunnels may share a priority, if they have several.
func (r *result) fewer() string {
	t := r.tunnels
	if len(t.list) < 2 || t.list[0].To == t.list[1].To || t.found(t.list[0].To) {
		return ""
	}
	return fmt.Sprintf("; with --lossless %s,%d the tunnels may share one", strings.ReplaceAll(numbers(t.Present), " ", ""), t.list[0].To)
}

// found reports whether a priority is lossless now.
func (t *tunnels) found(k int) bool { return slices.Contains(t.Present, k) }

// printTunnels prints the result as text.
func (r *result) printTunnels(w io.Writer) {
	t, f := r.tunnels, r.found
	fmt.Fprintf(w, "%s: %s, %s, with tunnels (dual ToR)\n\n", r.in.Name, wording.Count(len(r.fabric.Dumps()), "switch", "es"),
		wording.Count(r.in.Net.NumHosts(), "host prefix", "es"))
	switch {
	case t.present.DeadlockFree.Verdict == verify.Proved:
		fmt.Fprintf(w, "priorities: %d, as they are\n", f.Priorities)
	case r.rep == nil:
		fmt.Fprintf(w, "priorities: frames in tunnels with %s of their own are not enough: %s\n", numbers(t.fresh), t.refusal.Reason)
	default:
		fmt.Fprintf(w, "priorities: %d (at least %d%s)\n", f.Priorities, f.Bound, r.fewer())
	}
	if r.circle != nil {
		fmt.Fprintf(w, "now:        these wait for each other: %s\n", strings.Join(r.circle, ", "))
	}
	for _, x := range t.list {
		fmt.Fprintf(w, "in tunnels: frames of priority %d get priority %d, and DSCP %d outside\n", x.From, x.To, x.DSCP)
	}
	if r.rep != nil && len(t.moved) > 0 {
		fmt.Fprintf(w, "moved:      frames with DSCP %s, which may be dropped, to the class of DSCP 0\n", numbers(t.moved))
	}
	if r.rep != nil {
		fmt.Fprintln(w)
		r.printClaims(w)
		say.PrintPremises(w, r.rep.Premises)
	}
	fmt.Fprintf(w, "\n%.3g s\n", r.seconds)
}
