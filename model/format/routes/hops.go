package routes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/route"
)

// This file reads tables of next hops. Several rows for the same packets are a set: they may take any of these hops.
//
// By nodes, as scripts and other tools write them; VCs are optional:
//
//	node,destination,next
//	node,from,destination,next               from is the node that the packet comes from; empty: it starts at node
//	node,from,in_vc,destination,next,out_vc
//	node,from,in_port,destination,next,out_port     ports of node, by number or name, tell parallel links apart; empty: any of them
//
// A node is a switch. A destination that is a switch stands for its hosts, and packets at the switch of their destination are
// delivered. Where hosts are nodes of the network, their rows are those of their own cable. A link to next is any of the
// parallel ones.
//
// By ports, as turnproof table writes them (kinds next-hops and input-hops):
//
//	switch,lid,destination,out_port,next                 or with out_vc, too
//	switch,in_port,in_vc,class,destination,out_port,out_vc,next_class,next     and weight, if the hops have weights

// hopForm is a form of rows.
type hopForm struct {
	needs    []string // columns
	may      []string
	read     func(t *hopTable, fields []string) error
	delivers bool
}

var hopForms = []hopForm{
	{[]string{"node", "destination", "next"}, []string{"from", "in_port", "in_vc", "out_port", "out_vc", "weight"}, (*hopTable).nodeRow, true},
	{[]string{"switch", "in_port", "in_vc", "class", "destination", "out_port", "out_vc", "next_class"}, []string{"next", "weight"},
		(*hopTable).inputRow, false},
	{[]string{"switch", "destination", "out_port"}, []string{"lid", "out_vc", "next"}, (*hopTable).portRow, false},
}

// mostSteps is the largest number of hops of a table.
const mostSteps = 1 << 28

// hopTable collects the steps of a table. While it is read, each channel has MaxVCs VCs.
type hopTable struct {
	*rows.Table
	net      *model.Network // with MaxVCs VCs
	names    *names.Index
	index    map[string]int // the columns of the form; -1 for one that is not there
	between  map[[2]model.SwitchID][]model.ChannelID
	dests    []model.Destination
	number   map[model.Destination]model.DestID
	ofWord   map[string][]model.DestID // by word: the destinations that it names
	steps    []route.Step
	bySwitch bool
	vcs      int // the largest VC index, and one more
	classes  int
	parallel bool      // a row stands for parallel links
	here     [1]int32  // the result of places in tables by switch
	weights  []float64 // by step, or nil if there is no such column
	weight   float64   // of the present row
}

// formOf returns the form of some columns, or nil.
func formOf(columns []string) *hopForm {
	for i, f := range hopForms {
		if textfile.HasColumns(columns, f.needs...) {
			return &hopForms[i]
		}
	}
	return nil
}

// newHopTable returns an empty table. The columns of r must be those of form f.
func newHopTable(r *rows.Table, f *hopForm, n *model.Network) *hopTable {
	t := &hopTable{Table: r, net: n.WithVCs(model.MaxVCs), names: names.New(n), index: map[string]int{}, vcs: 1, classes: 1,
		number: map[model.Destination]model.DestID{}, ofWord: map[string][]model.DestID{}, between: map[[2]model.SwitchID][]model.ChannelID{}}
	for _, name := range slices.Concat(f.needs, f.may) {
		t.index[name] = r.Column(name)
	}
	t.bySwitch = t.columnOf("from") < 0 && (t.columnOf("node") >= 0 || t.columnOf("in_port") < 0)
	for c := range model.ChannelID(n.NumLinkChannels()) {
		ends := [2]model.SwitchID{n.Tail(c), n.Head(c)}
		if !n.Absent(c) {
			t.between[ends] = append(t.between[ends], c)
		}
	}
	return t
}

// columnOf returns the index of a column, or -1 if it is not there.
func (t *hopTable) columnOf(name string) int {
	if i, known := t.index[name]; known {
		return i
	}
	return -1
}

// readHops reads the rows of a form.
func readHops(r *rows.Table, f *hopForm, n *model.Network) (model.Relation, []string, error) {
	t := newHopTable(r, f, n)
	for _, name := range r.Columns {
		if _, known := t.index[name]; !known {
			return nil, nil, r.Errorf("unknown column %q; this form has %s, and may have %s", textfile.Clip(name), strings.Join(f.needs, ", "),
				strings.Join(f.may, ", "))
		}
	}
	for _, name := range []string{"in_vc", "in_port"} {
		if t.columnOf(name) >= 0 && t.bySwitch {
			return nil, nil, r.Errorf("column %s needs the column from", name)
		}
	}
	if err := r.Each(func(fields []string) error { return t.wrap(f.read(t, fields)) }); err != nil {
		return nil, nil, err
	}
	return t.finish(n, f.delivers)
}

