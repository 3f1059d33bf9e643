package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// FindWorstCase finds the permutation of the hosts that loads a channel most.
//
// Source: B. Towles and W. J. Dally, Worst-case traffic for oblivious routing functions, IEEE Computer Architecture Letters 1, 2002,
// DOI 10.1109/L-CA.2002.12. Premise: the routing is oblivious, each pair of hosts splits its traffic in fixed parts. Those of an
// adaptive routing are the even parts of MeasureFlow. Then the load of a channel is linear in the traffic. If no host sends or
// receives more than 1, it is largest for a permutation in which some hosts may send nothing (Birkhoff and von Neumann), and this
// permutation is an assignment of largest weight, where the weight of a pair is the load that it puts on the channel.
//
// Several hosts at a switch are rows and columns of their own. Rows and columns that do not use the channel are left out, and a channel
// is skipped if the sums of the largest weights of rows or of columns do not exceed the load of another channel. Loads
// are rounded to multiples of 2^-40, so that the assignment is exact: no permutation of n hosts has a larger load than Load + n/2^40,
// and none has a larger load than Load if all parts are multiples of 2^-40. Cost: for each destination and source one sweep over the
// states; for each channel that is not skipped O(a² b) time, where a <= b are its numbers of sources and destinations.

// WorstCase is the traffic that loads a channel most if no host sends or receives more than 1.
type WorstCase struct {
	Load    float64         // of the busiest channel
	Channel model.ChannelID // the busiest channel, NoChannel if nothing is sent
	To      []model.HostID  // by host: the host to which it sends 1 over Channel, or NoHost
	Parts   []float64       // by host: the load that this puts on Channel
}

// Throughput returns 1/M, where M is the load of the busiest channel, or 0 if nothing is sent.
func (w *WorstCase) Throughput() float64 {
	if w.Load == 0 {
		return 0
	}
	return 1 / w.Load
}

// ErrWorstCaseBudget means that the worst case takes more steps or memory than permitted.
var ErrWorstCaseBudget = errors.New("the worst permutation takes too long to compute")

// maxPairLoads bounds the loads of pairs on channels that are kept, 16 bytes each.
const maxPairLoads = 1 << 25

// pairLoad is the load that traffic of 1 between two hosts puts on a channel. Several of a pair add up.
type pairLoad struct {
	from, to int32
	load     float64
}

// FindWorstCase returns the worst permutation for routing r, with the same split of traffic as MeasureFlow. It fails with ErrReturns if
// packets can return to a state, and with ErrWorstCaseBudget if it takes more than the given number of steps, or too much memory. No
// limit of steps is 0.
func FindWorstCase(ctx context.Context, r model.Relation, steps int64) (*WorstCase, error) {
	n := r.Network()
	w := &WorstCase{Channel: model.NoChannel, To: slices.Repeat([]model.HostID{model.NoHost}, n.NumHosts()), Parts: make([]float64, n.NumHosts())}
	loads, err := pairLoads(ctx, r)
	if err != nil {
		return nil, err
	}
	bounds, order := make([]int64, len(loads)), make([]int, len(loads))
	most, taken := int64(0), int64(0)
	t := newAssignment(n.NumHosts())
	for c := range loads {
		bounds[c], order[c] = t.bound(loads[c]), c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bounds[b], bounds[a]) })
	for _, c := range order {
		if bounds[c] <= most {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.fill(loads[c])
		if taken += t.steps(); steps > 0 && taken > steps {
			return nil, ErrWorstCaseBudget
		}
		if pairs, sum := t.solve(); sum > most {
			most = sum
			w.take(model.ChannelID(c), loads[c], pairs)
		}
	}
	return w, nil
}

// take stores the pairs as the worst permutation, for a channel with these loads.
func (w *WorstCase) take(c model.ChannelID, loads []pairLoad, pairs map[int32]int32) {
	w.Channel, w.Load = c, 0
	for h := range w.To {
		w.To[h], w.Parts[h] = model.NoHost, 0
	}
	for _, x := range loads {
		if to, ok := pairs[x.from]; ok && to == x.to {
			w.To[x.from] = model.HostID(to)
			w.Parts[x.from] += x.load
			w.Load += x.load
		}
	}
}

// assignment is the problem of one channel.
type assignment struct {
	row, column   []int32 // by host: its row or column, or -1
	sources, ends []int32 // the hosts of the rows and of the columns
	weight        []int64 // by row and column
	largest       []int64 // by row or column
}

func newAssignment(hosts int) *assignment {
	none := slices.Repeat([]int32{-1}, hosts)
	return &assignment{row: none, column: slices.Clone(none)}
}

// fill makes the matrix of the loads of a channel.
func (t *assignment) fill(loads []pairLoad) {
	for _, h := range t.sources {
		t.row[h] = -1
	}
	for _, h := range t.ends {
		t.column[h] = -1
	}
	t.sources, t.ends = t.sources[:0], t.ends[:0]
	for _, x := range loads {
		if t.row[x.from] < 0 {
			t.row[x.from] = int32(len(t.sources))
			t.sources = append(t.sources, x.from)
		}
		if t.column[x.to] < 0 {
			t.column[x.to] = int32(len(t.ends))
			t.ends = append(t.ends, x.to)
		}
	}
	t.weight = resized(t.weight, len(t.sources)*len(t.ends))
	for _, x := range loads {
		t.weight[int(t.row[x.from])*len(t.ends)+int(t.column[x.to])] += int64(math.Round(x.load * (1 << 40)))
	}
}

