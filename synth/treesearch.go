package synth

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file searches for a spanning tree: a root, a parent for each switch and the order of the children.
//
// The first trees are the canonical ones of all roots. If no option chooses parents or children, nearly as many others are tried, so
// that the search takes at most about twice as long. A third of them gives each switch its last possible parent. In such a tree
// every link between two depths leads to the left and up, so that the 2-D turn model prohibits the turns of up*/down* on every
// bipartite network, such as a fat tree. The others are changes of the best trees: another parent, or another place among the
// children of a switch. The result is never worse than the best canonical tree, and the same on any number of processors.

// otherTrees returns the number of trees besides the canonical ones that are tried on a network of n switches.
func otherTrees(n int) int { return max(n-n/8, 16) }

// chains is the number of independent searches by changes. It is fixed, so that results do not depend on the processors.
const chains = 2

// startWork bounds the search for the trees from which minimum starts, in turns and channels that the measurements visit.
const startWork = 20_000

// treeCost returns the cost of a turn set: a list of sums, the more important first. If nil, the set is not usable.
type treeCost func(w *work, set *model.TurnSet) ([]float64, error)

// triedTree is a tree with its cost.
type triedTree struct {
	tree *hv.Tree
	cost []float64
}

// below reports whether cost a is lower than cost b. A nil cost is higher than any other.
func below(a, b []float64) bool {
	if a == nil || b == nil {
		return a != nil && b == nil
	}
	for i := range a {
		if d := a[i] - b[i]; math.Abs(d) > slack*max(math.Abs(a[i]), math.Abs(b[i])) {
			return d < 0
		}
	}
	return false
}

// searchesTrees reports whether parents and children are searched for method m, not only the root.
func (w *work) searchesTrees(m Method) bool {
	t := w.o.Tree
	free := t.Given == nil && t.Parent == "" && t.Neighbours == "" && t.Children == "" && t.Search != hv.DFS
	return m.Tree && free && (m.Name != "updown" || w.o.Ties == hv.TiesBySpread) // else its turns depend on the depths only
}

// searchTree returns the tree of least cost that it finds for method m: of the canonical trees of roots, and of the given number
// of other trees.
func (w *work) searchTree(m Method, cost treeCost, roots []model.SwitchID, more int) (triedTree, error) {
	tried, err := w.tryRoots(m, cost, roots, w.o.Tree)
	if err != nil {
		return triedTree{}, err
	}
	w.sortTrees(tried)
	best := tried[0]
	if more == 0 {
		return best, nil
	}
	last := w.o.Tree
	last.Parent = hv.LastSeen
	second, err := w.tryRoots(m, cost, lastRoots(tried, roots, more/3), last)
	if err != nil {
		return triedTree{}, err
	}
	more = (more - len(second)) / chains
	tried = append(tried, second...)
	w.sortTrees(tried)
	ends := make([]triedTree, min(chains, len(tried)))
	if err = parallel.Do(w.ctx, parallel.Workers(len(ends)), len(ends), func(_, i int) (err error) {
		ends[i], err = w.changeTree(m, cost, tried[i], more, rand.New(rand.NewPCG(w.o.Seed, uint64(40+i))))
		return err
	}); err != nil {
		return triedTree{}, err
	}
	for _, x := range append(tried[:1], ends...) {
		if below(x.cost, best.cost) {
			best = x
		}
	}
	return best, nil
}

// tryRoots returns the trees of roots by options o, with their costs.
func (w *work) tryRoots(m Method, cost treeCost, roots []model.SwitchID, o hv.Options) ([]triedTree, error) {
	tried := make([]triedTree, len(roots))
	err := parallel.Do(w.ctx, parallel.Workers(len(roots)), len(roots), func(_, i int) error {
		tree, err := hv.NewTree(w.net, roots[i], o)
		if err == nil {
			tried[i], err = w.tryTree(m, cost, tree)
		}
		return err
	})
	return tried, err
}

// tryTree returns tree with the cost of the turn set of method m on it.
func (w *work) tryTree(m Method, cost treeCost, tree *hv.Tree) (triedTree, error) {
	own := *w
	own.res = &Result{Method: m.Name, Options: w.res.Options}
	if err := own.growOn(tree); err != nil {
		return triedTree{}, err
	}
	set, err := m.run(&own)
	if err != nil {
		return triedTree{}, err
	}
	value, err := cost(&own, set)
	return triedTree{tree, value}, err
}

