package seams

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/seams/states"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file compares verdicts with a search over all states of small networks. The routing is read by package resolve, and then
// followed state by state.

// Limits of a search.
const (
	mostStates  = 5_000
	mostBuffers = 40
	mostPlaces  = 400
)

// judgesStates are the flags of lines that are searched.
var judgesStates = []string{"routing", "paths", "switching", "waiting", "flows", "packet", "buffer", "atomic", "classes", "simulate", "check", "cross-check",
	"assume", "strict", "fewest-networks"}

// judgeStates compares the verdict with all states, if they are few enough.
func (r *result) judgeStates(ctx context.Context, dir string, l *Line) {
	isOther := func(o Option) bool { return !slices.Contains(judgesStates, o.Flag) }
	if l.fabric != nil || l.isOn("BookSim configuration") || slices.ContainsFunc(l.Options, isOther) {
		return
	}
	in, err := resolve.Load(ctx, l.request(dir))
	if err != nil {
		return // check has read it otherwise
	}
	for _, d := range r.answer.Disciplines {
		s := searched{in: in, line: l, sizes: statedSizes(l)}
		c, isExact := s.caseOf(states.Switching(slices.Index([]string{"wormhole", "vct", "saf"}, d.Switching[len(d.Switching)-1])))
		verdict := d.Verdict
		if l.has("classes") {
			verdict = ""
			if m := r.answer.claim("message-deadlock-free"); m != nil {
				verdict = m.Verdict
			}
		}
		if c == nil || !r.isComparable(l, verdict, isExact) {
			continue
		}
		res, err := states.Search(ctx, *c, states.Limits{States: mostStates})
		if err != nil {
			r.states = "not searched: " + firstLine(err.Error())
			continue
		}
		r.compareStates(l, verdict, isExact, d.Switching, res)
	}
}

// isComparable reports whether a search can contradict a verdict. Of the proofs by a graph without cycles for packets that
// switches do not copy, a part is searched.
func (r *result) isComparable(l *Line, verdict string, isExact bool) bool {
	isReached := r.answer.Reached != nil && *r.answer.Reached
	switch {
	case verdict == "refuted":
		return isExact && isReached && !l.has("classes")
	case verdict != "proved":
		return false
	case r.answer.isAcyclic() && !slices.Contains(l.features(), "multicast class"):
		return len(l.Sims) > 0 && l.Sims[0][0].Value == "0.9"
	}
	return true
}

// compareStates compares a verdict with the result of a search.
func (r *result) compareStates(l *Line, verdict string, isExact bool, switching []string, res states.Result) {
	r.states = fmt.Sprintf("%s, %s", verdict, res.Verdict)
	isReached := r.answer.Reached != nil && *r.answer.Reached
	switch {
	case verdict == "proved" && res.Verdict == states.Stuck:
		r.add(l, "states", fmt.Sprintf("PROVED under %v, but %d packets can get stuck:\n%s", switching, res.Packets, strings.Join(res.Run, "\n")), r.how())
	case verdict == "refuted" && res.Verdict == states.Free && isExact && isReached && !res.Circles && !l.has("classes"):
		r.add(l, "states", fmt.Sprintf("REFUTED under %v and reached, but none of %d states has stuck packets", switching, res.States), r.how())
	}
}

// request returns what the flags say about the network and its routing.
func (l *Line) request(dir string) resolve.Request {
	v := func(flag string) string {
		text, _ := l.value(flag)
		return strings.ReplaceAll(text, folderMark, dir+"/")
	}
	return resolve.Request{Network: strings.ReplaceAll(l.Network, folderMark, dir+"/"), Routing: v("routing"), Paths: v("paths"), Flows: v("flows"),
		Switching: v("switching"), Waiting: v("waiting"), NeedsRouting: true}
}

// searched makes a case of a line.
type searched struct {
	in       *resolve.Subject
	line     *Line
	sizes    sizes
	protocol *model.Protocol
	c        *states.Case
	rel      model.Relation
	commits  func(model.State) bool
	buffers  map[[2]int]int // by virtual network and VC
	places   map[string]int
	network  int // the present virtual network
	failed   bool
}

