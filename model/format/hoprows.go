package format

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file reads tables of next hops. Several rows for the same packets are a set: they may take any of these hops.
//
// By nodes, as scripts and other tools write them; VCs are optional:
//
//	node,destination,next
//	node,from,destination,next               from is the node that the packet comes from; empty: it starts at node
//	node,from,in_vc,destination,next,out_vc
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
	{[]string{"node", "destination", "next"}, []string{"from", "in_vc", "out_vc", "weight"}, (*hopTable).nodeRow, true},
	{[]string{"switch", "in_port", "in_vc", "class", "destination", "out_port", "out_vc", "next_class"}, []string{"next", "weight"},
		(*hopTable).inputRow, false},
	{[]string{"switch", "destination", "out_port"}, []string{"lid", "out_vc", "next"}, (*hopTable).portRow, false},
}

// mostSteps is the largest number of hops of a table.
const mostSteps = 1 << 28

// hopTable collects the steps of a table. While it is read, each channel has MaxVCs VCs.
type hopTable struct {
	*rows
	net      *model.Network // with MaxVCs VCs
	names    nodeNames
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
		missing := slices.ContainsFunc(f.needs, func(name string) bool { return !slices.Contains(columns, name) })
		if !missing {
			return &hopForms[i]
		}
	}
	return nil
}

