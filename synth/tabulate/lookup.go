package tabulate

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/tables"
)

// Lookup returns the table of a kind as a lookup. The kind is turns, next-hops or ranges, or else input-hops.
func Lookup(ctx context.Context, r model.Relation, kind string) (*tables.Lookup, error) {
	switch kind {
	case "turns":
		set, err := cdg.TurnsOf(ctx, r)
		if err != nil {
			return nil, err
		}
		return tables.AllowedTurns(set)
	case "next-hops":
		return nextLookup(ctx, r)
	case "ranges":
		l, err := nextLookup(ctx, r)
		if err == nil {
			l.Ranged = true
		}
		return l, err
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
		return nil, errors.New("--format booksim needs forwarding tables; for a turn set, --paths table makes them")
	}
	return t, nil
}
