package agree

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file is the table of what can be struck out of a case.

// strike is a way of striking out: one of so many things.
type strike struct {
	count func(c *Case) int
	out   func(c *Case, i int) *Case // nil: it cannot be
}

var strikes = []strike{
	part(func(c *Case) int { return len(c.Dests) }, func(p *parts, i int) { p.dest = i }),
	part(func(c *Case) int { return len(c.Hosts) }, func(p *parts, i int) { p.host = i }),
	part(func(c *Case) int { return moreThanOne(c.Switches) }, func(p *parts, i int) { p.sw = i }),
	part(func(c *Case) int { return len(c.Links) }, func(p *parts, i int) { p.link = i }),
	{func(c *Case) int { return len(c.Links) }, (*Case).contracted},
	part(func(c *Case) int { return moreThanOne(c.VCs) * boolInt(c.States != nil) }, func(p *parts, i int) { p.vc = i }),
	part(func(c *Case) int { return moreThanOne(c.classCount()) }, func(p *parts, i int) { p.class = i }),
	{func(c *Case) int { return len(c.relationOf().Inject) }, changed(func(c *Case, i int) bool {
		c.States.Inject = slices.Delete(c.States.Inject, i, i+1)
		return true
	})},
	{func(c *Case) int { return len(c.relationOf().Steps) }, changed(func(c *Case, i int) bool {
		had := len(c.States.Steps[i].Hops) > 0
		c.States.Steps[i].Hops = nil
		return had
	})},
	{(*Case).hopCount, changed((*Case).dropHop)},
	{func(c *Case) int { return boolInt(c.relationOf().Escape != nil) }, changed(func(c *Case, _ int) bool {
		c.States.Escape = nil
		return true
	})},
	{func(c *Case) int { return len(c.tableOf().Out) * c.Switches }, changed(func(c *Case, i int) bool {
		at := &c.Table.Out[i/c.Switches][i%c.Switches]
		had := *at != noEntry
		*at = noEntry
		return had
	})},
	{func(c *Case) int { return boolInt(c.tableOf().Sets != nil) }, changed(func(c *Case, _ int) bool {
		c.Table.Sets, c.Table.Maps = nil, nil
		return true
	})},
	{func(c *Case) int { return len(c.tableOf().Sets) * len(c.Hosts) * model.MaxClasses }, changed(func(c *Case, i int) bool {
		k, h, d := i%model.MaxClasses, i/model.MaxClasses%len(c.Hosts), i/model.MaxClasses/len(c.Hosts)
		had := c.Table.Sets[d][h]>>k&1 == 1
		c.Table.Sets[d][h] &^= 1 << k
		return had
	})},
	{func(c *Case) int { return len(c.tableOf().Maps) }, changed(func(c *Case, i int) bool {
		c.Table.Maps = slices.Delete(c.Table.Maps, i, i+1)
		return true
	})},
	{func(c *Case) int { return boolInt(c.Waiting != "") }, changed(func(c *Case, _ int) bool {
		c.Waiting = ""
		return true
	})},
	{func(c *Case) int { return boolInt(c.Switching != "vct") }, changed(func(c *Case, _ int) bool {
		c.Switching = "vct"
		return true
	})},
}

// part strikes out number i of a kind of part.
func part(count func(c *Case) int, is func(p *parts, i int)) strike {
	return strike{count, func(c *Case, i int) *Case {
		p := nothing
		is(&p, i)
		return c.without(p)
	}}
}

// changed strikes out in a copy, and then states that no packet gets into any more; change
// reports whether there was anything.
func changed(change func(c *Case, i int) bool) func(c *Case, i int) *Case {
	return func(c *Case, i int) *Case {
		less := c.without(nothing)
		if !change(less, i) {
			return nil
		}
		return less.without(nothing)
	}
}

func moreThanOne(k int) int {
	if k == 1 {
		return 0
	}
	return k
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// relationOf returns the states, none for a table.
func (c *Case) relationOf() *States {
	if c.States == nil {
		return &States{}
	}
	return c.States
}

// tableOf returns the table, an empty one for a relation.
func (c *Case) tableOf() *Table {
	if c.Table == nil {
		return &Table{}
	}
	return c.Table
}

func (c *Case) hopCount() (k int) {
	for _, s := range c.relationOf().Steps {
		k += len(s.Hops)
	}
	return k
}

// dropHop strikes out hop i of all states.
func (c *Case) dropHop(i int) bool {
	for k := range c.States.Steps {
		hops := c.States.Steps[k].Hops
		if i < len(hops) {
			c.States.Steps[k].Hops = slices.Delete(slices.Clone(hops), i, i+1)
			return true
		}
		i -= len(hops)
	}
	return false
}

func (c *Case) classCount() int {
	if c.States == nil {
		return 1
	}
	return c.States.Classes
}
