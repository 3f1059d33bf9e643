package hv

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file grows spanning trees. What the papers leave open, who is whose
// parent among equals and in which order children are numbered, is an option.
//
// Promise: every switch is in the tree. Breadth first, a switch's depth is its
// distance from the root; depth first, every link joins a switch and one of its
// ancestors.
// Cost: O(channels log degree) time. No recursion.

// The ways to search.
const (
	BFS = "bfs" // breadth first
	DFS = "dfs" // depth first
)

// The orders in which the neighbours of a switch are scanned, and in which
// its children are numbered.
const (
	ByID      = "id"      // ascending number of the switch
	ByIDDown  = "id-down" // descending
	ByPort    = "port"    // ascending port
	ByDegree  = "degree"  // descending number of links, then ascending ID
	ByRandom  = "random"  // shuffled, from Options.Seed
	ByFound   = "found"   // children only: as the search came upon them
	BySize    = "size"    // children only: large subtrees first, then ascending ID
	BySmall   = "small"   // children only: small subtrees first, then ascending ID
	FirstSeen = "first"   // parent: whoever is scanned first
	LowestID  = "lowest"  // parent: of all switches one step nearer the root, that of the lowest ID
	HighestID = "highest" // parent: that of the highest ID
	Lightest  = "light"   // parent: that with fewest children so far, then the lowest ID
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
	return []string{FirstSeen, LowestID, HighestID, Lightest}
}

// Searches returns the values of Options.Search, the default first.
func Searches() []string {
	return []string{BFS, DFS}
}

// Options say how a tree is grown. The zero value is the canonical tree: breadth
// first from a queue, neighbours scanned by ascending ID, the first who finds
// a switch is its parent, children in the order found.
type Options struct {
	Search     string // BFS or DFS
	Neighbours string // one of NeighbourOrders
	Parent     string // one of ParentRules; breadth first only
	Children   string // one of ChildOrders
	Seed       uint64 // of the random orders
}

// check fills in the defaults.
func (o *Options) check() error {
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
			return fmt.Errorf("hv: no %s %q, known are %s", f.what, *f.value, strings.Join(f.known, ", "))
		}
	}
	if o.Search == DFS && o.Parent != FirstSeen {
		return fmt.Errorf("hv: parent rule %q is of breadth-first trees", o.Parent)
	}
	return nil
}

// Disconnected is the error for a network that no tree spans.
type Disconnected struct {
	Root, Switch model.SwitchID // the second cannot be reached from the first
	rootName     string
	switchName   string
	Missing      int // how many cannot
}

// Error implements error.
func (d *Disconnected) Error() string {
	more := ""
	if d.Missing > 1 {
		more = fmt.Sprintf(" (nor can %d more)", d.Missing-1)
	}
	return fmt.Sprintf("the network is not connected: switch %s cannot be reached from switch %s%s", d.switchName, d.rootName, more)
}

// Tree is a spanning tree with its preorder. All slices are by switch and must
// not be written to.
type Tree struct {
	Net      *model.Network
	Root     model.SwitchID
	Options  Options           // with the defaults filled in
	Up       []model.ChannelID // the channel to the parent; NoChannel at the root
	Depth    []int32           // channels from the root, on the tree
	Spread   []int32           // number in preorder, from 0
	Preorder []model.SwitchID  // by number in preorder
}

// Parent returns the parent of switch u, NoSwitch for the root.
func (t *Tree) Parent(u model.SwitchID) model.SwitchID {
	if t.Up[u] == model.NoChannel {
		return model.NoSwitch
	}
	return t.Net.Head(t.Up[u])
}

// Has reports whether channel c, in either direction, is on the tree.
func (t *Tree) Has(c model.ChannelID) bool {
	if t.Net.Kind(c) != model.SwitchToSwitch {
		return false
	}
	back := t.Net.Reverse(c)
	return t.Up[t.Net.Tail(c)] == c || t.Up[t.Net.Tail(back)] == back
}

