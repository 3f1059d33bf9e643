package synth

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// DA(H, Pstat, Pcond), the cycle-detection algorithm of the 2-D turn model, decides which
// conditional turns stay prohibited.
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section 3.2.4. The paper
// does not say when the marks of used channels are cleared, and whether a search continues beyond
// its start switch. DAOptions lists the readings.
//
// The default clears the marks before each start channel and continues beyond the start switch. It
// prohibits a conditional turn if and only if the turn lies on a cycle of the turns allowed at
// that moment. The set of allowed turns only shrinks, so at the end no cycle contains an allowed
// conditional turn. Other readings miss cycles; docs/turn-methods-reference.md shows a smallest network for
// each. A prohibited turn can become harmless because of later prohibitions: see release.go. Cost:
// O(start channels × turns) time, O(turns) memory, no recursion. The default skips start channels
// outside the strong components of the conditional turns.

// Values of DAOptions.Marks: when the marks of used channels are cleared.
const (
	MarksChannel   = "channel"   // before each start channel
	MarksProcedure = "procedure" // before each procedure at each start switch
	MarksSwitch    = "switch"    // before each start switch
	MarksNever     = "never"
)

// Values of DAOptions.Starts: the order of the start switches.
const (
	StartsByID       = "id"
	StartsByPreorder = "preorder"
	StartsByDepth    = "depth" // equal depth: by ID
)

// MarkRules returns the values of DAOptions.Marks, the default first.
func MarkRules() []string {
	return []string{MarksChannel, MarksProcedure, MarksSwitch, MarksNever}
}

// StartOrders returns the values of DAOptions.Starts, the default first.
func StartOrders() []string {
	return []string{StartsByID, StartsByPreorder, StartsByDepth}
}

// Detected is a cycle that DA found: the channels from the start channel to the channel that
// closes the cycle.
type Detected struct {
	Turn  model.Turn // the turn that is prohibited because of this cycle
	Cycle []model.ChannelID
}

// detection is the state of a run of DA.
type detection struct {
	*hv.Graph
	p          policy
	o          DAOptions
	prohibited *model.TurnSet

	start []int32           // by channel: index into next
	next  []model.ChannelID // channels that may follow: no U-turns, no turns of Pstat
	gone  []bool            // parallel to next: true if the turn has been prohibited
	mark  []uint32          // by channel: the last round that used it
	round uint32
	from  []model.ChannelID // by channel: its predecessor in the search
	keep  bool              // whether to record the cycles
	found []Detected
}

// newDetection checks the readings and lists the turns.
func newDetection(g *hv.Graph, p policy, o DAOptions) (*detection, error) {
	var err error
	if o.Marks, err = choose("mark rule", o.Marks, MarkRules()); err != nil {
		return nil, err
	}
	if o.Starts, err = choose("order of start switches", o.Starts, StartOrders()); err != nil {
		return nil, err
	}
	d := &detection{Graph: g, p: p, o: o, prohibited: model.NewTurnSet(g.Net)}
	d.build()
	return d, nil
}

// detect returns the conditional turns that DA prohibits.
func detect(ctx context.Context, g *hv.Graph, p policy, o DAOptions) (*model.TurnSet, error) {
	d, err := newDetection(g, p, o)
	if err != nil {
		return nil, err
	}
	if o.Off {
		for t := range model.Turns(g.Net, false) {
			if class, turns := g.ClassTurn(model.ChannelID(t.In), model.ChannelID(t.Out)); turns && (class == p.steps[0] || class == p.steps[1]) {
				d.prohibited.Add(t)
			}
		}
		return d.prohibited, nil
	}
	return d.prohibited, d.run(ctx)
}

// DetectedCycles returns the cycles that DA finds for a method of the 2-D turn model on g, in the
// order in which DA finds them. It fails for other methods.
func DetectedCycles(ctx context.Context, method string, g *hv.Graph, o DAOptions) ([]Detected, error) {
	p, ok := policies[method]
	if !ok {
		return nil, fmt.Errorf("method %s has no cycle detection", method)
	}
	d, err := newDetection(g, p, o)
	if err != nil {
		return nil, err
	}
	d.keep = true
	err = d.run(ctx)
	return d.found, err
}

// Start is the beginning of a search of DA: a switch with a channel out of it.
type Start struct {
	Switch  model.SwitchID
	Channel model.ChannelID
	Turn    hv.ClassTurn // the conditional turn that the search may prohibit
}

// Starts returns the beginnings of DA's searches for a method of the 2-D turn model on g, in the order
// of the searches. It fails for other methods.
func Starts(method string, g *hv.Graph, o DAOptions) (list []Start, err error) {
	p, ok := policies[method]
	if !ok {
		return nil, fmt.Errorf("method %s has no cycle detection", method)
	}
	d, err := newDetection(g, p, o)
	if err != nil {
		return nil, err
	}
	part := d.parts()
	for _, s := range d.starts() {
		for _, step := range p.steps {
			for _, c := range d.startChannels(s, step, part) {
				list = append(list, Start{s, c, step})
			}
		}
	}
	return list, nil
}

