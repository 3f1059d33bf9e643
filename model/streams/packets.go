package streams

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file reads the short form: a list of packets.
//
//	packets:
//	- name: a
//	  path: [ta, arbiter, ra]   # as in routes
//	  words: 64
//	  times: 2                  # two packets, one after the other
//	  after: [b]                # the receivers accept it only when b has arrived everywhere
//	  starts-after: [c]         # it is sent only when c has arrived everywhere
//
// Packets with the same first resource are sent in the order of the list. A receiver of a packet takes its words when they are at the front of
// the buffer. Each packet has a route and a receiver for each of its ends.

// listed is a packet of the list.
type listed struct {
	name, root   string
	line         int
	route        int
	words, times int
	after, start []string
	leaves       []Node
}

// party is an agent to be.
type party struct {
	name    string
	line    int
	of      string // the packet that it receives, or ""
	program []Action
}

// packetReader makes agents of packets.
type packetReader struct {
	*reader
	by   map[string]*listed
	done map[string][]Action // by packet: what each of its receivers releases when it has arrived
}

func (r *reader) readPackets(v yamldoc.Value) error {
	list, ok := v.List()
	if !ok {
		return r.errorf(v.Line(), "want a list of packets")
	}
	q := &packetReader{r, map[string]*listed{}, map[string][]Action{}}
	var packets []*listed
	for _, x := range list {
		p, err := r.readPacket(x)
		if err != nil {
			return err
		}
		packets, q.by[p.name] = append(packets, p), p
	}
	senders, receivers := map[string]*party{}, []*party{}
	var parties []*party
	for _, p := range packets {
		s := senders[p.root]
		if s == nil {
			s = &party{name: "sender at " + p.root, line: p.line}
			senders[p.root], parties = s, append(parties, s)
		}
		if err := q.wait(s, p, p.start, p.name+" is sent"); err != nil {
			return err
		}
		s.program = append(s.program, times(p.times, Action{Kind: Send, Object: p.route, Amount: p.words})...)
		for _, at := range p.leaves {
			x := &party{name: fmt.Sprintf("receiver of %s at %s", p.name, r.p.Resources[at.Resource].Name), line: p.line, of: p.name}
			if err := q.wait(x, p, p.after, x.name+" begins"); err != nil {
				return err
			}
			x.program = append(x.program, times(p.times, Action{Kind: Take, Object: at.Resource, Amount: p.words - at.Drop, Route: p.route})...)
			receivers = append(receivers, x)
		}
	}
	for _, x := range append(parties, receivers...) {
		if err := r.addAgent(x.name, x.line, append(x.program, q.done[x.of]...)); err != nil {
			return err
		}
	}
	return nil
}

// wait adds to a program that it waits until packets have arrived, and to their receivers that they release it.
func (q *packetReader) wait(x *party, p *listed, names []string, what string) error {
	for _, name := range names {
		other := q.by[name]
		if other == nil {
			return q.errorf(p.line, "packet %.60q waits for %.60q, which is no packet of the list", p.name, name)
		}
		counter := fmt.Sprintf("%s has arrived before %s", name, what)
		if !q.addCounter(counter, 0) {
			return q.errorf(p.line, "packet %.60q waits for %.60q twice", p.name, name)
		}
		q.done[name] = append(q.done[name], Action{Kind: Release, Object: q.counters[counter], Amount: 1})
		x.program = append(x.program, Action{Kind: Acquire, Object: q.counters[counter], Amount: len(other.leaves)})
	}
	return nil
}

func times(n int, x Action) []Action {
	if n == 1 {
		return []Action{x}
	}
	return []Action{{Kind: Repeat, Object: 1, Amount: n}, x}
}

func (r *reader) readPacket(v yamldoc.Value) (*listed, error) {
	pairs, ok := v.Pairs()
	if !ok {
		return nil, r.errorf(v.Line(), "want a packet with name, path and words")
	}
	p := &listed{line: v.Line(), times: 1}
	var path yamldoc.Value
	var from, to string
	for _, x := range pairs {
		var err error
		switch x.Key {
		case "name":
			p.name, _ = x.Value.Scalar()
		case "path":
			path = x.Value
		case "from":
			from, _ = x.Value.Scalar()
		case "to":
			to, _ = x.Value.Scalar()
		case "words":
			p.words, err = r.number(x.Value)
		case "times":
			p.times, err = r.number(x.Value)
		case "after":
			p.after, err = r.names(x.Value)
		case "starts-after":
			p.start, err = r.names(x.Value)
		default:
			err = r.errorf(x.Line, "unknown key %.60q; want name, path, from, to, words, times, after or starts-after", x.Key)
		}
		if err != nil {
			return nil, err
		}
	}
	hosts := from != "" && to != ""
	if p.name == "" || p.words == 0 || p.times == 0 || path.Null() != hosts {
		return nil, r.errorf(p.line, "a packet needs a name, a path or two hosts, and at least one word")
	}
	var err error
	if hosts {
		p.route, err = r.between(p, from, to)
	} else {
		p.route, err = r.addRoute(p.name, p.line, path)
	}
	if err != nil {
		return nil, err
	}
	nodes := r.p.Routes[p.route].Nodes
	p.root = r.p.Resources[nodes[0].Resource].Name
	inner := map[int]bool{}
	for _, n := range nodes {
		inner[n.Parent] = true
	}
	for i, n := range nodes {
		if !inner[i] {
			p.leaves = append(p.leaves, n)
		}
	}
	return p, nil
}

func (r *reader) names(v yamldoc.Value) (names []string, err error) {
	list, ok := v.List()
	if !ok {
		return nil, r.errorf(v.Line(), "want a list of names")
	}
	for _, x := range list {
		name, _ := x.Scalar()
		names = append(names, name)
	}
	return names, nil
}
