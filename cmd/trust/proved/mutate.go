package proved

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file changes certificates at random: subjects here, claims in mutateclaims.go. Many changes
// leave what is claimed true.

// A mutation changes c, or reports that there is nothing of its kind.
type mutation struct {
	name   string
	change func(rng *rand.Rand, c *cert.Certificate) bool
}

// clone copies a certificate.
func clone(c *cert.Certificate) *cert.Certificate {
	text, err := json.Marshal(c)
	m := new(cert.Certificate)
	if err == nil {
		err = json.Unmarshal(text, m)
	}
	if err != nil {
		panic(err) // a certificate can be written and read
	}
	return m
}

// mutations are all of them, those more often that are named more often.
func mutations() []mutation {
	return slices.Concat(ofSubjects, ofTables, ofRelations, ofWaiting, ofClaims, ofRanks, ofRanks, ofPackets, ofPackets)
}

var ofSubjects = []mutation{
	{"schema", func(rng *rand.Rand, c *cert.Certificate) bool { c.Schema = "turnproof.certificate/2"; return true }},
	{"switching", func(rng *rand.Rand, c *cert.Certificate) bool {
		c.Subject.Switching = pick(rng, []string{"vct", "saf", "saf", "vct", "wormhole", "none"})
		return true
	}},
	{"input", func(rng *rand.Rand, c *cert.Certificate) bool {
		const sum = "00000000000000000000000000000000000000000000000000000000000000ff"
		c.Subject.Inputs = append(c.Subject.Inputs, pick(rng, []cert.Input{
			{Name: "a.lst", SHA256: sum}, {Name: "a.lst", SHA256: sum}, {Name: "a/b", SHA256: sum}, {Name: "", SHA256: sum},
			{Name: "a", SHA256: "FF" + sum[2:]}, {Name: "a", SHA256: sum[2:]}}))
		return true
	}},
	{"name of a switch", func(rng *rand.Rand, c *cert.Certificate) bool { return rename(rng, c.Subject.Network.Switches) }},
	{"name of an endpoint", func(rng *rand.Rand, c *cert.Certificate) bool { return rename(rng, c.Subject.Network.Endpoints) }},
	{"VCs", func(rng *rand.Rand, c *cert.Certificate) bool { return other(rng, &c.Subject.Network.VCs) }},
	{"hosts", func(rng *rand.Rand, c *cert.Certificate) bool { return other(rng, &c.Subject.Network.Hosts) }},
	{"cable", func(rng *rand.Rand, c *cert.Certificate) bool { return numbers(rng, &c.Subject.Network.Links) }},
	{"attachment", func(rng *rand.Rand, c *cert.Certificate) bool { return numbers(rng, &c.Subject.Network.Attach) }},
	{"great port", func(rng *rand.Rand, c *cert.Certificate) bool { return greatPort(rng, c) }},
	{"one switch more", func(rng *rand.Rand, c *cert.Certificate) bool {
		n := &c.Subject.Network
		n.Switches = append(n.Switches, "one more")
		return true
	}},
	{"table and relation", func(rng *rand.Rand, c *cert.Certificate) bool {
		c.Subject.Table, c.Subject.Relation = new(cert.Table), new(cert.Relation)
		return rng.IntN(4) == 0
	}},
	{"two kinds of routing", func(rng *rand.Rand, c *cert.Certificate) bool { return anotherKind(rng, &c.Subject) }},
	{"hostile text", func(rng *rand.Rand, c *cert.Certificate) bool { return hostileText(rng, &c.Subject) }},
	{"neither", func(rng *rand.Rand, c *cert.Certificate) bool {
		c.Subject.Table, c.Subject.Relation = nil, nil
		return rng.IntN(4) == 0
	}},
}

// mostTurns bounds the entries of a turn set that is added: a mutated number of VCs can be huge.
const mostTurns = 1000

