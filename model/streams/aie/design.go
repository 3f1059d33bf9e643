package aie

import (
	"fmt"
	"sort"
	"strconv"
)

// This file collects what a design says about tiles, locks, channels, cores, the host and the routing.

type tile struct{ col, row int }

func (t tile) String() string { return fmt.Sprintf("(%d, %d)", t.col, t.row) }

// port is a port of a switchbox or shim mux, such as DMA : 0 or North : 3.
type port struct {
	bundle  string
	channel int
}

func (p port) String() string { return fmt.Sprintf("%s:%d", p.bundle, p.channel) }

// channelID is a DMA channel.
type channelID struct {
	tile
	send    bool // MM2S
	channel int
}

func (c channelID) String() string {
	return fmt.Sprintf("%s %s %d", c.tile, map[bool]string{true: "MM2S", false: "S2MM"}[c.send], c.channel)
}

type lock struct {
	name  string
	value int
}

// bd is a buffer descriptor with the uses of locks around it.
type bd struct {
	line   int
	before []use
	words  int
	packet int // its id, or -1
	after  []use
}

// use is a use of a lock.
type use struct {
	lock    string
	acquire bool
	amount  int
}

// chain is the program of a channel: BDs in order. From the last one it goes back to number back, or ends if back is -1. Then
// it runs runs times.
type chain struct {
	bds        []bd
	back, runs int
}

// flow is an end-to-end connection that the design asks for.
type flow struct {
	line   int
	packet int // its id, or -1
	from   []endpoint
	to     []endpoint
}

type endpoint struct {
	tile
	port
}

type rule struct {
	mask, value int
	amsel       string
}

type master struct {
	port
	amsels []string
	keeps  bool
}

// box is the configuration of a switchbox.
type box struct {
	circuits map[port][]port
	rules    map[port][]rule
	arbiter  map[string]int // by name of an amsel
	masters  []master
}

type allocation struct {
	channelID
	packet int
}

// design is everything that is read.
type design struct {
	file     string
	tiles    map[string]tile
	locks    map[string]*lock
	order    []string // names of locks in order
	flows    []flow
	chains   map[channelID]*chain
	cores    map[tile]*op
	boxes    map[tile]*box
	muxes    map[tile]*box
	allocs   map[string]allocation
	control  map[tile]int // the id of the packets that its controller sends
	sequence *op
	named    map[string]tile // the tiles that the sequence can name
}

func newDesign(file string) *design {
	return &design{file: file, tiles: map[string]tile{}, locks: map[string]*lock{}, chains: map[channelID]*chain{}, cores: map[tile]*op{},
		boxes: map[tile]*box{}, muxes: map[tile]*box{}, allocs: map[string]allocation{}, control: map[tile]int{}}
}

func (d *design) errorf(o *op, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.file, o.line, fmt.Sprintf(format, args...))
}

// readPart reads one part of a file. Its switchboxes replace those of the part before: the router starts from them.
func (d *design) readPart(list []*op) error {
	boxes, muxes := d.boxes, d.muxes
	d.tiles, d.boxes, d.muxes = map[string]tile{}, map[tile]*box{}, map[tile]*box{}
	if err := d.read(list); err != nil {
		return err
	}
	if len(d.boxes) == 0 {
		d.boxes, d.muxes = boxes, muxes
	}
	return nil
}

// read reads modules.
func (d *design) read(list []*op) error {
	for _, o := range list {
		switch o.name {
		case "module", "aie.device":
			for _, region := range o.regions {
				if err := d.read(region); err != nil {
					return err
				}
			}
			continue
		}
		if err := d.operation(o); err != nil {
			return err
		}
	}
	return nil
}

