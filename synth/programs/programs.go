// Package programs makes routings of routing programs (.star). It registers with package resolve.
package programs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/synth/resolve"
)

func init() { resolve.RegisterMaker(resolve.Maker{Has: program.Is, Route: makeRoute}) }

// Of returns the program that the routing of s was compiled from, or nil.
func Of(s *resolve.Subject) *program.Program {
	p, _ := s.Source.(*program.Program)
	return p
}

// makeRoute compiles a routing program for n.
func makeRoute(ctx context.Context, path, _ string, n *model.Network, o format.Options) (*resolve.Route, error) {
	p, err := program.Read(path)
	if err != nil {
		return nil, resolve.Advice(path, err)
	}
	if o.Sums != nil {
		sum := sha256.Sum256([]byte(p.Text))
		o.Sums(path, hex.EncodeToString(sum[:]))
	}
	rel, notes, err := p.Relation(ctx, n)
	if err != nil {
		return nil, err
	}
	return &resolve.Route{Relation: rel, Source: p, Notes: notes}, nil
}
