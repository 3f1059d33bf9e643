package model_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestVirtualNetworksConform: routings in virtual networks satisfy the contract of relations.
func TestVirtualNetworksConform(t *testing.T) {
	for _, c := range []struct{ spec, routing, classes string }{
		{"mesh:3x3", "dor", "request,reply"}, {"torus:4x3,vcs=2", "dor", "a,b+c,d"}, {"mesh:3x3,vcs=2", "duato", "request+reply"},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := model.ParseClasses(c.classes)
		if err != nil {
			t.Fatal(err)
		}
		v, err := model.Replicate(r, m)
		if err != nil {
			t.Fatal(err)
		}
		modeltest.Conformance(t, v)
	}
}

// TestVirtualNetworks: the hops of a message are those of the routing, on the VCs of the message's
// virtual network.
func TestVirtualNetworks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 3).Draw(t, "VCs"))
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 3).Draw(t, "classes"))
		m := rapid.SampledFrom([]*model.Protocol{{Names: []string{"a", "b"}, Network: []int{0, 1}}, {Names: []string{"a", "b", "c"}, Network: []int{0, 0, 1}}}).Draw(t, "messages")
		v, err := model.Replicate(r, m)
		if err != nil {
			t.Fatal(err)
		}
		for class := range model.Class(v.Classes()) {
			message, part := v.MessageOf(class), class%model.Class(r.Classes())
			first, count := v.VCsOf(message)
			if first != m.Network[message]*n.VCs() || count != n.VCs() || int(class) != message*r.Classes()+int(part) {
				t.Fatalf("class %d: message %d, VCs from %d on, %d", class, message, first, count)
			}
			for c := range model.ChannelID(n.NumLinkChannels()) {
				for i := range v.Network().VCs() {
					for d := range model.DestID(r.Destinations()) {
						var want []model.Hop
						if i >= first && i < first+count {
							want = r.Next(model.State{VC: n.VC(c, i-first), Dest: d, Class: part}, nil)
						}
						for j, h := range want {
							to, k := n.Channel(h.VC)
							if n.Kind(to) != model.Eject {
								k += first
							}
							want[j] = model.Hop{VC: v.Network().VC(to, k), Class: h.Class + class - part}
						}
						if got := v.Next(model.State{VC: v.Network().VC(c, i), Dest: d, Class: class}, nil); !slices.Equal(got, want) {
							t.Fatalf("class %d on VC %d of channel %d to %d: %v, want %v", class, i, c, d, got, want)
						}
					}
				}
			}
		}
	})
}

// TestVirtualNetworksErrors: VCs that the network does not have are an error.
func TestVirtualNetworksErrors(t *testing.T) {
	n, err := topo.Parse("mesh:3x3,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.NewVirtualNetworks(n, []model.VirtualNetwork{{Relation: r}, {Relation: r, First: 1}}); err == nil {
		t.Error("a class uses VC 2 of a network with two VCs")
	}
	many := &model.Protocol{Names: make([]string, 200), Network: make([]int, 200)}
	many.Network[199] = 199
	if _, err := model.Replicate(r, many); err == nil {
		t.Error("400 VCs")
	}
}
