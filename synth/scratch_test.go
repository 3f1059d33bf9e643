package synth

import (
	"context"
	"fmt"
	"testing"
	"time"

	"turnproof/model"
	"turnproof/model/topo"
)

func joins(n *model.Network, c model.ChannelID) bool {
	half := n.NumSwitches() / 2
	return (int(n.Tail(c)) < half) != (int(n.Head(c)) < half)
}

func TestFig25(t *testing.T) {
	ctx := context.Background()
	for _, k := range []int{4, 8, 16} {
		for _, join := range []string{"middle", "bottom"} {
			for _, spread := range []string{"first"} {
				if join != "middle" && (spread == "even" || k != 8) {
					continue
				}
				n, err := topo.Parse(fmt.Sprintf("fattree-pair:k=%d,join=%s,spread=%s,wires=crossed", k, join, spread))
				if err != nil {
					t.Fatal(err)
				}
				tr, _ := model.HalvesTraffic(n, 1, 0.01)
				in, _ := model.HalvesTraffic(n, 1, 0)
				between, _ := model.HalvesTraffic(n, 0, 1)
				for _, c := range []struct {
					m string
					o Options
				}{{"updown", Options{Root: "traffic"}}, {"tp", Options{}}, {"turn-addition", Options{}}, {"turn-addition", Options{Equal: EqualRotate}}, {"turn-addition", Options{Equal: EqualByID}}, {"turn-addition", Options{Equal: EqualRandom, Seed: 1}}} {
					if k > 4 && c.m == "updown" {
						c.o.Root = "auto"
					}
					began := time.Now()
					c.o.Traffic = tr
					r, err := New(ctx, c.m, n, c.o)
					if err != nil {
						t.Fatal(err)
					}
					all, bad := 0, 0
					for t := range model.Turns(r.Allowed.Network(), false) {
						if a, b := joins(n, model.ChannelID(t.In)), joins(n, model.ChannelID(t.Out)); a || b {
							all++
							if !r.Allowed.Has(t) {
								bad++
							}
						}
					}
					res := []float64{}
					for i, tt := range []*model.Traffic{in, between} {
						if k > 4 { break }
						d := model.NewDemand(r.Allowed.Network(), tt)
						rule := PathsDestination
						if i == 1 {
							rule = PathsBalanced
						}
						p, err := NewOnePaths(ctx, r.Allowed, d, rule)
						if err != nil {
							t.Fatal(err)
						}
						x := p.Throughput()
						if i == 1 {
							x *= float64(n.NumHosts()/2) / float64(k*k/4)
						}
						w, _ := MeasureWays(ctx, r.Allowed, d)
						y := w.Throughput()
						if i == 1 {
							y *= float64(n.NumHosts()/2) / float64(k*k/4)
						}
						res = append(res, x, y)
					}
					fmt.Printf("k=%d %s %s %-14s %-7s joining %d/%d (pairs) %.2f%%  in/between one, even %.3f  %v\n", k, join, spread, c.m, c.o.Equal, bad/2, all/2, 100*float64(bad)/float64(all), res, time.Since(began))
				}
			}
		}
	}
}
