package everysize

import (
	"fmt"
	"slices"
)

// This file finds formulas that contradict each other in an obvious way, so that runs that no packet takes are left out.

// contradictory reports whether formulas contradict each other in an obvious way: bounds of one form.
func contradictory(parts ...*Formula) bool {
	c := conflict{}
	for _, f := range parts {
		c.add(f)
	}
	if c.found {
		return true
	}
	for _, f := range c.cases {
		if !slices.ContainsFunc(f.Args, func(x *Formula) bool { return !c.with(x) }) {
			return true
		}
	}
	return false
}

// conflict holds a lower bound for forms without a constant.
type conflict struct {
	least map[string]int64
	cases []*Formula
	found bool
}

func (c *conflict) add(f *Formula) {
	switch f.Op {
	case And:
		for _, x := range f.Args {
			c.add(x)
		}
	case Or:
		c.cases = append(c.cases, f)
		c.found = c.found || f.isFalse()
	case AtLeast:
		if c.least == nil {
			c.least = map[string]int64{}
		}
		key, opposite := formKeys(f.Form)
		if old, ok := c.least[key]; !ok || -f.Form[0] > old {
			c.least[key] = -f.Form[0] // the form without its constant is at least this
		}
		if other, ok := c.least[opposite]; ok && c.least[key] > -other {
			c.found = true
		}
	}
}

// with reports whether a conjunction contradicts the bounds.
func (c *conflict) with(f *Formula) bool {
	d := conflict{least: map[string]int64{}}
	for k, v := range c.least {
		d.least[k] = v
	}
	d.add(f)
	return d.found
}

func formKeys(f Form) (key, opposite string) {
	var a, b []byte
	for v, c := range f[1:] {
		if c != 0 {
			a = fmt.Appendf(a, "%d*%d ", c, v)
			b = fmt.Appendf(b, "%d*%d ", -c, v)
		}
	}
	return string(a), string(b)
}