// caseOf returns the case of a line, or nil if the search does not have its features. isExact says that packets have all
// lengths that the line permits and that buffers have their sizes.
func (s *searched) caseOf(switching states.Switching) (c *states.Case, isExact bool) {
	w, err := s.in.Waiting()
	if err != nil || !s.readProtocol() {
		return nil, false
	}
	s.rel, s.commits = s.in.Rel, model.CommitsIn(s.in.Rel, w)
	s.c = &states.Case{Switching: switching, Reuse: states.WhenRoom}
	s.buffers, s.places = map[[2]int]int{}, map[string]int{}
	lengths, isExact := s.lengths(switching)
	if s.protocol != nil {
		s.addProtocol(lengths)
	} else {
		s.addPairs(lengths)
	}
	if s.failed || len(s.c.Buffers) > mostBuffers || len(s.c.Places) > mostPlaces || len(s.c.Streams) == 0 {
		return nil, false
	}
	return s.c, isExact
}

// readProtocol reads a protocol of classes that cause no others. Other classes are not searched.
func (s *searched) readProtocol() bool {
	word, ok := s.line.value("classes")
	if !ok {
		return true
	}
	text, isFile := s.line.Files[strings.TrimPrefix(word, folderMark)]
	if !isFile {
		return false
	}
	t, err := protocol.Parse("protocol.yaml", []byte(text))
	if err != nil {
		return false
	}
	if s.protocol, err = t.Bind(s.in.Net); err != nil {
		return false
	}
	return !slices.ContainsFunc(s.protocol.Rules, func(r model.ClassRule) bool { return len(r.After) > 0 || r.Copies > 1 })
}

// lengths returns the lengths of packets, and sets when a VC is given again.
func (s *searched) lengths(switching states.Switching) (list []int, isExact bool) {
	packet := s.sizes.packet
	switch {
	case switching != states.Wormhole && packet == 0:
		return []int{1}, false
	case switching != states.Wormhole:
		return []int{packet}, false
	case s.sizes.isAtomic || !s.sizes.isFlagged:
		s.c.Reuse = states.WhenEmpty
	default:
		s.c.Reuse = states.WhenFull
	}
	switch {
	case packet == 0:
		return []int{1, 3}, false
	case packet > 4:
		return []int{1, packet}, false
	}
	for k := 1; k <= packet; k++ {
		list = append(list, k)
	}
	return list, s.sizes.isAtomic
}

// flits returns the buffer of a VC: the stated one, or one slot, or a packet if whole packets must fit.
func (s *searched) flits(c model.ChannelID) int {
	if s.line.has("buffer") {
		return s.sizes.buffer
	}
	if list := s.rel.Network().ChannelAttributes(); list != nil && list[c].Buffer > 0 {
		return int(list[c].Buffer)
	}
	return max(1, s.sizes.packet*min(1, int(s.c.Switching)))
}

// addPairs adds a stream for each pair that talks.
func (s *searched) addPairs(lengths []int) {
	for d := range model.DestID(s.rel.Destinations()) {
		for h := range model.HostID(s.rel.Sources()) {
			if !model.Sends(s.rel, h, d) {
				continue
			}
			for _, k := range s.rel.Inject(h, d, nil) {
				s.stream(h, []model.DestID{d}, k, lengths)
			}
		}
	}
}

// addProtocol adds a stream for each message that begins a transaction.
func (s *searched) addProtocol(lengths []int) {
	dests := map[model.HostID]model.DestID{}
	for d := range model.DestID(s.rel.Destinations()) {
		dests[s.rel.DestinationHost(d)] = d
	}
	for class, rule := range s.protocol.Rules {
		s.network = s.protocol.Network[class]
		for _, h := range rule.From {
			var to []model.DestID
			for _, other := range rule.To {
				if other != h && s.begins(&rule, h, other) {
					to = append(to, dests[other])
				}
			}
			slices.Sort(to)
			if rule.Multicast && len(to) > 0 {
				s.stream(h, to, 0, lengths)
				continue
			}
			for _, d := range to {
				s.stream(h, []model.DestID{d}, 0, lengths)
			}
		}
	}
}

