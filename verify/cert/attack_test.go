package cert_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// This file attacks the judge with certificates that were accepted though they are false, and
// with ones that are near them.

// rejected fails the test unless Check rejects c with these words.
func rejected(t *testing.T, what string, c *Certificate, words string) {
	t.Helper()
	err := Check(c)
	var no *Rejection
	if !errors.As(err, &no) || !strings.Contains(no.Error(), words) {
		t.Errorf("%s: error %v, want %q", what, err, words)
	}
}

// kindsOfRouting are whole subjects of each kind, with claims that hold, by name.
func kindsOfRouting(t *testing.T) map[string]*Certificate {
	t.Helper()
	return map[string]*Certificate{
		"table": certify(stories[1].subject()), "relation": certify(stories[10].subject()),
		"turns": kept(t, "gossip"), "product": kept(t, "product"), "family": kept(t, "family-given-free"),
	}
}

// take copies those parts of a subject into another that are named.
func take(to, from *Subject, names []string) {
	for _, name := range names {
		switch name {
		case "table":
			to.Table = from.Table
		case "relation":
			to.Relation = from.Relation
		case "turns":
			to.Turns = from.Turns
		case "product":
			to.Product = from.Product
		case "family":
			to.Family = from.Family
		}
	}
}

// TestOneKindOfRouting puts each set of the five kinds of routing into one subject, with the network
// and the claims of each: exactly the five with one kind are accepted.
func TestOneKindOfRouting(t *testing.T) {
	all := kindsOfRouting(t)
	names := []string{"table", "relation", "turns", "product", "family"}
	for set := range 1 << len(names) {
		var in []string
		for i, name := range names {
			if set>>i&1 == 1 {
				in = append(in, name)
			}
		}
		for base, c := range all {
			m := clone(c)
			m.Subject.Table, m.Subject.Relation, m.Subject.Turns, m.Subject.Product, m.Subject.Family = nil, nil, nil, nil, nil
			for _, name := range in {
				take(&m.Subject, &all[name].Subject, []string{name})
			}
			switch {
			case slices.Equal(in, []string{base}):
				accepted(t, m)
			case len(in) != 1:
				want := "neither"
				if len(in) > 1 {
					want = "want exactly one"
				}
				rejected(t, strings.Join(in, "+")+" with what "+base+" has", m, want)
			}
		}
	}
}

// TestNothingBeside checks that a certificate with gates or a network that its kind of subject does not
// use is rejected.
func TestNothingBeside(t *testing.T) {
	gates := kept(t, "gates-frozen").Subject.Gates
	for name, c := range kindsOfRouting(t) {
		m := clone(c)
		m.Subject.Gates = gates
		if name != "relation" {
			rejected(t, name+" and gates", m, "gates without a relation")
		} else if Check(m) == nil {
			t.Errorf("gates of another network are accepted")
		}
		if name != "product" && name != "family" {
			continue
		}
		for _, w := range []Network{{VCs: 1}, {Hosts: 1}, {Switches: []string{"a"}}, {Links: Ints{0}}, {Endpoints: []string{"a"}}, {Attach: Ints{0}}, ring(4, 1)} {
			m := clone(c)
			m.Subject.Network = w
			rejected(t, name+" and a network", m, "and a network beside it")
		}
	}
}

// TestCoordinatesBeyondAllBounds uses sums of products of 32-bit numbers that do not fit into 64
// bits. A form increases along direction A and decreases along B, so no channels of the family
// close a cycle. If sums wrapped around, the member would have one.
func TestCoordinatesBeyondAllBounds(t *testing.T) {
	const most, step = math.MaxInt32, 6 << 27
	up := Ints{most, most, most, most, 1} // the sum of four differences, times 2^31-1, is at least 1
	down := Ints{-most, -most, -most, -most, 1}
	// A step up adds less than 2^63, both steps more than 2^63 and less than 2^64.
	at := slices.Concat(slices.Repeat(Ints{0}, 4), slices.Repeat(Ints{step}, 4), slices.Repeat(Ints{2 * step}, 4))
	family := &Family{Kind: "given", Given: &Given{Coordinates: 4, Directions: []GivenDirection{{"A", up}, {"B", down}}}}
	c := &Certificate{Schema: Schema, Subject: Subject{Switching: "vct", Family: family}}
	c.Claims = []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceFamilyRanks,
		Ranks: &Ints{0, most, most, most, most, 0, -most, -most, -most, -most}, Multipliers: &Ints{1, 1, 1, 1}}}
	accepted(t, c)
	c.Claims = []Claim{{Claim: ClaimAcyclic, Verdict: Refuted, Evidence: EvidenceFamilyCycle,
		Member: &Member{Links: Ints{0, 1, 0, 2, 1, 2}, At: at, Cycle: Ints{0, 1, 0, 1, 2, 0, 2, 0, 0}}}}
	rejected(t, "a cycle of the same family", c, "may not follow")
}

