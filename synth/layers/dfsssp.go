package layers

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file is the layering of DFSSSP, for comparison (J. Domke, T. Hoefler and W. E. Nagel, IPDPS
// 2011). All paths start in the first layer. While a layer has a cycle, the method picks the
// dependency of the cycle that the fewest paths use. Those paths move to the next layer.

// mostForDFSSSP is the largest number of dependencies: each search for a cycle visits all of them.
const mostForDFSSSP = 20000

func (f *finder) dfsssp() []int32 {
	of := make([]int32, len(f.Turns))
	here := slices.Clone(f.paths)
	for k := int32(0); len(here) > 0; k++ {
		users := map[model.Turn][]int32{}
		next := make([][]model.ChannelID, f.Net.NumLinkChannels())
		for _, p := range here {
			for _, t := range f.Turns[p] {
				if users[t] == nil {
					next[t.In] = append(next[t.In], model.ChannelID(t.Out))
				}
				users[t] = append(users[t], p)
			}
			of[p] = k
		}
		for c := range next {
			slices.Sort(next[c])
		}
		var moved []int32
		for {
			cycle := cycleIn(next)
			if cycle == nil {
				break
			}
			weakest := model.Turn{}
			for i, c := range cycle {
				t := model.Turn{In: model.VCID(c), Out: model.VCID(cycle[(i+1)%len(cycle)])}
				if i == 0 || len(users[t]) < len(users[weakest]) {
					weakest = t
				}
			}
			for _, p := range slices.Clone(users[weakest]) {
				moved = append(moved, p)
				for _, t := range f.Turns[p] {
					if i := slices.Index(users[t], p); i >= 0 {
						users[t] = slices.Delete(users[t], i, i+1)
					}
					if len(users[t]) == 0 {
						next[t.In] = slices.DeleteFunc(next[t.In], func(c model.ChannelID) bool { return c == model.ChannelID(t.Out) })
					}
				}
			}
		}
		here = moved
	}
	return of
}

// cycleIn returns the vertices of a cycle, or nil if there is none. next has the arcs of a graph by vertex.
func cycleIn[T ~int32](next [][]T) []T {
	const (
		unseen = iota
		open
		done
	)
	state, at := make([]uint8, len(next)), make([]int, len(next))
	var stack []T
	for start := range next {
		if state[start] != unseen {
			continue
		}
		stack = append(stack[:0], T(start))
		state[start] = open
		for len(stack) > 0 {
			c := stack[len(stack)-1]
			if at[c] == len(next[c]) {
				state[c] = done
				stack = stack[:len(stack)-1]
				continue
			}
			b := next[c][at[c]]
			at[c]++
			switch state[b] {
			case open:
				return slices.Clone(stack[slices.Index(stack, b):])
			case unseen:
				state[b] = open
				stack = append(stack, b)
			}
		}
	}
	return nil
}
