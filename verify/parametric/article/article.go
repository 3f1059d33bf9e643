package article

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file says what a page contains, part by part.

// New returns the page of a proved report. It fails if the report is not proved.
func New(ctx context.Context, r *parametric.Report) (*Page, error) {
	p := &Page{title: fmt.Sprintf("%s is %s on every network of its family", strings.TrimSuffix(r.Program, ".star"), r.Claims[0].Name)}
	p.theorem(r)
	if cases := r.Cases(); cases == nil {
		if err := p.proof(ctx, r); err != nil {
			return nil, err
		}
	} else {
		for i, one := range cases {
			p.heading(fmt.Sprintf("Case %d: %s", i+1, one.CaseText()))
			if i > 0 {
				p.say("The place of the failure, $%s$, is constant on each path. Ranks and conditions may use it.", one.FailedPlace())
			}
			if err := p.proof(ctx, one); err != nil {
				return nil, err
			}
		}
	}
	p.checks(r)
	return p, nil
}

// proof gives the ranks of a report and proves the theorem from them.
func (p *Page) proof(ctx context.Context, r *parametric.Report) error {
	steps, err := r.Steps(ctx)
	if err != nil {
		return err
	}
	if len(r.Ranks) > 0 {
		p.ranks(r)
		p.lemma(r, steps)
	}
	p.arrival(r)
	p.conclusion(r)
	return nil
}

// claim returns a claim of a report, or nil.
func claim(r *parametric.Report, name string) *parametric.Claim {
	for i := range r.Claims {
		if r.Claims[i].Name == name {
			return &r.Claims[i]
		}
	}
	return nil
}

// statement says what the claims are.
func statement(r *parametric.Report) string {
	var list []string
	free, connected, finite := claim(r, "deadlock-free") != nil, claim(r, "connected") != nil, claim(r, "livelock-free") != nil
	if free {
		list = append(list, "no deadlock exists under "+disciplines(r.Switching))
	}
	switch {
	case connected && finite:
		list = append(list, "every packet arrives at its destination")
	case connected:
		list = append(list, "some path leads every packet to its destination from wherever it is")
	}
	if finite {
		list = append(list, "no packet is forwarded forever")
	}
	if last := len(list) - 1; last > 0 {
		return strings.Join(list[:last], ", ") + ", and " + list[last]
	}
	return list[0]
}

// theorem states the theorem, its premises and the routing.
func (p *Page) theorem(r *parametric.Report) {
	p.heading("Theorem")
	sizes := "On the network $" + r.Family + "$"
	if r.Sizes != "all" {
		sizes = fmt.Sprintf("Let $%s$. On every network $%s$ of %s", r.Sizes, r.Family, wording.Count(r.Dims, "dimension", "s"))
	}
	if r.Faults != nil {
		sizes += ", with " + r.Faults.Words()
	}
	p.say("%s, the routing below has these properties: %s.", sizes, statement(r))
	p.say("Premises:")
	items := make([]text, len(r.Premises))
	for i, x := range r.Premises {
		items[i] = text(fmt.Sprintf("%s: %s (%s)", x.Name, x.Value, x.Source))
	}
	p.list(append(items, "hosts consume packets that arrive"))
	p.say("The routing, as a program. It returns the channels that a packet at switch $cur$ with destination $dst$ may request:")
	p.code(r.ProgramText())
}

// disciplines returns switching disciplines in words.
func disciplines(list []model.Switching) string {
	words := map[model.Switching]string{model.CutThrough: "virtual cut-through", model.StoreAndForward: "store-and-forward", model.Wormhole: "wormhole"}
	var parts []string
	for _, s := range list {
		parts = append(parts, words[s])
	}
	last := len(parts) - 1
	if last == 0 {
		return parts[0] + " switching"
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last] + " switching"
}

// ranks gives the rank of each class of channels.
func (p *Page) ranks(r *parametric.Report) {
	p.heading("Ranks")
	which := "Each channel"
	if len(r.Escape) > 0 {
		which = "Some channels are the escape. Each of them"
	}
	if r.Method == "paths" {
		which = "Each packet on a channel"
	}
	p.say("%s has a rank, a tuple of numbers. Ranks are compared from left to right. The channel leaves switch $%s$. "+
		"Channels form classes by %s. "+
		"A condition behind the class concerns the switch that the channel leaves.", which, r.Place, classes(r))
	rows := [][]text{{"class", "rank"}}
	for _, x := range r.Ranks {
		rows = append(rows, []text{class(x.Channel), tuple(x.Tuple)})
	}
	p.table(rows)
}

