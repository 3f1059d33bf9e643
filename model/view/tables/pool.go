package tables

import (
	"encoding/binary"
	"slices"
)

// pool stores each distinct set of outputs once. Set 0 is empty.
type pool struct {
	sets  [][]uint64
	known map[string]int32
	more  map[[2]int32]int32 // by set and bit: the union of both
}

func (p *pool) begin(words int) {
	empty := make([]uint64, words)
	p.sets, p.known, p.more = [][]uint64{empty}, map[string]int32{key(empty): 0}, map[[2]int32]int32{}
}

// with returns the set with the members of set s and bit.
func (p *pool) with(s int32, bit int) int32 {
	step := [2]int32{s, int32(bit)}
	if t, ok := p.more[step]; ok {
		return t
	}
	set := slices.Clone(p.sets[s])
	set[bit/64] |= 1 << (bit % 64)
	t, ok := p.known[key(set)]
	if !ok {
		t = int32(len(p.sets))
		p.sets, p.known[key(set)] = append(p.sets, set), t
	}
	p.more[step] = t
	return t
}

func key(words []uint64) string {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// rows are the distinct rows of a table. Row 0 has only empty sets.
type rows struct {
	list [][]int32 // by input without its destination: the row number
	of   []int     // by input without its destination: the row
}

// rows returns the rows of the table, numbered in order of first use.
func (l *Lookup) rows() rows {
	empty := make([]int32, l.Dest)
	r := rows{list: [][]int32{empty}, of: make([]int, l.inputs())}
	known := map[string]int{rowKey(empty): 0}
	for i := range r.of {
		row := l.at[i*l.Dest : (i+1)*l.Dest]
		k := rowKey(row)
		at, ok := known[k]
		if !ok {
			at = len(r.list)
			r.list, known[k] = append(r.list, row), at
		}
		r.of[i] = at
	}
	return r
}

func rowKey(row []int32) string {
	b := make([]byte, 0, 4*len(row))
	for _, s := range row {
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
	}
	return string(b)
}
