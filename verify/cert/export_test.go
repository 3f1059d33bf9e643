package cert

// Names that the external tests use.
const MaxBytes = maxBytes

var (
	Encode    = encode
	Enterable = func(claim string, i int, p *Packet, k int) error {
		return (&Routing{Certificate: &Certificate{}, Wiring: &Wiring{}}).enterable(claim, i, p, k)
	}
	Difference = difference
)

// Arrives calls the method of the table or relation.
func Arrives(r *Routing, d int, at State) bool { return r.arrives(d, at) }

// InBlocks returns c, of version 1 with a relation, in version 2. Each block has one destination. It fails
// if the states cannot be cut into blocks.
func InBlocks(c *Certificate) (*Certificate, error) {
	wires, err := Rebuild(&c.Subject.Network)
	if err != nil {
		return nil, err
	}
	r, err := newListed(&c.Subject, wires)
	if err != nil {
		return nil, err
	}
	v2, relation := *c, *c.Subject.Relation
	source := &cut{listed: r}
	v2.Schema, v2.Subject.Relation, v2.Claims, v2.Blocks = StreamSchema, &relation, nil, source
	relation.States, relation.Inject = Ints{}, Ints{}
	if relation.Commits != nil {
		relation.Commits = &Ints{}
	}
	for _, claim := range c.Claims {
		if claim.Escape != nil {
			if claim.Ranks == nil || len(*claim.Escape) != (len(r.States)-4*(len(r.from)-1))/2 {
				return nil, Reject(claim.Claim, "escape flags")
			}
			source.escapes = &escapeOrder{*claim.Ranks, *claim.Escape}
			claim.Escape = &Ints{}
		}
		v2.Claims = append(v2.Claims, claim)
	}
	return &v2, nil
}
