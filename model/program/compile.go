package program

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"go.starlark.net/starlark"
	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/model"
)

// This file compiles a program for one network: it follows the packets to each
// destination, asks what each may do next (tracer.go), and writes that down in rows.

type compiler struct {
	relation
	instance *Instance
	ctx      context.Context
	at       [][]starlark.Value // by switch: coordinates
	tracers  sync.Pool

	mu       sync.Mutex
	rowOf    map[string]uint32
	listOf   map[string]uint16
	lost     *lost // the first
	failed   error // an error of the program, for the first destination that has one
	failedAt int   // its number
}

// lost is an output where there is no channel.
type lost struct {
	from, to model.SwitchID
	text     string
}

func (l *lost) String() string { return l.text }

func (c *compiler) compile() error {
	none := make([]uint16, (c.dirs+1)*c.vcs*c.states)
	for i := range none {
		none[i] = noList
	}
	c.row(none) // row 0: no packet
	g, ctx := errgroup.WithContext(c.ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	list := c.destinations()
	c.failedAt = len(list)
	for i, v := range list {
		g.Go(func() error { return c.fail(i, c.destination(ctx, i, v)) })
	}
	return cmp.Or(g.Wait(), c.failed)
}

// fail keeps the error of the first destination, whatever the order of the work; the
// end of the context is passed on.
func (c *compiler) fail(i int, err error) error {
	if err == nil || c.ctx.Err() != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i < c.failedAt {
		c.failedAt, c.failed = i, err
	}
	return nil
}

// passed reports whether an earlier destination has failed, so that i does not matter.
func (c *compiler) passed(i int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failedAt < i
}

// destinations are the switches with hosts.
func (c *compiler) destinations() (list []model.SwitchID) {
	for h := range model.HostID(c.net.NumHosts()) {
		list = append(list, c.net.Host(h).Switch)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// arrival is a packet that has come to switch u.
type arrival struct {
	u         model.SwitchID
	dir       Dir
	vc, state int
}

// destination follows the packets to v, number i.
func (c *compiler) destination(ctx context.Context, i int, v model.SwitchID) error {
	ways := (c.dirs + 1) * c.vcs * c.states
	lists := make([]uint16, c.net.NumSwitches()*ways) // by switch and way
	for i := range lists {
		lists[i] = noList
	}
	seen := make([]bool, len(lists))
	t := c.tracers.Get().(*tracer)
	defer c.tracers.Put(t)
	var todo []arrival
	visit := func(a arrival) {
		if i := int(a.u)*ways + c.way(a.dir, a.vc, a.state); (a.u != v || c.passes) && !seen[i] {
			seen[i] = true
			todo = append(todo, a)
		}
	}
	for _, u := range c.destinations() {
		for _, s := range c.starts.of(u, v) {
			visit(arrival{u, NoDir, 0, s.State})
		}
	}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil || c.passed(i) {
			return err
		}
		a := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		row := lists[int(a.u)*ways : int(a.u+1)*ways]
		list := row[c.way(a.dir, a.vc, a.state)]
		if list == noList {
			var err error
			if list, err = c.ask(t, a, v, row); err != nil {
				return err
			}
		}
		c.mu.Lock()
		outputs := c.lists[list]
		c.mu.Unlock()
		for _, o := range outputs {
			if o.Dir == Eject {
				continue
			}
			visit(arrival{c.net.Head(c.net.OutAt(a.u, o.Dir.Port())), o.Dir, o.VC, o.State})
		}
	}
	for u := range c.net.NumSwitches() {
		row := lists[u*ways : (u+1)*ways]
		if slices.ContainsFunc(row, func(l uint16) bool { return l != noList }) {
			c.mu.Lock()
			c.table[int(v)*c.net.NumSwitches()+u] = c.row(row)
			c.mu.Unlock()
		}
	}
	return nil
}

// cameIn is the Input of a known arrival; it notes whether it is looked at.
type cameIn struct {
	arrival
	wrap bool
	read bool
}

func (i *cameIn) Dir() Dir   { i.read = true; return i.dir }
func (i *cameIn) VC() int    { i.read = true; return i.vc }
func (i *cameIn) Wrap() bool { i.read = true; return i.wrap }

// ask calls route, and fills in the row for all ways to come that it does not ask for.
func (c *compiler) ask(t *tracer, a arrival, v model.SwitchID, row []uint16) (uint16, error) {
	wrap := false
	if a.dir != NoDir {
		before := c.net.Head(c.net.OutAt(a.u, a.dir.Reverse().Port()))
		wrap = wrapsAt(c.net.Grid(), before, a.dir)
	}
	found, err := t.route(a, wrap, c.at[a.u], c.at[v])
	if err != nil {
		return 0, fmt.Errorf("%w (%s)", err, c.describe(a, v))
	}
	outputs, list := found.outputs, found.list
	for _, o := range outputs {
		if !c.leads(a.u, v, o) {
			c.note(&lost{a.u, v, fmt.Sprintf("%s: route permits %s", c.describe(a, v), o.Dir)})
			outputs, list = nil, noList
			break
		}
	}
	if list == noList {
		if list, err = c.list(outputs); err != nil {
			return 0, err
		}
		if len(outputs) == len(found.outputs) { // not of one that is lost
			found.list = list
		}
	}
	if row[c.way(a.dir, a.vc, a.state)] = list; !found.reads {
		for i := a.state; i < len(row); i += c.states { // all ways to come with this state
			row[i] = list
		}
	}
	return list, nil
}

// leads reports whether output o exists at switch u for packets to v.
func (c *compiler) leads(u, v model.SwitchID, o Output) bool {
	if o.Dir == Eject {
		return u == v
	}
	return c.net.OutAt(u, o.Dir.Port()) != model.NoChannel
}

// note keeps the first output into nowhere, whatever the order of the calls.
func (c *compiler) note(l *lost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil || l.to < c.lost.to || l.to == c.lost.to && l.from < c.lost.from {
		c.lost = l
	}
}

func (c *compiler) describe(a arrival, v model.SwitchID) string {
	text := fmt.Sprintf("a packet at %s to %s, ", place(c.at[a.u]), place(c.at[v]))
	if a.dir == NoDir {
		text += "created there"
	} else {
		text += fmt.Sprintf("come in direction %s on VC %d", a.dir, a.vc)
	}
	if c.states > 1 {
		text += fmt.Sprintf(", with header state %d", a.state)
	}
	return text
}

// row numbers a row.
func (c *compiler) row(row []uint16) uint32 {
	key := make([]byte, 0, 2*len(row))
	for _, l := range row {
		key = append(key, byte(l), byte(l>>8))
	}
	id, known := c.rowOf[string(key)]
	if !known {
		id = uint32(len(c.rows))
		c.rowOf[string(key)] = id
		c.rows = append(c.rows, slices.Clone(row))
	}
	return id
}

// list numbers a list of outputs.
func (c *compiler) list(outputs []Output) (uint16, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprint(outputs)
	id, known := c.listOf[key]
	if !known {
		if len(c.lists) >= noList {
			return 0, fmt.Errorf("program: %s: more than %d different lists of outputs", c.instance.program.Name, noList)
		}
		id = uint16(len(c.lists))
		c.listOf[key] = id
		c.lists = append(c.lists, outputs)
	}
	return id, nil
}