// finish returns the relation and notes.
func (t *hopTable) finish(n *model.Network, delivers bool) (model.Relation, []string, error) {
	if len(t.steps) == 0 {
		return nil, nil, t.File.FileError("no hop in it")
	}
	rel, err := t.relation(n, delivers)
	if err != nil {
		return nil, nil, t.File.FileError("%s", strings.TrimPrefix(err.Error(), "route: "))
	}
	return rel, t.notes(n), nil
}

// wrap adds the line to an error.
func (t *hopTable) wrap(err error) error {
	if err == nil && len(t.steps) > mostSteps {
		err = fmt.Errorf("more than %d hops", mostSteps)
	}
	var e *textfile.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return t.Errorf("%s", err)
}

// relation makes the relation with as many VCs as the rows need, at least those of n if the rows have VCs.
func (t *hopTable) relation(n *model.Network, delivers bool) (model.Relation, error) {
	vcs := t.vcs
	if t.columnOf("out_vc") >= 0 {
		vcs = max(vcs, n.VCs())
	}
	n = n.WithVCs(vcs)
	shrink := func(v model.VCID) model.VCID { c, i := t.net.Channel(v); return n.VC(c, i) }
	for i := range t.steps {
		x := &t.steps[i]
		x.Hop.VC = shrink(x.Hop.VC)
		if !t.bySwitch {
			x.Place = int32(shrink(model.VCID(x.Place)))
		}
	}
	t.sortDestinations(n)
	hosts := make([]model.HostID, len(t.dests))
	for d, x := range t.dests {
		hosts[d] = x.Host
	}
	return route.FromSteps(route.Steps{Net: n, Classes: t.classes, Dests: hosts, BySwitch: t.bySwitch, Delivers: delivers, List: t.steps,
		Weights: wholeWeights(t.weights)})
}

// sortDestinations adds the hosts that no row names, to which no packet arrives, and brings destinations into the order of the hosts.
func (t *hopTable) sortDestinations(n *model.Network) {
	named := make([]bool, n.NumHosts())
	for _, x := range t.dests {
		named[x.Host] = true
	}
	for h, ok := range named {
		if !ok {
			t.dests = append(t.dests, model.Destination{Host: model.HostID(h)})
		}
	}
	order, place := make([]int, len(t.dests)), make([]model.DestID, len(t.dests))
	for d := range order {
		order[d] = d
	}
	slices.SortFunc(order, func(d, e int) int {
		return cmp.Or(cmp.Compare(t.dests[d].Host, t.dests[e].Host), cmp.Compare(t.dests[d].LID, t.dests[e].LID))
	})
	sorted := make([]model.Destination, len(order))
	for i, d := range order {
		sorted[i], place[d] = t.dests[d], model.DestID(i)
	}
	t.dests = sorted
	for i := range t.steps {
		t.steps[i].Dest = place[t.steps[i].Dest]
	}
}

func (t *hopTable) notes(n *model.Network) (list []string) {
	name := textfile.Base(t.File.Name)
	if t.columnOf("out_vc") < 0 && n.VCs() > 1 {
		list = append(list, fmt.Sprintf("%s: no VCs in it: one VC per channel", name))
	}
	if t.parallel {
		list = append(list, fmt.Sprintf("%s: a next hop over parallel links may take any of them", name))
	}
	if t.weights != nil {
		list = append(list, fmt.Sprintf("%s: every hop is permitted; sim draws hops by their weights", name))
	}
	if t.columnOf("lid") >= 0 && t.columnOf("out_vc") < 0 && t.bySwitch && n.IsInfiniBand() {
		list = append(list, fmt.Sprintf("%s: no service levels in it: all packets use VC 0", name))
	}
	return list
}

// field returns a field of the present row, or "" if the column is not there.
func (t *hopTable) field(fields []string, name string) string {
	if i := t.columnOf(name); i >= 0 {
		return strings.TrimSpace(fields[i])
	}
	return ""
}