// classes says what the classes of channels are.
func classes(r *parametric.Report) string {
	if strings.HasPrefix(r.Family, program.HyperX) {
		return "dimension and virtual channel (VC). Example: x0 is the dimension of coordinate x, on VC 0. The number old is the coordinate that a hop " +
			"replaced, onto the one that it sets"
	}
	return "direction and virtual channel (VC). Example: E0 is the direction of increasing x, on VC 0"
}

// class returns the name of a class. Conditions after a comma are formulas.
func class(name string) text {
	head, more, split := strings.Cut(name, ", ")
	if !split {
		return text(name)
	}
	return text(head + ", $" + strings.ReplaceAll(more, ", ", "$, $") + "$")
}

func tuple(list []string) text {
	if list == nil {
		return ""
	}
	return text("$(" + strings.Join(list, ", ") + ")$")
}

// lemma says why the rank rises in each case.
func (p *Page) lemma(r *parametric.Report, steps []parametric.Step) {
	p.heading("Lemma 1: the rank rises")
	switch r.Method {
	case "escape with detours":
		p.say("A packet on a channel of the escape may leave the escape and return to it. The rank of the escape channel that it requests next is " +
			"greater than that of the escape channel that it used last. The pairs of classes:")
	case "escape":
		p.say("A waiting packet is permitted a channel of the escape. If it is on a channel of the escape, this channel has " +
			"a greater rank. The pairs of classes:")
	case "paths":
		p.say("If a packet can return to the class of its channel, its next hop increases its rank, or its class has no rank. " +
			"In classes without a rank, hops decrease the distance to the destination. Proof by cases:")
	case "bubble":
		p.say("A packet on one channel may request another channel. Either both are in the same line, direction and VC, or " +
			"the second rank is greater. " +
			"The pairs of classes of the second kind:")
	default:
		p.say("If a packet on one channel may request another channel, the rank of the second channel is greater. Proof by cases:")
	}
	p.firstNumbers(steps)
	rows := [][]text{{"from", "to", "first rank", "second rank", "why it rises"}}
	for _, s := range steps {
		if s.Before != nil && !(s.Decides == 0 && s.Constant) {
			rows = append(rows, []text{class(s.From), class(s.To), tuple(s.Before), tuple(s.After), reason(s)})
		}
	}
	if len(rows) > 1 {
		p.say("In the other cases, $%s$ is the switch between both channels. So the first rank is that of a channel that enters this switch. "+
			"The destination is $%s$.", r.Place, destination(r.Place))
		p.table(rows)
	}
	var rest []text
	for _, s := range steps {
		if s.Before == nil {
			rest = append(rest, text(s.From+" to "+s.To))
		}
	}
	if rest != nil {
		p.say("In the following cases a solver has shown that the rank rises; the table of ranks has the numbers: %s.", join(rest))
	}
}

func destination(place string) string {
	names := strings.Split(strings.Trim(place, "()"), ", ")
	for i := range names {
		names[i] = "d" + names[i]
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// firstNumbers lists the cases in which the first number of the rank rises.
func (p *Page) firstNumbers(steps []parametric.Step) {
	next := map[string][]text{}
	var order []string
	for _, s := range steps {
		if s.Before == nil || s.Decides > 0 || !s.Constant {
			continue
		}
		if next[s.From] == nil {
			order = append(order, s.From)
		}
		next[s.From] = append(next[s.From], text(fmt.Sprintf("%s ($%s < %s$)", class(s.To), s.Before[0], s.After[0])))
	}
	if order == nil {
		return
	}
	p.say("The first number rises from:")
	var items []text
	for _, from := range order {
		items = append(items, text(fmt.Sprintf("%s to %s", class(from), join(next[from]))))
	}
	p.list(items)
}

func join(list []text) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = string(x)
	}
	return strings.Join(words, ", ")
}

// reason says why the rank rises in a step.
func reason(s parametric.Step) text {
	number := fmt.Sprintf("number %d", s.Decides+1)
	switch {
	case s.Constant:
		return text(number + " rises")
	case len(s.Because) == 0:
		return text(number + " or a later one rises")
	}
	return text("$" + strings.Join(s.Because, "$ and $") + "$")
}

