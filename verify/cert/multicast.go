package cert

// This file judges multicast groups.
//
// A multicast packet keeps its VC until each of its copies has its next VC. So its VC is
// blocked as soon as one copy waits for a blocked VC. Therefore every dependency of a copy must
// obey every order, even an order of elimination, which requires only one next hop of a
// unicast packet. For the same reason one waiting copy suffices for a deadlock.
// Cost: for each group, the number of sources, and for each switch the pairs of ports of its entry.

// multicast is the validated multicast groups of a subject, over a routing.
type multicast struct {
	*Wiring
	groups  []Group
	sources int
	vcOn    func(a, b, k int32) int32 // the VC index on channel b of a packet from channel a, or -1
	entry   [][]int32                 // by switch: the ports of the current group
	reached []int32                   // by VC between switches: 1 + the last group that reached it
}

// newMulticast validates the groups. It returns nil if the subject has none.
func newMulticast(s *Subject, wires *Wiring, r forwarding) (*multicast, error) {
	if s.Multicast == nil {
		return nil, nil
	}
	if len(s.Multicast.Groups) == 0 {
		return nil, Reject("subject", "multicast without a group")
	}
	m := &multicast{Wiring: wires, groups: s.Multicast.Groups, entry: make([][]int32, wires.Switches), reached: make([]int32, wires.LinkVCs())}
	m.sources, _ = r.Traffic()
	if err := m.setVCs(s.Multicast, r); err != nil {
		return nil, err
	}
	for g := range m.groups {
		if err := m.checkGroup(g); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// setVCs sets the VCs of copies: those of a table, else of the rows of the multicast, else the class.
func (m *multicast) setVCs(w *Multicast, r forwarding) error {
	t, isTable := r.(*table)
	switch {
	case isTable && (w.VCRows != nil || w.VCRowOf != nil):
		return Reject("subject", "VC rows of multicast packets beside those of a table")
	case isTable:
		m.vcOn = t.vcOn
	case w.VCRows == nil && w.VCRowOf == nil:
		m.vcOn = func(_, _, k int32) int32 { return k }
	default:
		rows, err := newVCRows(m.Wiring, w.VCRows, w.VCRowOf)
		if err != nil {
			return err
		}
		m.vcOn = rows.vcOn
	}
	return nil
}

// checkGroup judges the address, the class and the entries of group g.
func (m *multicast) checkGroup(g int) error {
	w := &m.groups[g]
	switch {
	case w.MLID < 0 || w.MLID > 0xffff || g > 0 && m.groups[g-1].MLID >= w.MLID:
		return Reject("subject", "multicast group %d: address %d", g, w.MLID)
	case w.Class < 0 || w.Class >= classesMax:
		return Reject("subject", "multicast group %d: class %d is not in 0..15", g, w.Class)
	case len(w.Entries) == 0:
		return Reject("subject", "multicast group %d has no entry", g)
	}
	last := int32(-1)
	for rest := w.Entries; len(rest) > 0; {
		u := rest[0]
		if u <= last || int(u) >= m.Switches || len(rest) < 3 || rest[1] < 1 || int(rest[1]) > len(rest)-2 {
			return Reject("subject", "multicast group %d: the entry after that of switch %d", g, last)
		}
		last = u
		ports := rest[2 : 2+rest[1]]
		for i, p := range ports {
			if p < 0 || i > 0 && ports[i-1] >= p {
				return Reject("subject", "multicast group %d: port %d of switch %d", g, p, u)
			}
		}
		rest = rest[2+rest[1]:]
	}
	return nil
}

// open makes group g the current group.
func (m *multicast) open(g int) {
	clear(m.entry)
	for rest := m.groups[g].Entries; len(rest) > 0; rest = rest[2+rest[1]:] {
		m.entry[rest[0]] = rest[2 : 2+rest[1]]
	}
}

// JudgeCopies judges that each copy of a packet of a multicast group leads to a greater rank: from an endpoint, whose rank ofEndpoint returns, and from
// each VC. The subject must have groups.
func (r *Routing) JudgeCopies(claim string, ranks []int32, ofEndpoint func(e int32) int32) error {
	m := r.groups
	clear(m.reached)
	for g := range m.groups {
		m.open(g)
		for e := range int32(m.sources) {
			next, err := m.copies(g, m.Injection(e), nil)
			if err != nil {
				return err
			}
			for _, y := range next {
				if int(y) < m.LinkVCs() && ofEndpoint(e) >= ranks[y] {
					return Reject(claim, "endpoint %d has a rank that is not below that of VC %d, which a packet of multicast group %d takes", e, y, g)
				}
			}
		}
	}
	return m.enumerate([]order{{claim: claim, ranks: ranks}})
}

// copies appends to list the VCs on which copies of a packet on channel a go on.
func (m *multicast) copies(g int, a int32, list []int32) ([]int32, error) {
	if int(a) >= len(m.Head) {
		return list, nil // ejected
	}
	for _, p := range m.entry[m.Head[a]] {
		b := m.at(m.Head[a], p)
		if b < 0 || m.Back(b) == a {
			continue
		}
		v := m.vcOn(a, b, int32(m.groups[g].Class))
		switch {
		case v < 0:
			continue // dropped
		case b >= m.links:
			v = 0
		case v >= m.VCs:
			return nil, Reject("subject", "a packet of multicast group %d leaves switch %d on VC index %d of %d", g, m.Head[a], v, m.VCs)
		}
		list = append(list, b*m.VCs+v)
	}
	return list, nil
}

// enumerate visits every VC that multicast packets reach, and compares each dependency
// with the orders.
func (m *multicast) enumerate(orders []order) error {
	var queue, next []int32
	var err error
	for g := range m.groups {
		m.open(g)
		if queue, err = m.enterings(g, queue[:0]); err != nil {
			return err
		}
		for len(queue) > 0 {
			x := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if next, err = m.copies(g, x/m.VCs, next[:0]); err != nil {
				return err
			}
			for _, y := range next {
				if err := m.obeys(orders, g, x, y); err != nil {
					return err
				}
				queue = m.visit(g, y, queue)
			}
		}
	}
	return nil
}

// enterings appends to queue the first VC between switches of each copy.
func (m *multicast) enterings(g int, queue []int32) ([]int32, error) {
	for e := range int32(m.sources) {
		next, err := m.copies(g, m.Injection(e), nil)
		if err != nil {
			return nil, err
		}
		for _, y := range next {
			queue = m.visit(g, y, queue)
		}
	}
	return queue, nil
}

// visit appends VC y to queue if it is between switches and group g reaches it first.
func (m *multicast) visit(g int, y int32, queue []int32) []int32 {
	if int(y) >= len(m.reached) || m.reached[y] == int32(g)+1 {
		return queue
	}
	m.reached[y] = int32(g) + 1
	return append(queue, y)
}

// obeys compares the dependency of VC x on VC y with all orders.
func (m *multicast) obeys(orders []order, g int, x, y int32) error {
	if int(y) >= m.LinkVCs() {
		return nil
	}
	for i := range orders {
		if o := &orders[i]; o.ranks[x] >= o.ranks[y] {
			return Reject(o.claim, "rank of VC %d is not below that of VC %d, which a packet of multicast group %d takes next", x, y, g)
		}
	}
	return nil
}

// loops returns a group of which a copy comes back to a VC, or -1. It removes VCs in
// topological order (Kahn 1962); the VCs of a loop are left.
func (m *multicast) loops() (int, error) {
	for g := range m.groups {
		m.open(g)
		clear(m.reached)
		list, err := m.enterings(g, nil)
		if err != nil {
			return 0, err
		}
		next := map[int32][]int32{}
		before := map[int32]int{}
		for i := 0; i < len(list); i++ {
			if next[list[i]], err = m.copies(g, list[i]/m.VCs, nil); err != nil {
				return 0, err
			}
			for _, y := range next[list[i]] {
				before[y]++
				list = m.visit(g, y, list)
			}
		}
		var queue []int32
		for _, x := range list {
			if before[x] == 0 {
				queue = append(queue, x)
			}
		}
		for i := 0; i < len(queue); i++ {
			for _, y := range next[queue[i]] {
				if before[y]--; before[y] == 0 && int(y) < len(m.reached) {
					queue = append(queue, y)
				}
			}
		}
		if len(queue) < len(list) {
			return g, nil
		}
	}
	return -1, nil
}

// follow follows multicast packet i along its path, copy by copy, and returns its end.
func (m *multicast) follow(claim string, i int, p *Packet) (State, error) {
	if m == nil || *p.Group < 0 || *p.Group >= len(m.groups) {
		return State{}, Reject(claim, "packet %d: there is no multicast group %d", i, *p.Group)
	}
	g := *p.Group
	m.open(g)
	class := int32(m.groups[g].Class)
	switch {
	case p.Source < 0 || p.Source >= m.sources || m.entry[m.Head[m.Injection(int32(p.Source))]] == nil:
		return State{}, Reject(claim, "packet %d: source %d does not send to multicast group %d", i, p.Source, g)
	case p.Destination != -1 || p.Class != int(class):
		return State{}, Reject(claim, "packet %d: a packet of multicast group %d has destination -1 and class %d", i, g, class)
	case len(p.Path) < 2 || len(p.Path)%2 != 0 || p.Path[0] != m.Injection(int32(p.Source))*m.VCs:
		return State{}, Reject(claim, "packet %d: the path does not begin where endpoint %d sends", i, p.Source)
	}
	at := p.Path[0]
	for j := 0; j < len(p.Path); j += 2 {
		if p.Path[j+1] != class {
			return State{}, Reject(claim, "packet %d: class %d on the path, not %d", i, p.Path[j+1], class)
		}
		if j == 0 {
			continue
		}
		next, err := m.copies(g, at/m.VCs, nil)
		if err != nil {
			return State{}, err
		}
		if !contains(next, p.Path[j]) {
			return State{}, Reject(claim, "packet %d: no copy in multicast group %d goes from VC %d to VC %d", i, g, at, p.Path[j])
		}
		at = p.Path[j]
	}
	return State{at, class}, nil
}

func contains(list []int32, v int32) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// waits returns the VCs that the copies of a multicast packet on VC at wait for.
func (m *multicast) waits(p *Packet, at State) ([]State, error) {
	m.open(*p.Group)
	next, err := m.copies(*p.Group, at.VC/m.VCs, nil)
	list := make([]State, len(next))
	for i, v := range next {
		list[i] = State{v, at.Class}
	}
	return list, err
}
