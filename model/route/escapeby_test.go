package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestEscapeByName: a packet goes some links of a shortest path on the adaptive VCs, and the rest by a path of up*/down* that begins where it
// enters the escape.
func TestEscapeByName(t *testing.T) {
	for _, spec := range []string{"random:switches=8,degree=3,seed=1,vcs=3", "mesh:3x3,vcs=2", "polarfly:2,vcs=2", "express:5,interval=2,vcs=2"} {
		n := parsed(t, spec)
		r := build(t, "escape", n, route.Options{})
		modeltest.Conformance(t, r)
		last := n.VCs() - 1
		down, err := route.AllPaths(build(t, "updown", n.WithVCs(1), route.Options{}), 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for s := range model.HostID(n.NumHosts()) {
			for d := range model.HostID(n.NumHosts()) {
				if s == d {
					continue
				}
				for at := range model.SwitchID(n.NumSwitches()) {
					for _, p := range walks(9, func(n *model.Network, _ []model.ChannelID, _ []int, c model.ChannelID, _ model.SwitchID) []int {
						if nearer(n, c, n.Host(d).Switch) {
							return upTo(last)
						}
						return nil
					})(n, n.Host(s).Switch, at) {
						if at == n.Host(d).Switch {
							want[fmt.Sprint(s, d, p)] = true
						}
						for _, rest := range down {
							if n.Host(rest.Source).Switch != at || rest.Dest != d {
								continue
							}
							path := append([]model.VCID(nil), p...)
							for _, v := range rest.VCs {
								path = append(path, n.VC(model.ChannelID(v), last))
							}
							want[fmt.Sprint(s, d, path)] = true
						}
					}
				}
			}
		}
		comparePaths(t, spec, r, want)
	}
}

// TestEscapeOnWormhole proves minimal routing with an escape under wormhole switching, also with returns to adaptive VCs where the
// escape looks at the switch only.
func TestEscapeOnWormhole(t *testing.T) {
	for _, c := range []struct {
		spec string
		o    route.Options
		want verify.Verdict
	}{
		{"random:switches=24,degree=3-5,seed=7,vcs=2", route.Options{}, verify.Proved},
		{"express:6x6,interval=2,vcs=2", route.Options{}, verify.Proved},
		{"slimfly:4,vcs=2", route.Options{}, verify.Proved},
		{"torus:4x4,vcs=3", route.Options{On: "dor", EscapeVCs: 2, Return: true}, verify.Proved},
		{"mesh:4x4,vcs=2", route.Options{On: "west-first", Return: true}, verify.Proved},
		{"hyperx:3x3,vcs=2", route.Options{On: "hyperx-dor"}, verify.Proved},
	} {
		rep, err := verify.Check(t.Context(), build(t, "escape", parsed(t, c.spec), c.o), verify.Options{Switching: model.Wormhole})
		if err != nil {
			t.Fatal(err)
		}
		if rep.DeadlockFree.Verdict != c.want || rep.Connected.Verdict != verify.Proved {
			t.Errorf("%s %+v: deadlock-free %s, connected %s", c.spec, c.o, rep.DeadlockFree.Verdict, rep.Connected.Verdict)
		}
	}
}

// TestEscapeRejects: names that are unknown or do not fit.
func TestEscapeRejects(t *testing.T) {
	root := model.SwitchID(1)
	for want, o := range map[string]route.Options{
		`escape,adaptive=minmal: no routing "minmal" (did you mean minimal?)`: {Adaptive: "minmal"},
		"escape,on=escape: want a routing without an escape":                  {On: "escape"},
		"escape,adaptive=duato: ":                                             {Adaptive: "duato"},
		"escape,on=e-cube: route: e-cube needs a hypercube":                   {On: "e-cube"},
		"escape,on=west-first: this routing has no root":                      {On: "west-first", Root: &root},
		"escape needs 3 virtual channels, the last 2 for the escape":          {EscapeVCs: 2},
	} {
		if _, err := route.New("escape", parsed(t, "mesh:3x3,vcs=2"), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