// count returns a field as a number below most.
func (t *hopTable) count(fields []string, name string, most int) (int, error) {
	text := t.field(fields, name)
	k, err := strconv.Atoi(text)
	if err != nil || k < 0 || k >= most {
		return 0, fmt.Errorf("%s is %q, want 0 to %d", name, textfile.Clip(text), most-1)
	}
	return k, nil
}

// vc returns a VC index, and 0 if the column is not there.
func (t *hopTable) vc(fields []string, name string) (int, error) {
	if t.columnOf(name) < 0 {
		return 0, nil
	}
	k, err := t.count(fields, name, model.MaxVCs)
	t.vcs = max(t.vcs, k+1)
	return k, err
}

// destinations returns the destinations that a word names: a host, or all hosts of a switch.
func (t *hopTable) destinations(word string, lid int) ([]model.DestID, error) {
	key := word
	if lid > 0 {
		key = word + "\x00" + strconv.Itoa(lid)
	}
	if list := t.ofWord[key]; list != nil {
		return list, nil
	}
	list, err := t.names.HostsOf(word)
	if err != nil {
		return nil, err
	}
	var dests []model.DestID
	for _, h := range list {
		x := model.Destination{Host: h, LID: uint16(lid)}
		d, ok := t.number[x]
		if !ok {
			d = model.DestID(len(t.dests))
			t.number[x], t.dests = d, append(t.dests, x)
		}
		dests = append(dests, d)
	}
	t.ofWord[key] = dests
	return dests, nil
}

// links returns the channels from one switch to another.
func (t *hopTable) links(u, v model.SwitchID) ([]model.ChannelID, error) {
	list := t.between[[2]model.SwitchID{u, v}]
	if len(list) == 0 {
		return nil, fmt.Errorf("no link from %s to %s", t.net.SwitchName(u), t.net.SwitchName(v))
	}
	return list, nil
}

// byPort returns those of several channels that have a port at switch u: the channels into u, or out of it. The field of a column names the
// port by its name or number; if the field is empty, or the column is not there, all channels remain.
func (t *hopTable) byPort(fields []string, column string, u model.SwitchID, list []model.ChannelID) ([]model.ChannelID, error) {
	word := t.field(fields, column)
	if word == "" {
		t.parallel = t.parallel || len(list) > 1
		return list, nil
	}
	var ports []string
	for _, isNumber := range []bool{false, true} {
		for _, c := range list {
			p := t.net.TailPort(c)
			if t.net.Head(c) == u {
				p = t.net.HeadPort(c)
			}
			if !isNumber && t.net.PortName(u, p) == word || isNumber && strconv.Itoa(int(p)) == word {
				return []model.ChannelID{c}, nil
			}
			if !isNumber {
				ports = append(ports, t.net.PortLabel(u, p))
			}
		}
	}
	return nil, fmt.Errorf("%s is %q, but the links between the two nodes have ports %s at %s", column, textfile.Clip(word), textfile.Capped(ports, len(ports)),
		t.net.SwitchName(u))
}

// mostHopWeight is the largest weight of a hop.
const mostHopWeight = 1e9

// checkWeight reads the weight of a row. It returns an error if that is no positive number.
func (t *hopTable) checkWeight(fields []string) error {
	if t.columnOf("weight") < 0 {
		return nil
	}
	text := t.field(fields, "weight")
	var err error
	if t.weight, err = strconv.ParseFloat(text, 64); err != nil || !(t.weight > 0 && t.weight <= mostHopWeight) {
		return fmt.Errorf("weight %q is no positive number up to %.0e", textfile.Clip(text), mostHopWeight)
	}
	return nil
}

// wholeWeights returns whole numbers in proportion to weights: with up to six decimals exactly, if none is too large then.
func wholeWeights(weights []float64) []uint32 {
	if weights == nil {
		return nil
	}
	most, scale := slices.Max(weights), 1.0
	isBroken := func(w float64) bool { return math.Abs(w*scale-math.Round(w*scale)) > 1e-6 }
	for scale < 1e6 && most*scale*10 < math.MaxUint32 && slices.ContainsFunc(weights, isBroken) {
		scale *= 10
	}
	whole := make([]uint32, len(weights))
	for i, w := range weights {
		whole[i] = uint32(max(math.Round(w*scale), 1))
	}
	return whole
}

func (t *hopTable) add(place int32, d model.DestID, k model.Class, hop model.Hop) {
	t.steps = append(t.steps, route.Step{Place: place, Dest: d, Class: k, Hop: hop})
	if t.columnOf("weight") >= 0 {
		t.weights = append(t.weights, t.weight)
	}
}
