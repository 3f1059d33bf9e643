package model

import (
	"fmt"
	"slices"
	"strings"
)

// This file checks that the inputs of a join meet at one host. If they may go to different hosts, an entry of a table can stay for ever, and
// the table fills up.
//
// Each class gets a text for its senders and one for its receivers. Classes with equal texts have the same hosts in every transaction,
// unless the text contains unknown.
const unknown = "unknown"

// parties has the texts for the hosts of each class of a protocol.
type parties struct {
	*Protocol
	several []int
	to      []string // by class: the receivers, "" if not known yet
}

// meet fails if the inputs of a join may go to different hosts.
func (p *Protocol) meet() error {
	x := &parties{p, p.Multiplicity(), make([]string, len(p.Rules))}
	for c := range p.Rules {
		join := p.Join(c)
		for _, y := range join {
			if to := x.receivers(y); to != x.receivers(join[0]) || strings.Contains(to, unknown) || x.repeats(y) {
				return fmt.Errorf("class %s waits for %s and %s, which may go to different hosts; want inputs for one host in every transaction",
					p.Names[c], p.Names[join[0]], p.Names[join[1]])
			}
		}
	}
	return nil
}

// repeats reports whether class c goes to several hosts for each of several messages.
func (x *parties) repeats(c int) bool {
	return slices.ContainsFunc(x.Rules[c].After, func(list []int) bool { return len(list) == 1 && x.several[list[0]] > 1 }) && x.goesToSeveral(c)
}

// goesToSeveral reports whether the messages of class c in a transaction can go to several hosts.
func (x *parties) goesToSeveral(c int) bool {
	r := &x.Rules[c]
	switch {
	case len(r.To) <= 1 || r.Dest == ToInitiator:
		return false
	case r.Dest == ToRole:
		return r.Multicast || r.Copies > 1
	}
	return slices.ContainsFunc(r.After, func(list []int) bool { return x.comesFromSeveral(list[0]) })
}

// comesFromSeveral reports whether several hosts can send class c in a transaction.
func (x *parties) comesFromSeveral(c int) bool {
	return slices.ContainsFunc(x.Rules[c].After, func(list []int) bool { return x.goesToSeveral(list[0]) })
}

// receivers returns a text for the hosts that receive class c.
func (x *parties) receivers(c int) string {
	if x.to[c] == "" {
		x.to[c] = x.describe(c)
	}
	return x.to[c]
}

func (x *parties) describe(c int) string {
	r := &x.Rules[c]
	switch {
	case len(r.To) == 1:
		return fmt.Sprint("host ", r.To[0])
	case r.Dest == ToInitiator:
		return "initiator"
	case r.Dest == ToSender:
		return x.same(c, x.senders)
	}
	text := fmt.Sprint(r.To, r.Copies, r.Multicast)
	if overlap(r.To, x.Initiators(c)) { // drawn later, or the destination of the packet that begins the transaction
		text += fmt.Sprint(len(r.After) == 0)
	}
	if !overlap(r.To, r.From) {
		return text
	}
	if x.comesFromSeveral(c) {
		return unknown
	}
	return text + " from " + x.senders(c)
}

// senders returns a text for the hosts that send class c.
func (x *parties) senders(c int) string {
	r := &x.Rules[c]
	switch {
	case len(r.From) == 1:
		return fmt.Sprint("host ", r.From[0])
	case len(r.After) == 0:
		return "initiator"
	}
	return x.same(c, x.receivers)
}

// same returns the text that all causes of class c have, or unknown.
func (x *parties) same(c int, text func(int) string) string {
	after := x.Rules[c].After
	first := text(after[0][0])
	for _, list := range after {
		for _, y := range list {
			if text(y) != first {
				return unknown
			}
		}
	}
	return first
}

// overlap reports whether two lists share a host.
func overlap(a, b []HostID) bool {
	return slices.ContainsFunc(a, func(h HostID) bool { return slices.Contains(b, h) })
}
