package enumerate

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/engines"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file counts the sets that "enumerate" reports, and selects the sets that it lists.

// count counts sets according to --choices, and fills x.list. It returns false if this command has no
// results to print.
func (x *enumeration) count(c *cli.Context) (done bool, err error) {
	var listed []space.Set
	if x.choices == enumerate.OnePerCycle {
		if x.sets, listed, err = x.e.Choose(mostChoices); err != nil {
			return false, err
		}
	}
	counts, done, err := x.runParts(c, listed != nil)
	if err != nil || !done {
		return false, err
	}
	x.showProgress(c)
	switch x.choices {
	case enumerate.Maximal:
		if err := x.findMaximal(c); err != nil {
			return false, err
		}
		return true, x.countMaximal(c)
	case enumerate.Fewest:
		if err := x.findFewest(c); err != nil {
			return false, err
		}
		return true, x.countMaximal(c)
	case enumerate.OnePerCycle:
		if listed != nil {
			x.countListed(c, listed)
			return true, nil
		}
		x.takeCounts(counts)
		// All free sets are maximal: each prohibited turn is the only one of its basic cycle, so
		// allowing it closes the cycle.
		x.maximals = [2]int{int(x.tally.Free.Int64()), int(x.tally.Connected.Int64())}
		return true, x.listFree(c)
	}
	x.sets = new(big.Int).Lsh(big.NewInt(1), uint(len(x.e.Space.Turns)))
	if counts, err = x.e.Count(c.Context, x.choices); err != nil {
		return false, err
	}
	x.takeCounts(counts)
	if err := x.findMaximal(c); err != nil {
		return false, err
	}
	x.tallyMaximal(x.maximal)
	x.listMaximal(c)
	return true, nil
}

// takeCounts stores the numbers of deadlock-free sets, of connected sets among them, and of classes.
func (x *enumeration) takeCounts(counts *enumerate.Counts) {
	x.tally, x.classes, x.reversal = counts.Tally, counts.Classes, counts.Reversal
}

func (x *enumeration) tallyMaximal(sets []space.Set) {
	x.maximals = [2]int{}
	for _, set := range sets {
		x.maximals[0]++
		if x.e.Connected(set) {
			x.maximals[1]++
		}
	}
}

// showProgress shows the progress of computations without parts.
func (x *enumeration) showProgress(c *cli.Context) {
	if line := cli.ProgressOf(c.App.ErrWriter); line != nil {
		x.e.Progress = func(what string, found int) { line.Tell("%s %s", wording.Thousands(int64(found)), what) }
	}
}

// findMaximal stores the maximal deadlock-free sets. It adds the conflicts (smallest sets of turns
// that close a cycle) to x.list if there are at most mostConflicts. If it is interrupted, it stores what it has found.
func (x *enumeration) findMaximal(c *cli.Context) (err error) {
	if x.byOrders() {
		x.maximal, err = x.e.ByOrders(c.Context)
		return err
	}
	if s := x.e.Space; s.Kind == space.Torus && s.Dims > 2 && s.VCs < 2 && c.Int("search") == 0 {
		return fmt.Errorf("the maximal sets of %s, of %d class turns, are too many to find; --choices fewest lists those that prohibit the "+
			"fewest turns, --search SETS finds some", s.Name, len(s.Turns))
	}
	b, err := x.e.Border(c.Context, c.Int("search"))
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	x.maximal, x.complete = b.Maximal, b.Complete
	if len(b.Conflicts) <= mostConflicts && b.Complete {
		for _, set := range b.Conflicts {
			x.list = append(x.list, &enumerate.SetReport{Set: set, Conflict: true})
		}
	}
	return nil
}

// byOrders reports whether the maximal sets are found by the orders of directions.
func (x *enumeration) byOrders() bool { return x.e.Space.Kind == space.Mesh && x.e.Space.Dims > 2 }

