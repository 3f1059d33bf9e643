package traffic

import "github.com/turnproof/turnproof/model"

// Amounts returns the traffic of a pattern that gives each host one destination, or draws all hosts with equal probability. It returns nil
// for other patterns. Traffic of a host to itself is left out; toOthers is the share of the busiest host's packets that is not.
func Amounts(spec string, n *model.Network, seed uint64) (t *model.Traffic, toOthers float64, err error) {
	hosts := float64(n.NumHosts())
	switch {
	case n.NumHosts() < 2:
		return nil, 0, nil
	case spec == "uniform":
		return model.UniformTraffic(n), 1, nil
	case spec == "uniform-self":
		return model.UniformTraffic(n), (hosts - 1) / hosts, nil
	}
	p, err := NewPattern(spec, n, seed)
	f, ok := p.(fixed)
	if err != nil || !ok {
		return nil, 0, err
	}
	t, err = model.GroupTraffic(n, make([]int32, n.NumHosts()), [][]float64{{0}})
	for h, to := range f {
		if err == nil && to != model.NoHost && int(to) != h {
			err = t.Set(model.HostID(h), to, 1)
		}
	}
	return t, 1, err
}
