package seams

import (
	"fmt"
	"slices"
	"strings"
)

// This file draws networks.

// network is a network that a spec, a file or a list of edges describes.
type network struct {
	spec     string // of a family, without VCs; "" for an irregular network
	family   string // the word before the colon, or "irregular"
	sides    []int  // of a grid
	wrap     []bool
	vcs      int
	switches int
	hosts    []int // switch of each host
	links    []link
	isFile   bool // written as a file: switches and hosts have names
}

// link joins two switches at ports. attributes are further keys of the file.
type link struct {
	a, aPort, b, bPort int
	attributes         string
}

// families are the kinds of networks.
var families = []weighted[func(r drawer) *network]{
	{26, func(r drawer) *network {
		k := size(r, 3, 6, 12)
		return grid("ring", fmt.Sprint(k), []int{k}, []bool{true})
	}},
	{8, func(r drawer) *network {
		k := size(r, 2, 5, 9)
		return grid("line", fmt.Sprint(k), []int{k}, []bool{false})
	}},
	{22, func(r drawer) *network {
		x, y := size(r, 2, 3, 6), size(r, 2, 3, 6)
		return grid("mesh", fmt.Sprintf("%dx%d", x, y), []int{x, y}, []bool{false, false})
	}},
	{12, func(r drawer) *network {
		x, y := size(r, 2, 3, 5), size(r, 2, 3, 5)
		return grid("torus", fmt.Sprintf("%dx%d", x, y), []int{x, y}, []bool{true, true})
	}},
	{4, func(r drawer) *network {
		d := r.between(2, 3)
		return grid("hypercube", fmt.Sprint(d), slices.Repeat([]int{2}, d), make([]bool, d))
	}},
	{8, func(r drawer) *network { return complete(r.between(3, 5)) }},
	{20, irregular},
}

// size draws a side: from a to b, rarely up to large.
func size(r drawer, a, b, large int) int {
	if r.chance(6) {
		return r.between(a, large)
	}
	return r.between(a, b)
}

// drawNetwork draws a network with VCs, hosts and attributes.
func drawNetwork(r drawer) *network {
	n := choose(r, families)(r)
	for (slices.Contains(r.focus, "gate") || slices.Contains(r.focus, "flow")) && n.sides == nil {
		n = choose(r, families)(r)
	}
	n.vcs = choose(r, []weighted[int]{{9, 1}, {9, 2}, {4, 3}, {1, 4}})
	if slices.Contains(r.focus, "escape") {
		n.vcs = max(n.vcs, 2)
		if n.family == "ring" || n.family == "torus" {
			n.vcs = max(n.vcs, 3)
		}
	}
	n.isFile = n.spec == "" || r.may("buffer", 30)
	if n.isFile {
		n.addAttributes(r)
	}
	return n
}

// grid returns a mesh or torus. Switches are numbered with the first dimension fastest; port 2d+1 leads to the next switch
// of dimension d, port 2d+2 to the one before.
func grid(family, arguments string, sides []int, wrap []bool) *network {
	n := &network{spec: family + ":" + arguments, family: family, sides: sides, wrap: wrap, switches: 1}
	for _, k := range sides {
		n.switches *= k
	}
	for u := range n.switches {
		n.hosts = append(n.hosts, u)
		step, rest := 1, u
		for d, k := range sides {
			x := rest % k
			rest /= k
			switch {
			case x < k-1:
				n.links = append(n.links, link{u, 2*d + 1, u + step, 2*d + 2, ""})
			case wrap[d]:
				n.links = append(n.links, link{u, 2*d + 1, u - (k-1)*step, 2*d + 2, ""})
			}
			step *= k
		}
	}
	return n
}

// complete returns a network of n switches, each linked to each other one.
func complete(k int) *network {
	n := &network{spec: fmt.Sprintf("complete:%d", k), family: "complete", switches: k}
	for u := range k {
		n.hosts = append(n.hosts, u)
		for v := u + 1; v < k; v++ {
			n.join(u, v)
		}
	}
	return n
}

// irregular draws a connected network: a tree and more links. Some switches have no host, some have two.
func irregular(r drawer) *network {
	n := &network{family: "irregular", switches: r.between(2, 6)}
	for v := 1; v < n.switches; v++ {
		n.join(r.IntN(v), v)
	}
	for range r.IntN(n.switches + 1) {
		if u, v := r.IntN(n.switches), r.IntN(n.switches); u != v && (!n.joined(u, v) || r.chance(10)) {
			n.join(u, v)
		}
	}
	for u := range n.switches {
		for range choose(r, []weighted[int]{{1, 0}, {7, 1}, {2, 2}}) {
			n.hosts = append(n.hosts, u)
		}
	}
	if len(n.hosts) < 2 {
		n.hosts = []int{0, n.switches - 1}
	}
	return n
}

