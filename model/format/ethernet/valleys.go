package ethernet

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/ethernet/control"
)

// This file finds valley paths: paths that go down and then up again. In a network of levels, routes without them cannot deadlock.
//
// The level of a switch is its distance in cables from the nearest switch with hosts: leaf 0, aggregation 1, spine 2.
// Cost: O(classes × cables).

// mostValleys is the largest number of valleys that are listed.
const mostValleys = 64

// Valley is a switch at which frames that came down go up again.
type Valley struct {
	Bend        []string `json:"bend"` // the switch above, the switch at the bottom, the next switch above
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Path        []string `json:"path"` // of a frame from source to destination
	Reason      string   `json:"reason"`
	Session     string   `json:"session,omitempty"` // the session that makes it, if the dumps state the AS numbers
}

// levels returns the level of each switch, or nil if the network has no levels: no cable joins two levels.
func (b *builder) levels() []int {
	isLeaf := make([]bool, len(b.switches))
	for _, h := range b.hosts {
		for _, u := range h.homes {
			isLeaf[u] = true
		}
	}
	level := control.Levels(b.adjacent(), isLeaf)
	if slices.Max(level) <= 0 {
		return nil
	}
	return level
}

// hasSideways reports whether some cable joins switches of one level.
func (b *builder) hasSideways() bool {
	level := b.levels()
	for e, there := range b.peer {
		if level != nil && level[e.sw] == level[there.sw] {
			return true
		}
	}
	return false
}

// adjacent returns the switches with a cable to each switch, ascending.
func (b *builder) adjacent() [][]int {
	near := make([][]int, len(b.switches))
	for e, there := range b.peer {
		near[e.sw] = append(near[e.sw], there.sw)
	}
	for u := range near {
		slices.Sort(near[u])
		near[u] = slices.Compact(near[u])
	}
	return near
}

// valleys are the valley paths of all pairs.
type valleys struct {
	*builder
	level []int
	near  [][]int
	dests []int // by class: destinations
	Paths int64 // the number of valley paths; math.MaxInt64 if there are as many or more
	Pairs int64 // pairs with one
	List  []Valley
	known map[[3]int]bool
}

// findValleys counts valley paths and lists the valleys. It returns nil if the network has no levels, or if frames can circle.
func (b *builder) findValleys(r *relation) *valleys {
	v := &valleys{builder: b, level: b.levels(), near: b.adjacent(), dests: make([]int, len(b.rows)), known: map[[3]int]bool{}}
	if v.level == nil || slices.ContainsFunc(b.circling, func(c []bool) bool { return c != nil }) {
		return nil
	}
	for d := range r.host {
		v.dests[r.class[d]]++
	}
	sources := make([]int, len(b.switches)) // by switch: hosts
	for _, h := range b.hosts {
		for _, u := range h.homes {
			sources[u]++
		}
	}
	w := newValleyWalk(len(b.switches))
	for c := range b.rows {
		v.walk(c, sources, w)
	}
	return v
}

// valleyWalk has the counts of one class by switch.
type valleyWalk struct {
	done    []bool
	paths   []int64    // from the switch to the destination
	bent    [2][]int64 // of these, the valley paths, if the frame has not come down yet, or has
	reached [2][]bool  // the same states that frames reach
}

func newValleyWalk(n int) *valleyWalk {
	w := &valleyWalk{done: make([]bool, n), paths: make([]int64, n)}
	for k := range 2 {
		w.bent[k], w.reached[k] = make([]int64, n), make([]bool, n)
	}
	return w
}

// walk counts the valley paths to the destinations of a class.
func (v *valleys) walk(c int, sources []int, w *valleyWalk) {
	clear(w.done)
	for k := range 2 {
		clear(w.reached[k])
	}
	homes := v.hosts[v.host[c]].homes
	any := false
	for u, hosts := range sources {
		if hosts == 0 || slices.Contains(homes, u) {
			continue
		}
		if v.count(c, u, w); w.bent[0][u] > 0 {
			any = true
			v.Pairs += int64(hosts) * int64(v.dests[c])
			v.Paths = addCapped(v.Paths, mulCapped(w.bent[0][u], int64(hosts)*int64(v.dests[c])))
		}
	}
	if !any || len(v.List) >= mostValleys {
		return
	}
	for u, hosts := range sources {
		if hosts > 0 && !slices.Contains(homes, u) && w.bent[0][u] > 0 {
			v.reach(c, u, 0, []int{u}, w)
		}
	}
}

