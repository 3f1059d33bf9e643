// Package streams judges the claim that no run of a finite list of packets that hold resources hangs.
//
// Read first: run.go (the rules), search.go, enough.go, ahead.go, streams.go.
package streams

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file registers the kinds of evidence, and validates a subject.

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "streams", Title: "streams",
		Has:  func(s *cert.Subject) bool { return s.Streams != nil },
		Open: func(c *cert.Certificate) (any, error) { return open(c.Subject.Streams) },
		Network: func(s *cert.Subject) string {
			return fmt.Sprintf("%d resources, %d counters", len(s.Streams.Resources), len(s.Streams.Counters))
		},
		Summary: func(s *cert.Subject) string {
			return fmt.Sprintf("%d routes of packets between %d agents", len(s.Streams.Routes), len(s.Streams.Agents))
		},
	}
}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	subjects := []string{"streams"}
	return []cert.Kind{
		{Subjects: subjects, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceSchedules,
			Judge: cert.JudgeBy(never), Premises: premises},
		{Subjects: subjects, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceSchedule, Fields: []string{"steps"},
			Judge: cert.JudgeBy(once), Premises: premises},
	}
}

func premises(*cert.Subject) []string {
	return []string{"agents, routes and sizes of buffers are those of the hardware, any packet that waits for a free resource may get it"}
}

// The kinds of actions.
const (
	send = iota
	take
	acquire
	release
	repeat
)

// action is an action of a program. after is, for a loop, the action behind it.
type action struct{ kind, object, amount, only, after int }

// tree is a route.
type tree struct {
	resource, parent []int
	drop             []int
	mostDrop         int
	source           []int   // by node: the buffer node before it, or -1
	stage            [][]int // by buffer node: the nodes up to the next buffers
	ends             []bool  // by node: it is a leaf
	least            int     // the words of the shortest packet
}

// plan is a validated subject.
type plan struct {
	words    []int // by resource
	values   []int
	trees    []tree
	programs [][]action
	required []bool
	// open says, by resource, then counter, whether who gets it is a choice.
	open []bool
}

// The largest numbers and lists.
const (
	most     = 1 << 24
	mostList = 1 << 14
	mostLong = 1 << 18
)

func open(s *cert.Streams) (*plan, error) {
	if len(s.Resources) != len(s.Words) || len(s.Counters) != len(s.Values) {
		return nil, cert.Reject("subject", "%d resources with %d sizes, %d counters with %d values",
			len(s.Resources), len(s.Words), len(s.Counters), len(s.Values))
	}
	if len(s.Resources)+len(s.Counters)+len(s.Routes)+len(s.Agents) > mostList {
		return nil, cert.Reject("subject", "more than %d resources, counters, routes and agents", mostList)
	}
	p := &plan{}
	for _, list := range []struct {
		names  []string
		values cert.Ints
		into   *[]int
	}{{s.Resources, s.Words, &p.words}, {s.Counters, s.Values, &p.values}} {
		for i, v := range list.values {
			if v < 0 || v > most || !isName(list.names[i]) {
				return nil, cert.Reject("subject", "%.80q with %d, where a name and 0 to %d are wanted", list.names[i], v, most)
			}
			*list.into = append(*list.into, int(v))
		}
	}
	for i := range s.Routes {
		if err := p.openRoute(&s.Routes[i]); err != nil {
			return nil, err
		}
	}
	any := false
	for i := range s.Agents {
		if err := p.openAgent(&s.Agents[i]); err != nil {
			return nil, err
		}
		any = any || s.Agents[i].Required
	}
	if !any {
		return nil, cert.Reject("subject", "no agent is required, so no run hangs")
	}
	if err := p.openTakers(); err != nil {
		return nil, err
	}
	p.findChoices()
	return p, nil
}

func isName(text string) bool { return text != "" && cert.IsPlain(text) }

