package traffic

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// Patterns that are drawn, for each packet or once, and the pattern that cycles through all hosts.

func uniform(n *model.Network, _ string, _ uint64) (Pattern, error) {
	k := uint64(n.NumHosts() - 1)
	return drawn(func(h model.HostID, random *rand.Rand) model.HostID {
		d := model.HostID(random.Uint64N(k))
		if d >= h {
			d++
		}
		return d
	}), nil
}

func uniformSelf(n *model.Network, _ string, _ uint64) (Pattern, error) {
	k := uint64(n.NumHosts())
	return drawn(func(_ model.HostID, random *rand.Rand) model.HostID { return model.HostID(random.Uint64N(k)) }), nil
}

// hotspot sends a share of the packets to hot hosts with equal probability; a host that is named
// twice counts twice. A hot host also sends to itself, as in BookSim 2.
func hotspot(n *model.Network, argument string, seed uint64) (Pattern, error) {
	share, list, ok := strings.Cut(argument, "@")
	p, err := strconv.ParseFloat(share, 64)
	if !ok || err != nil || !(p >= 0 && p <= 1) {
		return nil, fmt.Errorf("traffic: hotspot:%s, hotspot:SHARE@HOST[+HOST...] with a share from 0 to 1 was expected", clip(argument))
	}
	var hot []model.HostID
	x := names.New(n)
	words, err := x.Split(list, names.Sum, func(word string) error { _, err := x.Host(word); return err })
	if err != nil {
		return nil, fmt.Errorf("traffic: hotspot: %w", err)
	}
	for _, w := range words {
		h, _ := x.Host(w.Text)
		hot = append(hot, h)
	}
	rest, err := uniform(n, "", seed)
	if err != nil {
		return nil, err
	}
	return drawn(func(h model.HostID, random *rand.Rand) model.HostID {
		if random.Float64() < p {
			return hot[random.IntN(len(hot))]
		}
		return rest.Dest(h, random)
	}), nil
}

func randomPair(p *places, _ string, seed uint64) ([]int, error) {
	order := rand.New(rand.NewPCG(seed, 1<<32)).Perm(p.len())
	list := make([]int, p.len())
	for i := range list {
		list[i] = noPlace
	}
	for i := 0; i+1 < len(order); i += 2 {
		a, b := order[i], order[i+1]
		list[a], list[b] = b, a
	}
	return list, nil
}

// permutation reads a file, or draws a permutation that is a single cycle, so that no place sends
// to itself.
func permutation(p *places, file string, seed uint64) ([]int, error) {
	if file != "" {
		return readPermutation(file, p)
	}
	order := rand.New(rand.NewPCG(seed, 1<<33)).Perm(p.len())
	list := make([]int, p.len())
	for i, a := range order {
		list[a] = order[(i+1)%len(order)]
	}
	return list, nil
}

func allToAll(n *model.Network, argument string, _ uint64) (Pattern, error) {
	switch argument {
	case "":
		return make(turns, n.NumHosts()), nil
	case "first":
		return make(inOrder, n.NumHosts()), nil
	}
	return nil, fmt.Errorf("traffic: all-to-all:%s, only all-to-all:first is known", clip(argument))
}

// inOrder cycles through all other hosts, starting from host 0.
type inOrder []model.HostID // by host: where its search for the next destination begins

// Dest implements Pattern.
func (t inOrder) Dest(h model.HostID, _ *rand.Rand) model.HostID {
	k := model.HostID(len(t))
	d := t[h] % k
	if d == h {
		d = (d + 1) % k
	}
	t[h] = d + 1
	return d
}

// turns cycles through all other hosts, starting from the next one.
type turns []model.HostID // by host: distance to its next destination

// Dest implements Pattern.
func (t turns) Dest(h model.HostID, _ *rand.Rand) model.HostID {
	k := model.HostID(len(t))
	t[h] = t[h]%(k-1) + 1
	return (h + t[h]) % k
}
