package model

import (
	"fmt"
	"slices"
	"strings"
)

// This file describes protocols: classes of messages, which class causes which, and which hosts
// send them. Package model/protocol reads protocols from files and from the command line.

// Protocol is the classes of messages of a protocol on a network. The classes form a directed
// graph without cycles. Classes that the graph joins are a kind of transaction. A transaction begins when
// a host sends one message of each class of its kind without causes. The messages that follow
// belong to it.
//
// Each class has a virtual network: a copy of the network's VCs and of the hosts' queues. A protocol without rules is a
// list of classes (IsList); only Names and Network have a meaning then.
type Protocol struct {
	Names       []string // by class
	Network     []int    // by class: its virtual network, numbered in the order of first use
	Name        string
	VirtualName []string    // by virtual network
	Rules       []ClassRule // by class
	// Outstanding is the number of unfinished transactions of a host. If 0, it has no limit.
	Outstanding int
	// Begins are the pairs on which transactions begin. If nil, they begin on all pairs (OnFlows).
	Begins []Flow

	pairs []hostPairs // by class; nil if Begins is
	// Source is the source of the premise about messages. If empty, it is --classes.
	Source string
}

// ClassRule says who sends the messages of a class, to whom, and what they wait for.
type ClassRule struct {
	// From are the hosts that send the class, and To those that receive it, both ascending. No host
	// sends to itself. A class without To is no message: it only ends the wait of its inputs.
	From, To []HostID
	Dest     Addressee
	// After are alternatives, each ascending. When a host has consumed a message of each class of
	// one alternative, of the same transaction, it sends a message of this class. An alternative of
	// two or more classes is a join; a class has at most one. If After is empty, hosts begin
	// transactions with this class.
	After [][]int
	// Copies is the number of messages that are sent at a time, to different hosts; at least 1.
	Copies int
	// Multicast says that one message goes to all hosts of To, except its source. Switches copy it where the
	// paths part. A message waits for all of its copies.
	Multicast bool
	// Queue has the messages of the class that a host has to send because of others. Table has the
	// transactions of a host that wait for the inputs of the join.
	Queue, Table Room
	// Consumed says that hosts consume the messages of this class in any case.
	Consumed bool
}

// Addressee says which host of To a message goes to.
type Addressee int

// The addressees. A host of a role is the same for all messages of a transaction to this role.
const (
	ToRole      Addressee = iota
	ToInitiator           // the host that began the transaction
	ToSender              // the host that sent the message that caused this one
)

// Room is the size of a queue or table of a host.
type Room struct {
	Entries int // If 0, the size has no limit.
	// Reserved says that a host begins a transaction only if the room for all of its messages is
	// reserved. Then Entries is 0 and Protocol.Outstanding is not.
	Reserved bool
}

// Join returns the alternative of class c with two or more classes, or nil.
func (p *Protocol) Join(c int) []int {
	for _, list := range p.Rules[c].After {
		if len(list) > 1 {
			return list
		}
	}
	return nil
}

// Effects returns the classes that a single message of class c causes.
func (p *Protocol) Effects(c int) (list []int) {
	for e := range p.Rules {
		if slices.ContainsFunc(p.Rules[e].After, func(a []int) bool { return len(a) == 1 && a[0] == c }) {
			list = append(list, e)
		}
	}
	return list
}

// Joins returns the classes that wait for class c and others.
func (p *Protocol) Joins(c int) (list []int) {
	for e := range p.Rules {
		if slices.Contains(p.Join(e), c) {
			list = append(list, e)
		}
	}
	return list
}

// Order returns the classes such that each comes after its causes. If classes wait for each other
// in a cycle, it returns the cycle instead.
func (p *Protocol) Order() (order, cycle []int) {
	state := make([]int, len(p.Rules)) // 1: on the stack, 2: in order
	var stack []int
	var visit func(c int) bool
	visit = func(c int) bool {
		if state[c] == 2 {
			return true
		}
		stack = append(stack, c)
		if state[c] == 1 {
			cycle = slices.Clone(stack[slices.Index(stack, c):])
			slices.Reverse(cycle)
			return false
		}
		state[c] = 1
		for _, list := range p.Rules[c].After {
			for _, y := range list {
				if !visit(y) {
					return false
				}
			}
		}
		stack, state[c] = stack[:len(stack)-1], 2
		order = append(order, c)
		return true
	}
	for c := range p.Rules {
		if !visit(c) {
			return nil, cycle
		}
	}
	return order, nil
}

// Before returns, by class c and class y, whether y can come before c in a transaction (can), and
// whether it always does (must). Both hold for y = c.
func (p *Protocol) Before() (can, must [][]bool) {
	n := len(p.Rules)
	can, must = make([][]bool, n), make([][]bool, n)
	order, _ := p.Order()
	for _, c := range order {
		can[c], must[c] = make([]bool, n), make([]bool, n)
		for i, list := range p.Rules[c].After {
			all := make([]bool, n)
			for _, y := range list {
				for z := range n {
					can[c][z] = can[c][z] || can[y][z]
					all[z] = all[z] || must[y][z]
				}
			}
			for z := range n {
				must[c][z] = all[z] && (i == 0 || must[c][z])
			}
		}
		can[c][c], must[c][c] = true, true
	}
	return can, must
}

