package priorities

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file collects the routes of a relation.

// Routes are the paths of all pairs of hosts, without the channels to and from hosts.
type Routes struct {
	Net *model.Network
	// Turns are the turns of all paths, each once.
	Turns []Turn
	flows []flow
	turn  turnNumbers
	isEnd func(model.SwitchID) bool
	// by channel: turns from it, of the first numbered ones; see turnsFrom
	from     [][]int32
	numbered int
}

// Turn is a pair of channels one after the other on a path. In is NoChannel for frames from hosts of the switch.
type Turn struct {
	Switch  model.SwitchID
	In, Out model.ChannelID
}

// flow is the paths of the frames to some destinations: steps from node to node. A node is a channel, and what the frames carry.
type flow struct {
	dests   []model.DestID
	channel []model.ChannelID
	starts  []step
	next    [][]step // by node
	ends    []bool   // by node: frames may arrive at their host from here, without a further channel
}

// step is a turn to a node.
type step struct{ turn, node int32 }

// ErrLoop says that frames can circle: then no number of priorities is enough.
var ErrLoop = errors.New("frames can circle: routes of a destination form a loop")

// Collect returns the routes of a relation with one class of packets, whose next hops depend on switch and destination only. isEnd, if not
// nil, says which switches stand for hosts: channels to and from them are no buffers that wait. It fails with ErrLoop if frames can circle.
// Cost: O(destinations × channels), or O(switches × channels) for a relation that routes by switch.
func Collect(ctx context.Context, rel model.Relation, isEnd func(model.SwitchID) bool) (*Routes, error) {
	if rel.Classes() != 1 || rel.Network().VCs() != 1 {
		return nil, fmt.Errorf("priorities: routes with %d classes and %d VCs; want one of each", rel.Classes(), rel.Network().VCs())
	}
	if isEnd == nil {
		isEnd = func(model.SwitchID) bool { return false }
	}
	r := &Routes{Net: rel.Network(), turn: newTurnNumbers(rel.Network()), isEnd: isEnd}
	s, ok := rel.(model.SwitchRouted)
	bySwitch := ok && s.SwitchRouted()
	at, known := map[model.SwitchID]int{}, map[string]int{} // flows by switch of the destinations, and by content
	for d := range model.DestID(rel.Destinations()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		u := r.Net.Host(rel.DestinationHost(d)).Switch
		if i, ok := at[u]; ok && bySwitch {
			r.flows[i].dests = append(r.flows[i].dests, d)
			continue
		}
		f := r.walk(rel, d)
		if f.circles() {
			return nil, ErrLoop
		}
		i, ok := known[f.key()]
		if !ok {
			i = len(r.flows)
			known[f.key()] = i
			r.flows = append(r.flows, f)
		}
		r.flows[i].dests = append(r.flows[i].dests, d)
		at[u] = i
	}
	return r, nil
}

// number returns the number of a turn.
func (r *Routes) number(t Turn) int32 {
	at := r.turn.at(t)
	if *at == 0 {
		r.Turns = append(r.Turns, t)
		*at = int32(len(r.Turns))
	}
	return *at - 1
}

// turnNumbers has the number of each turn plus one, by the channel by which frames come and the port by which they leave. Frames of hosts
// come by the switch: its number is behind those of the channels.
type turnNumbers struct {
	net  *model.Network
	rows [][]int32
}

func newTurnNumbers(n *model.Network) turnNumbers {
	return turnNumbers{n, make([][]int32, n.NumChannels()+n.NumSwitches())}
}

// place returns the row and the column of a turn.
func (x turnNumbers) place(t Turn) (row, column int) {
	if t.In == model.NoChannel {
		return x.net.NumChannels() + int(t.Switch), int(x.net.TailPort(t.Out))
	}
	return int(t.In), int(x.net.TailPort(t.Out))
}

// at returns the number of a turn plus one, or 0 if it has none.
func (x turnNumbers) at(t Turn) *int32 {
	i, port := x.place(t)
	for len(x.rows[i]) <= port {
		x.rows[i] = append(x.rows[i], 0)
	}
	return &x.rows[i][port]
}