// sortTrees sorts trees by cost, then by the mean distance from the root to the hosts. Otherwise it keeps the order.
func (w *work) sortTrees(tried []triedTree) {
	far := map[model.SwitchID]uint64{}
	for _, x := range tried {
		if _, ok := far[x.tree.Root]; !ok {
			far[x.tree.Root] = w.distances(x.tree.Root)
		}
	}
	slices.SortStableFunc(tried, func(a, b triedTree) int {
		switch {
		case below(a.cost, b.cost):
			return -1
		case below(b.cost, a.cost):
			return 1
		}
		return cmp.Compare(far[a.tree.Root], far[b.tree.Root])
	})
}

// lastRoots returns at most k roots for trees with the last possible parents: half of them are the best ones of sorted trees, the
// others are spread evenly over roots.
func lastRoots(tried []triedTree, roots []model.SwitchID, k int) (list []model.SwitchID) {
	k = min(k, len(roots))
	for i := range k - k/2 {
		list = append(list, tried[i].tree.Root)
	}
	for i := range k / 2 {
		if u := roots[i*len(roots)/(k/2)]; !slices.Contains(list, u) {
			list = append(list, u)
		}
	}
	return list
}

// changeTree tries a number of changes of a tree, one after another. It keeps each change that does not raise the cost.
func (w *work) changeTree(m Method, cost treeCost, from triedTree, tries int, random *rand.Rand) (triedTree, error) {
	for range tries {
		if err := w.ctx.Err(); err != nil {
			return from, err
		}
		given := changedTree(from.tree, random)
		if given == nil {
			break
		}
		o := w.o.Tree
		o.Given = given
		tree, err := hv.NewTree(w.net, from.tree.Root, o)
		if err != nil {
			return from, err
		}
		x, err := w.tryTree(m, cost, tree)
		if err != nil {
			return from, err
		}
		if !below(from.cost, x.cost) {
			from = x
		}
	}
	return from, nil
}

// changedTree returns a tree of shortest paths that differs from t in the parent or the place of one switch. It returns nil if it finds
// none, such as on a line.
func changedTree(t *hv.Tree, random *rand.Rand) *hv.Given {
	children := make([][]model.SwitchID, len(t.Preorder))
	for _, u := range t.Preorder[1:] {
		children[t.Parent(u)] = append(children[t.Parent(u)], u)
	}
	const tries = 20
	for range tries {
		if len(t.Preorder) < 2 {
			break
		}
		v := t.Preorder[1+random.IntN(len(t.Preorder)-1)]
		var parents []model.SwitchID
		for _, c := range t.Net.Out(v) {
			if t.Net.Kind(c) == model.SwitchToSwitch && t.Depth[t.Net.Head(c)] == t.Depth[v]-1 && !slices.Contains(parents, t.Net.Head(c)) {
				parents = append(parents, t.Net.Head(c))
			}
		}
		old, p := t.Parent(v), parents[random.IntN(len(parents))]
		was := slices.Index(children[old], v)
		rest := slices.Delete(slices.Clone(children[old]), was, was+1)
		siblings := rest
		if p != old {
			siblings = children[p]
		}
		at := random.IntN(len(siblings) + 1)
		if p == old && at == was {
			continue
		}
		children[old] = rest
		children[p] = slices.Insert(slices.Clone(siblings), at, v)
		return givenTree(t.Root, children)
	}
	return nil
}

// givenTree returns the tree with the given children of each switch.
func givenTree(root model.SwitchID, children [][]model.SwitchID) *hv.Given {
	g, parent := &hv.Given{}, make([]model.SwitchID, len(children))
	parent[root] = model.NoSwitch
	for stack := []model.SwitchID{root}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g.Preorder, g.Parents = append(g.Preorder, u), append(g.Parents, parent[u])
		for _, v := range slices.Backward(children[u]) {
			parent[v] = u
			stack = append(stack, v)
		}
	}
	return g
}

// startTree returns a tree of low cost for a start of minimum by method m, or nil if the method has no tree to search.
func (w *work) startTree(m Method, cost treeCost) (*hv.Given, error) {
	if !w.searchesTrees(m) {
		return nil, nil
	}
	turns := w.net.NumLinkChannels() * w.net.NumSwitches() / 64
	for range model.Turns(w.net, false) {
		turns++
	}
	roots := sample(w.allSwitches(), max(startWork/(turns+1), 4))
	best, err := w.searchTree(m, cost, roots, len(roots))
	if err != nil {
		return nil, err
	}
	given := &hv.Given{Preorder: best.tree.Preorder}
	for _, u := range best.tree.Preorder {
		given.Parents = append(given.Parents, best.tree.Parent(u))
	}
	return given, nil
}
