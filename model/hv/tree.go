package hv

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file builds spanning trees. The papers leave some choices open: the parent among equal
// candidates and the order of children. These choices are options.
//
// Promise: the tree contains every switch. In a breadth-first tree the depth of a switch is its
// distance from the root. In a depth-first tree every link connects a switch with one of its
// ancestors. Cost: O(channels log degree) time. No recursion.

// The kinds of search.
const (
	BFS = "bfs" // breadth first
	DFS = "dfs" // depth first
)

// The orders in which the neighbours of a switch are visited and in which its children are
// numbered, and the rules that choose the parent of a switch.
const (
	ByID      = "id"      // ascending number of the switch
	ByIDDown  = "id-down" // descending
	ByPort    = "port"    // ascending port
	ByDegree  = "degree"  // descending number of links, then ascending ID
	ByRandom  = "random"  // shuffled, from Options.Seed
	ByFound   = "found"   // children only: in the order of discovery
	BySize    = "size"    // children only: large subtrees first, then ascending ID
	BySmall   = "small"   // children only: small subtrees first, then ascending ID
	FirstSeen = "first"   // parent: the first switch that discovers the child
	LastSeen  = "last"    // parent: the last one, of all neighbours one step nearer to the root
	LowestID  = "lowest"  // parent: of all neighbours one step nearer to the root, the lowest ID
	HighestID = "highest" // parent: the highest ID
	Lightest  = "light"   // parent: the one with fewest children so far, then the lowest ID
)

// NeighbourOrders returns the values of Options.Neighbours, the default first.
func NeighbourOrders() []string {
	return []string{ByID, ByIDDown, ByPort, ByDegree, ByRandom}
}

// ChildOrders returns the values of Options.Children, the default first.
func ChildOrders() []string {
	return []string{ByFound, ByID, ByIDDown, BySize, BySmall, ByRandom}
}

// ParentRules returns the values of Options.Parent, the default first.
func ParentRules() []string {
	return []string{FirstSeen, LastSeen, LowestID, HighestID, Lightest}
}

// Searches returns the values of Options.Search, the default first.
func Searches() []string {
	return []string{BFS, DFS}
}

// Options says how to build a tree. The zero value gives the canonical tree: breadth-first
// search, neighbours visited by ascending ID, the first switch that discovers a switch is its
// parent, children in the order of discovery.
type Options struct {
	Search     string // BFS or DFS
	Neighbours string // one of NeighbourOrders
	Parent     string // one of ParentRules; breadth first only
	Children   string // one of ChildOrders
	Seed       uint64 // seed of the random orders
	// Given, if not nil, is the tree itself. Its first switch is the root, and of the other options only
	// Search applies: breadth first, the tree must consist of shortest paths.
	Given *Given
}

// setDefaults sets empty options to their defaults. It fails if an option has an unknown value.
func (o *Options) setDefaults() error {
	for _, f := range []struct {
		what  string
		value *string
		known []string
	}{
		{"tree", &o.Search, Searches()}, {"neighbour order", &o.Neighbours, NeighbourOrders()},
		{"parent rule", &o.Parent, ParentRules()}, {"child order", &o.Children, ChildOrders()},
	} {
		if *f.value == "" {
			*f.value = f.known[0]
		}
		if !slices.Contains(f.known, *f.value) {
			return fmt.Errorf("hv: no %s %q; want one of %s", f.what, *f.value, strings.Join(f.known, ", "))
		}
	}
	if o.Search == DFS && o.Parent != FirstSeen {
		return fmt.Errorf("hv: parent rule %q applies to breadth-first trees only", o.Parent)
	}
	return nil
}

// DisconnectedError is the error for a network without a spanning tree.
type DisconnectedError struct {
	Root, Switch model.SwitchID // Switch cannot be reached from Root
	rootName     string
	switchName   string
	Missing      int // number of switches that cannot be reached
}

// Error implements error.
func (d *DisconnectedError) Error() string {
	more := ""
	if d.Missing > 1 {
		more = fmt.Sprintf(" (nor can %d more)", d.Missing-1)
	}
	return fmt.Sprintf("the network is not connected: switch %s cannot be reached from switch %s%s", d.switchName, d.rootName, more)
}

// Tree is a spanning tree with its preorder. All slices are indexed by switch; the caller must
// not change them.
type Tree struct {
	Net      *model.Network
	Root     model.SwitchID
	Options  Options           // with defaults
	Up       []model.ChannelID // the channel to the parent; NoChannel for the root
	Depth    []int32           // number of tree channels from the root
	Spread   []int32           // number in preorder, from 0
	Preorder []model.SwitchID  // by number in preorder
}

