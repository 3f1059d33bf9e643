package states

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
)

// This file converts flow control of rings, and gates.

// addFlow adds flow control of rings.
func (k *converter) addFlow() {
	rule := k.Flow
	if rule == nil {
		return
	}
	f := &Flow{Kind: string(rule.Kind), Assumed: rule.Packet, Off: make([]bool, len(k.c.Buffers)),
		OtherVC:   make([]bool, len(k.c.Buffers)),
		FromHosts: rule.From == bubble.FromHosts, FromRings: rule.From == bubble.FromRings}
	if f.Assumed == 0 {
		f.Assumed = k.Packets[0]
	}
	for b := range k.c.Buffers {
		if k.c.Buffers[b].Kind == Link {
			f.OtherVC[b] = len(rule.VCs) > 0 && !slices.Contains(rule.VCs, k.c.Buffers[b].VC%k.n.VCs())
			f.Off[b] = rule.Off != "" && k.isOff(strings.Split(rule.Off, "+"), model.ChannelID(k.c.Buffers[b].Channel))
		}
	}
	f.Escape = k.escapes()
	f.Takes = k.takes()
	k.c.Flow = f
}

// takes returns which buffers packets may take one after the other: the rings of a virtual network are those of the whole routing. If flows
// restrict it, they are those of the pairs of hosts between which messages of any class go.
func (k *converter) takes() (list [][2]int) {
	_, isFlowing := k.r.(model.Flowing)
	sends := map[[2]int]bool{}
	for c := range k.classes {
		for _, y := range k.classes[c].trips {
			sends[[2]int{y.sender, y.receiver}] = true
		}
	}
	seen := map[model.State]bool{}
	var visit func(s model.State)
	visit = func(s model.State) {
		if seen[s] {
			return
		}
		seen[s] = true
		for _, h := range k.r.Next(s, nil) {
			if !k.n.IsLinkVC(h.VC) {
				continue
			}
			for c := range k.classes {
				if k.n.IsLinkVC(s.VC) {
					list = append(list, [2]int{k.bufferOf(c, s.VC), k.bufferOf(c, h.VC)})
				}
			}
			visit(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class})
		}
	}
	for h := range model.HostID(k.r.Sources()) {
		for d := range model.DestID(k.r.Destinations()) {
			if !isFlowing && model.Sends(k.r, h, d) || isFlowing && sends[[2]int{int(h), int(k.r.DestinationHost(d))}] {
				for _, c := range k.r.Inject(h, d, nil) {
					visit(model.InjectState(k.r, h, d, c))
				}
			}
		}
	}
	return list
}

// isOff reports whether a list of places of a rule names the channel or its first switch, by numbers.
func (k *converter) isOff(places []string, ch model.ChannelID) bool {
	for _, text := range places {
		from, to, isChannel := strings.Cut(text, ">")
		a, err := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		switch {
		case text == bubble.AllPlaces:
			return true
		case err != nil || isChannel && err2 != nil:
			k.fail("off names %q; want numbers of switches", text)
		case int(k.n.Tail(ch)) == a && (!isChannel || int(k.n.Head(ch)) == b):
			return true
		}
	}
	return false
}

// escapes returns by buffer whether it is one of an escape, or nil if the routing has none.
func (k *converter) escapes() []bool {
	e, ok := k.r.(model.Escaper)
	if !ok {
		return nil
	}
	list, vcs := make([]bool, len(k.c.Buffers)), k.n.VCs()
	for b := range list {
		if x := &k.c.Buffers[b]; x.Kind == Link {
			list[b] = e.EscapeVC(k.n.VC(model.ChannelID(x.Channel), x.VC%vcs))
		}
	}
	return list
}

// addGates adds gates.
func (k *converter) addGates() {
	rule := k.Gate
	if rule == nil {
		return
	}
	if k.n.Grid() == nil {
		k.fail("gates want a grid")
		return
	}
	g := &Gates{Injection: rule.Place != gate.Turns, Turns: rule.Place != gate.Injection, Level: rule.Level, ByFlit: rule.Unit == gate.Flit,
		Reserved: rule.Buffer == gate.Reserved, VCs: string(rule.VCs), Late: k.Late, Split: k.Split}
	g.Weights, g.Most = k.weights(rule)
	if rule.Exempt {
		g.Exempt = k.escapes()
	}
	for ch := range model.ChannelID(k.n.NumLinkChannels()) {
		d, plus, wraps := k.direction(ch)
		g.Dimension = append(g.Dimension, d)
		ahead := -1
		for _, o := range k.n.Out(k.n.Head(ch)) {
			if k.n.Kind(o) != model.SwitchToSwitch {
				continue
			}
			if d2, plus2, wraps2 := k.direction(o); d == d2 && plus == plus2 && !(rule.WithinRow && (wraps || wraps2)) {
				ahead = int(o)
			}
		}
		g.Ahead = append(g.Ahead, ahead)
	}
	k.c.Gates, k.c.EjectVCs = g, k.n.VCs()
}

// direction returns the dimension and the direction of a channel of a grid, and whether it goes around.
func (k *converter) direction(ch model.ChannelID) (d int, plus, wraps bool) {
	d, plus, _ = k.n.Grid().PortDirection(k.n.TailPort(ch))
	a, b := k.n.Grid().Coord(k.n.Tail(ch), d), k.n.Grid().Coord(k.n.Head(ch), d)
	return d, plus, plus && b < a || !plus && b > a
}

// weights returns the weights of the evaluation function as integers, and the greatest sum at which a gate is open.
func (k *converter) weights(rule *gate.Rule) (list []int64, most int64) {
	const scale = 1_000_000_000_000
	parameter, ok := new(big.Rat).SetString(rule.Func.Parameter)
	threshold, ok2 := new(big.Rat).SetString(rule.Func.Threshold)
	if !ok || !ok2 {
		k.fail("function %s has no numbers", rule.Func)
		return nil, 0
	}
	one := big.NewRat(1, 1)
	power := new(big.Rat).Set(one)
	for i := range rule.Hops {
		w := new(big.Rat)
		at := big.NewRat(int64(i), 1)
		switch rule.Func.Name {
		case "f1", "f4":
			if at.Cmp(parameter) <= 0 {
				w.Set(one)
			}
		case "f2":
			if w.Sub(one, new(big.Rat).Mul(parameter, at)); w.Sign() < 0 || i > 16 {
				w.SetInt64(0)
			}
		case "f3":
			if i <= 16 {
				w.Set(power)
			}
			power = new(big.Rat).Mul(power, parameter)
		}
		list = append(list, scaled(w, scale))
	}
	return list, scaled(threshold, scale)
}

// scaled returns a number times a scale, rounded down.
func scaled(x *big.Rat, scale int64) int64 {
	y := new(big.Rat).Mul(x, big.NewRat(scale, 1))
	return new(big.Int).Div(y.Num(), y.Denom()).Int64()
}
