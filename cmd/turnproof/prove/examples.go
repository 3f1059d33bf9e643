package prove

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file prints what refutes the claims minimal, deterministic and fully-adaptive, and the degree of adaptiveness.

// exampleJSON is a packet, or a path, on the smallest network that refutes a claim.
type exampleJSON struct {
	Network     string   `json:"network"`
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Hops        []string `json:"hops"` // the channels between switches
}

// longerJSON is a packet whose last hop leads no nearer to its destination.
type longerJSON struct {
	exampleJSON
	Before int `json:"before"` // links to the destination before the last hop
	After  int `json:"after"`
}

// choiceJSON is a packet with two hops after its last one, or two header states at its source.
type choiceJSON struct {
	exampleJSON
	Choices []string `json:"choices"`
}

// degreeJSON is the degree of adaptiveness on a network.
type degreeJSON struct {
	Network string  `json:"network"`
	Mean    float64 `json:"mean"`
	All     float64 `json:"all"`
	One     float64 `json:"one"`
}

// examplesJSON has the refutations of a proof.
type examplesJSON struct {
	Longer *longerJSON  `json:"longer_path,omitempty"` // if minimal is refuted
	Choice *choiceJSON  `json:"choice,omitempty"`      // if deterministic is refuted
	Barred *exampleJSON `json:"barred_path,omitempty"` // if fully-adaptive is refuted
	Degree []degreeJSON `json:"degree,omitempty"`      // if fully-adaptive is refuted
}

func newExampleJSON(w *parametric.Witness, path []model.State, channel func(*model.Network, model.VCID) string) exampleJSON {
	x := w.Example
	n := x.Relation.Network()
	j := exampleJSON{Network: w.Network, Source: n.HostLabel(x.Packets[0].Source), Destination: explain.DestinationText(x.Relation, x.Packets[0]),
		Hops: []string{}}
	for _, at := range path {
		if n.IsLinkVC(at.VC) {
			j.Hops = append(j.Hops, channel(n, at.VC))
		}
	}
	return j
}

// withoutVC names a channel.
func withoutVC(n *model.Network, vc model.VCID) string {
	name, _, _ := strings.Cut(wording.Channel(n, vc), ", VC ")
	return name
}

func newExamplesJSON(r *parametric.Report) (j examplesJSON) {
	for _, w := range r.Examples {
		x := w.Example
		path := x.Packets[0].Path
		last := len(path) - 1
		switch x.Claim {
		case "minimal":
			j.Longer = &longerJSON{newExampleJSON(w, path, wording.Channel), x.Before, x.After}
		case "deterministic":
			j.Choice = &choiceJSON{exampleJSON: newExampleJSON(w, path[:last], wording.Channel)}
			for _, p := range x.Packets {
				j.Choice.Choices = append(j.Choice.Choices, choiceText(x, p.Path))
			}
		default:
			barred := newExampleJSON(w, path, withoutVC)
			j.Barred = &barred
		}
	}
	for _, d := range r.Degree {
		j.Degree = append(j.Degree, degreeJSON(d))
	}
	return j
}

// choiceText names the last state of a path.
func choiceText(x *parametric.Example, path []model.State) string {
	n, at := x.Relation.Network(), path[len(path)-1]
	state := fmt.Sprintf("header state %d", at.Class)
	switch {
	case len(path) == 1:
		return state
	case !n.IsLinkVC(at.VC):
		return "delivery"
	case x.Relation.Classes() > 1:
		return wording.Channel(n, at.VC) + ", " + state
	}
	return wording.Channel(n, at.VC)
}

// printExamples prints the packets and paths.
func printExamples(w io.Writer, r *parametric.Report) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	list := func(lines []string) {
		for _, line := range lines {
			p("  %s\n", line)
		}
	}
	j := newExamplesJSON(r)
	if l := j.Longer; l != nil {
		p("\nNot minimal on %s, the smallest network on which a hop leads no nearer: packet %s -> %s goes\n", l.Network, l.Source, l.Destination)
		list(l.Hops)
		p("The last hop leads from distance %d to distance %d. The independent checker accepted this path.\n", l.Before, l.After)
	}
	if c := j.Choice; c != nil {
		p("\nNot deterministic on %s, the smallest network on which a packet has a choice: packet %s -> %s", c.Network, c.Source, c.Destination)
		if len(c.Hops) > 0 {
			p(" goes\n")
			list(c.Hops)
			p("and then has the choice of\n")
		} else {
			p(" has at first the choice of\n")
		}
		list(c.Choices)
		p("The independent checker accepted both.\n")
	}
	if b := j.Barred; b != nil {
		p("\nNot fully adaptive on %s, the smallest network on which a shortest path is not permitted: no packet %s -> %s can take\n", b.Network,
			b.Source, b.Destination)
		list(b.Hops)
		p("The independent checker accepted this.\n")
	}
	if len(j.Degree) > 0 {
		p("\nDegree of adaptiveness: shortest paths that packets can take, divided by all shortest paths, on average over the pairs of hosts.\n")
		for _, d := range j.Degree {
			p("  %s: %.3f; all shortest paths for %.1f %% of the pairs, one of several for %.1f %%\n", d.Network, d.Mean, 100*d.All, 100*d.One)
		}
	}
}
