package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/control"
)

// This file computes the routes after a failure by a model of the control plane.
//
// Each routed prefix has origins: the switches that are connected to it, or drop its frames (as the origin of an aggregate does). Prefixes
// with the same origins have the same routes. The model is judged first: without a failure it must compute the routes of the dumps.

// Rerouting is what computes the routes after a failure.
type Rerouting struct {
	Word     string // none, bgp, ospf or updown
	protocol control.Protocol
	network  control.Network // with the AS numbers and levels
	plan     *plan
	doubt    []model.Doubt // why the model may not be the control plane of the fabric, or nil
}

// ReroutingWords are the values of Rerouting.Word.
var ReroutingWords = []string{"none", "bgp", "ospf", "updown"}

// NewRerouting returns the rerouting of a word. as is the AS number of each switch, for bgp, see ASNumbers.
// It fails if the model does not cover the fabric, as a fabric with iBGP.
func (f *Fabric) NewRerouting(word string, as []uint32) (*Rerouting, error) {
	r := &Rerouting{Word: word}
	for _, sw := range f.b.switches {
		if word != "none" && sw.QoS != nil && sw.QoS.Peer.IsValid() {
			return nil, fmt.Errorf("%s sends frames in a tunnel (dual ToR), which the models do not route again; --reroute none keeps the routes", sw.Name)
		}
	}
	r.network = control.Network{Near: f.b.adjacent(), AS: as, Level: f.b.levels()}
	switch word {
	case "none":
		return r, nil
	case "bgp":
		r.protocol = control.BGP
		if err := r.network.CheckAS(f.SwitchName); err != nil {
			return nil, err
		}
	case "ospf":
		r.protocol = control.OSPF
	case "updown":
		r.protocol = control.UpDown
		if r.network.Level == nil {
			return nil, fmt.Errorf("the fabric has no levels: all switches have hosts")
		}
		if err := r.network.CheckLevels(f.SwitchName); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%s: want none, bgp, ospf or updown", word)
	}
	var why string
	if r.plan, why = f.b.newPlan(word); why == "" {
		why = f.judge(r)
	}
	switch {
	case why != "":
	case word == "ospf":
		why = f.unevenCosts()
	default:
		why = f.b.withoutSession()
	}
	if why != "" {
		r.doubt = bothClaims(premiseRerouting, "", "without a failure, the model of --reroute "+word+" does not compute the routes of the dumps: "+why, "")
	}
	return r, nil
}

// Judged returns why the model may not be the control plane of the fabric, or an empty text.
func (r *Rerouting) Judged() string {
	if r.doubt == nil {
		return ""
	}
	return r.doubt[0].Reason
}

// judge returns the first difference between the routes of the dumps and of the model without a failure, or an empty text.
func (f *Fabric) judge(r *Rerouting) string {
	b := f.without(Down{})
	m := b.model(f.b, r, Down{})
	if m.unsure != "" {
		return m.unsure
	}
	seen := map[[2]int32]bool{}
	for i, a := range f.b.atoms {
		pair := [2]int32{a.class, b.atoms[i].class}
		if seen[pair] {
			continue
		}
		seen[pair] = true
		for u := range f.b.fibs {
			want, got := f.b.hopsAt(a.class, u), b.hopsAt(b.atoms[i].class, u)
			if !sameWays(want, got) {
				return fmt.Sprintf("at %s, frames to %s go to %s in the dumps, and to %s in the model", f.SwitchName(u), a.key.Prefix(), f.b.waysText(want),
					f.b.waysText(got))
			}
		}
	}
	return m.unseen()
}

// hopsAt returns where a switch sends frames of a class.
func (b *builder) hopsAt(c int32, u int) hops {
	if s := b.rows[c][u]; s >= 0 {
		return b.fibs[u].hops[s]
	}
	return hops{discard: true}
}

func sameWays(a, b hops) bool {
	return a.local == b.local && a.tunnel == b.tunnel && slices.Equal(a.ports, b.ports) && (a.discard == b.discard)
}

// waysText names ports, or says that frames are dropped or delivered.
func (b *builder) waysText(h hops) string {
	switch {
	case len(h.ports) > 0:
		text := ""
		for i, e := range h.ports {
			if i > 0 {
				text += ", "
			}
			text += e.port
		}
		return text
	case h.local:
		return "hosts"
	}
	return "no next hop"
}
