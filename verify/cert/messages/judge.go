package messages

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the evidence about protocols. protocol.go states the theorems.

// ranks judges ranks by place: an order of elimination, or a numbering of all waits. The ranks come in blocks, one for
// each table that is shown not to be part of a deadlock, and a last one for all places that are left then.
func ranks(e *cert.Routing, r rings, claim *cert.Claim) error {
	all := claim.Evidence == cert.EvidenceMessageNumbering
	if !all && e.Certificate.Subject.Switching == "wormhole" {
		return cert.Reject(claim.Claim, "an order of elimination shows nothing for wormhole switching")
	}
	x, err := openProtocol(e, claim)
	if err != nil {
		return err
	}
	if r != nil {
		if err := x.judgeRings(r, claim); err != nil {
			return err
		}
	}
	if e.Certificate.Subject.Multicast != nil {
		if err := x.judgeGroups(claim); err != nil {
			return err
		}
	}
	if err := x.judgeManagement(claim); err != nil {
		return err
	}
	if x.copiesMessages() && !x.Certificate.Subject.Facts.HoldsCopies() {
		return x.judgeCopyOrder(claim)
	}
	n, tables := x.places(), *claim.Tables
	if len(*claim.Ranks) != n*(len(tables)+1) {
		return cert.Reject(claim.Claim, "%d ranks for %d places and %d tables", len(*claim.Ranks), n, len(tables))
	}
	gone := map[int]bool{}
	for i := range len(tables) + 1 {
		rank := (*claim.Ranks)[i*n : (i+1)*n]
		away := maps.Clone(gone)
		if i < len(tables) {
			if tables[i] < 0 || int(tables[i]) >= len(x.tables) || rank[x.firstTable()+int(tables[i])] < 0 {
				return cert.Reject(claim.Claim, "table %d of %d has no rank in the block that is for it", tables[i], len(x.tables))
			}
			t := &x.tables[tables[i]]
			for k, other := range x.tables {
				if k != int(tables[i]) && other.join == t.join && other.owner == t.owner {
					away[x.firstTable()+k] = true
				}
			}
			gone[x.firstTable()+int(tables[i])] = true
		}
		if err := x.judgeRanks(rank, away, all, i == len(tables)); err != nil {
			return err
		}
	}
	return nil
}

// judgeRanks judges ranks of places. The places of away get room in any case. The other places may have the rank -1, which says
// nothing of them, unless complete is true.
func (x *protocol) judgeRanks(rank []int32, away map[int]bool, all, complete bool) error {
	for at, r := range rank {
		if r < 0 && complete && !away[at] {
			return cert.Reject(x.claim, "place %d has no rank", at)
		}
	}
	wait := func(c, at int, any [][]int, every bool) error {
		if rank[at] < 0 || away[at] {
			return nil
		}
		if x.inRings && at < x.Networks*x.links { // judgeRings judges the hops
			any = slices.DeleteFunc(slices.Clone(any), func(list []int) bool { return len(list) > 0 && list[0] < x.Networks*x.links })
			every = true
		}
		good := 0
		for _, list := range any {
			if !slices.ContainsFunc(list, func(q int) bool { return !away[q] && rank[q] <= rank[at] }) {
				good++
			}
		}
		if good < len(any) && every || good == 0 && len(any) > 0 {
			return cert.Reject(x.claim, "class %d at place %d of rank %d waits for places of ranks that are not greater: %v", c, at, rank[at], any)
		}
		return nil
	}
	for c := range x.Classes {
		if err := x.eachWait(c, all, func(at int, any [][]int, every bool) error { return wait(c, at, any, every) }); err != nil {
			return err
		}
	}
	for i := range x.tables {
		if err := wait(x.tables[i].join, x.firstTable()+i, [][]int{x.tableNeeds(&x.tables[i])}, true); err != nil {
			return err
		}
	}
	return nil
}

