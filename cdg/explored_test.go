package cdg_test

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestLinksFrom compares distances with the shortest of all walks.
func TestLinksFrom(t *testing.T) {
	for _, c := range []struct{ spec, routing string }{{"mesh:3x3", "west-first"}, {"ring:5", "minimal"}, {"torus:3x3,vcs=2", "dor"}} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pairs := 0
		err = cdg.EachSpace(context.Background(), r, model.NoHost, func(d model.DestID, space *cdg.Space) error {
			got := cdg.LinksFrom(n, space)
			for h := range model.HostID(n.NumHosts()) {
				least, found := 0, false
				for w := range route.Walks(r, h, d) {
					links := 0
					for _, s := range w.Path {
						if ch, _ := n.Channel(s.VC); n.Kind(ch) != model.Inject && n.Kind(ch) != model.Eject {
							links++
						}
					}
					if w.End == route.EndDelivered && (!found || links < least) {
						least, found = links, true
					}
				}
				if k, ok := got[h]; h != r.DestinationHost(d) && (ok != found || k != least) {
					t.Errorf("%s, %s: host %d to destination %d: %d %t, walks have %d %t", c.spec, c.routing, h, d, k, ok, least, found)
				}
				pairs++
			}
			return nil
		})
		if err != nil || pairs != n.NumHosts()*n.NumHosts() {
			t.Fatal(pairs, err)
		}
		if one := 0; cdg.EachSpace(context.Background(), r, 2, func(model.DestID, *cdg.Space) error { one++; return nil }) != nil || one != 1 {
			t.Errorf("%d spaces of one host", one)
		}
	}
}
