package layers

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file collects the paths of relations with several paths for each pair.

// Choice is a path of a pair. A pair may have several, among which its source draws by weight.
type Choice struct {
	Source, Dest model.HostID
	Channels     []model.ChannelID
	Weight       uint32
	Path         int32 // index in Routes.Paths, or None if the path has no dependency
}

// CollectPaths collects all paths of all pairs of hosts. A path has the weight of its class at the source. Equal paths
// of a pair are one choice, with the sum of their weights. CollectPaths ignores the VCs of the relation. It fails if there
// are more than most paths, if a packet can come back to a channel, or if a pair has no path. Cost: the hops of all paths.
func CollectPaths(ctx context.Context, rel model.Relation, most int) (*Routes, []Choice, error) {
	r := &Routes{Net: rel.Network().WithVCs(1), hosts: rel.Network().NumHosts()}
	list, err := route.AllPaths(rel, most)
	if err != nil {
		return nil, nil, fmt.Errorf("layers: %s", trimPackage(err.Error()))
	}
	slices.SortStableFunc(list, func(a, b route.Path) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Dest, b.Dest)) })
	c := &pathCollector{Routes: r, from: rel.Network(), known: map[string]int32{}, ofPair: map[string]int{}}
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err := c.add(p); err != nil {
			return nil, nil, err
		}
	}
	return r, c.choices, eachPair(rel, func(h model.HostID, d model.DestID) error {
		at, found := slices.BinarySearchFunc(c.choices, [2]model.HostID{h, rel.DestinationHost(d)}, func(x Choice, pair [2]model.HostID) int {
			return cmp.Or(cmp.Compare(x.Source, pair[0]), cmp.Compare(x.Dest, pair[1]))
		})
		if !found || at == len(c.choices) {
			return fmt.Errorf("layers: %s has no route to %s", r.Net.HostLabel(h), r.Net.HostLabel(rel.DestinationHost(d)))
		}
		r.Pairs++
		return nil
	})
}

// trimPackage removes the name of another package before a message.
func trimPackage(text string) string {
	const other = "route: "
	if len(text) > len(other) && text[:len(other)] == other {
		return text[len(other):]
	}
	return text
}