// anotherKind adds a kind of routing that the subject does not have.
func anotherKind(rng *rand.Rand, s *cert.Subject) bool {
	switch rng.IntN(4) {
	case 0:
		s.Turns = &cert.Turns{Next: make(cert.Ints, min(len(s.Network.Links)/2*max(s.Network.VCs, 0), mostTurns))}
	case 1:
		s.Product = &cert.Product{Hosts: 1}
	case 2:
		s.Family = &cert.Family{Kind: "mesh", Dims: 2, Allowed: []string{"x+>y+"}}
	default:
		if s.Table == nil {
			s.Table = new(cert.Table)
		} else {
			s.Relation = &cert.Relation{Classes: 1}
		}
	}
	return rng.IntN(4) == 0 // few, since both reject all of them
}

// hostileText puts text that forges lines, or steers terminals, where a certificate has names.
func hostileText(rng *rand.Rand, s *cert.Subject) bool {
	text := pick(rng, []string{"a\naccepted", "a\rdeadlock-free proved", "\x1b[2J", "\u009b2J", "\u202egnp", "\u2028b", "\x00", "\"},"})
	if rng.IntN(3) == 0 {
		s.Inputs = append(s.Inputs, cert.Input{Name: text, SHA256: strings.Repeat("0", 64)})
		return true
	}
	if len(s.Premises) > 0 && rng.IntN(2) == 0 {
		p := &s.Premises[rng.IntN(len(s.Premises))]
		*pick(rng, []*string{&p.Name, &p.Value, &p.Source}) = text
		return true
	}
	names := pick(rng, [][]string{s.Network.Switches, s.Network.Endpoints})
	if len(names) == 0 {
		return false
	}
	names[rng.IntN(len(names))] = text
	return true
}

// greatPort gives a port a greater number, in the network and in the table: a neutral change, if no other cable
// of the switch lies between.
func greatPort(rng *rand.Rand, c *cert.Certificate) bool {
	list := pick(rng, []cert.Ints{c.Subject.Network.Links, c.Subject.Network.Attach})
	if len(list) == 0 {
		return false
	}
	i := rng.IntN(len(list)/2) * 2
	u, was, is := list[i], list[i+1], list[i+1]+pick(rng, []int32{1, 300, 1 << 20})
	list[i+1] = is
	if t := c.Subject.Table; t != nil {
		for j := int(u); j < len(t.Ports) && u >= 0; j += len(c.Subject.Network.Switches) {
			if t.Ports[j] == was {
				t.Ports[j] = is
			}
		}
	}
	return true
}

func onTable(change func(*rand.Rand, *cert.Table) bool) func(*rand.Rand, *cert.Certificate) bool {
	return func(rng *rand.Rand, c *cert.Certificate) bool {
		return c.Subject.Table != nil && change(rng, c.Subject.Table)
	}
}

var ofTables = []mutation{
	{"sources", onTable(func(rng *rand.Rand, t *cert.Table) bool { return other(rng, &t.Sources) })},
	{"destination", onTable(func(rng *rand.Rand, t *cert.Table) bool { return numbers(rng, &t.Destinations) })},
	{"LID", onTable(func(rng *rand.Rand, t *cert.Table) bool { return numbers(rng, &t.LIDs) })},
	{"no LIDs", onTable(func(rng *rand.Rand, t *cert.Table) bool { clear(t.LIDs); return true })},
	{"port", onTable(func(rng *rand.Rand, t *cert.Table) bool { return numbers(rng, &t.Ports) })},
	{"port as another", onTable(func(rng *rand.Rand, t *cert.Table) bool { return copyOne(rng, t.Ports) })},
	{"classes", onTable(func(rng *rand.Rand, t *cert.Table) bool { return t.Classes != nil && numbers(rng, t.Classes) })},
	{"one class more or less", onTable(func(rng *rand.Rand, t *cert.Table) bool {
		if t.Classes == nil || len(*t.Classes) == 0 {
			return false
		}
		(*t.Classes)[rng.IntN(len(*t.Classes))] ^= 1 << rng.IntN(17)
		return true
	})},
	{"class 0 for all", onTable(func(rng *rand.Rand, t *cert.Table) bool { t.Classes = nil; return true })},
	{"VC row", onTable(func(rng *rand.Rand, t *cert.Table) bool { return t.VCRows != nil && numbers(rng, t.VCRows) })},
	{"VC row of", onTable(func(rng *rand.Rand, t *cert.Table) bool { return t.VCRowOf != nil && numbers(rng, t.VCRowOf) })},
	{"VC row as another", onTable(func(rng *rand.Rand, t *cert.Table) bool { return t.VCRowOf != nil && copyOne(rng, *t.VCRowOf) })},
	{"one VC row more", onTable(func(rng *rand.Rand, t *cert.Table) bool {
		if t.VCRows == nil {
			return false
		}
		*t.VCRows = append(*t.VCRows, slices.Repeat(cert.Ints{15}, 16)...)
		return true
	})},
	{"no VC rows", onTable(func(rng *rand.Rand, t *cert.Table) bool {
		t.VCRows = nil
		if rng.IntN(2) == 0 {
			t.VCRowOf = nil
		}
		return true
	})},
}

