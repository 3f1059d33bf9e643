package seams

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/trust/seams/states"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the packets of a refutation with gates: a run of flits from the empty network must place them so, and no flit of
// them may be able to move there. The model is that of package states, for packets with given paths.
//
// A packet is the numbers of its flits that have left each place of its path. A VC is a queue of packets from its first flit to its last.

// placed is the packets of a refutation.
type placed struct {
	rel    model.Relation
	gates  *states.Gates
	vcs    int
	links  int // VCs between switches
	packet int
	buffer int
	paths  [][]model.State
	dests  []model.DestID
	hosts  []int   // that send
	target [][]int // flits that have left each place; nil if a run says it
}

// standing is the packets on their paths.
type standing struct {
	left   [][]int       // by packet and place: flits that have left it; the last place counts none
	queues map[int][]int // by VC between switches: packets, the first one in front
}

// readPlaced returns the packets of a claim.
func readPlaced(rel model.Relation, g *states.Gates, packet, buffer int, claim *cert.Claim) *placed {
	n := rel.Network()
	x := &placed{rel: rel, gates: g, vcs: n.VCs(), links: n.NumLinkChannels() * n.VCs(), packet: packet, buffer: buffer}
	var rest cert.Ints
	if claim.Flits != nil { // else a run says it
		rest = *claim.Flits
	}
	for _, p := range claim.Packets {
		var path []model.State
		var target []int
		left := packet
		for k := 0; k < len(p.Path); k += 2 {
			path = append(path, model.State{VC: model.VCID(p.Path[k]), Dest: model.DestID(p.Destination), Class: model.Class(p.Path[k+1])})
			if len(rest) > 0 {
				left -= int(rest[0])
				target, rest = append(target, left), rest[1:]
			}
		}
		if len(target) > 0 {
			target[len(target)-1] = 0
			x.target = append(x.target, target)
		}
		x.paths = append(x.paths, path)
		x.dests, x.hosts = append(x.dests, model.DestID(p.Destination)), append(x.hosts, p.Source)
	}
	return x
}

// fault returns what is wrong with the packets, or "". The second result is false if the budget of states does not suffice.
func (x *placed) fault(steps []int32, budget int) (text string, isKnown bool) {
	if text := x.badPath(); text != "" {
		return text, true
	}
	s := &standing{left: make([][]int, len(x.paths)), queues: map[int][]int{}}
	for i, path := range x.paths {
		s.left[i] = make([]int, len(path))
	}
	for k := 0; k < len(steps); k += 2 {
		i, j := int(steps[k]), int(steps[k+1])
		if !x.canStep(s, nil, i, j) {
			return fmt.Sprintf("move %d: a flit of packet %d cannot leave place %d", k/2, i, j), true
		}
		s = x.step(s, i, j)
	}
	if steps == nil {
		if s, isKnown = x.search(s, budget); s == nil {
			return "no run places the packets so", isKnown
		}
	}
	for i := range s.left {
		if x.canMove(s, i) {
			return fmt.Sprintf("packet %d can move", i), true
		}
	}
	return "", true
}

// badPath returns why a path is none of the routing, or "".
func (x *placed) badPath() string {
	n := x.rel.Network()
	for i, path := range x.paths {
		ch, _ := n.Channel(path[0].VC)
		isSent := slices.Contains(x.rel.Inject(model.HostID(x.hosts[i]), x.dests[i], nil), path[0].Class) && n.InjectChannel(model.HostID(x.hosts[i])) == ch
		if !isSent {
			return fmt.Sprintf("packet %d is none that its host sends", i)
		}
		for j := range path[1:] {
			to := path[j+1]
			if !slices.Contains(x.rel.Next(path[j], nil), model.Hop{VC: to.VC, Class: to.Class}) {
				return fmt.Sprintf("packet %d has a hop that is not permitted", i)
			}
		}
	}
	return ""
}

// search returns the target, reached from s by moves that pass no packet beyond it, or nil. The second result is false if the budget ran out.
func (x *placed) search(s *standing, budget int) (*standing, bool) {
	seen := map[string]bool{}
	var visit func(s *standing) *standing
	visit = func(s *standing) *standing {
		key := fmt.Sprint(s.left, s.queues)
		if seen[key] || len(seen) > budget {
			return nil
		}
		seen[key] = true
		isThere := true
		for i := range s.left { // the first packets first, as the claim lists them
			for j := len(s.left[i]) - 2; j >= 0; j-- {
				if s.left[i][j] >= x.target[i][j] {
					continue
				}
				isThere = false
				if x.canStep(s, nil, i, j) {
					if found := visit(x.step(s, i, j)); found != nil {
						return found
					}
				}
			}
		}
		if isThere {
			return s
		}
		return nil
	}
	found := visit(s)
	return found, found != nil || len(seen) <= budget
}

// at returns the flits of packet i at place j.
func (x *placed) at(s *standing, i, j int) int {
	come := x.packet
	if j > 0 {
		come = s.left[i][j-1]
	}
	return come - s.left[i][j]
}

// head returns the place of the head of packet i.
func (x *placed) head(s *standing, i int) int {
	j := 0
	for s.left[i][j] > 0 {
		j++
	}
	return j
}

// ejects reports whether place j of packet i is its host.
func (x *placed) ejects(i, j int) bool {
	ch, _ := x.rel.Network().Channel(x.paths[i][j].VC)
	return x.rel.Network().Kind(ch) == model.Eject
}

// canStep reports whether a flit of packet i can leave place j for the next place. Packets that are gone take no room.
func (x *placed) canStep(s *standing, gone []bool, i, j int) bool {
	to := x.paths[i][j+1].VC
	switch {
	case x.at(s, i, j) == 0:
		return false
	case s.left[i][j] == 0:
		return x.canGo(s, gone, i, to)
	case x.ejects(i, j+1):
		return true
	}
	return x.used(s, gone, int(to)) < x.buffer && (!x.gates.ByFlit || x.isOpen(s, gone, x.paths[i][j].VC, to))
}