// eachPair calls visit for each host and destination that send to each other.
func eachPair(rel model.Relation, visit func(model.HostID, model.DestID) error) error {
	n := rel.Network()
	for d := range model.DestID(rel.Destinations()) {
		if n.Host(rel.DestinationHost(d)).Management {
			continue
		}
		for h := range model.HostID(min(n.NumHosts(), rel.Sources())) {
			if model.Sends(rel, h, d) {
				if err := visit(h, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// pathCollector collects the paths of sorted pairs.
type pathCollector struct {
	*Routes
	from    *model.Network
	known   map[string]int32 // by path: its index in Paths
	ofPair  map[string]int   // by path of the present pair: its choice
	choices []Choice
	key     []byte
}

func (c *pathCollector) add(p route.Path) error {
	n := len(c.choices)
	if c.from.Host(p.Dest).Management {
		return nil
	}
	if n == 0 || c.choices[n-1].Source != p.Source || c.choices[n-1].Dest != p.Dest {
		clear(c.ofPair)
	}
	x := Choice{Source: p.Source, Dest: p.Dest, Weight: max(p.Weight, 1), Path: None}
	for _, v := range p.VCs {
		ch, _ := c.from.Channel(v)
		if slices.Contains(x.Channels, ch) {
			return fmt.Errorf("layers: a packet from %s to %s comes back to a channel", c.from.HostLabel(p.Source), c.from.HostLabel(p.Dest))
		}
		x.Channels = append(x.Channels, ch)
	}
	c.key = appendKey(c.key[:0], x.Channels)
	if at, ok := c.ofPair[string(c.key)]; ok {
		old := &c.choices[at]
		if old.Weight+x.Weight < old.Weight {
			return fmt.Errorf("layers: the weights of a path from %s to %s are too large", c.from.HostLabel(p.Source), c.from.HostLabel(p.Dest))
		}
		old.Weight += x.Weight
		return nil
	}
	c.ofPair[string(c.key)] = n
	if len(x.Channels) > 1 {
		i, ok := c.known[string(c.key)]
		if !ok {
			i = int32(len(c.Paths))
			c.known[string(c.key)] = i
			c.Paths = append(c.Paths, x.Channels)
		}
		x.Path = i
	}
	c.choices = append(c.choices, x)
	return nil
}

// CollectPairs collects, for each pair of hosts, the dependencies of all its paths, for layers that all paths of a pair
// share. Packets may choose at each hop. Pairs with the same dependencies have one entry. CollectPairs fails if a packet
// can have no next hop. Cost: for each pair, the states of its packets.
func CollectPairs(ctx context.Context, rel model.Relation) (*Routes, error) {
	n := rel.Network()
	r := &Routes{Net: n.WithVCs(1), Turns: [][]model.Turn{}, hosts: n.NumHosts(), Of: make([]int32, rel.Destinations()*n.NumHosts())}
	for i := range r.Of {
		r.Of[i] = None
	}
	known := map[string]int32{}
	err := eachPair(rel, func(h model.HostID, d model.DestID) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		turns, err := turnsOfPair(rel, h, d)
		if err != nil {
			return err
		}
		r.Pairs++
		if len(turns) == 0 {
			return nil
		}
		var key []byte
		for _, t := range turns {
			key = binary.LittleEndian.AppendUint64(key, uint64(t.In)<<32|uint64(t.Out))
		}
		i, ok := known[string(key)]
		if !ok {
			i = int32(len(r.Turns))
			known[string(key)] = i
			r.Turns = append(r.Turns, turns)
		}
		r.Of[int(d)*r.hosts+int(h)] = i
		return nil
	})
	return r, err
}

// turnsOfPair returns the dependencies of channels among all paths of a pair, ascending.
func turnsOfPair(rel model.Relation, h model.HostID, d model.DestID) (turns []model.Turn, err error) {
	err = eachStep(rel, h, d, func(s model.State, hop model.Hop) bool {
		n := rel.Network()
		in, _ := n.Channel(s.VC)
		out, _ := n.Channel(hop.VC)
		if n.Kind(in) == model.SwitchToSwitch && n.Kind(out) == model.SwitchToSwitch {
			turns = append(turns, model.Turn{In: model.VCID(in), Out: model.VCID(out)})
		}
		return true
	})
	slices.SortFunc(turns, func(a, b model.Turn) int { return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Out, b.Out)) })
	return slices.Compact(turns), err
}

// eachStep calls visit for each state and next hop of packets of a pair, until visit returns false.
func eachStep(rel model.Relation, h model.HostID, d model.DestID, visit func(model.State, model.Hop) bool) error {
	n := rel.Network()
	var queue []model.State
	seen := map[model.State]bool{}
	push := func(s model.State) {
		if !seen[s] {
			seen[s] = true
			queue = append(queue, s)
		}
	}
	for _, k := range rel.Inject(h, d, nil) {
		push(model.InjectState(rel, h, d, k))
	}
	if len(queue) == 0 {
		return fmt.Errorf("layers: %s has no route to %s", n.HostLabel(h), n.HostLabel(rel.DestinationHost(d)))
	}
	var hops []model.Hop
	for i := 0; i < len(queue); i++ {
		if c, _ := n.Channel(queue[i].VC); n.Kind(c) == model.Eject {
			continue
		}
		if hops = rel.Next(queue[i], hops[:0]); len(hops) == 0 {
			return fmt.Errorf("layers: a packet from %s to %s has no next hop at some switch", n.HostLabel(h), n.HostLabel(rel.DestinationHost(d)))
		}
		for _, hop := range hops {
			if !visit(queue[i], hop) {
				return nil
			}
			push(model.State{VC: hop.VC, Dest: d, Class: hop.Class})
		}
	}
	return nil
}

// Spread returns the paths of choices with VCs on a network with k VCs. vcs returns the VCs of a path by its index, one
// for each hop, or one for all. A path without dependencies takes VC 0.
func Spread(n *model.Network, choices []Choice, vcs func(path int32) []int32) []route.Path {
	list := make([]route.Path, len(choices))
	for i, x := range choices {
		list[i] = route.Path{Source: x.Source, Dest: x.Dest, Weight: x.Weight}
		of := []int32{0}
		if x.Path != None {
			of = vcs(x.Path)
		}
		for k, c := range x.Channels {
			list[i].VCs = append(list[i].VCs, n.VC(c, int(of[min(k, len(of)-1)])))
		}
	}
	return list
}
