package traffic

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
)

// This file reads permutations:
//
//	# source destination
//	0 5
//	5 0
//
// A host is a source at most once and a destination at most once. Hosts that are no source send
// nothing. In a permutation of switches the lines name switches.

func readPermutation(path string, p *places) ([]int, error) {
	r := newPermutationReader(p)
	return r.end(path, readFile(path, p.net, r.line))
}

func parsePermutation(name string, in io.Reader, p *places) ([]int, error) {
	r := newPermutationReader(p)
	return r.end(name, readLines(name, in, p.net, r.line))
}

type permutationReader struct {
	places   *places
	of       map[model.SwitchID]int // the places of switches, or nil if the places are hosts
	to       []int
	asSource []int32 // by place: the line that names it as a source, or 0
	asDest   []int32
	pairs    int
}

func newPermutationReader(p *places) *permutationReader {
	r := &permutationReader{places: p, to: make([]int, p.len()), asSource: make([]int32, p.len()), asDest: make([]int32, p.len())}
	for i := range r.to {
		r.to[i] = noPlace
	}
	if p.hosts != nil {
		r.of = map[model.SwitchID]int{}
		for i, u := range p.switches {
			r.of[u] = i
		}
	}
	return r
}

// place reads column i as a place.
func (r *permutationReader) place(l *lines, i int, what string) (int, error) {
	if r.of == nil {
		h, err := l.host(i, what)
		return int(h), err
	}
	u, err := l.names.Switch(string(l.columns[i]))
	if err != nil {
		return 0, l.errorf("%s: %s", what, err)
	}
	place, ok := r.of[u]
	if !ok {
		return 0, l.errorf("%s: switch %s has no hosts", what, r.places.net.SwitchName(u))
	}
	return place, nil
}

// label names a place in errors.
func (r *permutationReader) label(place int) string {
	if r.of == nil {
		return fmt.Sprintf("host %d", place)
	}
	return "switch " + r.places.net.SwitchName(r.places.switches[place])
}

func (r *permutationReader) line(l *lines) error {
	if len(l.columns) != 2 {
		return l.errorf("%d columns, source and destination were expected", len(l.columns))
	}
	from, err := r.place(l, 0, "source")
	if err != nil {
		return err
	}
	to, err := r.place(l, 1, "destination")
	if err != nil {
		return err
	}
	if at := r.asSource[from]; at > 0 {
		return l.errorf("%s is a source already, line %d", r.label(from), at)
	}
	if at := r.asDest[to]; at > 0 {
		return l.errorf("%s is a destination already, line %d", r.label(to), at)
	}
	r.to[from], r.asSource[from], r.asDest[to] = to, int32(l.n), int32(l.n)
	r.pairs++
	return nil
}

func (r *permutationReader) end(name string, err error) ([]int, error) {
	if err != nil {
		return nil, err
	}
	if r.pairs == 0 {
		return nil, &FileError{File: name, Msg: "names no pair of " + r.places.many}
	}
	return r.to, nil
}
