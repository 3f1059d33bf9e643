package streams

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/plain"
)

// This file says what is wrong with a problem.

// The limits of a problem. They keep sums and memory small.
const (
	MostWords   = 1 << 24 // of a packet or a buffer
	MostObjects = 1 << 14 // of one kind
	mostActions = 1 << 18
)

// Validate returns what is wrong with the problem, or nil.
func (p *Problem) Validate() error {
	for _, list := range []struct {
		what string
		n    int
	}{{"resources", len(p.Resources)}, {"counters", len(p.Counters)}, {"routes", len(p.Routes)}, {"agents", len(p.Agents)}} {
		if list.n > MostObjects {
			return fmt.Errorf("%d %s: want at most %d", list.n, list.what, MostObjects)
		}
	}
	for _, r := range p.Resources {
		if r.Words < 0 || r.Words > MostWords {
			return fmt.Errorf("resource %s: %d words; want 0 to %d", plain.Text(r.Name), r.Words, MostWords)
		}
	}
	for _, c := range p.Counters {
		if c.Value < 0 || c.Value > MostWords {
			return fmt.Errorf("counter %s: value %d; want 0 to %d", plain.Text(c.Name), c.Value, MostWords)
		}
	}
	for i := range p.Routes {
		if err := p.validateRoute(&p.Routes[i]); err != nil {
			return fmt.Errorf("route %s: %w", plain.Text(p.Routes[i].Name), err)
		}
	}
	required := 0
	for i := range p.Agents {
		a := &p.Agents[i]
		if err := p.validateProgram(a); err != nil {
			return fmt.Errorf("agent %s: %w", plain.Text(a.Name), err)
		}
		if a.Required {
			required++
		}
	}
	if required == 0 {
		return fmt.Errorf("no agent has to end its program, so nothing can hang")
	}
	return p.validateTakers()
}

func (p *Problem) validateRoute(r *Route) error {
	if len(r.Nodes) == 0 || len(r.Nodes) > MostObjects {
		return fmt.Errorf("%d resources; want 1 to %d", len(r.Nodes), MostObjects)
	}
	leaf := make([]bool, len(r.Nodes))
	for i, n := range r.Nodes {
		if n.Resource < 0 || n.Resource >= len(p.Resources) {
			return fmt.Errorf("there is no resource %d", n.Resource)
		}
		if n.Parent >= i || n.Parent < -1 || (n.Parent == -1) != (i == 0) {
			return fmt.Errorf("resource %s does not come after another of the route", plain.Text(p.Resources[n.Resource].Name))
		}
		leaf[i] = true
		if i > 0 {
			leaf[n.Parent] = false
		}
	}
	up := p.Upstream(r)
	stage := map[[2]int]bool{}
	for i, n := range r.Nodes {
		res := p.Resources[n.Resource]
		if (i == 0 || leaf[i]) && res.Words == 0 {
			return fmt.Errorf("%s holds no words, and a route begins and ends at buffers", plain.Text(res.Name))
		}
		if stage[[2]int{up[i], n.Resource}] {
			return fmt.Errorf("needs %s twice at the same time", plain.Text(res.Name))
		}
		stage[[2]int{up[i], n.Resource}] = true
		if n.Drop < 0 || n.Drop > MostWords || n.Drop > 0 && (i == 0 || !leaf[i]) {
			return fmt.Errorf("drops %d words at %s, which only an end of a route can", n.Drop, plain.Text(res.Name))
		}
	}
	return nil
}

func (p *Problem) validateProgram(a *Agent) error {
	if len(a.Program) > mostActions {
		return fmt.Errorf("%d actions; want at most %d", len(a.Program), mostActions)
	}
	var ends []int // of the loops around an action
	for i, x := range a.Program {
		for len(ends) > 0 && ends[len(ends)-1] == i {
			ends = ends[:len(ends)-1]
		}
		if err := p.validateAction(x); err != nil {
			return fmt.Errorf("action %d: %w", i+1, err)
		}
		if x.Kind != Repeat {
			continue
		}
		end := i + 1 + x.Object
		if x.Object < 1 || end > len(a.Program) || len(ends) > 0 && end > ends[len(ends)-1] {
			return fmt.Errorf("action %d: a loop of %d actions does not fit into the program", i+1, x.Object)
		}
		if x.Amount == 0 {
			switch {
			case a.Required:
				return fmt.Errorf("action %d: a loop without end in a program that has to end", i+1)
			case !waits(a.Program[i+1 : end]):
				return fmt.Errorf("action %d: a loop without end that never waits", i+1)
			}
		}
		if ends = append(ends, end); len(ends) > 32 {
			return fmt.Errorf("action %d: loops nest more than 32 deep", i+1)
		}
	}
	return nil
}

// waits reports whether a list of actions has one that can wait.
func waits(list []Action) bool {
	for _, x := range list {
		if x.Kind == Send || x.Kind == Take || x.Kind == Acquire {
			return true
		}
	}
	return false
}

func (p *Problem) validateAction(x Action) error {
	objects := map[Kind]int{Send: len(p.Routes), Take: len(p.Resources), Acquire: len(p.Counters), Release: len(p.Counters), Repeat: mostActions}
	n, ok := objects[x.Kind]
	switch {
	case !ok:
		return fmt.Errorf("there is no action of kind %d", x.Kind)
	case x.Object < 0 || x.Object >= n:
		return fmt.Errorf("there is no object %d", x.Object)
	case x.Amount < 0 || x.Amount > MostWords || x.Amount == 0 && x.Kind != Repeat:
		return fmt.Errorf("an amount of %d; want 1 to %d", x.Amount, MostWords)
	case x.Kind == Send && x.Amount <= p.drops(x.Object):
		return fmt.Errorf("a packet of %d words, of which %d are dropped", x.Amount, p.drops(x.Object))
	case x.Kind == Take && (x.Route < -1 || x.Route >= len(p.Routes)):
		return fmt.Errorf("there is no route %d", x.Route)
	case x.Kind == Take && p.Resources[x.Object].Words == 0:
		return fmt.Errorf("%s holds no words that could be taken", plain.Text(p.Resources[x.Object].Name))
	}
	return nil
}

// drops returns the most words that an end of a route drops.
func (p *Problem) drops(route int) int {
	most := 0
	for _, n := range p.Routes[route].Nodes {
		most = max(most, n.Drop)
	}
	return most
}

// validateTakers returns an error if two agents can take the same words, because then the order of agents decides who gets them.
func (p *Problem) validateTakers() error {
	type words struct{ buffer, route int }
	of := map[words]int{}
	for i, a := range p.Agents {
		for _, x := range a.Program {
			if x.Kind != Take {
				continue
			}
			if by, ok := of[words{x.Object, x.Route}]; ok && by != i {
				return p.sameWords(by, i, x.Object)
			}
			of[words{x.Object, x.Route}] = i
		}
	}
	for i, a := range p.Agents {
		for _, x := range a.Program {
			if x.Kind != Take {
				continue
			}
			if by, ok := of[words{x.Object, -1}]; ok && by != i {
				return p.sameWords(by, i, x.Object)
			}
		}
	}
	return nil
}

func (p *Problem) sameWords(a, b, buffer int) error {
	return fmt.Errorf("agents %s and %s take the same words of %s", plain.Text(p.Agents[a].Name), plain.Text(p.Agents[b].Name),
		plain.Text(p.Resources[buffer].Name))
}