func onRelation(change func(*rand.Rand, *cert.Relation) bool) func(*rand.Rand, *cert.Certificate) bool {
	return func(rng *rand.Rand, c *cert.Certificate) bool {
		return c.Subject.Relation != nil && change(rng, c.Subject.Relation)
	}
}

var ofRelations = []mutation{
	{"number of classes", onRelation(func(rng *rand.Rand, r *cert.Relation) bool { return other(rng, &r.Classes) })},
	{"sources", onRelation(func(rng *rand.Rand, r *cert.Relation) bool { return other(rng, &r.Sources) })},
	{"destination", onRelation(func(rng *rand.Rand, r *cert.Relation) bool { return numbers(rng, &r.Destinations) })},
	{"injection", onRelation(func(rng *rand.Rand, r *cert.Relation) bool { return numbers(rng, &r.Inject) })},
	{"one injection less", onRelation(func(rng *rand.Rand, r *cert.Relation) bool {
		if len(r.Inject) < 3 {
			return false
		}
		i := rng.IntN(len(r.Inject)/3) * 3
		r.Inject = slices.Delete(r.Inject, i, i+3)
		return true
	})},
	{"number of a state", onRelation(func(rng *rand.Rand, r *cert.Relation) bool { return numbers(rng, &r.States) })},
	{"hop or state less", onRelation(dropHop)},
}

// dropHop takes a next hop off a state, or the state.
func dropHop(rng *rand.Rand, r *cert.Relation) bool {
	var at []int
	for i := 0; i+3 < len(r.States) && r.States[i+3] >= 0; i += 4 + 2*int(r.States[i+3]) {
		at = append(at, i)
	}
	if len(at) == 0 {
		return false
	}
	i := pick(rng, at)
	hops := int(r.States[i+3])
	if end := i + 4 + 2*hops; end > len(r.States) {
		return false
	} else if hops == 0 || rng.IntN(4) == 0 {
		r.States = slices.Delete(r.States, i, end)
		return true
	}
	j := i + 4 + 2*rng.IntN(hops)
	r.States[i+3]--
	r.States = slices.Delete(r.States, j, j+2)
	return true
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

func rename(rng *rand.Rand, names []string) bool {
	if len(names) == 0 {
		return false
	}
	names[rng.IntN(len(names))] = pick(rng, []string{"", "<&>", "\u2028", "a\"b", "x"})
	return true
}

// other changes a number.
func other[T int | int64](rng *rand.Rand, x *T) bool {
	*x = pick(rng, []T{*x + 1, *x - 1, *x * 2, 0, -1, 1 << 31, 1 << 62, 1<<63 - 1})
	return true
}

// numbers changes one number of a list, or how many there are.
func numbers(rng *rand.Rand, list *cert.Ints) bool {
	x := *list
	if len(x) == 0 {
		return false
	}
	i := rng.IntN(len(x))
	switch rng.IntN(10) {
	case 0:
		*list = slices.Delete(x, i, i+1)
	case 1:
		*list = slices.Insert(x, i, x[i])
	case 2:
		x[i] = pick(rng, []int32{-1, 0, 1<<31 - 1, -1 << 31})
	case 3:
		j := rng.IntN(len(x))
		x[i], x[j] = x[j], x[i]
	default:
		x[i] += pick(rng, []int32{1, -1, 2, -2})
	}
	return true
}

// copyOne makes one number as another of the list.
func copyOne(rng *rand.Rand, list cert.Ints) bool {
	if len(list) == 0 {
		return false
	}
	list[rng.IntN(len(list))] = pick(rng, list)
	return true
}