// eachWait calls f for each wait of messages of class c: the place, the alternatives, and whether every
// alternative must lead on. That is so if all is true, and where a message has chosen one of them.
func (x *protocol) eachWait(c int, all bool, f func(at int, any [][]int, every bool) error) error {
	k := &x.Classes[c]
	if k.Multicast {
		for _, s := range k.From {
			copies, err := x.copies(c, s)
			if err != nil {
				return err
			}
			for vc, list := range copies {
				if err := f(x.place(c, vc), [][]int{list}, true); err != nil {
					return err
				}
			}
		}
		return nil
	}
	alone := slices.ContainsFunc(x.tables, func(t table) bool { return t.missing >= 0 && slices.Contains(x.join(t.join), int32(c)) })
	for d, end := range x.ends {
		for _, from := range x.parts(c, end, alone) {
			err := x.visit(d, from, func(at cert.State, hops []cert.State) error {
				return f(x.place(c, at.VC), x.alternatives(c, from[0], d, hops), all || x.Commits(d, at))
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// parts returns the sources of class c to endpoint e, in parts that need the same: each for itself if alone is true.
func (x *protocol) parts(c int, e int32, alone bool) []cert.Ints {
	switch from := x.sources(c, e); {
	case len(from) == 0:
		return nil
	case alone:
		return slices.Collect(slices.Chunk(from, 1))
	default:
		return []cert.Ints{from}
	}
}

// networkOrder judges an order of virtual networks.
func networkOrder(e *cert.Routing, claim *cert.Claim) error {
	x, err := openProtocol(e, claim)
	if err != nil {
		return err
	}
	if err := restsOnRouting(e, claim); err != nil {
		return err
	}
	waits := make([]uint64, x.Networks) // by virtual network: those that its messages wait for
	for c := range x.Classes {
		k := &x.Classes[c]
		if k.Multicast {
			return cert.Reject(claim.Claim, "class %d is multicast, which %s does not cover", c, cert.ClaimDeadlockFree)
		}
		if g := e.Certificate.Subject.Gates; g != nil && g.ByFlit && x.arriveTogether(k) {
			return cert.Reject(claim.Claim, "gates by flit, and messages of several virtual networks that cause class %d", c)
		}
		if k.Consumed {
			continue
		}
		for j := range x.Classes {
			other := &x.Classes[j]
			if other.Queue && len(other.To) > 0 && slices.ContainsFunc(other.After, func(a cert.Ints) bool { return len(a) == 1 && int(a[0]) == c }) {
				waits[k.Network] |= 1 << other.Network
			}
			if other.Table && x.opens(c, j) {
				waits[k.Network] |= x.tableNetworks(j, 0)
			}
		}
	}
	var free uint64
	for range x.Networks {
		for v, w := range waits {
			if w&^free == 0 {
				free |= 1 << v
			}
		}
	}
	for v, w := range waits {
		if w&^free != 0 {
			return cert.Reject(claim.Claim, "messages of virtual network %d wait for networks that wait for it", v)
		}
	}
	return nil
}

// arriveTogether reports whether messages of several virtual networks cause a class: a host can be receiving one of each.
func (x *protocol) arriveTogether(k *cert.MessageClass) bool {
	causes := slices.Concat(k.After...)
	return slices.ContainsFunc(causes, func(c int32) bool { return x.Classes[c].Network != x.Classes[causes[0]].Network })
}

// tableNetworks returns the virtual networks of what a transaction in the table of class j waits for.
func (x *protocol) tableNetworks(j int, above uint64) (set uint64) {
	if above>>j&1 == 1 {
		return 0
	}
	if k := &x.Classes[j]; k.Queue && len(k.To) > 0 {
		set |= 1 << k.Network
	}
	for _, e := range x.Classes[j].From {
		x.awaited(j, e, func(c int, _, _ []int32) bool {
			if set |= 1 << x.Classes[c].Network; x.join(c) != nil {
				set |= x.tableNetworks(c, above|1<<j)
			}
			return false
		})
	}
	return set
}

// deadlock judges a deadlock of messages.
func deadlock(e *cert.Routing, r rings, claim *cert.Claim) error {
	x, err := openProtocol(e, claim)
	if err != nil {
		return err
	}
	carries := *claim.Carries
	if len(carries) != len(claim.Packets) {
		return cert.Reject(claim.Claim, "%d packets, %d classes of them", len(claim.Packets), len(carries))
	}
	held := map[int]bool{} // the places of the deadlock
	at := make([]cert.State, len(claim.Packets))
	place := make([]int, len(claim.Packets))
	var fronts []int
	for i := range claim.Packets {
		if at[i], err = x.carried(claim, i); err != nil {
			return err
		}
		if place[i] = x.place(int(carries[i]), at[i].VC); !held[place[i]] {
			held[place[i]] = true
			fronts = append(fronts, i)
		}
	}
	if r != nil {
		if err := x.leavesSlots(r, claim, fronts, at, held); err != nil {
			return err
		}
	}
	shown, err := x.shownTables(claim, held)
	if err != nil {
		return err
	}
	for _, i := range fronts {
		if err := x.stays(claim, i, at[i], held); err != nil {
			return err
		}
	}
	for t := range shown {
		if err := x.tableStays(claim, shown, t, at, held); err != nil {
			return err
		}
	}
	return nil
}

// shownTables returns the tables of a deadlock, and adds their places to held.
func (x *protocol) shownTables(claim *cert.Claim, held map[int]bool) ([]*table, error) {
	tables := *claim.Tables
	if len(tables)%5 != 0 {
		return nil, cert.Reject(claim.Claim, "%d numbers of tables", len(tables))
	}
	shown := make([]*table, len(tables)/5)
	for t := range shown {
		for i := range x.tables {
			k := &x.tables[i]
			if slices.Equal(tables[5*t:5*t+4], []int32{int32(k.join), k.owner, k.source, k.missing}) {
				shown[t], held[x.firstTable()+i] = k, true
			}
		}
		if shown[t] == nil {
			return nil, cert.Reject(claim.Claim, "table %d is of class %d at endpoint %d, for class %d from endpoint %d",
				t, tables[5*t], tables[5*t+1], tables[5*t+3], tables[5*t+2])
		}
		for _, other := range shown[:t] {
			if other.join == shown[t].join && other.owner == shown[t].owner {
				return nil, cert.Reject(claim.Claim, "the table of class %d at endpoint %d occurs twice", other.join, other.owner)
			}
		}
	}
	return shown, nil
}

// carried follows packet i, which must be of its class and be on a VC between switches, or on its injection VC.
func (x *protocol) carried(claim *cert.Claim, i int) (cert.State, error) {
	p, c := &claim.Packets[i], (*claim.Carries)[i]
	at, err := x.Follow(claim.Claim, i, p)
	switch {
	case err != nil:
		return at, err
	case c < 0 || int(c) >= len(x.Classes):
		return at, cert.Reject(claim.Claim, "packet %d has class %d of %d", i, c, len(x.Classes))
	case !slices.Contains(x.Classes[c].From, int32(p.Source)) || !slices.Contains(x.Classes[c].To, x.ends[p.Destination]),
		!x.sends(int(c), int32(p.Source), x.ends[p.Destination]):
		return at, cert.Reject(claim.Claim, "packet %d: endpoint %d does not send class %d to endpoint %d", i, p.Source, c, x.ends[p.Destination])
	case int(at.VC) >= x.links && len(p.Path) > 2:
		return at, cert.Reject(claim.Claim, "packet %d has left the network", i)
	}
	return at, nil
}

// stays judges that packet i, at the front of its place, needs a place of the deadlock in each alternative.
func (x *protocol) stays(claim *cert.Claim, i int, at cert.State, held map[int]bool) error {
	p, c := &claim.Packets[i], int((*claim.Carries)[i])
	any, chosen := [][]int(nil), false
	if x.Classes[c].Multicast {
		copies, err := x.copies(c, int32(p.Source))
		if err != nil {
			return err
		}
		any = [][]int{copies[at.VC]}
	} else {
		any, chosen = x.alternatives(c, int32(p.Source), p.Destination, x.Next(p.Destination, at, nil)), x.Commits(p.Destination, at)
	}
	blocked := 0
	for _, list := range any {
		if slices.ContainsFunc(list, func(q int) bool { return held[q] }) {
			blocked++
		}
	}
	if blocked == 0 || blocked < len(any) && !chosen {
		return cert.Reject(claim.Claim, "packet %d, of class %d on VC %d, can move: %d of its %d alternatives need a place of the deadlock",
			i, c, at.VC, blocked, len(any))
	}
	return nil
}

// tableStays judges what the transactions of table t of those shown wait for.
func (x *protocol) tableStays(claim *cert.Claim, shown []*table, t int, at []cert.State, held map[int]bool) error {
	k, why := shown[t], int((*claim.Tables)[5*t+4])
	stays := false
	switch {
	case why == -1:
		stays = k.missing < 0 && x.fills(k.join, k.owner) && held[x.queueOf(k.join, k.owner)]
	case why < -1:
		other := -2 - why
		stays = other < len(shown) && shown[other].join != k.join && x.eachAwaited(k, func(c int, from, _ []int32) bool {
			return c == shown[other].join && slices.Contains(from, shown[other].owner)
		})
	case why < len(claim.Packets):
		stays = held[x.place(int((*claim.Carries)[why]), at[why].VC)] && x.awaits(claim, k, why)
	}
	if !stays {
		return cert.Reject(claim.Claim, "the table of class %d at endpoint %d does not wait for %d", k.join, k.owner, why)
	}
	return nil
}
