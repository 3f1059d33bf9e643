package check

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/verify"
)

// This file adds what a folder with dumps of Ethernet switches shows beside the verdict.

// printEthernet prints it.
func printEthernet(w io.Writer, f *ethernet.Found) {
	if f == nil {
		return
	}
	for i, line := range f.Text() {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, plain.Text(line))
	}
}

// decidePriorities decides the frames of each lossless priority without those of the others, unless all of them together are proved.
func (r *run) decidePriorities() error {
	f := ethernetFound(r.in)
	if f == nil {
		return nil
	}
	f.FindASChange()
	for _, a := range f.ByPriority() {
		p := ethernet.PriorityFound{Group: a.Group, DSCPs: a.DSCPs, Cycle: []string{}}
		if r.rep.DeadlockFree.Verdict == verify.Proved {
			p.DeadlockFree = new(bool)
			*p.DeadlockFree = true
			f.Priorities = append(f.Priorities, p)
			continue
		}
		rel := a.Relation
		if r.in.Flows != nil {
			rel = model.WithFlows(rel, r.in.Flows)
		}
		rep, err := verify.Check(r.c.Context, rel, r.options)
		if err != nil {
			return err
		}
		claim := rep.DeadlockFree
		switch p.Reason = claim.Reason; claim.Verdict {
		case verify.Proved:
			p.DeadlockFree, p.Reason = new(bool), ""
			*p.DeadlockFree = true
		case verify.Refuted:
			p.DeadlockFree, p.Reason = new(bool), ""
			p.Cycle = groupsOf(rep)
		}
		f.Priorities = append(f.Priorities, p)
	}
	return nil
}

// groupsOf names the cables and priority groups of a deadlock.
func groupsOf(rep *verify.Report) (list []string) {
	n := rep.Relation.Network()
	for _, v := range rep.Cycle {
		c, group := n.Channel(v)
		list = append(list, fmt.Sprintf("%s:%s > %s:%s group %d", n.SwitchName(n.Tail(c)), n.PortName(n.Tail(c), n.TailPort(c)), n.SwitchName(n.Head(c)),
			n.PortName(n.Head(c), n.HeadPort(c)), group))
	}
	return list
}
