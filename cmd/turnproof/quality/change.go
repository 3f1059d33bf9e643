package quality

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/quality"
)

// This file compares the quality of two routings.

// Change is the quality before and after a change.
type Change struct {
	Old *Summary `json:"old"`
	New *Summary `json:"new"`
}

// Summary is a few measures of a routing.
type Summary struct {
	MaxLoad     int64   `json:"max_load"`
	MeanHops    float64 `json:"mean_hops"`
	MaxHops     int     `json:"max_hops"`
	Links       int     `json:"links"`
	Unused      int     `json:"unused_links"`
	Permutation *int    `json:"worst_permutation,omitempty"`
}

// Compare summarizes two routings. It returns nil if one of them permits several paths or has no pairs.
func Compare(ctx context.Context, before, after model.Relation) (*Change, error) {
	c := &Change{}
	for _, x := range []struct {
		r   model.Relation
		sum **Summary
	}{{before, &c.Old}, {after, &c.New}} {
		m, err := quality.Measure(ctx, x.r, quality.Options{Bisections: -1, MaxSteps: -1})
		switch {
		case errors.Is(err, quality.ErrSeveral), errors.Is(err, quality.ErrNoPairs):
			return nil, nil
		case err != nil:
			return nil, err
		}
		links, _ := m.Unused()
		*x.sum = &Summary{MaxLoad: m.MaxLoad(), MeanHops: m.MeanHops(), MaxHops: m.MaxHops(), Links: m.Network.NumLinks(), Unused: len(links)}
		if p := m.Permutation; p != nil {
			(*x.sum).Permutation = &p.Load
		}
	}
	return c, nil
}

// Sentence writes a line with both values of each measure, or "" if c is nil.
func (c *Change) Sentence() string {
	if c == nil {
		return ""
	}
	a, b := c.Old, c.New
	text := fmt.Sprintf("Links: busiest %d -> %d paths; unused %d -> %d of %d links; hops %.3f -> %.3f on average, %d -> %d at most", a.MaxLoad, b.MaxLoad,
		a.Unused, b.Unused, b.Links, a.MeanHops, b.MeanHops, a.MaxHops, b.MaxHops)
	if a.Permutation != nil && b.Permutation != nil {
		text += fmt.Sprintf("; worst permutation %d -> %d on a link", *a.Permutation, *b.Permutation)
	}
	return text + ".\n"
}
