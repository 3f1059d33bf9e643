package model

import (
	"fmt"
	"strings"
)

// This file reads lists of classes, such as request and reply: protocols without rules.

// ParseClasses parses names of classes in order, and returns a list: a protocol without rules. A comma separates
// classes of different virtual networks, a plus sign classes that share one: request,reply or request+reply. It
// fails if a name is empty or occurs twice, or if there is only one class.
func ParseClasses(text string) (*Protocol, error) {
	p := &Protocol{}
	seen := map[string]bool{}
	for i, group := range strings.Split(text, ",") {
		for _, name := range strings.Split(group, "+") {
			name = strings.TrimSpace(name)
			if name == "" || seen[name] || strings.ContainsAny(name, ":|&") {
				return nil, fmt.Errorf("cannot read classes %q: want different names such as request,reply or, to share a virtual network, request+reply", text)
			}
			seen[name] = true
			p.Names, p.Network = append(p.Names, name), append(p.Network, i)
		}
	}
	if len(p.Names) < 2 {
		return nil, fmt.Errorf("cannot read classes %q: want at least two classes", text)
	}
	return p, nil
}

// Chain returns the protocol with rules of a list of classes on a network: the first class begins transactions, each class causes the next
// one, the last class goes to the host that began, and the others to any host. Each host has room for one message that it has to send.
func (p *Protocol) Chain(n *Network) (*Protocol, error) {
	q := &Protocol{Names: p.Names, Network: p.Network}
	for range q.Networks() {
		q.VirtualName = append(q.VirtualName, "")
	}
	var all []HostID
	for h := range HostID(n.NumHosts()) {
		all = append(all, h)
	}
	for c := range q.Names {
		r := ClassRule{From: all, To: all, Copies: 1, Queue: Room{Entries: 1}, Table: Room{Entries: 1}}
		if c > 0 {
			r.After = [][]int{{c - 1}}
		}
		if c > 0 && c == len(q.Names)-1 {
			r.Dest = ToInitiator
		}
		q.Rules = append(q.Rules, r)
	}
	return q, q.Settle()
}
