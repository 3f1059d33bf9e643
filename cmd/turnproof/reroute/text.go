package reroute

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file prints the result as text.

// stepPremises are the premises of steps.
var stepPremises = []string{"a packet looks up its entry when it enters a switch, and keeps the next hop that it finds",
	"a step begins when no packet is left that was in the network before the previous step ended"}

// shownSteps is the largest number of steps and parts that are listed as text.
const shownSteps = 12

func (r *result) print(w io.Writer) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	for i, state := range []string{"old", "new"} {
		p("%s: %s, %s", state, plain.Text(r.Names[i]), r.Rep[i].Verdict())
		if lost := r.Lost(i); lost > 0 {
			p(", %s without a path", wording.Count(int(lost), "pair", "s"))
		}
		p("\n")
	}
	p("%s of %s differ.", wording.Thousands(int64(r.Changed)), wording.Count(r.Entries, "entr", "ies", "y"))
	if r.Levels > 0 {
		p(" So do the service levels of %s.", wording.Count(r.Levels, "path", "s"))
	}
	p("\n\n")
	if d := r.Diff; !d.Same() {
		p("The fabric is %s\n\n", fabricNote(d))
	}
	r.printMixture(w)
	r.printOrder(w)
	if r.noStatics != "" {
		p("          no static routes of FRR are written: %s\n", r.noStatics)
	}
	r.printWays(w)
	r.printSimulations(w)
	say.PrintPremises(w, r.Premises)
	for _, premise := range stepPremises {
		p("  %s\n", premise)
	}
	p("\n%s. The independent checker accepted each of these answers. %.3f s\n", r.summary(), r.seconds)
}

// fabricNote says how the fabrics differ.
func fabricNote(d *compare.NetworkDiff) string {
	return fmt.Sprintf("the new one: %s, %s, %s gone; %s, %s, %s new. Old entries for ports without a cable drop packets.",
		wording.Count(len(d.SwitchesGone), "switch", "es"), wording.Count(len(d.HostsGone), "host", "s"), wording.Count(len(d.CablesGone), "cable", "s"),
		wording.Count(len(d.SwitchesNew), "switch", "es"), wording.Count(len(d.HostsNew), "host", "s"), wording.Count(len(d.CablesNew), "cable", "s"))
}

// printMixture prints the verdict on entries that change in any order.
func (r *result) printMixture(w io.Writer) {
	m, n := r.mixture, r.Any.Network()
	how := ""
	if r.atomic != transition.Entry {
		how = ", each " + string(r.atomic) + " at once"
	}
	if r.drained {
		how += ", drained"
	}
	note := mixtureNote(m)
	if m.Channels > 0 || m.Undecided == "" {
		note = fmt.Sprintf("old and new entries together have %s between %s, %s", wording.Count(m.Dependencies, "dependenc", "ies", "y"),
			wording.Count(m.Channels, "channel", "s"), note)
	}
	fmt.Fprintf(w, "%-8s  in any order%s: %s\n", strings.ToUpper(string(states.Verdict(r.mixture))), how, note)
	switch {
	case m.Drops == 0:
	case r.Change == nil:
		fmt.Fprintf(w, "          packets find no next hop at %s\n", wording.Count(m.Drops, "place", "s"))
	default:
		fmt.Fprintf(w, "          packets are dropped, or leave to another host, at %s\n", wording.Count(m.Drops, "place", "s"))
	}
	for i, v := range m.Cycle {
		if i == say.MaxShown {
			fmt.Fprintf(w, "    and %s more\n", wording.Count(len(m.Cycle)-i, "channel", "s"))
			break
		}
		fmt.Fprintf(w, "    %s\n        %s\n", wording.Channel(n, v), explain.PacketText(r.Any.Relation(), m.Packets[i]))
	}
	if len(m.Loops) > 0 {
		var list []int32
		for _, d := range m.Loops {
			list = append(list, int32(d))
		}
		fmt.Fprintf(w, "    packets can loop to %s\n", r.listed(transition.Destination, list))
	}
}