// Parent returns the parent of switch u, or NoSwitch for the root.
func (t *Tree) Parent(u model.SwitchID) model.SwitchID {
	if t.Up[u] == model.NoChannel {
		return model.NoSwitch
	}
	return t.Net.Head(t.Up[u])
}

// Has reports whether channel c or its reverse is a channel of the tree.
func (t *Tree) Has(c model.ChannelID) bool {
	if t.Net.Kind(c) != model.SwitchToSwitch {
		return false
	}
	back := t.Net.Reverse(c)
	return t.Up[t.Net.Tail(c)] == c || t.Up[t.Net.Tail(back)] == back
}

// NewTree builds the tree of network n from root. It fails if root or an option is unknown, or
// if the network is not connected (*DisconnectedError). Options.Given replaces root.
func NewTree(n *model.Network, root model.SwitchID, o Options) (*Tree, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	if o.Given != nil && len(o.Given.Preorder) > 0 {
		root = o.Given.Preorder[0]
	}
	if root < 0 || int(root) >= n.NumSwitches() {
		return nil, fmt.Errorf("hv: no switch %d for the root; want 0 to %d", root, n.NumSwitches()-1)
	}
	g := &builder{Tree: &Tree{Net: n, Root: root, Options: o, Up: make([]model.ChannelID, n.NumSwitches()), Depth: make([]int32, n.NumSwitches())},
		children: make([][]model.SwitchID, n.NumSwitches()), random: rand.New(rand.NewPCG(o.Seed, 0))}
	for u := range g.Depth {
		g.Up[u], g.Depth[u] = model.NoChannel, -1
	}
	g.Depth[root] = 0
	var err error
	switch {
	case o.Given != nil:
		err = g.take(o.Given)
	case o.Search == DFS:
		g.depthFirst()
	default:
		g.breadthFirst()
	}
	if err == nil {
		err = g.checkSpanning()
	}
	if err != nil {
		return nil, err
	}
	g.number()
	return g.Tree, nil
}

// builder is a tree under construction.
type builder struct {
	*Tree
	children [][]model.SwitchID // by switch, in the order of discovery
	random   *rand.Rand
}

// adopt makes the head of channel c a child of its tail.
func (g *builder) adopt(c model.ChannelID) {
	u, v := g.Net.Tail(c), g.Net.Head(c)
	g.Up[v], g.Depth[v] = g.Net.Reverse(c), g.Depth[u]+1
	g.children[u] = append(g.children[u], v)
}