// findFewest finds the sets that prohibit the fewest turns.
func (x *enumeration) findFewest(c *cli.Context) error {
	solver, err := solverOf(c)
	if err != nil {
		return err
	}
	var k int
	if x.maximal, k, err = x.e.Fewest(c.Context, solver); errors.Is(err, context.Canceled) {
		fmt.Fprintf(c.App.ErrWriter, "turnproof: interrupted; every set prohibits at least %d\n", k)
	}
	return err
}

// mostConflicts is the largest number of conflicts that is listed. If there are more, none is
// listed.
const mostConflicts = 100

// solverOf returns the solver that --engine names.
func solverOf(c *cli.Context) (func() sat.Solver, error) {
	e, err := engines.Find(c.String("engine"))
	if err != nil {
		return nil, fmt.Errorf("--engine: %w", err)
	}
	return e.New, nil
}

// countMaximal counts the sets in x.maximal and selects those to list.
func (x *enumeration) countMaximal(c *cli.Context) error {
	k := big.NewInt(int64(len(x.maximal)))
	x.sets, x.tally = k, enumerate.Tally{Free: k}
	if x.maximals[0] = len(x.maximal); c.Context.Err() == nil {
		x.tallyMaximal(x.maximal)
		x.tally.Connected = big.NewInt(int64(x.maximals[1]))
		_, groups, reversal := x.e.Group(x.maximal)
		x.classes, x.reversal = big.NewInt(int64(groups)), big.NewInt(int64(reversal))
	}
	x.listMaximal(c)
	return nil
}

// listMaximal puts the first maximal sets at the start of x.list, up to --limit.
func (x *enumeration) listMaximal(c *cli.Context) {
	sets := x.maximal
	if limit := c.Int("limit"); len(sets) > limit {
		sets, x.left = sets[:limit], len(sets)-limit
	}
	class, _, _ := x.e.Group(sets)
	var list []*enumerate.SetReport
	for i, set := range sets {
		list = append(list, &enumerate.SetReport{Set: set, Class: class[i] + 1})
	}
	if c.Int("limit") == 0 {
		x.list = nil
	}
	x.list = append(list, x.list...)
}

// countListed counts and lists sets that prohibit one turn of each basic cycle.
func (x *enumeration) countListed(c *cli.Context, listed []space.Set) {
	var free []space.Set
	connected := 0
	for _, set := range listed {
		if x.e.Free(set) {
			if free = append(free, set); x.e.Connected(set) {
				connected++
			}
		}
	}
	x.tally = enumerate.Tally{Free: big.NewInt(int64(len(free))), Connected: big.NewInt(int64(connected))}
	_, groups, reversal := x.e.Group(free)
	x.classes, x.reversal = big.NewInt(int64(groups)), big.NewInt(int64(reversal))
	var largest []space.Set
	for _, set := range free {
		if x.e.Maximal(set) {
			largest = append(largest, set)
		}
	}
	x.tallyMaximal(largest)
	if limit := c.Int("limit"); len(listed) > limit {
		listed, x.left = listed[:limit], len(listed)-limit
	}
	class, _, _ := x.e.Group(listed)
	for i, set := range listed {
		x.list = append(x.list, &enumerate.SetReport{Set: set, Class: class[i] + 1})
	}
}

// mostChoices is the number of sets up to which all are decided one by one, not only the free
// ones.
const mostChoices = 4096

// listFree lists the first deadlock-free sets, up to --limit.
func (x *enumeration) listFree(c *cli.Context) error {
	var sets []space.Set
	limit := c.Int("limit")
	if limit > 0 {
		err := x.e.Each(c.Context, func(set space.Set) bool {
			sets = append(sets, set)
			return len(sets) < limit
		})
		if err != nil {
			return err
		}
	}
	class, _, _ := x.e.Group(sets)
	for i, set := range sets {
		x.list = append(x.list, &enumerate.SetReport{Set: set, Class: class[i] + 1})
	}
	x.left = int(x.tally.Free.Int64()) - len(sets)
	return nil
}