// begins reports whether transactions of a class begin from host h to another one. If --flows names pairs, they begin at the sources of
// flows: of a class that goes to one host at a time, on the flow, if the class goes to all hosts that flows of h go to.
func (s *searched) begins(rule *model.ClassRule, h, to model.HostID) bool {
	f, isPart := s.rel.(model.Flowing)
	if !isPart {
		return true
	}
	isSource, isFlow, isElsewhere := false, false, false
	for _, x := range f.Flows() {
		if x.Source == h && x.Dest != h {
			isSource = true
			isFlow = isFlow || x.Dest == to
			isElsewhere = isElsewhere || !slices.Contains(rule.To, x.Dest)
		}
	}
	return isSource && (rule.Multicast || isFlow || isElsewhere)
}

// stream adds the packets of host h to some destinations.
func (s *searched) stream(h model.HostID, to []model.DestID, k model.Class, lengths []int) {
	n := s.rel.Network()
	if len(s.rel.Inject(h, to[0], nil)) == 0 {
		return
	}
	p := s.place(n.VC(n.InjectChannel(h), 0), to, k)
	s.c.Streams = append(s.c.Streams, states.Stream{Start: p, Flits: lengths, Origin: int(h)})
}

// buffer returns the number of the buffer of a VC in the present virtual network.
func (s *searched) buffer(v model.VCID) int {
	n := s.rel.Network()
	key := [2]int{s.network, int(v)}
	if b, ok := s.buffers[key]; ok {
		return b
	}
	ch, vc := n.Channel(v)
	b := states.Buffer{Name: fmt.Sprintf("%s VC %d.%d", n.ChannelLabel(ch), s.network, vc), Kind: states.Link, Flits: s.flits(ch), Channel: int(ch),
		VC: s.network*n.VCs() + vc}
	if n.Kind(ch) == model.Inject {
		b.Kind, b.VCs, b.Channel = states.Inject, 1, -1
		b.Host = int(ch) - int(n.InjectChannel(0))
	}
	s.buffers[key] = len(s.c.Buffers)
	s.c.Buffers = append(s.c.Buffers, b)
	return len(s.c.Buffers) - 1
}

// place returns the number of a place: a VC, destinations and a class. It adds the places that follow.
func (s *searched) place(v model.VCID, to []model.DestID, k model.Class) int {
	key := fmt.Sprint(s.network, v, to, k)
	if p, ok := s.places[key]; ok {
		return p
	}
	p := len(s.c.Places)
	s.places[key] = p
	s.c.Places = append(s.c.Places, states.Place{Buffer: s.buffer(v), Host: -1})
	if p > mostPlaces {
		s.failed = true
		return p
	}
	if len(to) > 1 {
		s.copies(p, v, to, k)
		return p
	}
	state := model.State{VC: v, Dest: to[0], Class: k}
	for _, h := range s.rel.Next(state, nil) {
		s.follow(p, h, to)
	}
	x := &s.c.Places[p]
	x.Commits = len(x.Next) > 1 && s.commits != nil && s.commits(state)
	return p
}

// follow adds a hop to a place.
func (s *searched) follow(p int, h model.Hop, to []model.DestID) {
	n := s.rel.Network()
	next := states.Leave
	if ch, _ := n.Channel(h.VC); n.Kind(ch) == model.Eject {
		host := int(s.rel.DestinationHost(to[0]))
		s.failed = s.failed || s.c.Places[p].Host >= 0 && s.c.Places[p].Host != host || ch != n.EjectChannel(model.HostID(host))
		s.c.Places[p].Host = host
	} else {
		next = s.place(h.VC, to, h.Class)
	}
	s.c.Places[p].Next = append(s.c.Places[p].Next, next)
}

// copies adds the copies of a multicast packet: one for each next VC, with the destinations that its paths lead to.
func (s *searched) copies(p int, v model.VCID, to []model.DestID, k model.Class) {
	s.c.Places[p].All = true
	var hops []model.Hop
	groups := map[model.Hop][]model.DestID{}
	for _, d := range to {
		list := s.rel.Next(model.State{VC: v, Dest: d, Class: k}, nil)
		if len(list) != 1 { // no tree
			s.failed = true
			return
		}
		if groups[list[0]] == nil {
			hops = append(hops, list[0])
		}
		groups[list[0]] = append(groups[list[0]], d)
	}
	for _, h := range hops {
		s.follow(p, h, groups[h])
	}
}
