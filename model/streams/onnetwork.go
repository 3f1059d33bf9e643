package streams

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file reads packets between hosts of a network:
//
//	flow-problem: 1
//	buffer: 4                          # words of each buffer of the network
//	packets:
//	- {name: a, from: h0, to: h5, words: 64, after: [b]}
//
// The resources are the virtual channels on the path, injection and ejection channels among them. Each is a buffer.

// Paths returns the names of the virtual channels between two hosts.
type Paths func(from, to string) ([]string, error)

// defaultBuffer is the words of each buffer of a network that states none.
const defaultBuffer = 4

func (r *reader) readBuffer(v yamldoc.Value) (err error) {
	if r.paths == nil {
		return r.errorf(v.Line(), "buffer is for packets between hosts of a network: turnproof check NETWORK --routing ROUTING --flows FILE")
	}
	if r.buffer, err = r.number(v); err == nil && r.buffer < 1 {
		err = r.errorf(v.Line(), "a buffer has at least 1 word")
	}
	return err
}

// between makes the route of a packet between two hosts.
func (r *reader) between(p *listed, from, to string) (int, error) {
	if r.paths == nil {
		return 0, r.errorf(p.line, "from and to name hosts of a network: turnproof check NETWORK --routing ROUTING --flows FILE")
	}
	path, err := r.paths(from, to)
	if err != nil {
		return 0, r.errorf(p.line, "%v", err)
	}
	if _, twice := r.routes[p.name]; twice {
		return 0, r.errorf(p.line, "route %.60q is there twice", p.name)
	}
	route := Route{Name: p.name}
	for i, name := range path {
		at, known := r.resources[name]
		if !known {
			r.addResource(name, r.buffer)
			at = r.resources[name]
		} else if r.p.Resources[at].Words == 0 {
			return 0, r.errorf(p.line, "%s is a channel of the network and a resource without words", fmt.Sprintf("%.80q", name))
		}
		route.Nodes = append(route.Nodes, Node{Resource: at, Parent: i - 1})
	}
	r.routes[p.name] = len(r.p.Routes)
	r.p.Routes = append(r.p.Routes, route)
	return r.routes[p.name], nil
}