// count counts the paths from a switch. Frames of the class do not circle.
func (v *valleys) count(c, u int, w *valleyWalk) {
	if w.done[u] {
		return
	}
	w.done[u] = true
	w.paths[u], w.bent[0][u], w.bent[1][u] = 0, 0, 0
	if s := v.rows[c][u]; s >= 0 && v.fibs[u].hops[s].local && slices.Contains(v.hosts[v.host[c]].homes, u) {
		w.paths[u] = 1
	}
	v.nextSwitches(c, u, func(x int) {
		v.count(c, x, w)
		w.paths[u] = addCapped(w.paths[u], w.paths[x])
		for k := range 2 {
			switch {
			case v.level[x] > v.level[u] && k == 1:
				w.bent[k][u] = addCapped(w.bent[k][u], w.paths[x])
			case v.level[x] < v.level[u]:
				w.bent[k][u] = addCapped(w.bent[k][u], w.bent[1][x])
			default:
				w.bent[k][u] = addCapped(w.bent[k][u], w.bent[k][x])
			}
		}
	})
}

// reach lists the bends that frames of a class reach, from a switch at the end of a path. k is 1 if the frames have come down.
func (v *valleys) reach(c, u, k int, path []int, w *valleyWalk) {
	if w.reached[k][u] {
		return
	}
	w.reached[k][u] = true
	v.nextSwitches(c, u, func(x int) {
		next := k
		switch {
		case w.paths[x] == 0:
			return
		case v.level[x] < v.level[u]:
			next = 1
		case v.level[x] > v.level[u] && k == 1 && v.level[path[len(path)-2]] > v.level[u]:
			v.add(c, path, x)
		}
		v.reach(c, x, next, append(slices.Clone(path), x), w)
	})
}

// add lists the valley at the end of a path, from which frames go up to x.
func (v *valleys) add(c int, path []int, x int) {
	bottom := path[len(path)-1]
	above := path[len(path)-2]
	bend := [3]int{above, bottom, x}
	if v.known[bend] || len(v.List) >= mostValleys {
		return
	}
	v.known[bend] = true
	whole := append(slices.Clone(path), x)
	for u := x; ; {
		s := v.rows[c][u]
		ports := v.fibs[u].hops[s].ports
		if len(ports) == 0 || len(whole) > len(v.switches) {
			break
		}
		u = v.peer[ports[0]].sw
		whole = append(whole, u)
	}
	source := slices.IndexFunc(v.hosts, func(h hostPrefix) bool { return slices.Contains(h.homes, path[0]) })
	v.List = append(v.List, Valley{Bend: v.namesOf(bend[:]), Source: v.hosts[source].key.Prefix().String(),
		Destination: v.hosts[v.host[c]].key.Prefix().String(), Path: v.namesOf(whole), Reason: v.reason(c, above, whole, x),
		Session: v.session(above, bottom, x)})
}

// reason says why frames take a valley: the switch above has no cable to the switch to which frames come down after the valley, or it
// has one and does not use it.
func (v *valleys) reason(c, above int, whole []int, x int) string {
	i := slices.Index(whole, x)
	if i+1 >= len(whole) {
		return ""
	}
	to := whole[i+1]
	name := func(u int) string { return v.switches[u].Name }
	if home := whole[len(whole)-1]; v.level[to] > v.level[x] { // further up
		return fmt.Sprintf("%s takes no way to %s that only goes up and then down%s", name(above), name(home), v.downAt(home))
	}
	if slices.Contains(v.near[above], to) {
		return fmt.Sprintf("%s has a cable to %s, and its route to %s does not use it", name(above), name(to), v.hosts[v.host[c]].key.Prefix())
	}
	return fmt.Sprintf("%s has no cable to %s that is up%s", name(above), name(to), v.downAt(above, to))
}

// session says which session makes a valley, or returns nothing if the dumps do not state the AS numbers.
func (v *valleys) session(above, bottom, x int) string {
	list := []int{bottom, above, x}
	for _, u := range list {
		if v.switches[u].AS == 0 {
			return ""
		}
	}
	name := func(u int) string { return fmt.Sprintf("%s (AS %d)", v.switches[u].Name, v.switches[u].AS) }
	return fmt.Sprintf("%s announces the routes of %s to %s", name(bottom), name(x), name(above))
}

// downAt lists the ports of switches that are down, in parentheses, or returns nothing.
func (v *valleys) downAt(list ...int) string {
	var down []string
	for _, u := range list {
		for _, port := range v.downPorts(u) {
			down = append(down, v.switches[u].Name+":"+port)
		}
		for _, e := range sortedEnds(v.failed) {
			if e.sw == u {
				down = append(down, v.text(e))
			}
		}
	}
	if down == nil {
		return ""
	}
	return " (down: " + strings.Join(down, ", ") + ")"
}

// downPorts returns the interfaces of a switch that are down and have an address or the name of a port.
func (v *valleys) downPorts(u int) (list []string) {
	for _, name := range sortedKeys(v.switches[u].Interfaces) {
		x := v.switches[u].Interfaces[name]
		if x.Down && !isVirtual(name) && !isLoopback(name) && !managementName.MatchString(name) && strings.ContainsAny(name, "0123456789") {
			list = append(list, name)
		}
	}
	return list
}

func (v *valleys) namesOf(list []int) []string {
	names := make([]string, len(list))
	for i, u := range list {
		names[i] = v.switches[u].Name
	}
	return names
}

func addCapped(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func mulCapped(a, b int64) int64 {
	if b != 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