func (p *plan) openRoute(r *cert.Stream) error {
	n := len(r.Nodes) / 3
	if !isName(r.Name) || n == 0 || n > mostList || len(r.Nodes)%3 > 0 {
		return cert.Reject("subject", "route %.80q of %d numbers", r.Name, len(r.Nodes))
	}
	t := tree{source: make([]int, n), stage: make([][]int, n), ends: make([]bool, n)}
	for i := range n {
		at, parent, drop := int(r.Nodes[3*i]), int(r.Nodes[3*i+1]), int(r.Nodes[3*i+2])
		if at < 0 || at >= len(p.words) || parent >= i || parent < -1 || (parent < 0) != (i == 0) || drop < 0 || drop > most {
			return cert.Reject("subject", "route %q: node %d is %d after %d", r.Name, i, at, parent)
		}
		t.resource, t.parent, t.drop = append(t.resource, at), append(t.parent, parent), append(t.drop, drop)
		t.mostDrop = max(t.mostDrop, drop)
		t.ends[i], t.source[i] = true, -1
		if i == 0 {
			continue
		}
		t.ends[parent] = false
		if t.source[i] = parent; p.words[t.resource[parent]] == 0 {
			t.source[i] = t.source[parent]
		}
		if t.source[i] < 0 {
			return cert.Reject("subject", "route %q does not begin at a buffer", r.Name)
		}
		for _, k := range t.stage[t.source[i]] {
			if t.resource[k] == at {
				return cert.Reject("subject", "route %q has resource %d twice in a stage", r.Name, at)
			}
		}
		t.stage[t.source[i]] = append(t.stage[t.source[i]], i)
	}
	for i, end := range t.ends {
		if (end || i == 0) && p.words[t.resource[i]] == 0 {
			return cert.Reject("subject", "route %q: node %d is no buffer", r.Name, i)
		}
		if t.drop[i] > 0 && (!end || i == 0) {
			return cert.Reject("subject", "route %q: node %d drops words and is no leaf", r.Name, i)
		}
	}
	p.trees = append(p.trees, t)
	return nil
}

func (p *plan) openAgent(a *cert.Agent) error {
	if !isName(a.Name) || len(a.Program)%4 > 0 || len(a.Program) > 4*mostLong {
		return cert.Reject("subject", "agent %.80q with a program of %d numbers", a.Name, len(a.Program))
	}
	var list []action
	var open []int
	for i := 0; i < len(a.Program); i += 4 {
		x := action{int(a.Program[i]), int(a.Program[i+1]), int(a.Program[i+2]), int(a.Program[i+3]), 0}
		at := i / 4
		for len(open) > 0 && open[len(open)-1] == at {
			open = open[:len(open)-1]
		}
		if x.kind == repeat {
			x.after = at + 1 + x.object
			if x.object < 1 || x.after > len(a.Program)/4 || len(open) > 0 && x.after > open[len(open)-1] || len(open) == 32 {
				return cert.Reject("subject", "agent %q: the loop at action %d does not fit", a.Name, at)
			}
			open = append(open, x.after)
		}
		if !p.fits(x) || x.kind == repeat && x.amount == 0 && a.Required {
			return cert.Reject("subject", "agent %q: action %d is malformed", a.Name, at)
		}
		list = append(list, x)
	}
	p.programs, p.required = append(p.programs, list), append(p.required, a.Required)
	return nil
}

// fits reports whether the numbers of an action are in their ranges.
func (p *plan) fits(x action) bool {
	if x.kind < send || x.kind > repeat || x.amount < 0 || x.amount > most || x.amount == 0 && x.kind != repeat {
		return false
	}
	n := []int{len(p.trees), len(p.words), len(p.values), len(p.values), mostLong}[x.kind]
	if x.object < 0 || x.object >= n || x.kind == take && p.words[x.object] == 0 {
		return false
	}
	if x.kind == send && x.amount <= p.trees[x.object].mostDrop {
		return false
	}
	return x.only == -1 || x.kind == take && x.only >= 0 && x.only < len(p.trees)
}

// openTakers rejects two agents that take the same words.
func (p *plan) openTakers() error {
	all, some := map[int]int{}, map[[2]int]int{}
	for a, list := range p.programs {
		for _, x := range list {
			if x.kind != take {
				continue
			}
			if by, ok := some[[2]int{x.object, x.only}]; ok && by != a {
				return cert.Reject("subject", "two agents take words of resource %d", x.object)
			}
			if some[[2]int{x.object, x.only}] = a; x.only < 0 {
				all[x.object] = a
			}
		}
	}
	for a, list := range p.programs {
		for _, x := range list {
			if by, ok := all[x.object]; x.kind == take && ok && by != a {
				return cert.Reject("subject", "two agents take words of resource %d", x.object)
			}
		}
	}
	return nil
}

// findChoices finds the resources that packets from two places can ask for, and the counters that two agents acquire.
func (p *plan) findChoices() {
	from := make([]map[int]bool, len(p.words)+len(p.values))
	for i := range from {
		from[i] = map[int]bool{}
	}
	for a, list := range p.programs {
		for _, x := range list {
			switch x.kind {
			case acquire:
				from[len(p.words)+x.object][a] = true
			case send:
				t := &p.trees[x.object]
				if t.least == 0 || x.amount < t.least {
					t.least = x.amount
				}
				from[t.resource[0]][len(p.words)+a] = true
				for i := 1; i < len(t.resource); i++ {
					from[t.resource[i]][t.resource[t.source[i]]] = true
				}
			}
		}
	}
	for _, places := range from {
		p.open = append(p.open, len(places) > 1)
	}
}
