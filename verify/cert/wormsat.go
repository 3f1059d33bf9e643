package cert

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// collectWorms keeps the states of the block.
func (s *reach) collectWorms() error {
	if s.worms == nil {
		return nil
	}
	var order []int32
	for i, vc := range s.VCs {
		if int(vc) < s.LinkVCs() {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.VCs[a], s.VCs[b]), cmp.Compare(class(s.Block.Classes, int(a)), class(s.Block.Classes, int(b))))
	})
	w := &wormStates{starts: make([]bool, len(order))}
	number := make([]int32, len(s.VCs))
	for k, i := range order {
		number[i] = int32(k)
	}
	var key []byte
	for k, i := range order {
		w.at, w.first = append(w.at, s.VCs[i]), append(w.first, int32(len(w.to)))
		w.leaves = append(w.leaves, s.Counts[i] == 0 || slices.Min(s.after(i)) < 0)
		w.commits = append(w.commits, s.commitsAt(int(i)) && s.hasChoice(int(i)))
		key = binary.LittleEndian.AppendUint32(key, uint32(s.VCs[i]))
		key = binary.LittleEndian.AppendUint32(key, uint32(class(s.Block.Classes, int(i))))
		begin := len(w.to)
		for _, to := range s.after(i) {
			if to >= 0 {
				w.to = append(w.to, number[to])
			}
		}
		slices.Sort(w.to[begin:])
		w.to = append(w.to[:begin], slices.Compact(w.to[begin:])...)
		for range w.to[begin:] {
			w.from = append(w.from, int32(k))
		}
	}
	for _, i := range s.starts {
		for _, to := range s.after(i) {
			if to >= 0 {
				w.starts[number[to]] = true
			}
		}
	}
	s.worms.lock.Lock()
	defer s.worms.lock.Unlock()
	s.worms.parts = append(s.worms.parts, wormsTo{s.firstDest(), w, w.keyAfter(key)})
	return nil
}

// hasChoice reports whether state i has different next hops.
func (s *reach) hasChoice(i int) bool {
	for j := s.first[i] + 1; j < s.first[i+1]; j++ {
		if s.Hops[j] != s.Hops[j-1] || class(s.HopClasses, int(j)) != class(s.HopClasses, int(j-1)) {
			return true
		}
	}
	return false
}
