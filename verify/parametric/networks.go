package parametric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
)

// This file makes the networks of a family, and points on them.

// network returns the network of the family with this setting.
func (f *family) network(setting []int) (*model.Network, error) {
	sides, o := setting[:f.dims], f.options(setting)
	if f.complete() {
		return topo.HyperX(sides, nil, o)
	}
	switch kind := &f.program.Family; {
	case kind.Kind == program.HexGrid:
		return topo.HexGrid(sides, o)
	case kind.Kind == program.BrickWall:
		return topo.BrickWall(sides, o)
	case kind.Kind == program.Express:
		return topo.ExpressMesh(sides, kind.Interval, o)
	case !kind.Wrap():
		return topo.Mesh(sides, o)
	}
	wrap := make([]bool, f.dims)
	for d := range wrap {
		wrap[d] = f.wraps(d)
	}
	return topo.Wrapped(sides, wrap, o)
}

// spec returns the spec of the network with this setting.
func (f *family) spec(setting []int) string {
	sides := setting[:f.dims]

	kind, vcs := f.program.Family.Kind, ""
	size := sidesText(sides)
	if kind == "hypercube" {
		size = fmt.Sprint(len(sides))
	}
	if rings := f.program.Family.Rings; rings != nil {
		vcs = ",wrap=" + program.DimensionWords(rings)
	}
	if k := f.program.Family.Interval; k > 0 {
		vcs += fmt.Sprintf(",interval=%d", k)
	}
	if f.program.VCs > 1 {
		vcs += fmt.Sprintf(",vcs=%d", f.program.VCs)
	}
	return kind + ":" + size + vcs + f.failText(setting)
}

func sidesText(sides []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(sides), " ", "x"), "[]")
}

// failText returns the failures of a setting as in specs.
func (f *family) failText(setting []int) string {
	var words []string
	for _, x := range f.options(setting).Fail {
		word := fmt.Sprint(x.A)
		if x.B != model.NoSwitch {
			word += fmt.Sprintf("-%d", x.B)
		}
		words = append(words, word)
	}
	if words == nil {
		return ""
	}
	return ",fail=" + strings.Join(words, "+")
}

// options returns the failures of a setting as options of the network.
func (f *family) options(setting []int) (o topo.Options) {
	sides := setting[:f.dims]
	number := func(at []int) model.SwitchID {
		u := 0
		for d := f.dims - 1; d >= 0; d-- {
			u = u*sides[d] + at[d]
		}
		return model.SwitchID(u)
	}
	for failure := range slices.Chunk(setting[f.dims:], f.dims+1) {
		dim, at := failure[0], slices.Clone(failure[1:])
		u := number(at)
		if dim == failedSwitch {
			o.Fail = append(o.Fail, topo.FailSwitch(u))
			continue
		}
		at[dim] = (at[dim] + 1) % sides[dim]
		o.Fail = append(o.Fail, topo.FailLink(u, number(at)))
	}
	return o
}

// settings returns the settings with these sides.
func (f *family) settings(sides []int) [][]int {
	list := [][]int{sides}
	for k, dim := range f.faults {
		var longer [][]int
		for _, before := range list {
			for _, at := range eachPlace(sides) {
				if dim != failedSwitch && !f.wraps(dim) && at[dim] == sides[dim]-1 {
					continue
				}
				failure := append([]int{dim}, at...)
				if k > 0 && dim == f.faults[k-1] && slices.Compare(failure, before[len(before)-len(failure):]) <= 0 {
					continue // two failures at one place are one
				}
				longer = append(longer, append(slices.Clone(before), failure...))
			}
		}
		list = longer
	}
	return list
}

// switches returns the number of places of a network.
func (f *family) switches(setting []int) int { return product(setting[:f.dims]) }

// few returns at most the given number of settings, spread evenly.
func few(list [][]int, most int) (some [][]int) {
	for i := range min(most, len(list)) {
		some = append(some, list[i*len(list)/min(most, len(list))])
	}
	return some
}

// eachPlace returns the coordinates of all switches.
func eachPlace(sides []int) [][]int {
	list := [][]int{nil}
	for _, side := range sides {
		var longer [][]int
		for _, p := range list {
			for x := range side {
				longer = append(longer, append(slices.Clone(p), x))
			}
		}
		list = longer
	}
	return list
}

