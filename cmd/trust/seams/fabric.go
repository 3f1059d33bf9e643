package seams

import (
	"fmt"
	"slices"
)

// This file draws folders with the dumps of an InfiniBand fabric.

// fabric is what the dumps say. LIDs are those of hosts from 1, then of switches, then of virtual ports.
type fabric struct {
	*network
	ends   []int            // switch of each LID; LID 0 has -1
	port   []int            // port of the LID at this switch, 0 for the switch itself
	out    [][]int          // by switch and LID: the port out, -1 for no entry
	levels map[[2]int]int   // service level by source LID and destination LID; nil: no records
	vls    map[[3]int][]int // VL by switch, port in and port out, for each service level; nil: VL = SL
	trees  []map[int][]int  // multicast groups: ports by switch; a switch may lack
	lids   int              // of hosts and switches; LIDs above are of virtual ports
}

// fabricLine draws a fabric with its dumps and flags.
func fabricLine(r drawer) *Line {
	f := &fabric{network: drawFabricNetwork(r)}
	f.drawLIDs(r)
	f.drawTables(r)
	l := &Line{Network: folderMark + "fabric/", Files: map[string]string{}, Kind: []string{"fabric"}, fabric: f}
	add := func(name, kind, text string) {
		l.Files["fabric/"+name] = text
		if kind != "" {
			l.Kind = append(l.Kind, kind)
		}
	}
	if f.lids < len(f.ends)-1 {
		l.Kind = append(l.Kind, "virtual ports")
	}
	add("topology.ibnetdiscover", "", f.topology())
	add("opensm-lfts.dump", "", f.tables())
	if r.chance(45) {
		f.drawLevels(r)
		add("path-records.txt", "service levels", f.records())
	}
	if r.chance(35) {
		f.drawVLs(r)
		add("opensm-sl2vl.dump", "SL to VL", f.levelTables())
	}
	if r.chance(30) {
		f.drawTrees(r)
		add("opensm.mcfdbs", "multicast tables", f.multicast())
	}
	addFabricOptions(r, l, f.hostNames())
	return l
}

// drawFabricNetwork draws a small network with a host at most switches.
func drawFabricNetwork(r drawer) *network {
	n := choose(r, []weighted[func(r drawer) *network]{
		{5, func(r drawer) *network {
			k := size(r, 3, 6, 8)
			return grid("ring", fmt.Sprint(k), []int{k}, []bool{true})
		}},
		{3, irregular},
		{1, func(r drawer) *network { return grid("mesh", "3x2", []int{3, 2}, []bool{false, false}) }},
		{1, func(r drawer) *network { return grid("line", "4", []int{4}, []bool{false}) }},
	})(r)
	n.isFile = true
	for i := range n.links { // ports from 1 without a gap
		n.links[i].aPort, n.links[i].bPort = 0, 0
	}
	links := n.links
	n.links = nil
	for _, l := range links {
		n.join(l.a, l.b)
	}
	return n
}

// drawLIDs draws the LIDs and the places where they end.
func (f *fabric) drawLIDs(r drawer) {
	f.ends, f.port = []int{-1}, []int{-1}
	used := make([]int, f.switches)
	for u := range f.switches {
		used[u] = f.nextPort(u) - 1
	}
	for _, u := range f.hosts {
		used[u]++
		f.ends, f.port = append(f.ends, u), append(f.port, used[u])
	}
	for u := range f.switches {
		f.ends, f.port = append(f.ends, u), append(f.port, 0)
	}
	f.lids = len(f.ends) - 1
	if r.chance(15) {
		for h := range f.hosts {
			if r.chance(70) {
				f.ends, f.port = append(f.ends, f.ends[h+1]), append(f.port, f.port[h+1])
			}
		}
	}
}

// portTo returns the ports of u that lead to v.
func (f *fabric) portsTo(u, v int) (list []int) {
	for _, l := range f.links {
		if l.a == u && l.b == v {
			list = append(list, l.aPort)
		}
		if l.b == u && l.a == v {
			list = append(list, l.bPort)
		}
	}
	return list
}

// across returns the switch and the port at the other end of a cable, or -1.
func (f *fabric) across(u, port int) (v, at int) {
	for _, l := range f.links {
		switch {
		case l.a == u && l.aPort == port:
			return l.b, l.bPort
		case l.b == u && l.bPort == port:
			return l.a, l.aPort
		}
	}
	return -1, -1
}

// drawTables draws a tree of paths to each LID: up*/down*-like by switch numbers, shortest, or around a ring.
func (f *fabric) drawTables(r drawer) {
	f.out = make([][]int, f.switches)
	for u := range f.out {
		f.out[u] = slices.Repeat([]int{-1}, len(f.ends))
	}
	usual := pick(r, "low", "low", "shortest", "tree")
	for lid := 1; lid < len(f.ends); lid++ {
		rule := usual
		if r.chance(12) || lid > f.lids && r.chance(60) {
			rule = pick(r, "shortest", "clockwise")
		}
		end := f.ends[lid]
		distance := f.distances(end)
		for u := range f.switches {
			if u == end {
				f.out[u][lid] = f.port[lid]
				continue
			}
			f.out[u][lid] = pick(r, f.portsTo(u, f.nextSwitch(r, rule, u, end, distance))...)
		}
	}
}