// links lists the channels from u to its neighbours in the order of visiting. Of parallel links
// the one with the lowest port comes first.
func (g *builder) links(u model.SwitchID) []model.ChannelID {
	n := g.Net
	var list []model.ChannelID
	for _, c := range n.Out(u) {
		if n.Kind(c) == model.SwitchToSwitch {
			list = append(list, c)
		}
	}
	id := func(c model.ChannelID) int { return int(n.Head(c)) }
	switch g.Options.Neighbours {
	case ByID:
		slices.SortStableFunc(list, func(a, b model.ChannelID) int { return id(a) - id(b) })
	case ByIDDown:
		slices.SortStableFunc(list, func(a, b model.ChannelID) int { return id(b) - id(a) })
	case ByDegree:
		slices.SortStableFunc(list, func(a, b model.ChannelID) int {
			if d := degree(n, n.Head(b)) - degree(n, n.Head(a)); d != 0 {
				return d
			}
			return id(a) - id(b)
		})
	case ByRandom:
		g.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

func degree(n *model.Network, u model.SwitchID) (k int) {
	for _, c := range n.Out(u) {
		if n.Kind(c) == model.SwitchToSwitch {
			k++
		}
	}
	return k
}

// breadthFirst searches level by level. If the parent rule is not FirstSeen, chooseParents then
// selects the parents.
func (g *builder) breadthFirst() {
	queue := []model.SwitchID{g.Root}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, c := range g.links(u) {
			if v := g.Net.Head(c); g.Depth[v] < 0 {
				queue = append(queue, v)
				g.adopt(c)
			}
		}
	}
	switch g.Options.Parent {
	case FirstSeen:
	case LastSeen:
		g.lastParents()
	default:
		g.chooseParents()
	}
}

// lastParents visits the levels again, each in the order of the parents, and gives each switch the parent that is visited last.
// If the children are in the order of discovery, the link to any other possible parent leads to the left and up.
func (g *builder) lastParents() {
	clear(g.children)
	for level := []model.SwitchID{g.Root}; len(level) > 0; {
		links := make([][]model.ChannelID, len(level))
		last := map[model.SwitchID]model.ChannelID{}
		for i, u := range level {
			links[i] = g.links(u)
			for _, c := range links[i] {
				v := g.Net.Head(c)
				if old, ok := last[v]; g.Depth[v] == g.Depth[u]+1 && (!ok || g.Net.Tail(old) != u) {
					last[v] = c
				}
			}
		}
		var next []model.SwitchID
		for i := range level {
			for _, c := range links[i] {
				if v := g.Net.Head(c); last[v] == c && g.Depth[v] == g.Depth[level[i]]+1 {
					g.adopt(c)
					next = append(next, v)
				}
			}
		}
		level = next
	}
}

// chooseParents gives each switch the parent that the rule prefers, by level and within a level
// by ID.
func (g *builder) chooseParents() {
	byDepth := make([]model.SwitchID, 0, len(g.Depth))
	for u := range model.SwitchID(len(g.Depth)) {
		if g.Depth[u] > 0 {
			byDepth = append(byDepth, u)
		}
	}
	slices.SortStableFunc(byDepth, func(a, b model.SwitchID) int { return int(g.Depth[a] - g.Depth[b]) })
	clear(g.children)
	for _, v := range byDepth {
		best := model.NoChannel
		for _, c := range g.Net.Out(v) {
			if g.Net.Kind(c) == model.SwitchToSwitch && g.Depth[g.Net.Head(c)] == g.Depth[v]-1 &&
				(best == model.NoChannel || g.prefers(g.Net.Head(c), g.Net.Head(best))) {
				best = c
			}
		}
		g.adopt(g.Net.Reverse(best))
	}
}

// prefers reports whether the rule prefers a to b as parent.
func (g *builder) prefers(a, b model.SwitchID) bool {
	switch g.Options.Parent {
	case HighestID:
		return a > b
	case Lightest:
		if d := len(g.children[a]) - len(g.children[b]); d != 0 {
			return d < 0
		}
	}
	return a < b
}

// depthFirst descends to the first neighbour that is not in the tree yet.
func (g *builder) depthFirst() {
	type frame struct {
		links []model.ChannelID // not tried yet
	}
	stack := []frame{{g.links(g.Root)}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.links) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		c := top.links[0]
		top.links = top.links[1:]
		if v := g.Net.Head(c); g.Depth[v] < 0 {
			g.adopt(c)
			stack = append(stack, frame{g.links(v)})
		}
	}
}

// checkSpanning returns a *DisconnectedError if a switch was not reached.
func (g *builder) checkSpanning() error {
	missing, first := 0, model.NoSwitch
	for u := range model.SwitchID(len(g.Depth)) {
		if g.Depth[u] < 0 {
			if missing++; first == model.NoSwitch {
				first = u
			}
		}
	}
	if missing == 0 {
		return nil
	}
	return &DisconnectedError{Root: g.Root, Switch: first, rootName: g.Net.SwitchName(g.Root), switchName: g.Net.SwitchName(first), Missing: missing}
}

// number numbers the switches in preorder.
func (g *builder) number() {
	g.orderChildren()
	g.Spread = make([]int32, len(g.Depth))
	g.Preorder = make([]model.SwitchID, 0, len(g.Depth))
	for stack := []model.SwitchID{g.Root}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g.Spread[u] = int32(len(g.Preorder))
		g.Preorder = append(g.Preorder, u)
		for _, v := range slices.Backward(g.children[u]) {
			stack = append(stack, v)
		}
	}
}

// orderChildren sorts the children of each switch.
func (g *builder) orderChildren() {
	if g.Options.Children == ByFound || g.Options.Given != nil {
		return
	}
	size := g.subtrees()
	for _, list := range g.children {
		slices.Sort(list)
		switch g.Options.Children {
		case ByIDDown:
			slices.Reverse(list)
		case BySize:
			slices.SortStableFunc(list, func(a, b model.SwitchID) int { return int(size[b] - size[a]) })
		case BySmall:
			slices.SortStableFunc(list, func(a, b model.SwitchID) int { return int(size[a] - size[b]) })
		case ByRandom:
			g.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
	}
}

// subtrees returns the number of switches in the subtree of each switch.
func (g *builder) subtrees() []int32 {
	size := make([]int32, len(g.Depth))
	order := []model.SwitchID{g.Root}
	for i := 0; i < len(order); i++ {
		order = append(order, g.children[order[i]]...)
	}
	for _, u := range slices.Backward(order) {
		size[u]++
		if u != g.Root {
			size[g.Net.Head(g.Up[u])] += size[u]
		}
	}
	return size
}