// Openers returns the inputs of the join of class c that can arrive first. The others come after
// one of these.
func (p *Protocol) Openers(c int) (list []int) {
	_, must := p.Before()
	join := p.Join(c)
	for _, x := range join {
		if !slices.ContainsFunc(join, func(y int) bool { return y != x && must[x][y] }) {
			list = append(list, x)
		}
	}
	return list
}

// Fills reports whether the queue of class c, or the table of its join, can be full. A queue cannot
// if it has an entry for each message of all transactions that can be unfinished at a time.
func (p *Protocol) Fills(c int, room Room) bool {
	if room.Entries == 0 {
		return false
	}
	return p.Outstanding == 0 || room.Entries < p.Outstanding*len(p.Initiators(c))*p.Multiplicity()[c]
}

// Kinds returns the kind of transaction of each class, numbered in the order of first use.
func (p *Protocol) Kinds() []int {
	of := make([]int, len(p.Rules))
	for c := range of {
		of[c] = c
	}
	for more := true; more; {
		more = false
		for c, r := range p.Rules {
			for _, y := range slices.Concat(r.After...) {
				if low := min(of[c], of[y]); of[c] != of[y] {
					of[c], of[y], more = low, low, true
				}
			}
		}
	}
	used := slices.Compact(slices.Sorted(slices.Values(of)))
	for c := range of {
		of[c] = slices.Index(used, of[c])
	}
	return of
}

// Initiators returns the hosts that begin the transactions of class c, ascending.
func (p *Protocol) Initiators(c int) []HostID {
	kinds := p.Kinds()
	for y, r := range p.Rules {
		if len(r.After) == 0 && kinds[y] == kinds[c] {
			return r.From
		}
	}
	return nil
}

// Settle keeps the hosts of From that receive the causes of a class, and sets To of classes that
// answer a sender or an initiator. It fails if a class has no source, if a host receives a message
// and may not send what this one causes, if classes wait for each other in a cycle, or if the inputs of a join
// may go to different hosts.
func (p *Protocol) Settle() error {
	order, cycle := p.Order()
	if cycle != nil {
		names := make([]string, len(cycle))
		for i, c := range cycle {
			names[i] = p.Names[c]
		}
		return fmt.Errorf("classes wait for each other in a cycle: %s", strings.Join(names, " causes "))
	}
	kinds := p.Kinds()
	for _, c := range order {
		r := &p.Rules[c]
		for y := range c {
			if other := &p.Rules[y]; kinds[y] == kinds[c] && len(r.After)+len(other.After) == 0 && !slices.Equal(r.From, other.From) {
				return fmt.Errorf("classes %s and %s begin the same transactions, but different hosts send them", p.Names[y], p.Names[c])
			}
		}
		if len(r.After) > 0 {
			r.From = slices.DeleteFunc(slices.Clone(r.From), func(h HostID) bool { return !p.receives(r.After, h) })
		}
		switch r.Dest {
		case ToInitiator:
			r.To = p.Initiators(c)
		case ToSender:
			r.To = nil
			for _, list := range r.After {
				r.To = append(r.To, p.Rules[list[len(list)-1]].From...)
			}
			slices.Sort(r.To)
			r.To = slices.Compact(r.To)
		}
		if len(r.From) == 0 {
			return fmt.Errorf("class %s has no host that sends it", p.Names[c])
		}
	}
	for c := range p.Rules {
		for _, e := range append(p.Effects(c), p.Joins(c)...) {
			for _, h := range p.Rules[c].To {
				if !slices.Contains(p.Rules[e].From, h) && p.receives([][]int{{c}}, h) {
					return fmt.Errorf("host %d receives class %s, which causes %s, but is no host that sends %s", h, p.Names[c], p.Names[e], p.Names[e])
				}
			}
		}
	}
	return p.meet()
}

// receives reports whether host h receives all classes of one of the alternatives.
func (p *Protocol) receives(after [][]int, h HostID) bool {
	return slices.ContainsFunc(after, func(list []int) bool {
		return !slices.ContainsFunc(list, func(y int) bool {
			r := &p.Rules[y]
			return !slices.Contains(r.To, h) || !slices.ContainsFunc(r.From, func(f HostID) bool { return f != h })
		})
	})
}

// IsList reports whether p is a list of classes: it has no rules. A message causes messages of later classes. Any host may send
// messages of any class.
func (p *Protocol) IsList() bool { return p.Rules == nil }

// Networks returns the number of virtual networks.
func (p *Protocol) Networks() int { return slices.Max(p.Network) + 1 }

// Shared returns the names of two neighbours in the order of classes that share a virtual network, or "".
func (p *Protocol) Shared() string {
	for i := range p.Names[1:] {
		if p.Network[i] == p.Network[i+1] {
			return p.Names[i] + " and " + p.Names[i+1]
		}
	}
	return ""
}
