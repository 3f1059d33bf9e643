package reroute

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file writes the service levels of paths after each step.

// mostLevels is the largest number of pairs, of all steps together, whose service levels are written.
const mostLevels = 10_000_000

// levelNames are the names of the files after a step, and of the SL-to-VL tables of all steps.
const (
	levelNames = "%s-%02d.path-sl"
	lanesName  = "opensm-sl2vl.dump"
)

// writeLevels writes the service levels after each step, if they change. Those of the hosts that are left are listed.
func (x namedSteps) writeLevels(write cli.FileWriter, c *transition.Change, now *model.Table) error {
	hosts, dests := now.Network().NumHosts(), now.HostDestinations()
	if c.SameClasses() || len(x.steps)*hosts*dests > mostLevels {
		return nil
	}
	for i, s := range x.steps {
		if s.Kind == transition.Stop {
			continue
		}
		after := c.After(x.part, x.steps[:i+1])
		sets := make([]model.ClassSet, dests*hosts)
		for d := range dests {
			for h := range hosts {
				sets[d*hosts+h] = after.ClassesOf(model.HostID(h), model.DestID(d))
			}
		}
		t := now.CloneRows(nil)
		t.SetClasses(sets, nil)
		err := write(fmt.Sprintf(levelNames, x.name, i+1), func(w io.Writer) error { return levels.WriteServiceLevels(w, t) })
		if err != nil {
			return err
		}
	}
	return nil
}

// writeLanes writes the SL-to-VL tables of both states together, if service levels change and some switch has a map.
func (r *result) writeLanes(write cli.FileWriter) error {
	if r.Change == nil || r.Change.SameClasses() || r.Change.New.VCMap() == nil {
		return nil
	}
	return write(lanesName, func(w io.Writer) error { return levels.WriteSL2VLSwitches(w, r.Change.New, r.SwitchesLeft()) })
}
