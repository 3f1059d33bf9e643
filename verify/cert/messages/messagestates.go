package messages

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file enumerates the states of messages that the clauses (clauses.go) are about.

// The kinds of steps.
const (
	stepPair  = 1
	stepApart = 2
	stepRing  = 3
)

// messageState is a state of messages.
type messageState struct {
	group int
	place int
	at    cert.State
	first int32 // its first edge
}

// messageGroup is messages that share their states.
type messageGroup struct {
	class int
	from  cert.Ints
	dest  int   // -1 for multicast
	first int32 // its first state
}

// messageStates is the states and clauses of a protocol.
type messageStates struct {
	*protocol
	wormhole bool
	groups   []messageGroup
	states   []messageState
	to       []int32 // by edge
	clauses  [][]int32
}

// mostMessageStates bounds states and edges.
const mostMessageStates = 1 << 20

func (m *messageStates) held(place int) int32 { return int32(place) + 1 }

func (m *messageStates) lies(i int32) int32 { return int32(m.places()) + i + 1 }

func (m *messageStates) goes(e int32) int32 { return int32(m.places()+len(m.states)) + e + 1 }

func (m *messageStates) heads(table int, i int32) int32 {
	return int32(m.places()+len(m.states)*(table+1)+len(m.to)) + i + 1
}

// noMessages judges the evidence no-message-deadlock.
func noMessages(e *cert.Routing, claim *cert.Claim) error {
	if e.Certificate.Subject.Multicast != nil {
		return cert.Reject(claim.Claim, "clauses say nothing of packets of multicast groups")
	}
	x, err := openProtocol(e, claim)
	if err != nil {
		return err
	}
	for d := range x.ends {
		if managers(e, d) != nil {
			return cert.Reject(claim.Claim, "clauses say nothing of management traffic")
		}
	}
	if x.copiesMessages() {
		return cert.Reject(claim.Claim, "clauses show nothing for multicast under wormhole switching: a message holds branches that have no flit")
	}
	m := &messageStates{protocol: x, wormhole: e.Certificate.Subject.Switching == "wormhole"}
	var waits [][][]int // by state: its alternatives
	for c := range x.Classes {
		list, err := m.addClass(c)
		if err != nil {
			return err
		}
		if waits = append(waits, list...); (len(x.tables)+1)*len(m.states)+len(m.to) > mostMessageStates {
			return cert.Reject(claim.Claim, "more than %d states and edges", mostMessageStates)
		}
	}
	variables := x.places() + len(m.states) + len(m.to)
	if m.wormhole {
		variables += len(x.tables) * len(m.states)
	}
	m.addClauses(waits)
	return cert.JudgeClauses(claim.Claim, variables, m.clauses, *claim.Steps, m.isShown)
}

// addClass adds the states of a class, and returns their alternatives.
func (m *messageStates) addClass(c int) (waits [][][]int, err error) {
	k := &m.Classes[c]
	if k.Multicast {
		for _, s := range k.From {
			copies, err := m.copies(c, s)
			if err != nil {
				return nil, err
			}
			m.groups = append(m.groups, messageGroup{c, cert.Ints{s}, -1, int32(len(m.states))})
			var vcs []int32
			for vc := range copies {
				vcs = append(vcs, vc)
			}
			slices.Sort(vcs)
			for _, vc := range vcs {
				m.states = append(m.states, messageState{len(m.groups) - 1, m.place(c, vc), cert.State{VC: vc}, int32(len(m.to))})
				waits = append(waits, [][]int{copies[vc]})
			}
		}
		return waits, nil
	}
	alone := false
	for j := range m.Classes {
		inputs := m.join(j)
		alone = alone || slices.Contains(inputs, int32(c)) && m.inOrder(inputs)
	}
	for d, end := range m.ends {
		for _, from := range m.parts(c, end, alone) {
			waits = append(waits, m.addGroup(c, d, from)...)
		}
	}
	return waits, nil
}

// addGroup adds the states of a class from some endpoints to a destination.
func (m *messageStates) addGroup(c, d int, from cert.Ints) (waits [][][]int) {
	var list []cert.State
	hops := map[cert.State][]cert.State{}
	_ = m.visit(d, from, func(at cert.State, next []cert.State) error { // the function returns no error
		list, hops[at] = append(list, at), slices.Clone(next)
		return nil
	})
	slices.SortFunc(list, compareStates)
	first := int32(len(m.states))
	m.groups = append(m.groups, messageGroup{c, from, d, first})
	for _, at := range list {
		m.states = append(m.states, messageState{len(m.groups) - 1, m.place(c, at.VC), at, int32(len(m.to))})
		any := m.alternatives(c, from[0], d, hops[at])
		if m.Commits(d, at) && len(any) > 0 {
			any = [][]int{slices.Concat(any...)}
		}
		waits = append(waits, any)
		if !m.wormhole {
			continue
		}
		begin := len(m.to)
		for _, to := range hops[at] {
			if k, ok := slices.BinarySearchFunc(list, to, compareStates); ok {
				m.to = append(m.to, first+int32(k))
			}
		}
		slices.Sort(m.to[begin:])
		m.to = m.to[:begin+len(slices.Compact(m.to[begin:]))]
	}
	return waits
}

func compareStates(a, b cert.State) int {
	if a.VC != b.VC {
		return int(a.VC - b.VC)
	}
	return int(a.Class - b.Class)
}
