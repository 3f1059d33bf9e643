package enumerate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/view/figure"
)

// This file draws sets, one for each class.

// mostPanels is the largest number of sets in a figure.
const mostPanels = 60

// SpaceFigure draws the maximal sets of a space, one of each class.
func SpaceFigure(ctx context.Context, s *space.Space) (*figure.Graph, error) {
	e, err := New(s)
	if err != nil {
		return nil, err
	}
	var sets []space.Set
	if s.Kind == space.Mesh {
		sets, err = e.ByOrders(ctx)
	} else {
		var b *Border
		if b, err = e.Border(ctx, mostFigureSearch); err == nil && !b.Complete {
			err = fmt.Errorf("%s has more than %d maximal sets, too many to draw", s.Name, mostFigureSearch)
		} else if err == nil {
			sets = b.Maximal
		}
	}
	if err != nil {
		return nil, err
	}
	published := map[space.Set]string{}
	for _, p := range s.Published() {
		published[s.All().Minus(p.Prohibited)] = p.Name
	}
	class, _, _ := e.Group(sets)
	list := make([]*SetReport, 0, len(sets))
	for i, set := range sets {
		list = append(list, &SetReport{Set: set, Class: class[i] + 1, Free: true, Name: published[set]})
	}
	return ClassFigure(s, list)
}

// mostFigureSearch is the largest number of maximal sets that SpaceFigure searches.
const mostFigureSearch = 10000

// ClassFigure draws one set of each class in the list. It prefers sets that have a name. Conflicts are
// not drawn.
func ClassFigure(s *space.Space, list []*SetReport) (*figure.Graph, error) {
	var sets []figure.TurnSet
	for _, class := range classesOf(list) {
		if len(sets) < mostPanels {
			sets = append(sets, classPanel(s, class))
		}
	}
	if len(sets) == 0 {
		return nil, errors.New("--figure: no set is listed, nothing to draw")
	}
	title := fmt.Sprintf("Classes of class-turn sets, %s", s.Name)
	if s.Tree != "" {
		title += ", tree " + string(s.Tree)
	}
	return figure.TurnSets(sets, figure.Options{Title: title}), nil
}

// classesOf groups the sets of a list by class, in the order of the list. It omits conflicts.
func classesOf(list []*SetReport) (classes [][]*SetReport) {
	at := map[int]int{}
	for _, d := range list {
		if d.Conflict {
			continue
		}
		i, known := at[d.Class]
		if !known {
			i = len(classes)
			at[d.Class], classes = i, append(classes, nil)
		}
		classes[i] = append(classes[i], d)
	}
	return classes
}

// classPanel draws the first set of a class that has a name. If none has, it draws the first set.
func classPanel(s *space.Space, class []*SetReport) figure.TurnSet {
	drawn := class[0]
	var names []string
	for _, d := range class {
		if d.Name == "" {
			continue
		}
		if len(names) == 0 {
			drawn = d
		}
		names = append(names, d.Name)
	}
	head := []string{fmt.Sprintf("class %d: %s", drawn.Class, wording.Count(len(class), "set", "s"))}
	if !drawn.Free {
		head[0] += ", cyclic"
	}
	if len(names) > 0 {
		head = append(head, names[0])
	}
	if len(names) > 1 {
		head = append(head, "(also "+strings.Join(names[1:], ", ")+")")
	}
	return PanelOf(s, drawn.Set, head)
}

// PanelOf returns the drawing of a set, with lines of text above it.
func PanelOf(s *space.Space, set space.Set, head []string) figure.TurnSet {
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