// nextSwitch draws the next switch of a path by a rule.
func (f *fabric) nextSwitch(r drawer, rule string, u, end int, distance []int) int {
	var nearer []int
	for _, v := range f.neighbours(u) {
		if distance[v] < distance[u] {
			nearer = append(nearer, v)
		}
	}
	switch {
	case rule == "clockwise" && f.family == "ring":
		return (u + 1) % f.switches
	case rule == "low":
		return nearer[0]
	case rule == "tree":
		return f.onTree(u, end)
	}
	return pick(r, nearer...)
}

// onTree returns the next switch on the path in the tree in which the parent of a switch is its neighbour with the smallest
// number that is nearer to switch 0.
func (f *fabric) onTree(u, end int) int {
	distance := f.distances(0)
	up := func(x int) []int {
		list := []int{x}
		for x != 0 {
			for _, v := range f.neighbours(x) {
				if distance[v] < distance[x] {
					x = v
					break
				}
			}
			list = append(list, x)
		}
		return list
	}
	path := up(end)
	if i := slices.Index(path, u); i > 0 {
		return path[i-1]
	}
	return up(u)[1]
}

// drawLevels draws service levels: of all pairs, or of pairs of hosts only.
func (f *fabric) drawLevels(r drawer) {
	f.levels = map[[2]int]int{}
	most, scope, rule := r.between(1, 2), pick(r, f.lids, f.lids, len(f.hosts)), r.IntN(3)
	for a := 1; a <= scope; a++ {
		for b := 1; b <= f.lids && b <= scope; b++ {
			if a == b {
				continue
			}
			switch rule {
			case 0:
				f.levels[[2]int{a, b}] = r.between(0, most)
			case 1:
				f.levels[[2]int{a, b}] = min(most, max(f.kind(a), f.kind(b)))
			case 2:
				if f.ends[a] > f.ends[b] {
					f.levels[[2]int{a, b}] = most
				} else {
					f.levels[[2]int{a, b}] = 0
				}
			}
		}
	}
}

// kind returns 0 for the LID of a host, 1 for that of a switch.
func (f *fabric) kind(lid int) int {
	if lid > len(f.hosts) {
		return 1
	}
	return 0
}

// portsOf returns the ports of a switch, with those of hosts.
func (f *fabric) portsOf(u int) int {
	ports := f.nextPort(u) - 1
	for _, v := range f.hosts {
		if v == u {
			ports++
		}
	}
	return ports
}

// drawVLs draws SL-to-VL tables of two VLs.
func (f *fabric) drawVLs(r drawer) {
	f.vls = map[[3]int][]int{}
	change := pick(r, 0, 15, 40)
	for u := range f.switches {
		for in := 0; in <= f.portsOf(u); in++ {
			for out := 1; out <= f.portsOf(u); out++ {
				row := make([]int, 16)
				for sl := range 2 {
					row[sl] = sl
					if r.chance(change) {
						row[sl] = 1 - sl
					}
				}
				f.vls[[3]int{u, in, out}] = row
			}
		}
	}
}

// drawTrees draws a multicast group: a tree over all switches, of which some switches may lack, or which has one cable more.
func (f *fabric) drawTrees(r drawer) {
	tree := map[int][]int{}
	join := func(u, v int) {
		l := slices.IndexFunc(f.links, func(l link) bool { return l.a == u && l.b == v || l.a == v && l.b == u })
		x := f.links[l]
		tree[x.a], tree[x.b] = append(tree[x.a], x.aPort), append(tree[x.b], x.bPort)
	}
	root := r.IntN(f.switches)
	distance := f.distances(root)
	for u := range f.switches {
		if u == root {
			continue
		}
		var nearer []int
		for _, v := range f.neighbours(u) {
			if distance[v] < distance[u] {
				nearer = append(nearer, v)
			}
		}
		join(u, pick(r, nearer...))
	}
	for h := range f.hosts {
		if r.chance(80) {
			u := f.ends[h+1]
			tree[u] = append(tree[u], f.port[h+1])
		}
	}
	for u := range tree {
		slices.Sort(tree[u])
		tree[u] = slices.Compact(tree[u])
	}
	for u := range f.switches {
		if r.chance(8) {
			delete(tree, u)
		}
	}
	f.trees = append(f.trees, tree)
}

// addFabricOptions draws the flags of a line with a fabric.
func addFabricOptions(r drawer, l *Line, hosts []string) {
	if r.chance(60) {
		l.add("management", pick(r, "none", "hosts", "hosts", "all", "all"))
	}
	for _, x := range []struct{ flag, file string }{{"multicast", "opensm.mcfdbs"}, {"sl", "path-records.txt"}, {"sl2vl", "opensm-sl2vl.dump"}} {
		if _, ok := l.Files["fabric/"+x.file]; ok && r.chance(20) {
			l.add(x.flag, folderMark+"fabric/"+x.file)
		}
	}
	if l.isOn("multicast tables") && !l.has("multicast") && r.chance(10) {
		l.add("multicast", "none")
	}
	if r.chance(10) {
		l.add("routing", pick(r, "updown", "minimal", folderMark+"fabric/opensm-lfts.dump"))
	}
	if r.chance(20) {
		addOptions(r, l, hosts)
		return
	}
	if r.chance(15) {
		addFlows(r, l, hosts)
	}
	addOpinions(r, l, hosts)
}
