package model

import "slices"

// This file counts the messages of a transaction.

// mostMessages bounds the numbers of messages that are counted.
const mostMessages = 1 << 20

// Multiplicity returns the number of messages of each class in a transaction, at most. It counts the source of a multicast message, too.
func (p *Protocol) Multiplicity() []int {
	messages, _ := p.count(func(r *ClassRule) int { return max(r.Copies, multicastTo(r)) })
	return messages
}

// Arrivals returns the number of messages of each class that one host gets in a transaction, if it gets any. Settle ensures
// that all hosts of an input of a join get the same number.
func (p *Protocol) Arrivals() []int {
	messages, to := p.count(func(r *ClassRule) int { return max(r.Copies, multicastTo(r)-own(r)) })
	for c := range messages {
		messages[c] /= max(to[c], 1)
	}
	return messages
}

// count returns, by class, the number of messages in a transaction, and the number of hosts that receive
// them. copies is the number of messages that a host sends at a time.
func (p *Protocol) count(copies func(r *ClassRule) int) (messages, to []int) {
	n := len(p.Rules)
	messages, to = make([]int, n), make([]int, n)
	from := make([]int, n)
	order, _ := p.Order()
	for _, c := range order {
		r := &p.Rules[c]
		times := 0
		for _, list := range r.After {
			if from[c] = max(from[c], to[list[0]]); len(list) > 1 {
				times += to[list[0]]
			} else {
				times += messages[list[0]]
			}
		}
		if len(r.After) == 0 {
			times, from[c] = 1, 1
		}
		messages[c] = min(times*copies(r), mostMessages)
		switch {
		case r.Dest == ToInitiator || len(r.To) == 1:
			to[c] = 1
		case r.Dest == ToRole:
			to[c] = copies(r)
		default:
			for _, list := range r.After {
				to[c] = max(to[c], from[list[0]])
			}
		}
	}
	return messages, to
}

// multicastTo returns the number of hosts of a multicast class, or 0.
func multicastTo(r *ClassRule) int {
	if r.Multicast {
		return len(r.To)
	}
	return 0
}

// own returns 1 if every host that sends the class is one of several that receive it. A host does not send to itself.
func own(r *ClassRule) int {
	if len(r.To) < 2 || slices.ContainsFunc(r.From, func(h HostID) bool { return !slices.Contains(r.To, h) }) {
		return 0
	}
	return 1
}