// point is a line of one switch.
func point() Line {
	return Line{
		Network:  Network{VCs: 1, Switches: []string{"s"}, Endpoints: []string{"e"}, Attach: Ints{0, 1}, Hosts: 1},
		Relation: Relation{Classes: 1, Sources: 1, Destinations: Ints{0}},
		Claims: []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &Ints{}},
			{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceWalk, Pairs: new(int64)}},
	}
}

// TestEndpointsOfProducts checks that the number of pairs is exact up to the limit, and that
// certificates beyond the limit are rejected.
func TestEndpointsOfProducts(t *testing.T) {
	for _, hosts := range []int{1, 2, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, 1 << 32, 1e18, math.MaxInt} {
		for lines := 1; lines <= 3; lines++ {
			capped := int64(min(hosts, math.MaxInt32))
			pairs := capped * (capped - 1)
			c := &Certificate{Schema: Schema, Subject: Subject{Switching: "vct", Product: &Product{Hosts: hosts, Lines: slices.Repeat([]Line{point()}, lines)}},
				Claims: []Claim{{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceLines, Pairs: &pairs}}}
			if hosts <= math.MaxInt32 {
				accepted(t, c)
				pairs--
				rejected(t, "a pair fewer", c, "pairs of source and destination")
			} else {
				rejected(t, "too many endpoints", c, "more than 2147483647 endpoints")
			}
		}
	}
	whole := kept(t, "product")
	side := len(whole.Subject.Product.Lines[0].Network.Switches) * len(whole.Subject.Product.Lines[1].Network.Switches)
	for _, hosts := range []int{math.MaxInt32 / side, math.MaxInt32/side + 1, math.MaxInt32, math.MaxInt64 / side, 1 << 60} {
		c := clone(whole)
		c.Subject.Product.Hosts = hosts
		n := int64(hosts) * int64(side) // wraps round
		if k := slices.IndexFunc(c.Claims, func(c Claim) bool { return c.Pairs != nil }); k >= 0 {
			*c.Claims[k].Pairs = n * (n - 1)
		}
		if err := Check(c); (err == nil) != (hosts == math.MaxInt32/side) {
			t.Errorf("%d endpoints at each of %d switches: %v", hosts, side, err)
		}
	}
	none := clone(whole)
	none.Subject.Product.Lines[0] = Line{Network: Network{VCs: 1}, Relation: Relation{Classes: 1}, Claims: whole.Subject.Product.Lines[0].Claims}
	rejected(t, "a line of nothing", none, "line 0 has no switches")
}

// TestBoundTimesDenominator checks that a bound is rejected if its product with the denominator
// overflows.
func TestBoundTimesDenominator(t *testing.T) {
	for _, bound := range []int64{1<<24 + 1, 1 << 44, 1<<44 + 1, 1<<44 + 2, 1 << 62, math.MaxInt64, math.MinInt64, -1, 0} {
		c := kept(t, "refutation")
		*c.Claims[2].Bound = bound
		rejected(t, "a bound", c, "a bound of")
	}
}

// TestVCBeyondTheLastChannel checks that a table row is rejected if it names a VC which the last
// channel between switches does not have, whatever ranks are claimed.
func TestVCBeyondTheLastChannel(t *testing.T) {
	for vc := int32(0); vc < 15; vc++ {
		s := tableOf(ring(4, 2), func(u, d int) int32 { return 2 }) // to host 3 over 2, 1, 0
		s.Table.Destinations, s.Table.LIDs, s.Table.Ports = s.Table.Destinations[3:], s.Table.LIDs[3:], s.Table.Ports[12:]
		rows, of, ranks := make(Ints, 32), make(Ints, 36), make(Ints, 16)
		copy(rows[16:], slices.Repeat(Ints{max(vc, 1)}, 16))
		of[1] = 1 // at switch 0, from the next switch to the one before
		for v := range ranks {
			ranks[v] = int32(len(ranks)-1-v) ^ 8 // rising from channel 3 over 1 to 7
		}
		s.Table.VCRows, s.Table.VCRowOf = &rows, &of
		c := &Certificate{Schema: Schema, Subject: s, Claims: []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &ranks}}}
		if vc <= 1 {
			accepted(t, c)
		} else {
			rejected(t, "a VC too many", c, "of 2")
		}
	}
}

// hostileTexts forge lines, steer terminals, turn the direction of writing, or are no UTF-8.
var hostileTexts = []string{
	"A\naccepted: digest 0", "A\rclaim: deadlock-free proved", "A\x1b[2J", "A\x1b]0;title\x07", "A\u009b2J", "A\u2028B", "A\u2029B", "A\u0085B",
	"A\u202egnp", "A\u2066B", "A\u200bB", "A\x00", "A\x7f", "A\tB", "A\xff", "A\ufeff", "A\u00a0B",
}

