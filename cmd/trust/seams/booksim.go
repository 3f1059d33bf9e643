package seams

import (
	"fmt"
	"strings"
)

// This file draws configurations of BookSim 2.

// bookSimLine draws a configuration. It names the routing, or a flag does.
func bookSimLine(r drawer) *Line {
	k, n := size(r, 2, 5, 8), r.between(1, 2)
	topology := pick(r, "mesh", "torus")
	vcs := choose(r, []weighted[int]{{2, 1}, {5, 2}, {2, 3}, {2, 4}})
	routing := pick(r, "dim_order", "dim_order", "min_adapt", "min_adapt", "xy_yx", "adaptive_xy_yx")
	keys := []string{"topology = " + topology, fmt.Sprintf("k = %d", k), fmt.Sprintf("n = %d", n), "routing_function = " + routing,
		fmt.Sprintf("num_vcs = %d", vcs)}
	for _, x := range []struct {
		percent int
		key     string
	}{
		{85, fmt.Sprintf("vc_buf_size = %d", pick(r, 1, 2, 4, 8, 9))}, {85, fmt.Sprintf("packet_size = %d", pick(r, 1, 1, 2, 4, 5, 8))},
		{35, fmt.Sprintf("wait_for_tail_credit = %d", r.IntN(2))}, {5, fmt.Sprintf("vc_busy_when_full = %d", r.IntN(2))},
		{70, "injection_rate = 1.0"}, {60, "traffic = uniform"}, {10, fmt.Sprintf("routing_delay = %d", r.IntN(2))},
	} {
		if r.chance(x.percent) {
			keys = append(keys, x.key)
		}
	}
	l := &Line{Network: folderMark + "bs.cfg", Files: map[string]string{"bs.cfg": strings.Join(keys, ";\n") + ";\n"}, Kind: []string{"BookSim configuration"}}
	if r.chance(30) {
		l.add("routing", pick(r, "dor", "dor", "minimal", "fully-adaptive", "duato", "updown", "west-first"))
		l.Kind = append(l.Kind, "routing by name")
	}
	var hosts []string
	for h := range pow(k, n) {
		hosts = append(hosts, fmt.Sprintf("h%d", h))
	}
	addOptions(r, l, hosts)
	return l
}

func pow(k, n int) int {
	p := 1
	for range n {
		p *= k
	}
	return p
}
