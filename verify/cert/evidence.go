package cert

import "slices"

// This file judges each claim by its evidence.

// evidence is what a claim is held against.
type evidence struct {
	*network
	routing
	*facts
	gated  *gated     // nil: there are no gates
	groups *multicast // nil if there are no multicast groups
}

// judge judges one claim of c. Ranks need nothing more here: every dependency
// has been held against them while the states were enumerated.
func judge(c *Certificate, claim *Claim, e *evidence) error {
	if claim.Claim == ClaimDeadlockFree && (e.gated != nil) != (claim.Evidence == EvidenceGatedOrder || claim.Evidence == EvidenceGatedConfiguration) {
		return reject(claim.Claim, "%s is no evidence for a routing with gates, or with none", claim.Evidence)
	}
	switch claim.Evidence {
	case EvidenceNumbering:
		// Every dependency of a reachable state leads to a greater number, so
		// none closes a cycle.
		return nil
	case EvidenceCycle:
		return e.cycle(claim)
	case EvidenceAcyclic:
		return acyclic(c)
	case EvidenceElimination:
		return elimination(&c.Subject)
	case EvidenceLines:
		return reject(claim.Claim, "lines are evidence for a product only")
	case EvidenceTurnCycle, EvidenceTurnTree, EvidenceTurnSearch, EvidenceTurnUnreached:
		return reject(claim.Claim, "%s is evidence for a set of turns only", claim.Evidence)
	case EvidenceEscape:
		// Held against every state while they were enumerated (escape.go).
		if e.groups != nil {
			return reject(claim.Claim, "an escape shows nothing of multicast packets")
		}
		return nil
	case EvidenceConfiguration:
		return e.configuration(claim)
	case EvidenceGatedOrder:
		return e.gated.order(claim)
	case EvidenceGatedConfiguration:
		return e.gatedConfiguration(claim)
	case EvidenceWorms:
		return e.worms(&c.Subject, claim)
	case EvidenceWalk:
		return e.connected(claim)
	case EvidenceLostPacket:
		return e.lostPacket(claim)
	case EvidenceLongest:
		return e.longest(claim)
	case EvidenceLoop:
		return e.loop(claim)
	case EvidenceNetworks, EvidenceSharedNetwork, EvidenceDeadlocked:
		return e.messages(c, claim)
	}
	return reject(claim.Claim, "evidence %.80q", claim.Evidence)
}

// acyclic judges deadlock-free by the claim before it.
//
// Theorem (W. J. Dally and C. L. Seitz, IEEE Transactions on Computers C-36(5),
// 1987): no deadlock arises if the channel dependency graph has no
// cycle. The premises: a packet waits for VCs that its routing permits at its
// head; on arrival it is consumed; a VC is emptied by the one packet, or queue
// of packets, that holds it. It is sufficient for every switching here, and
// for any routing, one or several next hops: the VC held of the greatest
// number is one whose packet waits for none that is held.
func acyclic(c *Certificate) error {
	if first := &c.Claims[0]; first.Claim != ClaimAcyclic || first.Verdict != Proved {
		return reject(ClaimDeadlockFree, "rests on %s, which the certificate does not prove", ClaimAcyclic)
	}
	return nil
}

// elimination judges that packets wait whole, in one VC each.
//
// Why an order suffices: in a deadlock there is a set of VCs, each full of
// packets, the first of which waits, and may take VCs of the set only. The VC
// of the set with the greatest rank has a first packet with a next hop that
// is ejection or of greater rank, so not in the set. (Sets like that are the
// deadlocked configurations of J. Duato, IEEE Transactions on Parallel and
// Distributed Systems 6(10), 1995, and for these switchings 7(8), 1996.) The premises: a packet fits one
// buffer as a whole, which needs vct or saf; it waits for any permitted VC,
// and keeps asking for all of them, or it commits to one of them, and then
// whichever this is leads to ejection or is of greater rank.
func elimination(s *Subject) error {
	if s.Switching == "wormhole" {
		return reject(ClaimDeadlockFree, "an order of elimination shows nothing for wormhole switching")
	}
	return nil
}