// bound returns a sum of weights that no assignment exceeds: that of the largest weights of all rows, or of all columns.
func (t *assignment) bound(loads []pairLoad) int64 {
	t.fill(loads)
	k := len(t.ends)
	t.largest = resized(t.largest, len(t.sources)+k)
	rows, columns := t.largest[:len(t.sources)], t.largest[len(t.sources):]
	for i := range rows {
		for j, w := range t.weight[i*k : (i+1)*k] {
			rows[i], columns[j] = max(rows[i], w), max(columns[j], w)
		}
	}
	sum := func(list []int64) (all int64) {
		for _, x := range list {
			all += x
		}
		return all
	}
	return min(sum(rows), sum(columns))
}

// steps returns the order of the steps that solve takes.
func (t *assignment) steps() int64 {
	a, b := int64(len(t.sources)), int64(len(t.ends))
	return a * b * min(a, b)
}

// solve returns the destination of each source, and the sum of weights.
func (t *assignment) solve() (pairs map[int32]int32, sum int64) {
	a, b := len(t.sources), len(t.ends)
	pairs = map[int32]int32{}
	if a <= b {
		to, sum := assign(a, b, t.weight)
		for i, j := range to {
			pairs[t.sources[i]] = t.ends[j]
		}
		return pairs, sum
	}
	turned := make([]int64, a*b)
	for i := range a {
		for j := range b {
			turned[j*a+i] = t.weight[i*b+j]
		}
	}
	to, sum := assign(b, a, turned)
	for j, i := range to {
		pairs[t.sources[i]] = t.ends[j]
	}
	return pairs, sum
}

// channelLoad is the load that a host puts on a channel.
type channelLoad struct {
	channel model.ChannelID
	from    int32
	load    float64
}

// destLoads are the loads by packets to one destination.
type destLoads struct {
	to   int32
	list []channelLoad
}

// pairLoads returns the loads by channel of all kinds.
func pairLoads(ctx context.Context, r model.Relation) ([][]pairLoad, error) {
	n := r.Network()
	all, kept := make([][]pairLoad, n.NumChannels()), 0
	names := make([]float64, n.NumEndpoints())
	for d := range model.DestID(r.Destinations()) {
		names[r.DestinationHost(d)]++
	}
	meters := make([]*flowMeter, parallel.Workers(r.Destinations()))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := parallel.InOrder(ctx, len(meters), r.Destinations(), func(w, d int, x *destLoads) error {
		if meters[w] == nil {
			meters[w] = newFlowMeter(r)
			meters[w].names, meters[w].destFlow = names, &destFlow{Flow: Flow{Load: make([]float64, n.NumChannels())}}
		}
		return meters[w].eachSource(model.DestID(d), x)
	}, func(x *destLoads) {
		if kept += len(x.list); kept > maxPairLoads {
			stop(ErrWorstCaseBudget)
			return
		}
		for _, l := range x.list {
			all[l.channel] = append(all[l.channel], pairLoad{l.from, x.to, l.load})
		}
	})
	if cause := context.Cause(ctx); errors.Is(cause, ErrWorstCaseBudget) {
		return nil, fmt.Errorf("%w: more than %d loads of pairs on channels", ErrWorstCaseBudget, maxPairLoads)
	}
	return all, err
}

// eachSource measures the flow of 1 from each host to destination d.
func (m *flowMeter) eachSource(d model.DestID, x *destLoads) error {
	to := m.r.DestinationHost(d)
	x.to, x.list = int32(to), x.list[:0]
	if int(to) >= m.net.NumHosts() {
		return nil
	}
	s, err := m.explore(d)
	if err != nil {
		return err
	}
	k, place := len(s.States), m.before // by state: its place in the order, which is the index of m.flow here
	m.flow = resized(m.flow, k)
	for at, i := range m.order {
		place[i] = at
	}
	entries := map[model.HostID][]int{} // by host: its states in injection channels
	for i, state := range s.States {
		c, _ := m.net.Channel(state.VC)
		if m.net.Kind(c) != model.Inject {
			break // they are the first states
		}
		entries[m.net.HostOf(c)] = append(entries[m.net.HostOf(c)], i)
	}
	var used []model.ChannelID
	for from := range model.HostID(m.net.NumHosts()) {
		if from == to || len(entries[from]) == 0 {
			continue
		}
		first := k
		for _, i := range entries[from] {
			m.buffer = m.r.Inject(from, d, m.buffer[:0])
			at := place[i]
			m.flow[at] = m.classShare(from, d, s.States[i].Class) / m.names[to]
			first = min(first, at)
			c, _ := m.net.Channel(s.States[i].VC)
			used = m.load(c, m.flow[at], used)
		}
		for at := first; at < k; at++ {
			if m.flow[at] > 0 {
				used = m.spread(s, at, used)
			}
		}
		slices.Sort(used)
		for _, c := range used {
			x.list = append(x.list, channelLoad{c, int32(from), m.Load[c]})
			m.Load[c] = 0
		}
		used = used[:0]
	}
	return nil
}

// load adds to the load of a channel. It appends the channel to used if it had none.
func (m *flowMeter) load(c model.ChannelID, flow float64, used []model.ChannelID) []model.ChannelID {
	if m.Load[c] == 0 && flow > 0 {
		used = append(used, c)
	}
	m.Load[c] += flow
	return used
}

// spread splits the traffic of the state at a place of the order over its next states, and removes it from this state.
func (m *flowMeter) spread(s *cdg.Space, at int, used []model.ChannelID) []model.ChannelID {
	i, flow := int(m.order[at]), m.flow[at]
	m.flow[at] = 0
	hops, next := s.HopsOf(i)
	weights, sum := m.shares(s, i, len(hops))
	for k, h := range hops {
		c, _ := m.net.Channel(h.VC)
		part := flow * float64(weights[k]) / sum
		used = m.load(c, part, used)
		if j := next[k]; j >= 0 {
			m.flow[m.before[j]] += part
		}
	}
	return used
}