// NewTree grows the tree of network n from root. It fails for an unknown root,
// an unknown option, and a network that is not connected (*Disconnected).
func NewTree(n *model.Network, root model.SwitchID, o Options) (*Tree, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if root < 0 || int(root) >= n.NumSwitches() {
		return nil, fmt.Errorf("hv: no switch %d for the root, switches are 0 to %d", root, n.NumSwitches()-1)
	}
	g := &grower{Tree: &Tree{Net: n, Root: root, Options: o, Up: make([]model.ChannelID, n.NumSwitches()), Depth: make([]int32, n.NumSwitches())},
		children: make([][]model.SwitchID, n.NumSwitches()), random: rand.New(rand.NewPCG(o.Seed, 0))}
	for u := range g.Depth {
		g.Up[u], g.Depth[u] = model.NoChannel, -1
	}
	g.Depth[root] = 0
	if o.Search == DFS {
		g.depthFirst()
	} else {
		g.breadthFirst()
	}
	if err := g.spans(); err != nil {
		return nil, err
	}
	g.number()
	return g.Tree, nil
}

// grower is a tree in the making.
type grower struct {
	*Tree
	children [][]model.SwitchID // by switch, in the order found
	random   *rand.Rand
}

// adopt makes the switch that c leads to a child of the one that c leaves.
func (g *grower) adopt(c model.ChannelID) {
	u, v := g.Net.Tail(c), g.Net.Head(c)
	g.Up[v], g.Depth[v] = g.Net.Reverse(c), g.Depth[u]+1
	g.children[u] = append(g.children[u], v)
}

// links lists the channels from u to its neighbours in the order of scanning;
// of parallel links the one at the lowest port comes first.
func (g *grower) links(u model.SwitchID) []model.ChannelID {
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

// breadthFirst goes level by level. With a parent rule other than FirstSeen
// the switches found are the same, and each then chooses among the level above.
func (g *grower) breadthFirst() {
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
	if g.Options.Parent != FirstSeen {
		g.chooseParents()
	}
}

// chooseParents gives every switch, level by level and within a level by ID,
// the parent that the rule prefers.
func (g *grower) chooseParents() {
	byDepth := make([]model.SwitchID, 0, len(g.Depth))
	for u := range model.SwitchID(len(g.Depth)) {
		if g.Depth[u] > 0 {
			byDepth = append(byDepth, u)
		}
	}
	slices.SortStableFunc(byDepth, func(a, b model.SwitchID) int { return int(g.Depth[a] - g.Depth[b]) })
	for u := range g.children {
		g.children[u] = nil
	}
	for _, v := range byDepth {
		best := model.NoChannel
		for _, c := range g.Net.Out(v) {
			if g.Net.Kind(c) == model.SwitchToSwitch && g.Depth[g.Net.Head(c)] == g.Depth[v]-1 && (best == model.NoChannel || g.prefers(g.Net.Head(c), g.Net.Head(best))) {
				best = c
			}
		}
		g.adopt(g.Net.Reverse(best))
	}
}

// prefers reports whether the rule takes a rather than b for a parent.
func (g *grower) prefers(a, b model.SwitchID) bool {
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

// depthFirst goes down to the first neighbour not seen yet.
func (g *grower) depthFirst() {
	type frame struct {
		links []model.ChannelID // still to be tried
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

// spans reports a switch that was not reached.
func (g *grower) spans() error {
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
	return &Disconnected{Root: g.Root, Switch: first, rootName: g.Net.SwitchName(g.Root), switchName: g.Net.SwitchName(first), Missing: missing}
}

// number walks the tree in preorder.
func (g *grower) number() {
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

// orderChildren sorts the children of every switch.
func (g *grower) orderChildren() {
	if g.Options.Children == ByFound {
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

// subtrees returns how many switches hang on each, itself counted.
func (g *grower) subtrees() []int32 {
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