// TestHostileText puts such text into every text of every kind of certificate. No line of the summary
// is forged then, whether or not the certificate is accepted.
func TestHostileText(t *testing.T) {
	t.Parallel()
	certificates := kindsOfRouting(t)
	for _, name := range keptNames(t) {
		certificates[name] = kept(t, name)
	}
	for name, c := range certificates {
		for i := range textsOf(c) {
			plain := clone(c)
			*textsOf(plain)[i] = "x" // an empty text may have no line
			lines := max(strings.Count(summary.Text(c), "\n"), strings.Count(summary.Text(plain), "\n"))
			for k, text := range hostileTexts {
				if c.Subject.Family == nil && i%len(hostileTexts) != k || !long() && (i+k)%4 != 0 {
					continue // all of them are tried on families only, by the long run
				}
				m := clone(c)
				*textsOf(m)[i] = text
				err := Check(m)
				described := summary.Text(m)
				if !IsPlain(strings.ReplaceAll(described, "\n", "")) || strings.Count(described, "\n") > lines {
					t.Fatalf("%s, text %d, %q (%v):\n%s", name, i, text, err, described)
				}
			}
		}
	}
}

// TestNamesOfDirections checks that names which could forge a line of output are rejected.
func TestNamesOfDirections(t *testing.T) {
	for _, text := range append(hostileTexts, "", "A>B", "A B", "A,B") {
		c := kept(t, "family-given-free")
		was := c.Subject.Family.Given.Directions[0].Name
		c.Subject.Family.Given.Directions[0].Name = text
		for i, turn := range c.Subject.Family.Allowed {
			in, out, _ := strings.Cut(turn, ">")
			if in == was {
				in = text
			}
			if out == was {
				out = text
			}
			c.Subject.Family.Allowed[i] = in + ">" + out
		}
		rejected(t, text, c, "direction 0: name")
	}
}

// twoLinks are two switches with a host each and two links. Packets from host 0 to host 1 may take
// either link, and after the second have these next hops.
func twoLinks(after ...int32) *Certificate {
	states := Ints{0, 1, 0, 1, 6, 0, 0, 5, 0, 1, 1, 0, 1, 0, 0, 1, 7, 0, 1, 2, 0, int32(len(after))}
	for _, vc := range after {
		states = append(states, vc, 0)
	}
	states = append(states, 1, 4, 0, 2, 0, 0, 2, 0)
	return &Certificate{Schema: Schema,
		Subject: Subject{Switching: "vct",
			Network: Network{VCs: 1, Switches: []string{"a", "b"}, Links: Ints{0, 1, 1, 1, 0, 2, 1, 2},
				Endpoints: []string{"x", "y"}, Attach: Ints{0, 3, 1, 3}, Hosts: 2},
			Relation: &Relation{Classes: 1, Sources: 2, Destinations: Ints{0, 1}, Inject: Ints{0, 1, 0, 1, 0, 0}, States: states}},
		Claims: []Claim{{Claim: ClaimMessages, Verdict: Refuted, Evidence: EvidenceSharedNetwork, Messages: &Ints{0, 0}, Packets: []Packet{
			{Source: 0, Destination: 1, Path: []int32{4, 0, 0, 0, 7, 0}}, {Source: 1, Destination: 0, Path: []int32{5, 0, 1, 0, 6, 0}}}}}}
}

// TestLostMessagesFreeQueues checks that two classes in one virtual network are refuted only by
// hosts whose packets to each other are never lost. The test in verify/messagestates_test.go
// visits all states.
func TestLostMessagesFreeQueues(t *testing.T) {
	accepted(t, twoLinks(7))
	rejected(t, "packets that are dropped", twoLinks(), "can be dropped at VC 2 with class 0")
	other := twoLinks(7) // a third host, at the second switch
	n := &other.Subject.Network
	n.Endpoints, n.Attach, n.Hosts = append(n.Endpoints, "z"), append(n.Attach, 1, 4), 3
	other.Subject.Relation.States = Ints{0, 1, 0, 1, 7, 0, 0, 5, 0, 1, 1, 0, 1, 0, 0, 1, 8, 0, 1, 2, 0, 2, 8, 0, 9, 0, 1, 4, 0, 2, 0, 0, 2, 0}
	other.Claims[0].Packets[0].Path[4], other.Claims[0].Packets[1].Path[4] = 8, 7
	rejected(t, "packets that arrive at another host", other, "can be ejected on VC 9, not at its destination")
}

// TestNothingUnjudged adds each optional part that a certificate lacks, one at a time: what no judge
// looks at is rejected.
func TestNothingUnjudged(t *testing.T) {
	t.Parallel()
	certificates := map[string]*Certificate{}
	for _, name := range keptNames(t) {
		certificates[name] = kept(t, name)
	}
	for _, s := range stories {
		certificates[s.name] = certify(s.subject())
	}
	for name, c := range certificates {
		for i, v := range absentParts(c) {
			if i%3 != len(name)%3 && !long() {
				continue
			}
			m := clone(c)
			part := absentParts(m)[i]
			part.Set(reflect.New(v.Type().Elem()))
			if Check(m) == nil {
				t.Errorf("%s: accepted with an empty part of type %s, number %d", name, v.Type(), i)
			}
		}
	}
}

// absentParts lists the optional parts that a certificate lacks.
func absentParts(c *Certificate) (list []reflect.Value) {
	for _, v := range changeable(reflect.ValueOf(c).Elem(), nil) {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			list = append(list, v)
		}
	}
	return list
}