// mixtureNote says what the dependencies of a mixture do.
func mixtureNote(m *transition.Mixture) string {
	switch {
	case m.Undecided != "":
		return m.Undecided
	case m.Cycle == nil && len(m.Loops) == 0 && m.Drained():
		return "and those of each set of changed parts are without a cycle"
	case m.Cycle == nil && len(m.Loops) == 0:
		return "without a cycle"
	case m.Cycle == nil:
		return "without a cycle, but packets can loop"
	case isStranded(m):
		return "and a packet can reach a switch where it has no next hop:"
	}
	return fmt.Sprintf("with a cycle of %d:", len(m.Cycle))
}

// printOrder prints the order, or why there is none.
func (r *result) printOrder(w io.Writer) {
	how := "in service"
	if r.drained {
		how = "drained"
	}
	what := wordsOf(r.part)
	word := map[reroute.Answer]string{reroute.Found: "PROVED", reroute.None: "REFUTED", reroute.Unknown: "UNDECIDED"}[r.order.Answer]
	switch r.order.Answer {
	case reroute.Found:
		few := ""
		if b := r.order.Bound; b != nil && b.Steps == len(r.order.Steps) {
			few = ", and not in fewer"
		} else if b != nil {
			few = fmt.Sprintf(", at least %d are needed", b.Steps)
		}
		fmt.Fprintf(w, "%-8s  an order of %s, %s: %s%s\n", word, what, how, wording.Count(len(r.order.Steps), "step", "s"), few)
		r.printSteps(w, r.Any, r.part, r.order.Steps)
	default:
		fmt.Fprintf(w, "%-8s  an order of %s, %s: %s\n", word, what, how, r.order.Reason)
		if len(r.order.Blocked) > 0 {
			fmt.Fprintf(w, "    blocked: %s\n", r.listed(r.part, r.order.Blocked))
		}
	}
	if r.sets > 0 {
		fmt.Fprintf(w, "    %d of %d sets of changed switches are safe\n", r.safe, r.sets)
	}
}

// printSteps lists steps, the first ones of many.
func (r *result) printSteps(w io.Writer, c states.Changing, part transition.Part, steps []transition.Step) {
	words := map[transition.Kind]string{transition.Stop: "stop packets to ", transition.Resume: "change, and resume packets to "}
	for i, s := range steps {
		if i == shownSteps {
			fmt.Fprintf(w, "    and %s more\n", wording.Count(len(steps)-i, "step", "s"))
			break
		}
		fmt.Fprintf(w, "    %3d  %s%s, %s\n", i+1, words[s.Kind], r.listed(part, s.Parts), wording.Count(entriesOf(c, part, s), "entr", "ies", "y"))
	}
}

// printWays prints ways out.
func (r *result) printWays(w io.Writer) {
	if r.ways == nil {
		r.printDrain(w)
		return
	}
	few := ""
	if b := r.ways.Bound; b != nil && b.Stops == r.ways.Count {
		few = ", and not to fewer"
	} else if b != nil {
		few = fmt.Sprintf(", at least %d have to stop", b.Stops)
	}
	fmt.Fprintf(w, "PROVED    a way out: stop packets to %s while all others change in service%s\n", wording.Count(r.ways.Count, "destination", "s"), few)
	r.printSteps(w, r.Any, transition.Destination, r.ways.Steps)
	if v := r.ways.via; v != nil {
		fmt.Fprintf(w, "PROVED    a way out: by way of %s, %s and then %s in service\n", v.Name, wording.Count(len(v.ToSteps), "step", "s"),
			wording.Count(len(v.FromSteps), "step", "s"))
	}
	if l := r.ways.lanes; l != nil {
		l.print(w)
	} else if r.ways.noLanes != "" {
		fmt.Fprintf(w, "          no second lane: %s\n", r.ways.noLanes)
	}
}

// listed names parts, the first ones of a long list.
func (r *result) listed(part transition.Part, list []int32) string {
	var names []string
	for i, p := range r.parts(part, list) {
		if i == shownSteps {
			names = append(names, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		name := p.Name
		if p.LID != nil {
			name += fmt.Sprintf(" (LID %d)", *p.LID)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// summary is the last line.
func (r *result) summary() string {
	switch r.verdict() {
	case verify.Proved:
		if r.mixture.Safe() {
			return "The entries can be replaced in any order"
		}
		return "The tables can be replaced in this order"
	case verify.Refuted:
		return "No such order is free of deadlock all the time"
	}
	return "Whether such an order exists is unknown"
}