// configuration judges a deadlock: whole packets, one to each VC of a set,
// each of which can come there alone and may then take VCs of the set only.
// Under wormhole switching these are packets short enough to fit one VC.
func (e *evidence) configuration(claim *Claim) error {
	held := make([]int32, len(claim.Packets)) // ascending
	waits := make([][]state, len(claim.Packets))
	for i := range claim.Packets {
		p := &claim.Packets[i]
		at, err := e.follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		if held[i] = at.vc; int(at.vc) >= e.linkVCs() {
			return reject(claim.Claim, "packet %d waits on VC %d, which is not between switches", i, at.vc)
		}
		if i > 0 && held[i-1] >= at.vc {
			return reject(claim.Claim, "packet %d waits on VC %d, which does not come after VC %d", i, at.vc, held[i-1])
		}
		if waits[i], err = e.awaited(claim, i, at); err != nil {
			return err
		}
	}
	awaited := make([]bool, len(held))
	for i, list := range waits {
		if claim.Packets[i].Group != nil {
			if list = heldOf(list, held); len(list) == 0 {
				return reject(claim.Claim, "packet %d, on VC %d, has no copy that waits for a VC that a packet holds", i, held[i])
			}
		}
		for _, to := range list {
			at, ok := slices.BinarySearch(held, to.vc)
			if !ok {
				return reject(claim.Claim, "packet %d, on VC %d, may take VC %d, which no packet holds", i, held[i], to.vc)
			}
			awaited[at] = true
		}
	}
	for i, wanted := range awaited {
		if !wanted {
			return reject(claim.Claim, "packet %d is not part of the deadlock: no other waits for its VC %d", i, held[i])
		}
	}
	return nil
}

// waits gives what the packet at the end of its path waits for.
func (e *evidence) waits(p *Packet, at state) ([]state, error) {
	if p.Group != nil {
		return e.groups.waits(p, at)
	}
	return e.next(p.Destination, at, nil), nil
}

// heldOf returns the states of list on VCs that are held; held is ascending.
func heldOf(list []state, held []int32) (of []state) {
	for _, s := range list {
		if _, ok := slices.BinarySearch(held, s.vc); ok {
			of = append(of, s)
		}
	}
	return of
}

// worms judges a deadlock of packets that hold several VCs, the last ones of their paths.
// Each packet can get to its place alone (enterable); the packets hold different VCs, and none
// can ever move.
func (e *evidence) worms(s *Subject, claim *Claim) error {
	if s.Switching != "wormhole" {
		return reject(claim.Claim, "worms hold several VCs under wormhole switching only")
	}
	if len(*claim.Holds) != len(claim.Packets) {
		return reject(claim.Claim, "%d packets, and for %d of them how many VCs they hold", len(claim.Packets), len(*claim.Holds))
	}
	holder := make(map[int32]int) // by VC
	waits := make([][]state, len(claim.Packets))
	last := int32(-1)
	for i := range claim.Packets {
		p, k := &claim.Packets[i], int((*claim.Holds)[i])
		at, err := e.follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		if k < 1 || k > len(p.Path)/2 || at.vc <= last {
			return reject(claim.Claim, "packet %d holds %d VCs of %d on its path, the last VC %d after VC %d", i, k, len(p.Path)/2, at.vc, last)
		}
		last = at.vc
		if err := enterable(claim.Claim, i, p, k); err != nil {
			return err
		}
		for j := len(p.Path) - 2*k; j < len(p.Path); j += 2 {
			v := p.Path[j]
			if other, taken := holder[v]; taken || int(v) >= e.linkVCs() {
				return reject(claim.Claim, "packet %d cannot hold VC %d, which is not between switches or held by packet %d", i, v, other)
			}
			holder[v] = i
		}
		if waits[i], err = e.awaited(claim, i, at); err != nil {
			return err
		}
	}
	awaited := make([]bool, len(waits))
	for i, list := range waits {
		for _, to := range list {
			j, held := holder[to.vc]
			if !held {
				return reject(claim.Claim, "packet %d may take VC %d, which no packet holds", i, to.vc)
			}
			awaited[j] = true
		}
	}
	if i := slices.Index(awaited, false); i >= 0 {
		return reject(claim.Claim, "packet %d is not part of the deadlock: no other waits for it", i)
	}
	return nil
}

