package tabulate

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/tables"
)

// Lookup returns the table of a kind as a lookup. The kind is turns or next-hops, or else input-hops.
func Lookup(ctx context.Context, r model.Relation, kind string) (*tables.Lookup, error) {
	switch kind {
	case "turns":
		set, err := cdg.TurnsOf(ctx, r)
		if err != nil {
			return nil, err
		}
		return tables.AllowedTurns(set)
	case "next-hops":
		t, err := ForwardingTable(r)
		if err != nil {
			return nil, err
		}
		return tables.NextHops(t)
	}
	l, err := tables.NewInputNext(r)
	if err != nil {
		return nil, err
	}
	return l, cdg.EachSpace(ctx, r, model.NoHost, func(_ model.DestID, space *cdg.Space) error {
		for i, at := range space.States {
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				l.PermitHop(at, h)
			}
		}
		return nil
	})
}

// ForwardingTable returns the relation if it is forwarding tables, or an error.
func ForwardingTable(r model.Relation) (*model.Table, error) {
	t, ok := r.(*model.Table)
	if !ok {
		return nil, errors.New("--kind next-hops needs forwarding tables; --kind input-hops shows what this routing permits")
	}
	return t, nil
}
