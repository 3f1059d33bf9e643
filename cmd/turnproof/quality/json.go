package quality

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/quality"
)

// This file makes the JSON of measures, the object quality in docs/schema.

// JSON is the measures in JSON.
type JSON struct {
	Pairs     int64       `json:"pairs"`
	Lost      int64       `json:"lost_pairs"`
	MeanHops  float64     `json:"mean_hops"`
	MaxHops   int         `json:"max_hops"`
	MaxLoad   int64       `json:"max_load"`
	Farthest  *pairJSON   `json:"farthest"`
	Hops      []numbers   `json:"hops"`
	Shortest  []numbers   `json:"shortest_hops"`
	Detours   []numbers   `json:"detours"`
	Ports     []numbers   `json:"shortest_ports"`
	Addresses []numbers   `json:"addresses"`
	Busiest   []usedJSON  `json:"busiest"`
	Unused    []cableJSON `json:"unused_links"`
	OneWay    []endsJSON  `json:"unused_channels"`
	Idle      []idleJSON  `json:"idle_switches"`
	Worst     *worstJSON  `json:"worst_permutation"`
	Shifts    *shiftsJSON `json:"all_to_all"`
	Bisection *halvesJSON `json:"bisection"`
	Limits    []Limit     `json:"limits"`
}

type (
	// numbers is an entry of a histogram: a value, and how often it occurs.
	numbers = [2]int64

	pairJSON struct {
		From string `json:"from"`
		To   string `json:"to"`
		LID  uint16 `json:"lid,omitempty"`
	}
	endsJSON struct {
		From     string     `json:"from"`
		FromPort model.Port `json:"from_port"`
		To       string     `json:"to"`
		ToPort   model.Port `json:"to_port"`
	}
	usedJSON struct {
		endsJSON
		Paths       int64 `json:"paths"`
		Sources     int   `json:"sources"`
		Addresses   int   `json:"addresses"`
		Permutation int   `json:"permutation"`
	}
	cableJSON struct {
		A     string     `json:"a"`
		APort model.Port `json:"a_port"`
		B     string     `json:"b"`
		BPort model.Port `json:"b_port"`
	}
	idleJSON struct {
		Rank     int      `json:"rank"`
		All      int      `json:"all"`
		Switches []string `json:"switches"`
	}
	worstJSON struct {
		Load  int        `json:"load"`
		Link  *endsJSON  `json:"link"`
		Pairs []pairJSON `json:"pairs"`
	}
	shiftsJSON struct {
		Rounds int       `json:"rounds"`
		Mean   float64   `json:"mean"`
		Most   int       `json:"most"`
		Round  int       `json:"round"`
		Link   *endsJSON `json:"link"`
		Free   int       `json:"free_rounds"`
	}
	halvesJSON struct {
		Samples int     `json:"samples"`
		Mean    float64 `json:"mean"`
		Least   float64 `json:"least"`
	}
)

// busiestListed is the number of links that JSON and the page of a report list as the busiest.
const busiestListed = 20

// JSON returns the measures in JSON, or nil if x is nil.
func (x *Result) JSON(r model.Relation) *JSON {
	if x == nil {
		return nil
	}
	n := x.Network
	links, channels := x.Unused()
	j := &JSON{Pairs: x.Pairs, Lost: x.Lost, MeanHops: x.MeanHops(), MaxHops: x.MaxHops(), MaxLoad: x.MaxLoad(), Farthest: pairOf(r, x.Farthest),
		Hops: quality.Entries(x.Hops), Shortest: quality.Entries(x.Shortest), Detours: quality.Entries(x.Detour), Ports: quality.Entries(x.Ports),
		Addresses: quality.Entries(x.Measures.Addresses()), Busiest: []usedJSON{}, Unused: []cableJSON{}, OneWay: []endsJSON{}, Idle: []idleJSON{},
		Limits: x.Limits}
	for _, c := range x.Busiest(busiestListed) {
		u := x.Channels[c]
		j.Busiest = append(j.Busiest, usedJSON{*ends(n, c), u.Paths, u.Sources, u.Addresses, u.Permutation})
	}
	for _, l := range links {
		k := n.Link(l)
		j.Unused = append(j.Unused, cableJSON{n.SwitchLabel(k.A), k.APort, n.SwitchLabel(k.B), k.BPort})
	}
	for _, c := range channels {
		j.OneWay = append(j.OneWay, *ends(n, c))
	}
	for _, i := range x.Idle() {
		k := idleJSON{i.Rank, i.All, []string{}}
		for _, u := range i.Switches {
			k.Switches = append(k.Switches, n.SwitchLabel(u))
		}
		j.Idle = append(j.Idle, k)
	}
	x.addTraffic(j, r)
	return j
}

// addTraffic adds the measures of permutations.
func (x *Result) addTraffic(j *JSON, r model.Relation) {
	if p := x.Permutation; p != nil {
		j.Worst = &worstJSON{p.Load, ends(x.Network, p.Channel), []pairJSON{}}
		for _, pair := range p.Pairs {
			j.Worst.Pairs = append(j.Worst.Pairs, *pairOf(r, pair))
		}
	}
	if s := x.Shifts; s != nil {
		j.Shifts = &shiftsJSON{s.Rounds, s.Mean, s.Most, s.Round, ends(x.Network, s.At), s.Free}
	}
	if b := x.Bisection; b != nil {
		j.Bisection = &halvesJSON{b.Samples, b.Mean, b.Least}
	}
}

// ends names the ends of a channel, or returns nil for NoChannel.
func ends(n *model.Network, c model.ChannelID) *endsJSON {
	if c == model.NoChannel {
		return nil
	}
	return &endsJSON{n.SwitchLabel(n.Tail(c)), n.TailPort(c), n.SwitchLabel(n.Head(c)), n.HeadPort(c)}
}

// pairOf names a pair, or returns nil if there is none.
func pairOf(r model.Relation, p quality.Pair) *pairJSON {
	if p.From == model.NoHost {
		return nil
	}
	n := r.Network()
	return &pairJSON{n.HostLabel(p.From), n.HostLabel(p.To), model.LIDOf(r, p.Dest)}
}
