package comparators

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file makes a circuit from the decision tree of a program. Equal subtrees are one node, a branch that agrees
// with the default of its node is left out, and so is a node with one branch.

// Circuit is the comparators and nodes of a program.
type Circuit struct {
	program     *program.Program
	tree        *parametric.Tree
	comparators []comparator
	root        *node
	reads       map[parametric.Question]bool // the questions that nodes ask
}

// node is a leaf, or tests the branches in their order and takes the default if none applies.
type node struct {
	id       int
	asks     parametric.Question
	branches []branch
	rest     *node // the default, or nil in a leaf
	outputs  []program.Output
}

type branch struct {
	all   []literal // AskCondition: comparators that hold, or do not
	value int       // otherwise
	then  *node
}

// maker builds the nodes of a circuit.
type maker struct {
	*Circuit
	known   map[string]*node
	indexOf map[string]int // of comparators, by text
}

// Make returns the circuit of a program on the networks of its family with dims dimensions. It fails with file and line
// if the program uses what is not linear.
func Make(ctx context.Context, p *program.Program, dims int) (*Circuit, error) {
	if p.Family.Kind == program.AnyNetwork {
		return nil, fmt.Errorf("%s is for any network; comparators need coordinates: a family such as mesh(n, m)", p.Name)
	}
	t, err := parametric.Decisions(ctx, p, dims)
	if err == nil {
		err = t.FirstError()
	}
	if err != nil {
		return nil, fmt.Errorf("no comparators for %s: %w", p.Name, err)
	}
	c := &Circuit{program: p, tree: t, reads: map[parametric.Question]bool{}}
	m := &maker{c, map[string]*node{}, map[string]int{}}
	c.root = m.convert(t.Root)
	if !p.Passes {
		c.root = m.delivered(c.root)
	}
	c.mark()
	m.derive()
	c.mark()
	c.drop()
	return c, nil
}

// Fits returns an error if the circuit does not hold for a network with the given sides: a size is too small.
func (c *Circuit) Fits(sides []int) error {
	for d, form := range c.tree.Sides {
		fixed := int(form[len(form)-1]) // 0 if the length is a size
		if fixed == 0 && sides[d] < c.tree.Least {
			return fmt.Errorf("dimension %d of the network has side %d; comparators of %s are for sides from %d on", d, sides[d], c.program.Name, c.tree.Least)
		}
	}
	if failing := c.program.Family.Failing(sides); failing != nil {
		return fmt.Errorf("comparators of %s are for sides with %s", c.program.Name, failing.Text)
	}
	return nil
}

// convert returns the node of a decision.
func (m *maker) convert(d *parametric.Decision) *node {
	if d.Answers == nil {
		outputs := slices.Clone(d.Outputs) // none after a call of fail
		slices.SortFunc(outputs, func(a, b program.Output) int {
			return slices.Compare([]int{int(a.Dir), a.VC, a.State}, []int{int(b.Dir), b.VC, b.State})
		})
		return m.unique(&node{outputs: outputs})
	}
	n := &node{asks: d.Asks}
	for _, a := range d.Answers {
		b := branch{value: a.Value, then: m.convert(a.Then)}
		if d.Asks == parametric.AskCondition {
			b.all = m.literals(a.All)
		}
		n.branches = append(n.branches, b)
	}
	n.rest = n.defaultOf()
	n.branches = slices.DeleteFunc(n.branches, func(b branch) bool { return b.then == n.rest })
	if len(n.branches) == 0 {
		return n.rest
	}
	return m.unique(n)
}

// defaultOf returns the node to which most branches lead; the last one of several.
func (n *node) defaultOf() *node {
	count := map[*node]int{}
	best := n.branches[len(n.branches)-1].then
	for _, b := range n.branches {
		count[b.then]++
	}
	for _, b := range slices.Backward(n.branches) {
		if count[b.then] > count[best] {
			best = b.then
		}
	}
	return best
}

// unique returns the known node that equals n, or n.
func (m *maker) unique(n *node) *node {
	key := fmt.Sprint(n.asks, n.outputs)
	if n.rest != nil {
		key += fmt.Sprint(" else ", n.rest.id)
	}
	for _, b := range n.branches {
		key += fmt.Sprint(" ", b.all, b.value, b.then.id)
	}
	if old := m.known[key]; old != nil {
		return old
	}
	n.id = len(m.known)
	m.known[key] = n
	return n
}

// delivered returns a node that delivers packets at their destination and takes n otherwise.
func (m *maker) delivered(n *node) *node {
	var all []literal
	for d := range m.tree.Dims {
		all = append(all, m.equality(m.difference(d)))
	}
	home := m.unique(&node{outputs: []program.Output{{Dir: program.Eject}}})
	return m.unique(&node{asks: parametric.AskCondition, branches: []branch{{all: all, then: home}}, rest: n})
}

// difference returns coordinate d of the place minus that of the destination.
func (m *maker) difference(d int) []int64 {
	form := make([]int64, len(m.tree.Names)+1)
	form[d], form[m.tree.Dims+d] = 1, -1
	return form
}

// mark counts the uses of comparators and notes which questions are asked.
func (c *Circuit) mark() {
	for i := range c.comparators {
		c.comparators[i].uses = 0
	}
	c.each(func(n *node) {
		for _, b := range n.branches {
			c.reads[n.asks] = true
			for _, l := range b.all {
				c.comparators[l.of].uses++
			}
		}
	})
}

// derive replaces a == b by a >= b and not a > b, if other branches use both. That saves a comparator.
func (m *maker) derive() {
	m.each(func(n *node) {
		for i := range n.branches {
			var all []literal
			for _, l := range n.branches[i].all {
				x := m.comparators[l.of]
				notLess, hasLess := m.inUse(x.form, 0)
				more, hasMore := m.inUse(x.form, 1)
				if x.kind == equal && !l.negated && hasLess && hasMore {
					all = append(all, literal{of: notLess}, literal{of: more, negated: true})
				} else {
					all = append(all, l)
				}
			}
			n.branches[i].all = all
		}
	})
}

// inUse returns the comparator form >= least, if there is one in use.
func (m *maker) inUse(form []int64, least int64) (int, bool) {
	x := comparator{kind: atLeast, form: slices.Clone(form)}
	x.form[len(form)-1] -= least
	i, ok := m.indexOf[x.key()]
	return i, ok && m.comparators[i].uses > 0
}

// drop removes the comparators that no node uses.
func (c *Circuit) drop() {
	var kept []comparator
	for _, x := range c.comparators {
		if x.uses > 0 {
			kept = append(kept, x)
		}
	}
	at := map[string]int{}
	for i, x := range kept {
		at[x.key()] = i
	}
	old := c.comparators
	c.comparators = kept
	c.each(func(n *node) {
		for i := range n.branches {
			for k := range n.branches[i].all {
				l := &n.branches[i].all[k]
				l.of = at[old[l.of].key()]
			}
		}
	})
}

// each calls visit for each node once.
func (c *Circuit) each(visit func(n *node)) {
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		visit(n)
		for _, b := range n.branches {
			walk(b.then)
		}
		walk(n.rest)
	}
	walk(c.root)
}