// enterable judges that packet i, which holds k VCs at the end of its path, can get there.
//
// A packet whose flits need k VCs lies on the last k VCs of its path wherever its head is, or on
// all of them while there are fewer, however closely its flits follow. A VC takes flits of one
// packet at a time, and only once it is empty. So each VC must differ from the k VCs before it.
func enterable(claim string, i int, p *Packet, k int) error {
	for j := 2; j < len(p.Path); j += 2 {
		for b := max(0, j-2*k); b < j; b += 2 {
			if p.Path[b] == p.Path[j] {
				return reject(claim, "packet %d enters VC %d, which its own flits hold: it was there %d VCs before, and it holds %d", i, p.Path[j], (j-b)/2, k)
			}
		}
	}
	return nil
}

// cycle judges a cycle of dependencies, each shown by a packet that can have it.
func (e *evidence) cycle(claim *Claim) error {
	visited := make(map[int32]bool, len(claim.Packets))
	first, last := int32(-1), int32(-1)
	for i := range claim.Packets {
		p := &claim.Packets[i]
		at, err := e.follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		if len(p.Path) < 4 {
			return reject(claim.Claim, "packet %d has passed one VC only, and shows no dependency", i)
		}
		from := p.Path[len(p.Path)-4]
		if i == 0 {
			first = from
		} else if from != last {
			return reject(claim.Claim, "packet %d depends from VC %d, but the packet before it led to VC %d", i, from, last)
		}
		if last = at.vc; visited[last] {
			return reject(claim.Claim, "the cycle visits VC %d twice", last)
		}
		visited[last] = true
	}
	if first != last {
		return reject(claim.Claim, "the dependencies begin at VC %d and end at VC %d: no cycle", first, last)
	}
	for vc := range visited {
		if vc < first {
			return reject(claim.Claim, "the cycle begins at VC %d, though it visits VC %d, which is smaller", first, vc)
		}
	}
	return nil
}

// connected judges the number of pairs, and that none is unreachable.
func (e *evidence) connected(claim *Claim) error {
	if err := e.count(claim); err != nil {
		return err
	}
	if e.unreachable != 0 {
		return reject(claim.Claim, "packets of %d of %d pairs can get lost", e.unreachable, e.pairs)
	}
	return nil
}

func (e *evidence) count(claim *Claim) error {
	if *claim.Pairs != e.pairs {
		return reject(claim.Claim, "%d pairs of source and destination, not %d", e.pairs, *claim.Pairs)
	}
	return nil
}

// lostPacket judges the counts, and that the packet shown is lost in the way
// that is claimed.
func (e *evidence) lostPacket(claim *Claim) error {
	if err := e.count(claim); err != nil {
		return err
	}
	if *claim.Unreachable != e.unreachable {
		return reject(claim.Claim, "packets of %d pairs can get lost, not of %d", e.unreachable, *claim.Unreachable)
	}
	p, err := single(claim)
	if err != nil {
		return err
	}
	if claim.End == EndNoClass {
		return e.noClass(claim.Claim, p)
	}
	at, err := e.follow(claim.Claim, 0, p)
	if err != nil {
		return err
	}
	if end := e.endOf(p.Destination, at); end != claim.End {
		return reject(claim.Claim, "the packet is %s at VC %d, not %.80q", end, at.vc, claim.End)
	}
	return nil
}

// endOf says what becomes of a packet at the end of its path.
func (e *evidence) endOf(d int, at state) string {
	_, ends := e.between()
	switch c := at.vc / e.vcs; {
	case c == e.eject(ends[d]):
		return "arrived"
	case c >= e.eject(0):
		return EndWrongHost
	case len(e.next(d, at, nil)) == 0:
		return EndDropped
	case e.arrives(d, at):
		return "not lost"
	}
	return EndLooping
}

