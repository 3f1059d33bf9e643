package traffic

import (
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
// nothing.

func readPermutation(path string, n *model.Network) (Pattern, error) {
	r := newPermutationReader(n)
	return r.end(path, readFile(path, n, r.line))
}

func parsePermutation(name string, in io.Reader, n *model.Network) (Pattern, error) {
	r := newPermutationReader(n)
	return r.end(name, readLines(name, in, n, r.line))
}

type permutationReader struct {
	to       fixed
	asSource []int32 // by host: the line that names it as a source, or 0
	asDest   []int32
	pairs    int
}

func newPermutationReader(n *model.Network) *permutationReader {
	r := &permutationReader{to: make(fixed, n.NumHosts()), asSource: make([]int32, n.NumHosts()), asDest: make([]int32, n.NumHosts())}
	for h := range r.to {
		r.to[h] = model.NoHost
	}
	return r
}

func (r *permutationReader) line(l *lines) error {
	if len(l.columns) != 2 {
		return l.errorf("%d columns, source and destination were expected", len(l.columns))
	}
	from, err := l.host(0, "source")
	if err != nil {
		return err
	}
	to, err := l.host(1, "destination")
	if err != nil {
		return err
	}
	if at := r.asSource[from]; at > 0 {
		return l.errorf("host %d is a source already, line %d", from, at)
	}
	if at := r.asDest[to]; at > 0 {
		return l.errorf("host %d is a destination already, line %d", to, at)
	}
	r.to[from], r.asSource[from], r.asDest[to] = to, int32(l.n), int32(l.n)
	r.pairs++
	return nil
}

func (r *permutationReader) end(name string, err error) (Pattern, error) {
	if err != nil {
		return nil, err
	}
	if r.pairs == 0 {
		return nil, &FileError{File: name, Msg: "names no pair of hosts"}
	}
	return r.to, nil
}
