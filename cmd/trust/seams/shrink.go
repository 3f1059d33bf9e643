package seams

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file makes the line of a finding smaller, as long as the same judge finds the same fault.

// shrinker tries smaller lines.
type shrinker struct {
	ctx   context.Context
	best  *finding
	judge func(ctx context.Context, l *Line) ([]*finding, error)
	left  int // tries
}

// shrink returns the finding with a smaller line, after at most some tries.
func shrink(ctx context.Context, f *finding, tries int, judge func(context.Context, *Line) ([]*finding, error)) *finding {
	s := &shrinker{ctx: ctx, best: f, judge: judge, left: tries}
	for again := true; again && s.left > 0; {
		before := s.best
		s.dropOptions()
		s.dropSimOptions()
		s.dropLines()
		s.lessenNumbers()
		again = s.best != before
	}
	return s.best
}

// try keeps a line if the judge finds the fault in it, too.
func (s *shrinker) try(l *Line) bool {
	if s.left--; s.left < 0 || s.ctx.Err() != nil {
		return false
	}
	found, err := s.judge(s.ctx, l)
	if err != nil {
		return false
	}
	i := slices.IndexFunc(found, func(f *finding) bool { return f.fault() == s.best.fault() })
	if i >= 0 {
		s.best = found[i]
	}
	return i >= 0
}

// dropOptions drops flags of check, except the routing.
func (s *shrinker) dropOptions() {
	for i := 0; i < len(s.best.line.Options); i++ {
		l := s.best.line.clone()
		if l.Options[i].Flag == "routing" {
			continue
		}
		l.Options = slices.Delete(l.Options, i, i+1)
		if s.try(l) {
			i--
		}
	}
}

// dropSimOptions drops flags of the simulation, except load, clocks and seed.
func (s *shrinker) dropSimOptions() {
	if len(s.best.line.Sims) != 1 {
		return
	}
	for i := 3; i < len(s.best.line.Sims[0]); i++ {
		l := s.best.line.clone()
		l.Sims = [][]Option{slices.Delete(slices.Clone(l.Sims[0]), i, i+1)}
		if s.try(l) {
			i--
		}
	}
}

// dropLines drops lines of files, many at a time and then one by one, from the end. Files whose meaning a judge knows from the
// draw stay.
func (s *shrinker) dropLines() {
	if s.best.line.fabric != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.best.line.Files)) {
		lines := strings.SplitAfter(s.best.line.Files[name], "\n")
		for size := (len(lines) + 1) / 2; size >= 1; size /= 2 {
			for end := len(lines); end >= size && s.left > 0; end -= size {
				l := s.best.line.clone()
				rest := slices.Delete(slices.Clone(lines), end-size, end)
				if l.Files[name] = strings.Join(rest, ""); s.try(l) {
					lines = rest
				}
			}
		}
	}
}

// lessenNumbers makes the values of flags smaller.
func (s *shrinker) lessenNumbers() {
	for i := range s.best.line.Options {
		for _, by := range []int{2, 1} {
			o := s.best.line.Options[i]
			if k, err := strconv.Atoi(o.Value); err == nil && k > by {
				l := s.best.line.clone()
				l.Options[i].Value = strconv.Itoa(k - by)
				s.try(l)
			}
		}
	}
}
