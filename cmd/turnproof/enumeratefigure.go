package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"turnproof/model/figure"
	"turnproof/model/space"
)

// This file draws the classes that "enumerate" lists.

// mostPanels bounds a figure.
const mostPanels = 60

// figure draws the first set of each class that is listed.
func (x *enumeration) figure(c *cli.Context, file string) error {
	kind, err := figureFormat(file)
	if err != nil {
		return err
	}
	s := x.e.Space
	var sets []figure.TurnSet
	size := map[int]int{}
	for _, d := range x.list {
		size[d.class]++
	}
	drawn := map[int]bool{}
	for _, d := range x.list {
		if d.conflict || drawn[d.class] || len(sets) == mostPanels {
			continue
		}
		drawn[d.class] = true
		head := []string{fmt.Sprintf("class %d: %s", d.class, count(size[d.class], "set", "s"))}
		if !d.free {
			head[0] += ", cyclic"
		}
		names := ""
		for _, e := range x.list {
			if e.class == d.class && e.name != "" {
				names += ", " + e.name
			}
		}
		if names != "" {
			head = append(head, names[2:])
		}
		sets = append(sets, turnSetFigure(s, d.set, head))
	}
	if len(sets) == 0 {
		return errors.New("--figure: no set is listed, so there is none to draw")
	}
	title := fmt.Sprintf("Classes of class-turn sets, %s", s.Name)
	if s.Tree != "" {
		title += ", tree " + string(s.Tree)
	}
	return render(c, file, kind, figure.TurnSets(sets, figure.Options{Title: title}))
}

// turnSetFigure is a set as figures know it.
func turnSetFigure(s *space.Space, set space.Set, head []string) figure.TurnSet {
	f := figure.TurnSet{Head: head, Turns: make([][]figure.Standing, len(s.Directions))}
	for d, dir := range s.Directions {
		f.Directions = append(f.Directions, dir.Name)
		f.Turns[d] = make([]figure.Standing, len(s.Directions))
	}
	for t, turn := range s.Turns {
		f.Turns[turn.In][turn.Out] = figure.TurnProhibited
		if set.Has(t) {
			f.Turns[turn.In][turn.Out] = figure.TurnAllowed
		}
	}
	return f
}