// join adds a link at the next ports.
func (n *network) join(u, v int) {
	n.links = append(n.links, link{u, n.nextPort(u), v, n.nextPort(v), ""})
}

// nextPort returns the port after those of the links of a switch.
func (n *network) nextPort(u int) int {
	port := 1
	for _, l := range n.links {
		if l.a == u || l.b == u {
			port++
		}
	}
	return port
}

func (n *network) joined(u, v int) bool {
	return slices.ContainsFunc(n.links, func(l link) bool { return l.a == u && l.b == v || l.a == v && l.b == u })
}

// neighbours returns the switches beside u, each once.
func (n *network) neighbours(u int) (list []int) {
	for _, l := range n.links {
		switch u {
		case l.a:
			list = append(list, l.b)
		case l.b:
			list = append(list, l.a)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// distances returns the links on a shortest path to a switch, by switch.
func (n *network) distances(to int) []int {
	list := slices.Repeat([]int{-1}, n.switches)
	list[to] = 0
	for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
		for _, v := range n.neighbours(queue[0]) {
			if list[v] < 0 {
				list[v] = list[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return list
}

// addAttributes draws sizes and delays of channels.
func (n *network) addAttributes(r drawer) {
	for _, key := range []struct {
		name    string
		percent int
		values  []int
	}{{"buffer", 50, []int{1, 2, 2, 3, 4, 8, 9, 12}}, {"latency", 20, []int{1, 2, 3, 6}}, {"flit_clocks", 12, []int{1, 2, 3}}} {
		if !r.may(key.name, key.percent) {
			continue
		}
		usual, places := pick(r, key.values...), pick(r, 100, 100, 40)
		for i := range n.links {
			if !r.chance(places) {
				continue
			}
			there, back := usual, usual
			if places < 100 || r.chance(20) {
				there, back = pick(r, key.values...), pick(r, key.values...)
			}
			n.links[i].attributes += fmt.Sprintf(", %s: [%d, %d]", key.name, there, back)
		}
	}
}

// switchName returns the name of a switch, in a spec its number.
func (n *network) switchName(u int) string {
	if n.isFile {
		return fmt.Sprintf("s%d", u)
	}
	return fmt.Sprint(u)
}

func (n *network) hostNames() (list []string) {
	for h := range n.hosts {
		list = append(list, fmt.Sprintf("h%d", h))
	}
	return list
}

// addTo sets the network of a line.
func (n *network) addTo(r drawer, l *Line) {
	l.Kind = append(l.Kind, "network "+n.family)
	switch {
	case !n.isFile && n.vcs == 1:
		l.Network = n.spec
	case !n.isFile:
		l.Network = fmt.Sprintf("%s,vcs=%d", n.spec, n.vcs)
	default:
		text := n.yaml()
		for _, key := range []string{"buffer", "latency", "flit_clocks"} {
			if strings.Contains(text, " "+key+":") {
				l.Kind = append(l.Kind, key+" of channels")
			}
		}
		l.Files["net.yaml"] = text
		l.Network = folderMark + "net.yaml"
	}
	if n.family == "irregular" && r.chance(8) {
		l.Files = map[string]string{"net.edges": n.edges()}
		l.Network = folderMark + "net.edges"
		l.add("hosts", pick(r, "s*", "s0,s1", "at:s*", "at:s0,s1", "at:*"))
	}
}

// yaml returns the network as a file, with a link and a host a line.
func (n *network) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schema: turnproof.network/1\nvcs: %d\n", n.vcs)
	if n.sides != nil {
		fmt.Fprintf(&b, "grid: {sides: [%s], wrap: [%s]}\n", commas(n.sides), commas(n.wrap))
	}
	b.WriteString("switches:\n")
	for u := range n.switches {
		fmt.Fprintf(&b, "  - {name: %s}\n", n.switchName(u))
	}
	b.WriteString("hosts:\n")
	for h, u := range n.hosts {
		port := "" // the next one, except on a grid, whose first ports lead to neighbours
		if n.sides != nil {
			port = fmt.Sprintf(", port: %d", 2*len(n.sides)+1)
		}
		fmt.Fprintf(&b, "  - {name: h%d, switch: s%d%s}\n", h, u, port)
	}
	b.WriteString("links:\n")
	for _, l := range n.links {
		fmt.Fprintf(&b, "  - {a: s%d, a_port: %d, b: s%d, b_port: %d%s}\n", l.a, l.aPort, l.b, l.bPort, l.attributes)
	}
	return b.String()
}

// edges returns the network as a list of edges without hosts.
func (n *network) edges() string {
	var b strings.Builder
	for _, l := range n.links {
		fmt.Fprintf(&b, "s%d s%d\n", l.a, l.b)
	}
	return b.String()
}

func commas[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}
