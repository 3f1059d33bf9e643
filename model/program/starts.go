package program

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/model"
)

// This file stores the header states that sources draw from.
//
// Memory: two bytes per pair of switches, unless all pairs draw from the same states.

// compileStarts computes the starts of all pairs. It fails if the program does.
func (c *compiler) compileStarts() error {
	if list, ok := c.instance.InjectAnywhere(); ok {
		c.starts.lists = [][]Start{list}
		return nil
	}
	switches := c.destinations()
	rows, errs := make([][][]Start, len(switches)), make([]error, len(switches))
	g, ctx := errgroup.WithContext(c.ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, u := range switches {
		g.Go(func() error {
			rows[i], errs[i] = c.startsFrom(ctx, u, switches)
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, err := range errs { // the first error by source, independent of the order of execution
		if err != nil {
			return err
		}
	}
	return c.numberStarts(switches, rows)
}

// startsFrom returns the starts of packets from u by destination. Packets to the same switch
// start in state 0, unless the program is also called at the destination.
func (c *compiler) startsFrom(ctx context.Context, u model.SwitchID, to []model.SwitchID) ([][]Start, error) {
	row := make([][]Start, len(to))
	for j, v := range to {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row[j] = []Start{{0, 1}}
		if u == v && !c.passes {
			continue
		}
		var err error
		if row[j], err = c.instance.inject(c.value(u), c.value(v)); err != nil {
			return nil, fmt.Errorf("%w (from %s to %s)", err, c.value(u), c.value(v))
		}
	}
	return row, nil
}

// numberStarts stores each different list once. It fails if there are too many.
func (c *compiler) numberStarts(switches []model.SwitchID, rows [][][]Start) error {
	n := c.net.NumSwitches()
	c.starts = starts{table: make([]uint16, n*n), switches: n}
	known := map[string]int{}
	for i, u := range switches {
		for j, v := range switches {
			key := fmt.Sprint(rows[i][j])
			k, ok := known[key]
			if !ok {
				k = len(known)
				known[key] = k
				c.starts.lists = append(c.starts.lists, rows[i][j])
			}
			if k > math.MaxUint16 {
				return fmt.Errorf("program: %s: inject returns more than %d different lists", c.instance.program.Name, math.MaxUint16+1)
			}
			c.starts.table[int(u)*n+int(v)] = uint16(k)
		}
	}
	return nil
}