// find returns the number of a turn, if it has one.
func (x turnNumbers) find(t Turn) (int32, bool) {
	i, port := x.place(t)
	if port >= len(x.rows[i]) || x.rows[i][port] == 0 {
		return 0, false
	}
	return x.rows[i][port] - 1, true
}

// walker finds the paths of frames to a destination.
type walker struct {
	*Routes
	rel  model.Relation
	dest model.DestID
	flow
	node  map[model.ChannelID]int32
	hops  map[model.SwitchID][]model.ChannelID // next hops between switches
	begun map[model.SwitchID]bool
}

// walk returns the paths of frames to a destination.
func (r *Routes) walk(rel model.Relation, d model.DestID) flow {
	w := &walker{Routes: r, rel: rel, dest: d, node: map[model.ChannelID]int32{}, hops: map[model.SwitchID][]model.ChannelID{},
		begun: map[model.SwitchID]bool{}}
	for h := range model.HostID(rel.Sources()) {
		if model.Sends(rel, h, d) && len(rel.Inject(h, d, nil)) > 0 {
			w.begin(r.Net.VC(r.Net.InjectChannel(h), 0), r.Net.Host(h).Switch)
		}
	}
	for i := 0; i < len(w.channel); i++ {
		in := w.channel[i]
		u := r.Net.Head(in)
		var list []step
		arrives := r.Net.Host(rel.DestinationHost(d)).Switch == u
		for _, c := range w.after(r.Net.VC(in, 0), u) {
			if r.isEnd(r.Net.Head(c)) {
				arrives = true
				continue
			}
			list = append(list, step{r.number(Turn{u, in, c}), w.visit(c)})
		}
		w.next, w.ends = append(w.next, list), append(w.ends, arrives)
	}
	return w.flow
}

// after returns the next hops between switches of frames that enter switch u by a VC.
func (w *walker) after(vc model.VCID, u model.SwitchID) []model.ChannelID {
	list, ok := w.hops[u]
	if !ok {
		for _, h := range w.rel.Next(model.State{VC: vc, Dest: w.dest}, nil) {
			if c, _ := w.Net.Channel(h.VC); w.Net.Kind(c) == model.SwitchToSwitch {
				list = append(list, c)
			}
		}
		w.hops[u] = list
	}
	return list
}

// visit returns the node of a channel.
func (w *walker) visit(c model.ChannelID) int32 {
	i, ok := w.node[c]
	if !ok {
		i = int32(len(w.channel))
		w.node[c] = i
		w.channel = append(w.channel, c)
	}
	return i
}

// begin adds the first turns of frames from hosts of switch u. A switch that stands for hosts has none itself.
func (w *walker) begin(vc model.VCID, u model.SwitchID) {
	if w.begun[u] {
		return
	}
	w.begun[u] = true
	for _, c := range w.after(vc, u) {
		switch {
		case w.isEnd(u):
			w.begin(w.Net.VC(c, 0), w.Net.Head(c))
		case !w.isEnd(w.Net.Head(c)):
			w.starts = append(w.starts, step{w.number(Turn{u, model.NoChannel, c}), w.visit(c)})
		}
	}
}

// circles reports whether frames can come back to a node. It removes nodes without successors until none is left.
func (f *flow) circles() bool {
	degree, before := make([]int, len(f.next)), make([][]int32, len(f.next))
	var todo []int32
	for i, list := range f.next {
		if degree[i] = len(list); degree[i] == 0 {
			todo = append(todo, int32(i))
		}
		for _, s := range list {
			before[s.node] = append(before[s.node], int32(i))
		}
	}
	left := len(f.next)
	for ; len(todo) > 0; left-- {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range before[i] {
			if degree[j]--; degree[j] == 0 {
				todo = append(todo, j)
			}
		}
	}
	return left > 0
}

// key is the same for flows with the same turns from the same nodes.
func (f *flow) key() string {
	list := make([]int32, 0, 2*len(f.starts)+2*len(f.next))
	for _, s := range f.starts {
		list = append(list, s.turn)
	}
	for _, steps := range f.next {
		for _, s := range steps {
			list = append(list, s.turn)
		}
	}
	slices.Sort(list)
	text := make([]byte, 0, 4*len(list))
	for _, x := range list {
		text = binary.LittleEndian.AppendUint32(text, uint32(x))
	}
	return string(text)
}
