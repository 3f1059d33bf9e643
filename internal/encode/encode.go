// Package encode puts what provers find into the form of certificates.
package encode

import (
	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// Packets returns packets in the form of verify/cert. A packet without a path has class -1.
func Packets(list []*cdg.Packet) []cert.Packet {
	out := make([]cert.Packet, len(list))
	for i, p := range list {
		out[i] = cert.Packet{Source: int(p.Source), Destination: int(p.Dest), Class: -1, Path: []int32{}}
		if p.Group > 0 {
			group := p.Group - 1
			out[i].Group = &group
		}
		if len(p.Path) > 0 {
			out[i].Class = int(p.Path[0].Class)
		}
		for _, s := range p.Path {
			out[i].Path = append(out[i].Path, int32(s.VC), int32(s.Class))
		}
	}
	return out
}

// Steps returns a refutation in the form of verify/cert: the kind of each step, the number of its literals, and these.
func Steps(proof []clausal.Step) *cert.Ints {
	steps := cert.Ints{}
	for _, s := range proof {
		steps = append(steps, int32(max(s.Kind, 0)), int32(len(s.Lits)))
		steps = append(steps, s.Lits...)
	}
	return &steps
}

// Inputs returns files that were read in the form of verify/cert.
func Inputs(list []model.Input) []cert.Input {
	out := make([]cert.Input, len(list))
	for i, x := range list {
		out[i] = cert.Input(x)
	}
	return out
}
