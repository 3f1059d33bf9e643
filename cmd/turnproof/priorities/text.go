package priorities

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/priorities"
	"github.com/turnproof/turnproof/verify"
)

// This file prints the result as text.

// mostLines is the largest number of rules, and of withdrawals, that are printed.
const mostLines = 40

func (r *result) print(w io.Writer) {
	if r.tunnels != nil {
		r.printTunnels(w)
		return
	}
	f := r.found
	fmt.Fprintf(w, "%s: %s, %s, %s\n\n", r.in.Name, wording.Count(len(r.fabric.Dumps()), "switch", "es"),
		wording.Count(r.in.Net.NumHosts(), "host prefix", "es"), r.what())
	if f.Priorities == 0 {
		fmt.Fprintf(w, "priorities: no rules with %s found; at least %d\n", wording.Count(len(r.options.Priorities), "priorit", "ies", "y"), f.Bound)
	} else {
		fmt.Fprintf(w, "priorities: %d%s\n", f.Priorities, r.atLeast())
	}
	if f.Bounces > 0 {
		fmt.Fprintf(w, "Tagger:     %d, a priority for each bounce\n", f.Bounces)
	}
	if f.Priorities > 1 {
		fmt.Fprintf(w, "rules:      %d%s\n", len(f.Rules), r.fewestRules())
	}
	r.printRules(w)
	if r.rep != nil {
		fmt.Fprintln(w)
		r.printClaims(w)
	}
	r.printWithdrawn(w)
	if r.rep != nil {
		say.PrintPremises(w, r.rep.Premises)
	}
	fmt.Fprintf(w, "\n%.3g s\n", r.seconds)
}

// what names the routes.
func (r *result) what() string {
	if r.c.IsSet("bounces") {
		return fmt.Sprintf("all paths with at most %s", wording.Count(int(r.c.Uint("bounces")), "bounce", "s"))
	}
	return "the routes of the switches"
}

// atLeast gives the reason for the bound.
func (r *result) atLeast() string {
	f := r.found
	switch {
	case f.Bound == 1:
		return ": the routes have no cyclic buffer dependency"
	case f.Bound == 2 && f.Priorities == 2 && r.circle != nil:
		return " (at least 2: in one priority these wait for each other: " + strings.Join(r.circle, ", ") + ")"
	case f.Bound == 2:
		return " (at least 2: one priority has a cyclic buffer dependency)"
	}
	return fmt.Sprintf(" (at least %d: a complete search found no rules with %d)", f.Bound, f.Bound-1)
}

// fewestRules says whether the rules are the fewest.
func (r *result) fewestRules() string {
	if f := r.found; f.RuleBound > 0 && f.RuleBound < len(f.Rules) {
		return fmt.Sprintf(" (at least %d)", f.RuleBound)
	} else if f.RuleBound == 0 {
		return ""
	}
	return " (no fewer are enough with as many priorities)"
}

func (r *result) printRules(w io.Writer) {
	for i, x := range r.found.Rules {
		if i == mostLines {
			fmt.Fprintf(w, "  and %d more (--json has all)\n", len(r.found.Rules)-i)
			return
		}
		fmt.Fprintf(w, "  %s: priority %d becomes %d for frames %s to %s\n", r.name(x.Switch), r.options.Priorities[x.From], r.options.Priorities[x.To],
			r.from(x.Turn), r.to(x.Out))
	}
}

// printClaims prints the verdicts.
func (r *result) printClaims(w io.Writer) {
	line := func(c verify.Claim, name, where string) {
		text := c.Reason
		if text == "" {
			text = "the independent checker accepted it"
		}
		fmt.Fprintf(w, "%-10s %-13s  %s: %s\n", strings.ToUpper(string(c.Verdict)), name, where, text)
	}
	where := "the routes with the rules"
	if r.tunnels != nil {
		where = "with these priorities"
	}
	line(r.rep.DeadlockFree, "deadlock-free", where)
	line(r.rep.Connected, "connected", where)
	if r.bouncing != nil {
		line(r.bouncing.DeadlockFree, "deadlock-free", "all paths with the bounces and the rules")
	}
	if r.filtered != nil {
		line(r.filtered.DeadlockFree, "deadlock-free", "the routes without the next hops of "+r.c.String("policies"))
		line(r.filtered.Connected, "connected", "the routes without the next hops of "+r.c.String("policies"))
	}
	if r.read != nil {
		line(r.read.DeadlockFree, "deadlock-free", r.c.String("sonic")+", read back")
	}
}

// printWithdrawn prints what could be withdrawn instead.
func (r *result) printWithdrawn(w io.Writer) {
	x := r.withdrawn
	switch {
	case x == nil || r.found.Bound < 2:
		return
	case x.IsDecided && !x.IsPossible:
		fmt.Fprintln(w, "\nInstead of a second priority: no next hops can be withdrawn without the loss of a pair.")
		return
	case !x.IsDecided:
		fmt.Fprintf(w, "\nInstead of a second priority: at least %s must be withdrawn; the search did not end.\n", wording.Count(x.Bound, "next hop", "s"))
		return
	}
	fmt.Fprintf(w, "\nInstead of a second priority: withdraw %s (no fewer are enough, and no pair is lost):\n", wording.Count(len(x.List), "next hop", "s"))
	for i, h := range x.List {
		if i == mostLines {
			fmt.Fprintf(w, "  and %d more (--json has all)\n", len(x.List)-i)
			break
		}
		fmt.Fprintf(w, "  %s: no route to %s by %s; a policy at %s that does not announce it to %s\n", r.name(h.Switch),
			strings.Join(r.prefixes(h.Dests), ", "), r.to(h.Out), r.name(r.network().Head(h.Out)), r.name(h.Switch))
	}
	fmt.Fprintln(w, "This holds for the present routes. At further failures these next hops are missing: remove the policies after the repair.")
}

func (r *result) network() *model.Network { return r.fabric.Routes().Network() }

func (r *result) name(u model.SwitchID) string { return r.network().SwitchName(u) }

// from names where the frames of a turn come from.
func (r *result) from(t priorities.Turn) string {
	if t.In == model.NoChannel {
		return "of its hosts"
	}
	n := r.network()
	return fmt.Sprintf("from %s (%s)", r.name(n.Tail(t.In)), n.PortName(t.Switch, n.HeadPort(t.In)))
}

// to names the other end of a channel, and the port by which it leaves.
func (r *result) to(c model.ChannelID) string {
	n := r.network()
	return fmt.Sprintf("%s (%s)", r.name(n.Head(c)), n.PortName(n.Tail(c), n.TailPort(c)))
}

// channel names both ends of a channel.
func (r *result) channel(c model.ChannelID) string {
	n := r.network()
	return fmt.Sprintf("%s:%s > %s:%s", r.name(n.Tail(c)), n.PortName(n.Tail(c), n.TailPort(c)), r.name(n.Head(c)), n.PortName(n.Head(c), n.HeadPort(c)))
}

// prefixes names the prefixes of destinations.
func (r *result) prefixes(list []model.DestID) (names []string) {
	rel := r.fabric.Routes()
	seen := map[model.HostID]bool{}
	for _, d := range list {
		if h := rel.DestinationHost(d); !seen[h] {
			seen[h] = true
			names = append(names, r.network().HostLabel(h))
		}
	}
	return names
}
