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

// This file compiles a program for one network. It follows the packets to each destination,
// computes the outputs of each state (tracer.go), and stores them in rows.

type compiler struct {
	relation
	instance *Instance
	ctx      context.Context
	at       [][]starlark.Value // by switch: coordinates; nil for any network
	tracers  sync.Pool

	mu       sync.Mutex
	rowOf    map[string]uint32
	listOf   map[string]uint16
	lost     *lost // the first lost packet
	failed   error // error of the program at the first destination that has one
	failedAt int   // index of this destination
}

// lost is a packet whose output names a missing channel.
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
	c.row(none) // row 0: no packet uses this row
	g, ctx := errgroup.WithContext(c.ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	list := c.destinations()
	c.failedAt = len(list)
	for i, v := range list {
		g.Go(func() error { return c.fail(i, c.destination(ctx, i, v)) })
	}
	return cmp.Or(g.Wait(), c.failed)
}

// fail keeps the error of the first destination in the list, independent of the order of
// execution. It returns only the error of the context.
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

// passed reports whether an earlier destination has failed. Destination i need not be computed
// then.
func (c *compiler) passed(i int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failedAt < i
}

// destinations returns the switches with hosts.
func (c *compiler) destinations() (list []model.SwitchID) {
	for h := range model.HostID(c.net.NumHosts()) {
		list = append(list, c.net.Host(h).Switch)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// destination follows the packets to v, destination i.
func (c *compiler) destination(ctx context.Context, i int, v model.SwitchID) error {
	arrivals := (c.dirs + 1) * c.vcs * c.states
	lists := make([]uint16, c.net.NumSwitches()*arrivals) // by switch and arrival index
	for i := range lists {
		lists[i] = noList
	}
	seen := make([]bool, len(lists))
	t := c.tracers.Get().(*tracer)
	defer c.tracers.Put(t)
	var todo []arrival
	visit := func(a arrival) {
		if i := int(a.u)*arrivals + c.arrivalIndex(a.dir, a.vc, a.state); (a.u != v || c.passes) && !seen[i] {
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
		row := lists[int(a.u)*arrivals : int(a.u+1)*arrivals]
		list := row[c.arrivalIndex(a.dir, a.vc, a.state)]
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
			out := c.net.OutAt(a.u, o.Dir.Port())
			visit(arrival{c.net.Head(out), c.arrivalDir(out), o.VC, o.State})
		}
	}
	for u := range c.net.NumSwitches() {
		row := lists[u*arrivals : (u+1)*arrivals]
		if slices.ContainsFunc(row, func(l uint16) bool { return l != noList }) {
			c.mu.Lock()
			c.table[int(v)*c.net.NumSwitches()+u] = c.row(row)
			c.mu.Unlock()
		}
	}
	return nil
}

// ask calls route and stores the list of outputs in the row. If route did not read its input,
// the list holds for all arrivals with the same header state.
func (c *compiler) ask(t *tracer, a arrival, v model.SwitchID, row []uint16) (uint16, error) {
	found, err := c.route(t, a, v)
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
		if len(outputs) == len(found.outputs) { // not for a lost packet
			found.list = list
		}
	}
	if row[c.arrivalIndex(a.dir, a.vc, a.state)] = list; !found.reads {
		for i := a.state; i < len(row); i += c.states { // all arrivals with this state
			row[i] = list
		}
	}
	return list, nil
}

// route calls the program for an arrival of a packet to v.
func (c *compiler) route(t *tracer, a arrival, v model.SwitchID) (*decision, error) {
	if c.instance.program.Family.complete() {
		in := &knownInput{arrival: a}
		at := PlaceIn(c.instance.numbers(), a.u)
		outputs, err := c.instance.Route(c.at[a.u], c.at[v], hyperXInput{in, c.instance.numbers(), at}, a.state)
		return &decision{leaf: true, list: noList, reads: in.read, outputs: outputs}, err
	}
	if c.anyNetwork {
		in := model.NoChannel
		if a.dir != NoDir {
			in = c.net.Reverse(c.net.OutAt(a.u, a.dir.Port()))
		}
		outputs, reads, err := c.instance.RouteAt(a.u, v, in, a.vc, a.state)
		return &decision{leaf: true, list: noList, reads: reads, outputs: outputs}, err
	}
	wrap := false
	if a.dir != NoDir && c.instance.program.Family.Wrap() {
		before := c.net.Head(c.net.OutAt(a.u, a.dir.Reverse().Port()))
		wrap = wrapsAt(c.net.Grid(), before, a.dir)
	}
	return t.route(a, wrap, c.at[a.u], c.at[v])
}

// leads reports whether output o exists at switch u for packets to v.
func (c *compiler) leads(u, v model.SwitchID, o Output) bool {
	if o.Dir == Eject {
		return u == v
	}
	return c.net.OutAt(u, o.Dir.Port()) != model.NoChannel
}

// note keeps the first lost packet by destination and switch, independent of the order of
// execution.
func (c *compiler) note(l *lost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil || l.to < c.lost.to || l.to == c.lost.to && l.from < c.lost.from {
		c.lost = l
	}
}

func (c *compiler) describe(a arrival, v model.SwitchID) string {
	text := fmt.Sprintf("a packet at %s to %s, ", c.value(a.u), c.value(v))
	switch {
	case a.dir == NoDir:
		text += "created at this switch"
	case c.anyNetwork:
		text += fmt.Sprintf("that arrived by port %d on VC %d", a.dir.Port(), a.vc)
	default:
		text += fmt.Sprintf("that arrived in direction %s on VC %d", a.dir, a.vc)
	}
	if s := c.instance.program.States; s > 1 {
		text += fmt.Sprintf(", with header state %d", a.state%s)
	}
	if k := a.state / c.instance.program.States; k > 0 {
		text += fmt.Sprintf(", via %s", c.value(model.SwitchID(k-1)))
	}
	return text
}

// value returns the value of a switch in programs.
func (c *compiler) value(u model.SwitchID) starlark.Value {
	if c.instance.view != nil {
		return node{c.instance.view, u}
	}
	return place(c.at[u])
}

// maxLists is the maximum number of arrivals for one destination.
const maxLists = 1 << 28

// checkSize returns an error if there are too many arrivals.
func (c *compiler) checkSize() error {
	if arrivals := float64(c.net.NumSwitches()) * float64(c.dirs+1) * float64(c.vcs) * float64(c.states); arrivals > maxLists {
		return fmt.Errorf("program: %s: %.0f switches, ports, VCs and header states are more than %d", c.instance.program.Name, arrivals, maxLists)
	}
	return nil
}

// row returns the number of a row and stores the row if it is new.
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

// list returns the number of a list of outputs and stores the list if it is new. It fails if
// there are too many lists.
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
