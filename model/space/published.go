package space

// PublishedSet is a set of class turns that a paper publishes, given by its prohibited class
// turns.
type PublishedSet struct {
	Name       string
	Prohibited Set
	Source     string
}

const glassNi = "Glass and Ni, ISCA 1992"

// Published returns the published sets of the space.
func (s *Space) Published() (list []PublishedSet) {
	add := func(name, source, prohibited string) {
		set, err := s.ParseSet(prohibited)
		if err != nil {
			panic(err) // a name above is wrong
		}
		list = append(list, PublishedSet{name, set, source})
	}
	switch {
	case s.Kind == Mesh && s.Dims > 1:
		last := letters[s.Dims-1 : s.Dims]
		order := func(phase func(axis, sign int) int) Set { return s.phases(phase) }
		list = append(list, PublishedSet{"dimension-order", order(func(axis, _ int) int { return axis }), "Dally and Seitz, IEEE Trans. Computers 1987"},
			PublishedSet{"negative-first", order(func(_, sign int) int { return sign }), glassNi})
		first := PublishedSet{"all-but-one-negative-first", order(func(axis, sign int) int {
			if sign < 0 && letters[axis:axis+1] != last {
				return 0
			}
			return 1
		}), glassNi}
		end := PublishedSet{"all-but-one-positive-last", order(func(axis, sign int) int {
			if sign > 0 && axis > 0 {
				return 1
			}
			return 0
		}), glassNi}
		if s.Dims == 2 {
			first.Name, end.Name = "west-first", "north-last"
		}
		list = append(list, first, end)
	case s.Kind == HV:
		const hv = "Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003"
		add("updown", "Schroeder et al., IEEE JSAC 1991", "LD>LU LD>RU RD>LU RD>RU")
		add("lturn-alpha", hv, "LD>LU RU>LU RD>LU LD>RU LD>RD")
		add("lturn-beta", hv, "LD>LU RU>LU RD>LU RU>LD RU>RD")
		add("rturn-alpha", hv, "RD>RU RD>LD RD>LU LD>RU LU>RU")
		add("rturn-beta", hv, "RD>RU RD>LD RD>LU RU>LD LU>LD")
	case s.Kind == UpDown:
		add("updown", "Schroeder et al., IEEE JSAC 1991", "down>up")
	case s.Kind == Torus && s.Dims == 2 && s.VCs == 2:
		const nf = "Matoyama, Miura and Watanabe, RC-005"
		add("dimension-order", nf, "x+>y+ x+>y- x->y+ x->y-")
		add("nf", nf, "x+>y+ x->y+")
		add("nf+1", nf, "x+>y+ x->y+ x+>y-")
	}
	return list
}

// phases returns the set that prohibits all turns from a later phase to an earlier phase.
func (s *Space) phases(phase func(axis, sign int) int) (set Set) {
	of := func(d int) int { return phase(d/2, 1-2*(d%2)) }
	for t, turn := range s.Turns {
		if of(turn.In) > of(turn.Out) {
			set = set.With(t)
		}
	}
	return set
}

// PolicyKept reports whether a set of H/V class turns follows the policy of the 2-D turn model
// paper, section 3.2.3: LU>RD is allowed, and no class turn is prohibited together with its
// opposite. The paper calls such a pair a bias (figure 2). Turns that are their own opposites
// are ignored.
func (s *Space) PolicyKept(allowed Set) bool {
	if t := s.turn("LU>RD"); t < 0 || !allowed.Has(t) {
		return false
	}
	for t, opposite := range s.Reversal() {
		if t != opposite && !allowed.Has(t) && !allowed.Has(opposite) {
			return false
		}
	}
	return true
}