// arrival says why each packet has a next hop.
func (p *Page) arrival(r *parametric.Report) {
	p.heading("Lemma 2: every packet has a next hop")
	p.say("The program has %s: conditions on the place, the destination and the sizes, with the channels that it returns. "+
		"At each place that a packet reaches, the conditions of some path hold. The path returns a channel that exists.",
		wording.Count(r.Paths, "path", "s"))
	if len(r.Invariants) == 0 {
		p.say("The conditions of the previous hop are enough for this.")
		return
	}
	p.say("These conditions hold for each packet on a channel of the class, by induction over its hops. Here $%s$ is the "+
		"switch that the channel enters:", r.Place)
	var names []string
	kept := map[string][]string{}
	for _, line := range r.Invariants {
		name, condition, _ := strings.Cut(line, ": ")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		kept[name] = append(kept[name], "$"+condition+"$")
	}
	rows := [][]text{{"class", "conditions"}}
	for _, name := range names {
		rows = append(rows, []text{class(name), text(strings.Join(kept[name], ", "))})
	}
	p.table(rows)
}

// conclusion proves the theorem from the lemmas.
func (p *Page) conclusion(r *parametric.Report) {
	p.heading("Proof of the theorem")
	switch r.Method {
	case "paths":
		p.pathConclusion(r)
		return
	case "escape with detours":
		p.say("Every packet is always permitted a channel of the escape. By lemma 1 the channels of the escape that packets " +
			"use one after another, with any " +
			"hops between, have increasing ranks. So the extended dependency graph of the escape has no cycle, and no deadlock " +
			"exists (Duato, IEEE TPDS 4(12), 1993).")
	case "escape":
		p.say("Suppose that packets are deadlocked. Consider the packet on the escape channel of greatest rank; if no " +
			"packet is on the escape, any packet. " +
			"By lemma 1 it is permitted an escape channel of greater rank. No deadlocked packet is on this channel. So the " +
			"packet can move, a contradiction (Duato 1996).")
	case "bubble":
		p.say("By lemma 1 each cycle of dependencies is a ring. Flow control leaves a free slot in each ring, so some " +
			"packet of the ring can move (Carrión et al. 1997).")
	default:
		p.say("By lemma 1 the rank rises along each dependency. Each network of the family has finitely many channels. A " +
			"cycle of dependencies would " +
			"return to its first rank. So no cycle exists, and no deadlock (Dally and Seitz, IEEE Transactions on Computers C-36(5), 1987).")
	}
	switch finite := claim(r, "livelock-free"); {
	case finite == nil:
		if claim(r, "connected") != nil {
			p.say("A packet that takes the hops of the ranked channels increases its rank, so this path is finite. By lemma 2 it ends only at the " +
				"destination.")
		}
	case finite.Theorem == parametric.DistanceTheorem:
		p.say("Each hop that a packet can repeat decreases its distance to the destination. So its path is finite. By lemma " +
			"2 it ends only at the destination.")
	default:
		p.say("Each hop of a packet is a dependency, so its rank rises with each hop, and its path is finite. By lemma 2 " +
			"the path ends only at the destination.")
	}
}

// pathConclusion proves claims about paths.
func (p *Page) pathConclusion(r *parametric.Report) {
	switch {
	case len(r.Escape) > 0 && len(r.Ranks) > 0:
		p.say("By lemma 2 every packet is permitted a hop of the escape, and by lemma 1 its rank increases from one such hop to the next.")
	case claim(r, "livelock-free") == nil:
		p.say("Every packet is permitted a hop that decreases its distance to the destination, or that leads to a class that it does not leave for an " +
			"earlier one.")
	case len(r.Ranks) > 0:
		p.say("A packet passes through groups of classes, and never returns to a group. Within a group its rank increases, or its distance decreases.")
	default:
		p.say("A packet passes through groups of classes, and never returns to a group. Within a group each hop decreases its distance to the destination.")
	}
	p.say("A network has finitely many switches, so such a path is finite. By lemma 2 it ends only at the destination.")
}

// checks says what was checked by which program.
func (p *Page) checks(r *parametric.Report) {
	p.heading("What was checked")
	count := map[string]int{}
	var kinds []string
	for _, o := range r.Obligations {
		if count[o.Kind]++; count[o.Kind] == 1 {
			kinds = append(kinds, o.Kind)
		}
	}
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", count[k], k)
	}
	p.say("The lemmas are %s: %s. Z3 has shown that none of these formulas has a solution in integers.",
		wording.Count(len(r.Obligations), "obligation", "s"), strings.Join(kinds, ", "))
	if k := len(r.Rechecked); k > 0 {
		p.say("The independent checker accepted the proof on %s, %s to %s.", wording.Count(k, "network", "s"), r.NetworkName(r.Rechecked[0]),
			r.NetworkName(r.Rechecked[k-1]))
	}
	p.say("turnproof prove --certificate writes the obligations with proofs that turnproof-check judges without a solver.")
}
