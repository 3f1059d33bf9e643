package seams

import (
	"context"
	"os"
	"slices"
	"strings"
)

// This file judges the lines of a run.

// triesOfShrink bounds the lines that are tried to make one smaller.
const triesOfShrink = 80

// runner judges lines in a folder.
type runner struct {
	seed  uint64
	small int                            // findings of one key that are made smaller
	tell  func(line uint64, text string) // before a line, and with what is found
	count map[string]int                 // findings by key
	tally *tally
}

// runLines judges the lines from first to end-1.
func (r *runner) runLines(ctx context.Context, first, end uint64) error {
	r.count, r.tally = map[string]int{}, newTally()
	for k := first; k < end; k++ {
		r.tell(k, "")
		l := draw(r.seed, k)
		for l != nil {
			res, err := r.judge(ctx, l)
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.tally.add(l, res)
			for _, f := range res.found {
				r.keep(ctx, k, f)
			}
			l = l.accepted(res)
		}
	}
	return nil
}

// accepted returns a refused line without one of the flags that the reason names, or with another discipline. It returns nil if
// the line was not refused, or the reason names none.
func (l *Line) accepted(r *result) *Line {
	if r.code != 2 || len(r.found) > 0 {
		return nil
	}
	named := flagName.FindAllString(r.refusal, -1)
	if strings.Contains(r.refusal, " switching") {
		named = append(named, "--switching")
	}
	for _, f := range named {
		flag := strings.TrimPrefix(f, "--")
		if flag != "routing" && l.has(flag) {
			c := l.clone()
			c.Options = slices.DeleteFunc(c.Options, func(o Option) bool { return o.Flag == flag })
			return c
		}
	}
	return nil
}

// keep shrinks a finding, if it is one of the first of its key.
func (r *runner) keep(ctx context.Context, k uint64, f *finding) {
	key := f.key()
	if r.count[key]++; r.count[key] <= r.small {
		f = shrink(ctx, f, triesOfShrink, func(ctx context.Context, l *Line) ([]*finding, error) {
			res, err := r.judge(ctx, l)
			if err != nil {
				return nil, err
			}
			return res.found, nil
		})
	}
	r.tally.find(k, f)
	r.tell(k, key+"\n"+f.judge+": "+f.text+"\n"+f.line.String()+"\n"+quoted(f.words))
}

// judge judges a line in a new folder.
func (r *runner) judge(ctx context.Context, l *Line) (*result, error) {
	dir, err := os.MkdirTemp("", "seams-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return judgeLine(ctx, dir, l)
}