func (d *design) operation(o *op) error {
	switch o.name {
	case "aie.tile":
		n := o.numbers()
		if len(n) < 2 || len(o.results) != 1 {
			return d.errorf(o, "aie.tile needs a column and a row")
		}
		d.tiles[o.results[0]] = tile{n[0], n[1]}
		if id, ok := o.number("pkt_id"); ok && o.has("controller_id") {
			d.control[tile{n[0], n[1]}] = id
		}
	case "aie.lock":
		return d.readLock(o)
	case "aie.flow":
		return d.readFlow(o)
	case "aie.packet_flow":
		return d.readPacketFlow(o)
	case "aie.mem", "aie.memtile_dma", "aie.shim_dma":
		return d.readDMA(o)
	case "aie.core":
		t, err := d.tileOf(o)
		if err != nil {
			return err
		}
		d.cores[t] = o
	case "aie.switchbox", "aie.shim_mux":
		return d.readBox(o)
	case "aie.shim_dma_allocation":
		return d.readAllocation(o)
	case "aie.runtime_sequence", "aiex.runtime_sequence":
		if d.sequence != nil {
			return d.errorf(o, "a second runtime sequence; the first is in line %d", d.sequence.line)
		}
		d.sequence, d.named = o, d.tiles
	case "aie.buffer", "aie.external_buffer", "aie.wire", "aie.end", "arith.constant", "func.func", "memref.global", "aie.packet_rules":
	default:
		return d.errorf(o, "%.60s is not read", o.name)
	}
	return nil
}

// tileOf returns the first tile that an operation names.
func (d *design) tileOf(o *op) (tile, error) {
	for _, name := range o.withPrefix("%") {
		if t, ok := d.tiles[name]; ok {
			return t, nil
		}
	}
	return tile{}, d.errorf(o, "%s names no tile", o.name)
}

func (d *design) readLock(o *op) error {
	t, err := d.tileOf(o)
	if err != nil || len(o.results) != 1 {
		return d.errorf(o, "aie.lock needs a name and a tile")
	}
	l := &lock{name: fmt.Sprintf("lock %s of %s", o.results[0][1:], t)}
	l.value, _ = o.number("init")
	if d.locks[o.results[0]] != nil {
		return d.errorf(o, "there are two locks %s", o.results[0])
	}
	d.locks[o.results[0]] = l
	d.order = append(d.order, o.results[0])
	return nil
}

// ports returns the ports NAME : NUMBER among the words of an operation, in order.
func (o *op) ports() (list []port) {
	for i := 0; i+2 < len(o.words); i++ {
		if n, err := strconv.Atoi(o.words[i+2]); err == nil && o.words[i+1] == ":" && n >= 0 && n < 64 && isBundle(o.words[i]) {
			list = append(list, port{o.words[i], n})
		}
	}
	return list
}

func isBundle(word string) bool {
	switch word {
	case "Core", "DMA", "FIFO", "South", "West", "North", "East", "PLIO", "NOC", "Trace", "TileControl", "Ctrl":
		return true
	}
	return false
}

func (d *design) endpoint(o *op, name string, p port) (endpoint, error) {
	t, ok := d.tiles[name]
	if !ok {
		return endpoint{}, d.errorf(o, "there is no tile %s", name)
	}
	return endpoint{t, p}, nil
}

func (d *design) readFlow(o *op) error {
	names, ports := o.withPrefix("%"), o.ports()
	if len(names) != 2 || len(ports) != 2 {
		return d.errorf(o, "aie.flow needs two tiles with their ports")
	}
	from, err := d.endpoint(o, names[0], ports[0])
	if err != nil {
		return err
	}
	to, err := d.endpoint(o, names[1], ports[1])
	d.flows = append(d.flows, flow{o.line, -1, []endpoint{from}, []endpoint{to}})
	return err
}