// noClass judges a packet that cannot be sent.
func (e *evidence) noClass(claim string, p *Packet) error {
	if err := e.pair(claim, 0, p); err != nil {
		return err
	}
	if p.Class != -1 || len(p.Path) != 0 {
		return reject(claim, "packet 0 has no class, so neither class %d nor a path", p.Class)
	}
	if e.starts(p.Source, p.Destination, -1) {
		return reject(claim, "there is a class from %s to destination %d", e.endpointName(int32(p.Source)), p.Destination)
	}
	return nil
}

// longest judges the most switches that a packet passes. If no packet comes
// back to a state it was in, every way is finite.
func (e *evidence) longest(claim *Claim) error {
	if e.loops >= 0 {
		return reject(claim.Claim, "a packet to destination %d can come back to a state it was in", e.loops)
	}
	if e.groups != nil {
		if g, err := e.groups.loops(); err != nil {
			return err
		} else if g >= 0 {
			return reject(claim.Claim, "a copy in multicast group %d can come back to a VC that it was on", g)
		}
	}
	if *claim.Hops != e.hops {
		return reject(claim.Claim, "a packet passes %d switches at most, not %d", e.hops, *claim.Hops)
	}
	return nil
}

// loop judges a packet that comes back, at the end of its path and only there.
func (e *evidence) loop(claim *Claim) error {
	p, err := single(claim)
	if err != nil {
		return err
	}
	if _, err := e.follow(claim.Claim, 0, p); err != nil {
		return err
	}
	seen := make(map[state]bool, len(p.Path)/2)
	for i := 0; i < len(p.Path); i += 2 {
		at := state{p.Path[i], p.Path[i+1]}
		if again, last := seen[at], i == len(p.Path)-2; again != last {
			if last {
				return reject(claim.Claim, "the packet ends in %v, where it was not before", at)
			}
			return reject(claim.Claim, "the packet is in %v again before its path ends", at)
		}
		seen[at] = true
	}
	return nil
}

// single gives the one packet of a claim.
func single(claim *Claim) (*Packet, error) {
	if len(claim.Packets) != 1 {
		return nil, reject(claim.Claim, "%d packets, where one is shown", len(claim.Packets))
	}
	return &claim.Packets[0], nil
}

// pair judges source and destination of packet i.
func (e *evidence) pair(claim string, i int, p *Packet) error {
	sources, ends := e.between()
	switch {
	case p.Source < 0 || p.Source >= sources:
		return reject(claim, "packet %d: source %d of %d", i, p.Source, sources)
	case p.Destination < 0 || p.Destination >= len(ends):
		return reject(claim, "packet %d: destination %d of %d", i, p.Destination, len(ends))
	case int(ends[p.Destination]) == p.Source:
		return reject(claim, "packet %d: destination %d is its own source", i, p.Destination)
	}
	return nil
}

// follow follows packet i along its path, hop by hop, and gives its end. Every
// state on the path is reachable, then.
func (e *evidence) follow(claim string, i int, p *Packet) (state, error) {
	if p.Group != nil {
		return e.groups.follow(claim, i, p)
	}
	if err := e.pair(claim, i, p); err != nil {
		return state{}, err
	}
	if int(int32(p.Class)) != p.Class || p.Class < 0 || !e.starts(p.Source, p.Destination, int32(p.Class)) {
		return state{}, reject(claim, "packet %d: %s may not send to destination %d with class %d",
			i, e.endpointName(int32(p.Source)), p.Destination, p.Class)
	}
	at := state{e.inject(int32(p.Source)) * e.vcs, int32(p.Class)}
	if len(p.Path) < 2 || len(p.Path)%2 != 0 || (state{p.Path[0], p.Path[1]}) != at {
		return state{}, reject(claim, "packet %d: the path does not begin with %v", i, at)
	}
	for j := 2; j < len(p.Path); j += 2 {
		to := state{p.Path[j], p.Path[j+1]}
		if !e.permits(p.Destination, at, to) {
			return state{}, reject(claim, "packet %d: %v is no next hop of %v to destination %d", i, to, at, p.Destination)
		}
		at = to
	}
	return at, nil
}