// newHopTable returns an empty table. The columns of r must be those of form f.
func newHopTable(r *rows, f *hopForm, n *model.Network) *hopTable {
	t := &hopTable{rows: r, net: n.WithVCs(model.MaxVCs), names: newNodeNames(n), index: map[string]int{}, vcs: 1, classes: 1,
		number: map[model.Destination]model.DestID{}, ofWord: map[string][]model.DestID{}, between: map[[2]model.SwitchID][]model.ChannelID{}}
	for _, name := range slices.Concat(f.needs, f.may) {
		t.index[name] = r.column(name)
	}
	t.bySwitch = t.columnOf("from") < 0 && t.columnOf("in_port") < 0
	for c := range model.ChannelID(n.NumLinkChannels()) {
		ends := [2]model.SwitchID{n.Tail(c), n.Head(c)}
		t.between[ends] = append(t.between[ends], c)
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
func (r *rows) readHops(f *hopForm, n *model.Network) (model.Relation, []string, error) {
	t := newHopTable(r, f, n)
	for _, name := range r.columns {
		if _, known := t.index[name]; !known {
			return nil, nil, r.errorf("unknown column %q; this form has %s, and may have %s", clip([]byte(name)), strings.Join(f.needs, ", "),
				strings.Join(f.may, ", "))
		}
	}
	if t.columnOf("in_vc") >= 0 && t.bySwitch {
		return nil, nil, r.errorf("column in_vc needs the column from")
	}
	if err := r.each(func(fields []string) error { return t.wrap(f.read(t, fields)) }); err != nil {
		return nil, nil, err
	}
	return t.finish(n, f.delivers)
}

// finish returns the relation and notes.
func (t *hopTable) finish(n *model.Network, delivers bool) (model.Relation, []string, error) {
	if len(t.steps) == 0 {
		return nil, nil, t.src.wholef("no hop in it")
	}
	rel, err := t.relation(n, delivers)
	if err != nil {
		return nil, nil, t.src.wholef("%s", strings.TrimPrefix(err.Error(), "route: "))
	}
	return rel, t.notes(n), nil
}

// wrap adds the line to an error.
func (t *hopTable) wrap(err error) error {
	if err == nil && len(t.steps) > mostSteps {
		err = fmt.Errorf("more than %d hops", mostSteps)
	}
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return t.errorf("%s", err)
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
	named := make([]bool, n.NumHosts())
	for _, x := range t.dests {
		named[x.Host] = true
	}
	for h, ok := range named {
		if !ok { // no packet to h arrives
			t.dests = append(t.dests, model.Destination{Host: model.HostID(h)})
		}
	}
	hosts := make([]model.HostID, len(t.dests))
	for d, x := range t.dests {
		hosts[d] = x.Host
	}
	return route.FromSteps(route.Steps{Net: n, Classes: t.classes, Dests: hosts, BySwitch: t.bySwitch, Delivers: delivers, List: t.steps,
		Weights: wholeWeights(t.weights)})
}

func (t *hopTable) notes(n *model.Network) (list []string) {
	name := base(t.src.name)
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
		return 0, fmt.Errorf("%s is %q, want 0 to %d", name, clip([]byte(text)), most-1)
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
	list, err := t.names.hostsOf(word)
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
	t.parallel = t.parallel || len(list) > 1
	return list, nil
}

// nodeRow reads a row by nodes.
func (t *hopTable) nodeRow(fields []string) error {
	u, host, err := t.names.find(t.field(fields, "node"))
	if err != nil {
		return err
	}
	dests, err := t.destinations(t.field(fields, "destination"), 0)
	if err != nil {
		return err
	}
	next, nextHost, err := t.names.find(t.field(fields, "next"))
	if err != nil {
		return err
	}
	if err := t.checkWeight(fields); err != nil {
		return err
	}
	outVC, err := t.vc(fields, "out_vc")
	if err != nil {
		return err
	}
	places, err := t.places(fields, u)
	switch {
	case err != nil:
		return err
	case host != model.NoHost && next != t.net.Host(host).Switch:
		return fmt.Errorf("host %s has a cable to %s only", t.net.HostLabel(host), t.net.SwitchName(t.net.Host(host).Switch))
	case host != model.NoHost:
		return nil // its own cable
	}
	for _, d := range dests {
		to := t.dests[d].Host
		home := t.net.Host(to).Switch
		switch {
		case home == u && (next == u || nextHost == to):
			continue // delivered
		case home == u:
			return fmt.Errorf("packets to %s have arrived at %s, but a row sends them to %s", t.field(fields, "destination"),
				t.field(fields, "node"), t.field(fields, "next"))
		case nextHost != model.NoHost:
			return fmt.Errorf("next is host %s, but packets to %s are at another switch than it", t.net.HostLabel(nextHost), t.field(fields, "destination"))
		}
		links, err := t.links(u, next)
		if err != nil {
			return err
		}
		for _, c := range links {
			for _, place := range places {
				t.add(place, d, 0, model.Hop{VC: t.net.VC(c, outVC)})
			}
		}
	}
	return nil
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
		return fmt.Errorf("weight %q is no positive number up to %.0e", clip([]byte(text)), mostHopWeight)
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

// places returns where the packets of a row at switch u are, as in route.Step. u is NoSwitch in a row of a host. The
// result is valid until the next call.
func (t *hopTable) places(fields []string, u model.SwitchID) ([]int32, error) {
	word := t.field(fields, "from")
	var list []model.VCID
	switch {
	case u == model.NoSwitch:
		return nil, nil
	case word != "" || t.field(fields, "in_vc") != "":
		var err error
		if list, err = t.arrivals(fields, u, word); err != nil {
			return nil, err
		}
	case t.bySwitch:
		t.here[0] = int32(u)
		return t.here[:], nil
	default:
		for _, h := range t.names.at[u] {
			list = append(list, t.net.VC(t.net.InjectChannel(h), 0))
		}
	}
	places := make([]int32, len(list))
	for i, v := range list {
		places[i] = int32(v)
	}
	return places, nil
}

// arrivals returns the VCs on which packets come from a node to switch u.
func (t *hopTable) arrivals(fields []string, u model.SwitchID, word string) ([]model.VCID, error) {
	if word == "" {
		return nil, errors.New("in_vc without from: a packet that starts here has no VC")
	}
	before, host, err := t.names.find(word)
	if err != nil {
		return nil, err
	}
	if host != model.NoHost {
		if t.net.Host(host).Switch != u {
			return nil, fmt.Errorf("host %s is not at %s", word, t.field(fields, "node"))
		}
		return []model.VCID{t.net.VC(t.net.InjectChannel(host), 0)}, nil
	}
	vc, err := t.vc(fields, "in_vc")
	if err != nil {
		return nil, err
	}
	links, err := t.links(before, u)
	if err != nil {
		return nil, err
	}
	var list []model.VCID
	for _, c := range links {
		list = append(list, t.net.VC(c, vc))
	}
	return list, nil
}

func (t *hopTable) add(place int32, d model.DestID, k model.Class, hop model.Hop) {
	t.steps = append(t.steps, route.Step{Place: place, Dest: d, Class: k, Hop: hop})
	if t.columnOf("weight") >= 0 {
		t.weights = append(t.weights, t.weight)
	}
}

// channelAt returns the channel through a port of a switch: out of it, or into it.
func (t *hopTable) channelAt(fields []string, column string, u model.SwitchID, out bool) (model.ChannelID, error) {
	p, err := t.count(fields, column, model.MaxPort+1)
	if err != nil {
		return 0, err
	}
	c := t.net.OutAt(u, model.Port(p))
	if c == model.NoChannel {
		return 0, fmt.Errorf("%s: no cable at port %d of %s", column, p, t.net.SwitchName(u))
	}
	if !out {
		c = t.net.Reverse(c)
	}
	return c, nil
}

// switchOf returns the switch of a row by ports.
func (t *hopTable) switchOf(fields []string) (model.SwitchID, error) {
	u, host, err := t.names.find(t.field(fields, "switch"))
	if err == nil && host != model.NoHost {
		err = fmt.Errorf("%s is no switch", t.field(fields, "switch"))
	}
	return u, err
}

// portRow reads a row of next-hops.
func (t *hopTable) portRow(fields []string) error {
	u, err := t.switchOf(fields)
	if err != nil {
		return err
	}
	lid := 0
	if t.columnOf("lid") >= 0 {
		if lid, err = t.count(fields, "lid", 1<<16); err != nil {
			return err
		}
	}
	dests, err := t.destinations(t.field(fields, "destination"), lid)
	if err != nil {
		return err
	}
	c, err := t.channelAt(fields, "out_port", u, true)
	if err != nil {
		return err
	}
	vc, err := t.vc(fields, "out_vc")
	if err != nil {
		return err
	}
	for _, d := range dests {
		t.add(int32(u), d, 0, model.Hop{VC: t.net.VC(c, vc)})
	}
	return nil
}

// mostClasses is the largest number of classes in a table.
const mostClasses = 1 << 16

// inputRow reads a row of input-hops.
func (t *hopTable) inputRow(fields []string) error {
	if err := t.checkWeight(fields); err != nil {
		return err
	}
	u, err := t.switchOf(fields)
	if err != nil {
		return err
	}
	dests, err := t.destinations(t.field(fields, "destination"), 0)
	if err != nil {
		return err
	}
	in, err := t.channelAt(fields, "in_port", u, false)
	if err != nil {
		return err
	}
	out, err := t.channelAt(fields, "out_port", u, true)
	if err != nil {
		return err
	}
	var vc, k [2]int
	for i, name := range []string{"in_vc", "out_vc"} {
		if vc[i], err = t.vc(fields, name); err != nil {
			return err
		}
	}
	for i, name := range []string{"class", "next_class"} {
		if k[i], err = t.count(fields, name, mostClasses); err != nil {
			return err
		}
		t.classes = max(t.classes, k[i]+1)
	}
	for _, d := range dests {
		t.add(int32(t.net.VC(in, vc[0])), d, model.Class(k[0]), model.Hop{VC: t.net.VC(out, vc[1]), Class: model.Class(k[1])})
	}
	return nil
}