func (d *design) readPacketFlow(o *op) error {
	n := o.numbers()
	if len(n) == 0 || len(o.regions) != 1 {
		return d.errorf(o, "aie.packet_flow needs an id and a region")
	}
	f := flow{line: o.line, packet: n[0]}
	for _, x := range o.regions[0] {
		names, ports := x.withPrefix("%"), x.ports()
		if x.name == "aie.end" {
			continue
		}
		if len(names) != 1 || len(ports) != 1 {
			return d.errorf(x, "%.60s needs a tile and a port", x.name)
		}
		e, err := d.endpoint(x, names[0], ports[0])
		if err != nil {
			return err
		}
		switch x.name {
		case "aie.packet_source":
			f.from = append(f.from, e)
		case "aie.packet_dest":
			f.to = append(f.to, e)
		default:
			return d.errorf(x, "%.60s is not read", x.name)
		}
	}
	d.flows = append(d.flows, f)
	return nil
}

func (d *design) readBox(o *op) error {
	t, err := d.tileOf(o)
	if err != nil || len(o.regions) != 1 {
		return d.errorf(o, "%s needs a tile and a region", o.name)
	}
	b := &box{map[port][]port{}, map[port][]rule{}, map[string]int{}, nil}
	for _, x := range o.regions[0] {
		if err := d.boxOperation(b, x); err != nil {
			return err
		}
	}
	to := d.boxes
	if o.name == "aie.shim_mux" {
		to = d.muxes
	}
	if to[t] != nil {
		return d.errorf(o, "a second %s of %s", o.name, t)
	}
	to[t] = b
	return nil
}

func (d *design) boxOperation(b *box, x *op) error {
	ports, numbers := x.ports(), x.numbers()
	switch x.name {
	case "aie.connect":
		if len(ports) != 2 {
			return d.errorf(x, "aie.connect needs two ports")
		}
		b.circuits[ports[0]] = append(b.circuits[ports[0]], ports[1])
	case "aie.amsel":
		if len(numbers) != 2 || len(x.results) != 1 {
			return d.errorf(x, "aie.amsel needs a name, an arbiter and a select")
		}
		b.arbiter[x.results[0]] = numbers[0]
	case "aie.masterset":
		if len(ports) != 1 || len(x.withPrefix("%")) == 0 {
			return d.errorf(x, "aie.masterset needs a port and selects")
		}
		b.masters = append(b.masters, master{ports[0], x.withPrefix("%"), x.after("keep_pkt_header", "=") == "true"})
	case "aie.packet_rules":
		if len(ports) != 1 || len(x.regions) != 1 {
			return d.errorf(x, "aie.packet_rules needs a port and rules")
		}
		for _, y := range x.regions[0] {
			n, amsel := y.numbers(), y.withPrefix("%")
			if y.name == "aie.end" {
				continue
			}
			if y.name != "aie.rule" || len(n) < 2 || len(amsel) != 1 {
				return d.errorf(y, "want aie.rule with a mask, a value and a select, not %.60s", y.name)
			}
			b.rules[ports[0]] = append(b.rules[ports[0]], rule{n[0], n[1], amsel[0]})
		}
	case "aie.end":
	default:
		return d.errorf(x, "%.60s is not read", x.name)
	}
	return nil
}

func (d *design) readAllocation(o *op) error {
	t, err := d.tileOf(o)
	names, n := o.withPrefix("@"), o.numbers()
	if err != nil || len(names) == 0 || len(n) == 0 || o.has("MM2S") == o.has("S2MM") {
		return d.errorf(o, "aie.shim_dma_allocation needs a name, a tile, a direction and a channel")
	}
	a := allocation{channelID{t, o.has("MM2S"), n[0]}, -1}
	if id, ok := o.number("pkt_id"); ok {
		a.packet = id
	}
	d.allocs[names[0]] = a
	return nil
}

// sortedTiles returns the keys of a map, by column and row.
func sortedTiles[V any](of map[tile]V) []tile {
	list := make([]tile, 0, len(of))
	for t := range of {
		list = append(list, t)
	}
	sort.Slice(list, func(i, k int) bool {
		return list[i].col < list[k].col || list[i].col == list[k].col && list[i].row < list[k].row
	})
	return list
}