// shift returns a point after substitution.
func (f *family) shift(point []int64, by []form) []int64 {
	moved := slices.Clone(point)
	for v, x := range by {
		if x != nil {
			moved[v] = x.at(point)
		}
	}
	return moved
}

// sizesUpTo returns the settings of the family's networks with at most the given number of
// places and each size at most most, small networks first.
func (f *family) sizesUpTo(switches, most int) (list [][]int) {
	choice := make([]int, len(f.sizes))
	for i := range choice {
		choice[i] = int(f.least[i])
	}
	zero := make([]int, f.dims)
	for {
		if sides := f.sidesOf(choice); product(sides) <= switches && f.isSize(f.point(zero, zero, sides)) {
			list = append(list, sides)
		}
		i := 0
		for ; i < len(choice); i++ {
			if choice[i]++; choice[i] <= most && product(f.sidesOf(choice)) <= switches {
				break
			}
			choice[i] = int(f.least[i])
		}
		if i == len(choice) {
			break
		}
	}
	slices.SortStableFunc(list, func(a, b []int) int { return product(a) - product(b) })
	if len(f.faults) == 0 {
		return list
	}
	var all [][]int
	for _, sides := range list {
		all = append(all, f.settings(sides)...)
	}
	return all
}

// sidesOf returns the sides for a choice of sizes.
func (f *family) sidesOf(choice []int) []int {
	sides := make([]int, f.dims)
	for d, s := range f.shape {
		if sides[d] = s.Length; s.Name != "" {
			sides[d] = choice[slices.Index(f.sizes, s.Name)]
		}
	}
	return sides
}

func product(list []int) int {
	p := 1
	for _, x := range list {
		if p *= x; p > 1<<30 {
			return 1 << 30
		}
	}
	return p
}

// coordinates returns the coordinates of a switch.
func (f *family) coordinates(n *model.Network, sides []int, u model.SwitchID) []int {
	if f.complete() || f.hasAxes() {
		return program.PlaceIn(sides, u)
	}
	return n.Grid().Coords(u, nil)
}

// directionOf returns the direction of a channel between switches and, in HyperX networks, the value that it leads to.
func (f *family) directionOf(n *model.Network, sides []int, c model.ChannelID) (program.Dir, int) {
	if f.complete() {
		d, v := program.HopTo(sides, program.PlaceIn(sides, n.Tail(c)), n.TailPort(c))
		return program.Dir(2 * d), v
	}
	return program.Dir(n.TailPort(c) - 1), 0
}

// maxSamples bounds the points with which the runs start.
const maxSamples = 4000

// samples returns random points of small networks.
func (f *family) samples() (list [][]int64) {
	random := rand.New(rand.NewPCG(1, 2))
	sides := make([]int, f.dims)
	for range maxSamples {
		by := map[string]int{}
		for d, s := range f.shape {
			if s.Name == "" {
				sides[d] = s.Length
				continue
			}
			if _, known := by[s.Name]; !known {
				by[s.Name] = int(f.least[slices.Index(f.sizes, s.Name)]) + random.IntN(6)
			}
			sides[d] = by[s.Name]
		}
		at, to := make([]int, f.dims), make([]int, f.dims)
		for d := range sides {
			at[d], to[d] = random.IntN(sides[d]), random.IntN(sides[d])
			if random.IntN(3) == 0 {
				to[d] = at[d] // otherwise equal coordinates are rare in many dimensions
			}
		}
		setting := slices.Clone(sides)
		for _, dim := range f.faults {
			setting = append(append(setting, dim), near(random, sides, at, to)...)
		}
		if p := f.point(at, to, setting); f.isUndelivered(p) && f.isSize(p) && allHold(f.faultDomain(), p) {
			list = append(list, p)
		}
	}
	return list
}

// near returns a random place, often near one of two places: programs see failures nearby.
func near(random *rand.Rand, sides, a, b []int) []int {
	to := make([]int, len(sides))
	kind := random.IntN(4)
	for d, side := range sides {
		switch kind {
		case 0, 1:
			to[d] = (a[d] + random.IntN(3) - 1 + side) % side
		case 2:
			to[d] = (b[d] + random.IntN(3) - 1 + side) % side
		default:
			to[d] = random.IntN(side)
		}
	}
	return to
}
