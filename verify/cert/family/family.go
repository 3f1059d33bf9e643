package family

import (
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file rebuilds a family: its directions, its places, the conditions on the channels of
// a place, and the steps that a set of class turns allows. It is the specification, and shares
// no code with the prover.
//
// A place is a direction, or a part of its channels. A row of a place has coefficients for the
// coordinates of a channel's tail, coefficients for those of its head, and a bound. Every channel of
// the place satisfies the rows. If a difference is bounded, an interval gives two rows for its
// coordinate: difference at least lo, then at most hi.
//
// mesh: coordinates x, y, ... of a switch, sides of 2 or more. Directions x+, x-, y+,
// y-, ...: the coordinate changes by one. Places are the directions.
//
// torus: sides of 3 or more. With one VC the directions are x+, x-, x+w, x-w, y+, ... A w
// direction wraps around to the other end, so the coordinate decreases (x+w) or increases
// (x-w) by at least one. With two VCs the directions are those of a mesh, and each channel is in one of
// three parts: inside on VC 0; wraparound, always on VC 0; inside on VC 1. The position of the head
// in each dimension is at the lower edge (0), between (1) or at the upper edge (2). Each
// combination of direction, part and positions is a place. Places ascend by direction, part and
// positions, where the position in x varies fastest. The head of an inside channel cannot be at the
// edge that the direction comes from; the head of a wraparound channel is there.
// A step needs equal positions in all other dimensions, and the second channel must be able to
// start where the first ends. VCs: straight on, inside VC 0 leads to VC 0, and wraparound or VC 1
// lead to VC 1. Into another dimension: rule "reset" leads to VC 0; "keep" leads from inside VC 0
// to VC 0, else to VC 1; "stop" leads from inside VC 0 only, to VC 0; "nf+1" is "stop" from
// x and "reset" from the other dimensions.
//
// hv: coordinates h, d. LU, LD, RU, RD (Jouraku, Koibuchi and Amano 2003, table 1). Tree
// "coordinates": all h differ. "any": h is the preorder number in a shortest-path tree, and
// d is the depth, so a channel changes d by at most one. "canonical": the tree of a
// breadth-first search from switch 0, neighbours and children by ascending number, with a third
// coordinate e, the greatest number below a switch. There the parent is the leftmost neighbour above: LU
// leads to the parent (h decreases, e does not, d decreases by 1), RD to a child, RU and LD to a
// switch whose numbers from h to e are disjoint. RD>LU would be a U-turn: no step without
// UTurns.
//
// updown: one coordinate, the position of a switch in the order by depth in a breadth-first
// tree, then number. up decreases and down increases it.
//
// given: as the certificate says.

// place is a set of channels with common conditions.
type place struct {
	direction int
	dim, sign int
	over      bool // wraps around
	vc        int
	at        []int
	coeffs    [][]int // by row
	least     []int
}

type rules struct {
	f          *cert.Family
	dims       int // number of coordinates
	directions []string
	places     []place
	steps      [][2]int
	allowed    [][]bool // by directions
}

const (
	noBound    = 1 << 30
	mostPlaces = 512
)

// newRules validates a family and lists its steps: first straight steps, then the steps of each
// allowed turn. Within each group they are sorted by first and second place.
func newRules(f *cert.Family) (*rules, error) {
	s := &rules{f: f}
	if err := s.build(); err != nil {
		return nil, err
	}
	if len(s.places) > mostPlaces {
		return nil, cert.Reject("subject", "%d places; want at most %d", len(s.places), mostPlaces)
	}
	return s, s.read()
}

func (s *rules) build() error {
	f := s.f
	plain := f.Dims == 0 && f.VCs == 0 && f.Rule == ""
	switch {
	case f.Kind == "mesh" && f.Dims >= 1 && f.Dims <= 6 && f.VCs == 0 && f.Rule == "" && f.Tree == "" && f.Given == nil:
		s.axes(f.Dims, "+", "-")
		for d := range s.directions {
			s.inside(place{direction: d, dim: d / 2, sign: 1 - 2*(d%2)})
		}
	case f.Kind == "torus" && f.Dims >= 1 && f.Dims <= 3 && f.Tree == "" && f.Given == nil:
		return s.torus()
	case f.Kind == "hv" && plain && f.Given == nil:
		return s.hv()
	case f.Kind == "updown" && plain && f.Tree == "" && f.Given == nil:
		s.directions, s.dims = []string{"up", "down"}, 1
		s.add(place{direction: 0}, []int{-noBound}, []int{-1})
		s.add(place{direction: 1}, []int{1}, []int{noBound})
	case f.Kind == "given" && plain && f.Tree == "" && f.Given != nil:
		return s.given()
	default:
		return cert.Reject("subject", "there is no such family: kind %.20q, dims %d, vcs %d, rule %.20q, tree %.20q", f.Kind, f.Dims, f.VCs, f.Rule, f.Tree)
	}
	return nil
}

// axes sets the directions: each dimension has the given ends.
func (s *rules) axes(dims int, ends ...string) {
	s.dims = dims
	for i := range dims {
		for _, end := range ends {
			s.directions = append(s.directions, "xyzuvw"[i:i+1]+end)
		}
	}
}

// add adds a place whose differences lie between bounds.
func (s *rules) add(p place, lo, hi []int) {
	row := func(i, sign, least int) {
		c := make([]int, 2*s.dims)
		c[i], c[s.dims+i] = -sign, sign
		p.coeffs, p.least = append(p.coeffs, c), append(p.least, least)
	}
	for i := range s.dims {
		if lo[i] != -noBound {
			row(i, 1, lo[i])
		}
		if hi[i] != noBound {
			row(i, -1, -hi[i])
		}
	}
	s.places = append(s.places, p)
}

// inside adds a place whose channels change one coordinate by one.
func (s *rules) inside(p place) {
	by := make([]int, s.dims)
	by[p.dim] = p.sign
	s.add(p, by, by)
}

func (s *rules) torus() error {
	f := s.f
	parts := 1 // of a direction
	switch {
	case f.VCs == 1 && f.Rule == "":
		s.axes(f.Dims, "+", "-", "+w", "-w")
	case f.VCs == 2 && slices.Contains([]string{"reset", "keep", "stop", "nf+1"}, f.Rule):
		s.axes(f.Dims, "+", "-")
		parts = 3
	default:
		return cert.Reject("subject", "a torus with %d VCs and rule %.20q", f.VCs, f.Rule)
	}
	cells := 1
	for range f.Dims {
		cells *= 3
	}
	for d, name := range s.directions {
		for part := range parts {
			for cell := range cells {
				p := place{direction: d, dim: strings.IndexByte("xyz", name[0]), sign: 1, over: strings.HasSuffix(name, "w") || part == 1}
				if name[1] == '-' {
					p.sign = -1
				}
				if part == 2 {
					p.vc = 1
				}
				for i, rest := 0, cell; i < f.Dims; i, rest = i+1, rest/3 {
					p.at = append(p.at, rest%3)
				}
				if p.over != (p.at[p.dim] == 1-p.sign) { // at the edge that the direction comes from
					continue
				}
				s.torusPlace(p)
			}
		}
	}
	return nil
}

func (s *rules) torusPlace(p place) {
	if !p.over {
		s.inside(p)
		return
	}
	lo, hi := make([]int, s.dims), make([]int, s.dims)
	if lo[p.dim], hi[p.dim] = -noBound, -1; p.sign < 0 {
		lo[p.dim], hi[p.dim] = 1, noBound
	}
	s.add(p, lo, hi)
}

func (s *rules) hv() error {
	s.directions, s.dims = []string{"LU", "LD", "RU", "RD"}, 2
	left, right := [2]int{-noBound, -1}, [2]int{1, noBound}
	depth := [4][2]int{{-noBound, -1}, {0, noBound}, {-noBound, 0}, {1, noBound}}
	switch s.f.Tree {
	case "coordinates":
	case "any":
		depth = [4][2]int{{-1, -1}, {0, 1}, {-1, 0}, {1, 1}}
	case "canonical":
		s.canonical()
		return nil
	default:
		return cert.Reject("subject", "tree %.20q; want coordinates, any or canonical", s.f.Tree)
	}
	for d, way := range [][2]int{left, left, right, right} {
		s.add(place{direction: d}, []int{way[0], depth[d][0]}, []int{way[1], depth[d][1]})
	}
	return nil
}

// canonical adds the places of canonical trees. Coefficients: h, d, e of the tail, then of the
// head.
func (s *rules) canonical() {
	s.dims = 3
	nested := [][]int{{-1, 0, 1, 0, 0, 0}, {0, 0, 0, -1, 0, 1}} // e is at least h
	deeper := func(lo, hi int) ([][]int, []int) {
		return [][]int{{0, -1, 0, 0, 1, 0}, {0, 1, 0, 0, -1, 0}}, []int{lo, -hi}
	}
	for d, own := range []struct {
		coeffs [][]int
		least  []int
		lo, hi int // change of depth
	}{
		{[][]int{{1, 0, 0, -1, 0, 0}, {0, 0, -1, 0, 0, 1}}, []int{1, 0}, -1, -1},
		{[][]int{{1, 0, 0, 0, 0, -1}}, []int{1}, 0, 1},
		{[][]int{{0, 0, -1, 1, 0, 0}}, []int{1}, -1, 0},
		{[][]int{{-1, 0, 0, 1, 0, 0}, {0, 0, 1, 0, 0, -1}}, []int{1, 0}, 1, 1},
	} {
		rows, bounds := deeper(own.lo, own.hi)
		s.places = append(s.places, place{direction: d, coeffs: slices.Concat(nested, own.coeffs, rows), least: slices.Concat([]int{0, 0}, own.least, bounds)})
	}
}

func (s *rules) given() error {
	g := s.f.Given
	if g.Coordinates < 1 || g.Coordinates > 16 || len(g.Directions) == 0 || len(g.Directions) > mostPlaces {
		return cert.Reject("subject", "%d coordinates, %d directions", g.Coordinates, len(g.Directions))
	}
	s.dims = g.Coordinates
	for i, d := range g.Directions {
		if d.Name == "" || !cert.IsPlain(d.Name) || strings.ContainsAny(d.Name, "> ,") || slices.Contains(s.directions, d.Name) {
			return cert.Reject("subject", "direction %d: name %.20q", i, d.Name)
		}
		s.directions = append(s.directions, d.Name)
		p := place{direction: i}
		wide := s.dims + 1
		if len(d.Rows)%wide != 0 {
			return cert.Reject("subject", "direction %d: %d numbers in rows of %d", i, len(d.Rows), wide)
		}
		for row := range slices.Chunk(d.Rows, wide) {
			c := make([]int, 2*s.dims)
			for k, x := range row[:s.dims] {
				c[k], c[s.dims+k] = -int(x), int(x)
			}
			p.coeffs, p.least = append(p.coeffs, c), append(p.least, int(row[s.dims]))
		}
		s.places = append(s.places, p)
	}
	return nil
}

// read reads the allowed turns and lists the steps.
func (s *rules) read() error {
	s.allowed = make([][]bool, len(s.directions))
	for d := range s.allowed {
		s.allowed[d] = make([]bool, len(s.directions))
	}
	s.list(func(a, b int) bool { return a == b })
	last := -1
	for i, text := range s.f.Allowed {
		in, out, _ := strings.Cut(text, ">")
		a, b := slices.Index(s.directions, in), slices.Index(s.directions, out)
		if a < 0 || b < 0 || a == b || a*len(s.directions)+b <= last {
			return cert.Reject("subject", "allowed turn %d, %.40q: not a class turn, or not in order", i, text)
		}
		last = a*len(s.directions) + b
		s.allowed[a][b] = true
		s.list(func(x, y int) bool { return x == a && y == b })
	}
	return nil
}

// list adds the steps between directions that between accepts.
func (s *rules) list(between func(a, b int) bool) {
	for i := range s.places {
		for j := range s.places {
			if between(s.places[i].direction, s.places[j].direction) && s.follows(&s.places[i], &s.places[j]) {
				s.steps = append(s.steps, [2]int{i, j})
			}
		}
	}
}

// follows reports whether a channel of place b can follow a channel of place a. U-turns are
// excluded later, except on canonical trees.
func (s *rules) follows(a, b *place) bool {
	if s.f.Kind == "hv" && s.f.Tree == "canonical" && !s.f.UTurns {
		return a.direction != 3 || b.direction != 0
	}
	if s.f.Kind != "torus" {
		return true
	}
	for i := range a.at {
		if i != b.dim && a.at[i] != b.at[i] {
			return false
		}
	}
	near, far := 1-b.sign, 1+b.sign // where b's direction comes from, and where it leads
	tail, head := a.at[b.dim], b.at[b.dim]
	switch {
	case b.over && tail != far:
		return false
	case !b.over && (tail == far || tail == near && head == near):
		return false
	}
	if s.f.VCs == 1 {
		return true
	}
	fresh := !a.over && a.vc == 0
	switch {
	case a.dim == b.dim, s.f.Rule == "keep":
		return fresh == (b.vc == 0)
	case s.f.Rule == "stop", s.f.Rule == "nf+1" && a.dim == 0:
		return fresh && b.vc == 0
	}
	return b.vc == 0
}
