package runs

import (
	"maps"
)

// This file says what a case knows: conditions that hold or not, and bounds of numbers.

// decide returns whether a condition holds in a state, if the state says so in an obvious way.
func (s *state) decide(c *Condition) (holds, ok bool) {
	if v, ok := s.facts[c.key()]; ok {
		return v, true
	}
	switch c.Kind {
	case Not:
		v, ok := s.decide(c.Parts[0])
		return !v, ok
	case All, Any:
		open := false
		for _, p := range c.Parts {
			v, ok := s.decide(p)
			if ok && v == (c.Kind == Any) {
				return v, true
			}
			open = open || !ok
		}
		return c.Kind == All, !open
	case AtLeast:
		form, negative := c.Sum.form()
		k := -c.Sum.Number // form >= k, or -form >= k
		if negative {
			if most, ok := s.most[form]; ok && most <= -k {
				return true, true
			}
			if least, ok := s.least[form]; ok && least > -k {
				return false, true
			}
			return false, false
		}
		if least, ok := s.least[form]; ok && least >= k {
			return true, true
		}
		if most, ok := s.most[form]; ok && most < k {
			return false, true
		}
	}
	return false, false
}

// assume returns the state in which a condition holds, or nil if it obviously does not.
func (s *state) assume(c *Condition) *state {
	if v, ok := s.decide(c); ok {
		if v {
			return s
		}
		return nil
	}
	t := s.fork()
	t.known = append(t.known, c)
	t.facts, t.least, t.most = maps.Clone(s.facts), maps.Clone(s.least), maps.Clone(s.most)
	if t.facts == nil {
		t.facts, t.least, t.most = map[string]bool{}, map[string]int64{}, map[string]int64{}
	}
	if !t.learn(c, true) {
		return nil
	}
	return t
}

// learn notes that a condition holds or not. It returns false for a contradiction.
func (s *state) learn(c *Condition, holds bool) bool {
	if v, ok := s.decide(c); ok {
		return v == holds
	}
	s.facts[c.key()] = holds
	switch c.Kind {
	case Not:
		return s.learn(c.Parts[0], !holds)
	case All, Any:
		if holds == (c.Kind == All) {
			for _, p := range c.Parts {
				if !s.learn(p, holds) {
					return false
				}
			}
		}
	case AtLeast:
		form, negative := c.Sum.form()
		k := -c.Sum.Number
		// holds: form >= k or -form >= k; else form <= k-1 or -form <= k-1
		switch {
		case holds && !negative:
			s.raise(form, k)
		case holds && negative:
			s.lower(form, -k)
		case !negative:
			s.lower(form, k-1)
		default:
			s.raise(form, 1-k)
		}
		least, ok1 := s.least[form]
		most, ok2 := s.most[form]
		return !ok1 || !ok2 || least <= most
	}
	return true
}

func (s *state) raise(form string, k int64) {
	if old, ok := s.least[form]; !ok || k > old {
		s.least[form] = k
	}
}

func (s *state) lower(form string, k int64) {
	if old, ok := s.most[form]; !ok || k < old {
		s.most[form] = k
	}
}