// startChannels returns the channels out of s from which DA searches for cycles with a conditional turn.
func (d *detection) startChannels(s model.SwitchID, step hv.ClassTurn, part []int32) (list []model.ChannelID) {
	for _, c := range d.Net.Out(s) {
		if d.Net.Kind(c) == model.SwitchToSwitch && d.Dir(c) == step.Out && d.closes(s, c, step, part) {
			list = append(list, c)
		}
	}
	return list
}

// build lists the turns that searches may use.
func (d *detection) build() {
	n := d.Net
	d.start = make([]int32, n.NumLinkChannels()+1)
	for c := range model.ChannelID(n.NumLinkChannels()) {
		for _, o := range n.Out(n.Head(c)) {
			if n.Kind(o) != model.SwitchToSwitch || o == n.Reverse(c) {
				continue
			}
			if class, turns := d.ClassTurn(c, o); turns && d.p.always.Has(class) {
				continue
			}
			d.next = append(d.next, o)
		}
		d.start[c+1] = int32(len(d.next))
	}
	d.gone, d.mark = make([]bool, len(d.next)), make([]uint32, n.NumLinkChannels())
	d.from = make([]model.ChannelID, n.NumLinkChannels())
}

// run searches from each start switch.
func (d *detection) run(ctx context.Context) error {
	part := d.parts()
	d.round = 1
	for i, s := range d.starts() {
		if err := ctx.Err(); err != nil && i%16 == 0 {
			return err
		}
		if d.o.Marks == MarksSwitch {
			d.round++
		}
		for _, step := range d.p.steps {
			if d.o.Marks == MarksProcedure {
				d.round++
			}
			for _, c := range d.startChannels(s, step, part) {
				if d.o.Marks == MarksChannel {
					d.round++
				}
				d.search(s, c, step)
			}
		}
	}
	return nil
}

// starts returns the switches in the order of DAOptions.Starts.
func (d *detection) starts() []model.SwitchID {
	list := slices.Clone(d.Preorder)
	switch d.o.Starts {
	case StartsByID:
		slices.Sort(list)
	case StartsByDepth:
		slices.Sort(list)
		slices.SortStableFunc(list, func(a, b model.SwitchID) int { return int(d.Depth[a] - d.Depth[b]) })
	}
	return list
}

// closes reports whether some channel into s makes the conditional turn with c: conditions (a) and
// (b) of the paper. The default reading considers only channels that can lie on a cycle with c,
// those of the same strong component.
func (d *detection) closes(s model.SwitchID, c model.ChannelID, step hv.ClassTurn, part []int32) bool {
	for _, o := range d.Net.Out(s) {
		if d.Net.Kind(o) != model.SwitchToSwitch || o == c {
			continue
		}
		in := d.Net.Reverse(o)
		if d.Dir(in) == step.In && (d.o.Marks != MarksChannel || part[in] == part[c] && part[c] >= 0) {
			return true
		}
	}
	return false
}

// search runs a depth-first search from channel c out of s. It prohibits the conditional turns to
// c from the channels by which the search returns to s.
func (d *detection) search(s model.SwitchID, c model.ChannelID, step hv.ClassTurn) {
	type frame struct {
		at    model.ChannelID
		tried int32
	}
	d.mark[c] = d.round
	d.from[c] = model.NoChannel
	for stack := []frame{{c, d.start[c]}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.tried == d.start[top.at+1] {
			stack = stack[:len(stack)-1]
			continue
		}
		i := top.tried
		top.tried++
		o := d.next[i]
		if d.gone[i] || d.mark[o] == d.round {
			continue
		}
		d.mark[o], d.from[o] = d.round, top.at
		if d.Net.Head(o) == s {
			if d.Dir(o) == step.In && o != d.Net.Reverse(c) {
				d.prohibit(o, c)
			}
			if d.o.StopAtStart {
				continue
			}
		}
		stack = append(stack, frame{o, d.start[o]})
	}
}

// prohibit prohibits the turn from channel in to channel out.
func (d *detection) prohibit(in, out model.ChannelID) {
	t := model.Turn{In: model.VCID(in), Out: model.VCID(out)}
	for i := d.start[in]; i < d.start[in+1]; i++ {
		if d.next[i] == out {
			d.gone[i] = true
		}
	}
	d.prohibited.Add(t)
	if !d.keep {
		return
	}
	var cycle []model.ChannelID
	for c := in; c != model.NoChannel; c = d.from[c] {
		cycle = append(cycle, c)
	}
	slices.Reverse(cycle)
	d.found = append(d.found, Detected{t, cycle})
}

// parts numbers the strong components of the turns that searches may use. Channels on no cycle get
// -1.
func (d *detection) parts() []int32 {
	set := model.NewTurnSet(d.Net)
	for c := range model.ChannelID(d.Net.NumLinkChannels()) {
		for _, o := range d.next[d.start[c]:d.start[c+1]] {
			set.Add(model.Turn{In: model.VCID(c), Out: model.VCID(o)})
		}
	}
	part := make([]int32, d.Net.NumLinkChannels())
	for c := range part {
		part[c] = -1
	}
	for i, list := range cdg.FromTurns(set).CyclicComponents() {
		for _, v := range list {
			part[v] = int32(i)
		}
	}
	return part
}