// canGo reports whether the head of packet i can be given VC to.
func (x *placed) canGo(s *standing, gone []bool, i int, to model.VCID) bool {
	j := x.head(s, i)
	if x.at(s, i, j) == 0 {
		return false
	}
	from := int(x.paths[i][j].VC)
	if j == 0 {
		if x.count(s, gone, i, func(k int) bool { return x.hosts[k] == x.hosts[i] && s.left[k][0] > 0 && s.left[k][0] < x.packet }) >= x.vcs {
			return false
		}
	} else if first := present(s.queues[from], gone); first[0] != i || slices.Contains(first[1:], i) {
		return false
	}
	if int(to) >= x.links {
		ch, _ := x.rel.Network().Channel(to)
		return x.count(s, gone, i, func(k int) bool { return x.isArriving(s, k, ch) }) < x.vcs
	}
	if list := present(s.queues[int(to)], gone); len(list) > 0 && x.isEntering(s, list[len(list)-1], int(to)) {
		return false
	}
	return x.buffer-x.used(s, gone, int(to)) >= x.packet && x.isOpen(s, gone, x.paths[i][j].VC, to)
}

// count returns the number of other packets that have a property.
func (x *placed) count(s *standing, gone []bool, i int, has func(k int) bool) (count int) {
	for k := range s.left {
		if k != i && !isGone(gone, k) && has(k) {
			count++
		}
	}
	return count
}

// isArriving reports whether packet k has arrived in part by an ejection channel.
func (x *placed) isArriving(s *standing, k int, ch model.ChannelID) bool {
	last := len(x.paths[k]) - 1
	to, _ := x.rel.Network().Channel(x.paths[k][last].VC)
	return x.ejects(k, last) && to == ch && s.left[k][last-1] > 0 && s.left[k][last-1] < x.packet
}

// isEntering reports whether some flits of packet i have not reached a VC.
func (x *placed) isEntering(s *standing, i, vc int) bool {
	for j := range x.paths[i] {
		if int(x.paths[i][j].VC) == vc && j > 0 && s.left[i][j-1] > 0 && s.left[i][j-1] < x.packet {
			return true
		}
	}
	return false
}

func isGone(gone []bool, i int) bool { return gone != nil && gone[i] }

// present returns the packets of a queue that are not gone.
func present(queue []int, gone []bool) (list []int) {
	for _, i := range queue {
		if !isGone(gone, i) {
			list = append(list, i)
		}
	}
	return list
}

// used returns the flits on a VC between switches.
func (x *placed) used(s *standing, gone []bool, vc int) (count int) {
	for i := range s.left {
		for j := 1; !isGone(gone, i) && j < len(s.left[i]); j++ {
			if int(x.paths[i][j].VC) == vc {
				count += x.at(s, i, j)
			}
		}
	}
	return count
}

// isOpen reports whether no gate stops a flit between two VCs.
func (x *placed) isOpen(s *standing, gone []bool, from, to model.VCID) bool {
	g := x.gates
	if int(to) >= x.links || g.Exempt != nil && g.Exempt[to] {
		return true
	}
	isGated := g.Injection
	if int(from) < x.links {
		isGated = g.Turns && g.Dimension[int(from)/x.vcs] != g.Dimension[int(to)/x.vcs]
	}
	sum, ch := int64(0), int(to)/x.vcs
	for k := 0; isGated && k < len(g.Weights) && ch >= 0; k++ {
		if x.bit(s, gone, ch, int(to)%x.vcs) {
			sum += g.Weights[k]
		}
		ch = g.Ahead[ch]
	}
	return sum <= g.Most
}

// bit returns the bit of a channel for the VC with an index.
func (x *placed) bit(s *standing, gone []bool, ch, index int) bool {
	full := 0
	for k := range x.vcs {
		vc := ch*x.vcs + k
		if x.gates.VCs == "own" && k != index {
			continue
		}
		taken := x.used(s, gone, vc)
		if x.gates.Reserved {
			taken = len(present(s.queues[vc], gone)) * x.packet
		}
		if x.buffer-taken <= x.gates.Level {
			full++
		}
	}
	return full == x.vcs || full > 0 && x.gates.VCs != "all"
}

// step returns the packets after a flit of packet i has left place j.
func (x *placed) step(s *standing, i, j int) *standing {
	to := &standing{left: slices.Clone(s.left), queues: map[int][]int{}}
	for vc, list := range s.queues {
		to.queues[vc] = slices.Clone(list)
	}
	to.left[i] = slices.Clone(s.left[i])
	from, next := int(x.paths[i][j].VC), int(x.paths[i][j+1].VC)
	if s.left[i][j] == 0 && next < x.links {
		to.queues[next] = append(to.queues[next], i)
	}
	if to.left[i][j]++; to.left[i][j] == x.packet && from < x.links {
		at := slices.Index(to.queues[from], i)
		to.queues[from] = slices.Delete(to.queues[from], at, at+1)
	}
	return to
}

// canMove reports whether a flit of packet i can move, over any permitted hop.
func (x *placed) canMove(s *standing, i int) bool {
	head := x.head(s, i)
	for j := range head {
		if x.canStep(s, nil, i, j) {
			return true
		}
	}
	if x.ejects(i, head) {
		return false // the last flits, behind a gate
	}
	hops := x.rel.Next(x.paths[i][head], nil)
	for _, h := range hops {
		if x.canGo(s, nil, i, h.VC) {
			return true
		}
	}
	return len(hops) == 0
}
