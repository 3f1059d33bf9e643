package program

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"go.starlark.net/starlark"

	"turnproof/model"
)

// This file compiles a program, on one network, into tables: a model.Relation that
// answers as fast as the built-in routings.
//
// What a packet may do next is a list of outputs; there are few different ones. A row
// gives the list for each way in which a packet can have come (direction, VC, header
// state), and there are few different rows, too: most programs ask little of how the
// packet came, and then one call fills a row. A table gives the row for each switch
// and destination.
//
// Cost: some tenths of a microsecond for each reachable state, and for all ways to come
// at once where route does not ask for inp (tracer.go). Memory: four bytes for each pair of
// switches.
//
// An output where the network has no channel loses the packet: the state has no next
// hop, which refutes connected, and a note says where.

// Relation compiles the program for n, which must be of its family, and returns it
// with notes on what may not have been meant. The relation's network has at least as
// many VCs as the program uses. Errors name the place in the text.
func (p *Program) Relation(ctx context.Context, n *model.Network) (model.Relation, []string, error) {
	sides, err := p.sidesOn(n)
	if err != nil {
		return nil, nil, err
	}
	if p.VCs > n.VCs() {
		n = n.WithVCs(p.VCs)
	}
	in, err := p.OnNumbers(sides)
	if err != nil {
		return nil, nil, err
	}
	c := &compiler{
		relation: relation{net: n, states: p.States, vcs: p.VCs, dirs: 2 * len(sides), table: make([]uint32, n.NumSwitches()*n.NumSwitches())},
		instance: in, ctx: ctx, tracers: sync.Pool{New: func() any { return newTracer(in, len(sides), p.States) }}, rowOf: map[string]uint32{}, listOf: map[string]uint16{},
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		c.at = append(c.at, Numbers(n.Grid().Coords(u, nil)))
	}
	if err := c.compile(); err != nil {
		return nil, nil, err
	}
	var notes []string
	if c.lost != nil {
		notes = append(notes, fmt.Sprintf("%s: %s, where there is no channel; the packet counts as lost", p.Name, c.lost))
	}
	if escape := in.Escape(); escape != nil {
		return &escaping{c.relation, escape}, notes, nil
	}
	r := c.relation
	return &r, notes, nil
}

// noList is the list of a state that no packet gets into.
const noList = 0xffff

// relation is a compiled program.
type relation struct {
	net               *model.Network
	states, vcs, dirs int
	table             []uint32   // by destination's switch and switch: row
	rows              [][]uint16 // by way to come: list
	lists             [][]Output
}

// way numbers the ways to come: direction (NoDir first), VC, header state.
func (r *relation) way(a Dir, vc, state int) int { return (int(a+1)*r.vcs+vc)*r.states + state }

// Network implements model.Relation.
func (r *relation) Network() *model.Network { return r.net }

// Classes implements model.Relation: the header states.
func (r *relation) Classes() int { return r.states }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return r.net.NumHosts() }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Inject implements model.Relation.
func (r *relation) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	in, vc := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch {
		return buf // on an ejection channel: consumed
	}
	h := r.DestinationHost(s.Dest)
	v := r.net.Host(h).Switch
	if u == v {
		return append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class})
	}
	a := NoDir
	if r.net.Tail(in) != model.NoSwitch {
		a = Dir(r.net.TailPort(in)) - 1
	}
	if vc >= r.vcs || a >= Dir(r.dirs) {
		return buf
	}
	row := r.rows[r.table[int(v)*r.net.NumSwitches()+int(u)]]
	list := row[r.way(a, vc, int(s.Class))]
	if list == noList {
		return buf
	}
	for _, o := range r.lists[list] {
		buf = append(buf, model.Hop{VC: r.net.VC(r.net.OutAt(u, o.Dir.Port()), o.VC), Class: model.Class(o.State)})
	}
	return buf
}

// escaping is a program that names its escape.
type escaping struct {
	relation
	escape []Output
}

// EscapeVC implements model.Escaper.
func (r *escaping) EscapeVC(v model.VCID) bool {
	c, vc := r.net.Channel(v)
	return r.net.IsLinkVC(v) && slices.ContainsFunc(r.escape, func(o Output) bool {
		return o.Dir.Port() == r.net.TailPort(c) && o.VC == vc
	})
}

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
		if i := int(a.u)*ways + c.way(a.dir, a.vc, a.state); a.u != v && !seen[i] {
			seen[i] = true
			todo = append(todo, a)
		}
	}
	for _, u := range c.destinations() {
		visit(arrival{u, NoDir, 0, 0})
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
		if c.net.OutAt(a.u, o.Dir.Port()) == model.NoChannel {
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
