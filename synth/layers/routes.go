package layers

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file collects the paths of a routing relation.

// Routes holds the paths of all pairs. Equal paths appear once, and paths without dependencies do
// not appear. If all paths of a pair share a layer, an entry is the paths of a pair (CollectPairs).
type Routes struct {
	Net   *model.Network      // with one VC per channel
	Paths [][]model.ChannelID // nil from CollectPairs
	// Turns are the dependencies of each path, or of all paths of a pair. Find fills them in if they are nil.
	Turns [][]model.Turn
	// Of is the path of each pair, by destination and source. It is None if the path has no
	// dependency or the pair does not send.
	Of    []int32
	Pairs int64 // number of ordered pairs of hosts that send
	hosts int

	hops    []model.Hop // scratch
	classes []model.Class
}

// None means that a pair has no path in Routes.
const None = -1

// Path returns the path of a pair, or None if it has no dependency.
func (r *Routes) Path(source model.HostID, d model.DestID) int32 {
	return r.Of[int(d)*r.hosts+int(source)]
}

// Collect follows the routes of all hosts. Each pair must have exactly one path. Collect fails if
// a packet has several next hops or none, if it returns to a channel, or if the source draws one
// of several paths. It ignores the VCs of the relation. Cost: the hops of all pairs.
func Collect(ctx context.Context, rel model.Relation) (*Routes, error) {
	n := rel.Network()
	r := &Routes{Net: n.WithVCs(1), hosts: n.NumHosts()}
	known := map[string]int32{}
	var key []byte
	for d := range model.DestID(rel.Destinations()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := rel.DestinationHost(d)
		for h := range model.HostID(r.hosts) {
			path := int32(None)
			if h != to && int(h) < rel.Sources() && !n.Host(to).Management {
				channels, err := r.walk(rel, h, d)
				if err != nil {
					return nil, err
				}
				r.Pairs++
				if len(channels) > 1 {
					key = appendKey(key[:0], channels)
					i, ok := known[string(key)]
					if !ok {
						i = int32(len(r.Paths))
						known[string(key)] = i
						r.Paths = append(r.Paths, channels)
					}
					path = i
				}
			}
			r.Of = append(r.Of, path)
		}
	}
	return r, nil
}

// walk returns the channels between switches on the path of a pair.
func (r *Routes) walk(rel model.Relation, h model.HostID, d model.DestID) (channels []model.ChannelID, err error) {
	n, to := rel.Network(), rel.DestinationHost(d)
	r.classes = rel.Inject(h, d, r.classes[:0])
	if len(r.classes) == 0 {
		return nil, fmt.Errorf("layers: %s has no route to %s", n.HostLabel(h), n.HostLabel(to))
	}
	for i, k := range r.classes {
		path, err := r.follow(rel, h, d, k)
		switch {
		case err != nil:
			return nil, err
		case i > 0 && !slices.Equal(path, channels):
			return nil, fmt.Errorf("layers: %s draws one of several paths to %s; layers are for one path for each pair", n.HostLabel(h), n.HostLabel(to))
		}
		channels = path
	}
	return channels, nil
}

// follow returns the channels between switches that packets of class k use.
func (r *Routes) follow(rel model.Relation, h model.HostID, d model.DestID, k model.Class) (channels []model.ChannelID, err error) {
	n, to := rel.Network(), rel.DestinationHost(d)
	s := model.InjectState(rel, h, d, k)
	for {
		r.hops = rel.Next(s, r.hops[:0])
		if len(r.hops) != 1 {
			return nil, fmt.Errorf("layers: a packet from %s to %s has %d next hops at some switch; layers are for one path for each pair",
				n.HostLabel(h), n.HostLabel(to), len(r.hops))
		}
		s.VC, s.Class = r.hops[0].VC, r.hops[0].Class
		c, _ := n.Channel(s.VC)
		if n.Kind(c) != model.SwitchToSwitch {
			return channels, nil
		}
		if slices.Contains(channels, c) {
			return nil, fmt.Errorf("layers: a packet from %s to %s comes back to a channel", n.HostLabel(h), n.HostLabel(to))
		}
		channels = append(channels, c)
	}
}

// whole returns, by path, a path that contains all its dependencies and is not part of another
// one. This is the path itself if it is not part of another one.
func (r *Routes) whole() []int32 {
	of := make([]int32, len(r.Turns))
	for i := range of {
		of[i] = int32(i)
	}
	if r.Paths == nil {
		r.wholePairs(of)
		return of
	}
	byLength := slices.Clone(of)
	slices.SortStableFunc(byLength, func(a, b int32) int { return len(r.Paths[b]) - len(r.Paths[a]) })
	within := map[string]int32{} // all sections of at least two channels, except whole paths
	var key []byte
	for _, i := range byLength {
		p := r.Paths[i]
		key = appendKey(key[:0], p)
		if w, ok := within[string(key)]; ok {
			of[i] = w
			continue
		}
		if len(within) > 20_000_000 {
			continue // it is not part of another path
		}
		for from := range p {
			for to := from + 2; to <= len(p); to++ {
				if section := key[4*from : 4*to]; from > 0 || to < len(p) {
					if _, ok := within[string(section)]; !ok {
						within[string(section)] = i
					}
				}
			}
		}
	}
	return of
}

// setTurns sets Turns if they are nil.
func (r *Routes) setTurns() {
	if r.Turns != nil {
		return
	}
	r.Turns = make([][]model.Turn, len(r.Paths))
	for i, p := range r.Paths {
		r.Turns[i] = slices.Collect(dependencies(p))
	}
}

// appendKey appends four bytes for each channel.
func appendKey(key []byte, channels []model.ChannelID) []byte {
	for _, c := range channels {
		key = append(key, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
	}
	return key
}

// channelsOf returns the channels of some dependencies, each once.
func channelsOf(turns []model.Turn) (list []model.ChannelID) {
	for _, t := range turns {
		list = append(list, model.ChannelID(t.In), model.ChannelID(t.Out))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// wholePairs is whole for pairs: of gets, for each pair, one that contains its dependencies.
func (r *Routes) wholePairs(of []int32) {
	bySize := slices.Clone(of)
	slices.SortStableFunc(bySize, func(a, b int32) int { return len(r.Turns[b]) - len(r.Turns[a]) })
	with := map[model.Turn][]int32{} // by dependency: the pairs that are not part of another one
	for _, i := range bySize {
		shared := map[int32]int{}
		for _, t := range r.Turns[i] {
			for _, w := range with[t] {
				shared[w]++
			}
		}
		of[i] = i
		for w, times := range shared {
			if times == len(r.Turns[i]) && (of[i] == i || w < of[i]) {
				of[i] = w
			}
		}
		if of[i] == i {
			for _, t := range r.Turns[i] {
				with[t] = append(with[t], i)
			}
		}
	}
}

// PairOf returns a source and a destination of an entry of Turns. r must be from Collect or CollectPairs.
func (r *Routes) PairOf(entry int32) (model.HostID, model.DestID) {
	i := slices.Index(r.Of, entry)
	return model.HostID(i % r.hosts), model.DestID(i / r.hosts)
}

// Label returns the switches of a path.
func (r *Routes) Label(path int32) string {
	text := r.Net.SwitchName(r.Net.Tail(r.Paths[path][0]))
	for _, c := range r.Paths[path] {
		text += " > " + r.Net.SwitchName(r.Net.Head(c))
	}
	return text
}
