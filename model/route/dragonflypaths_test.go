package route_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// letter is a link of a path and the letter of the word that it is.
type letter struct {
	c  model.ChannelID
	at int
}

// flyOracle lists the paths of routings on dragonflies by their definitions, pair by pair.
type flyOracle struct {
	n    *model.Network
	size int
}

func (o flyOracle) group(u model.SwitchID) int { return int(u) / o.size }

// links returns the channels from u to switches for which good holds.
func (o flyOracle) links(u model.SwitchID, good func(v model.SwitchID) bool) (list []model.ChannelID) {
	for _, c := range o.n.Out(u) {
		if v := o.n.Head(c); v != model.NoSwitch && good(v) {
			list = append(list, c)
		}
	}
	return list
}

// minimal lists the minimal paths from u to v as letters first, first+1, first+2.
func (o flyOracle) minimal(u, v model.SwitchID, first int) (list [][]letter) {
	direct := o.links(u, func(w model.SwitchID) bool { return o.group(w) == o.group(v) })
	switch {
	case u == v:
		return [][]letter{nil}
	case o.group(u) == o.group(v):
		return [][]letter{{{o.links(u, func(w model.SwitchID) bool { return w == v })[0], first}}}
	}
	finish := func(before []letter, c model.ChannelID) {
		for _, rest := range o.minimal(o.n.Head(c), v, first+2) {
			list = append(list, append(append(slices.Clone(before), letter{c, first + 1}), rest...))
		}
	}
	for _, c := range direct {
		finish(nil, c)
	}
	for _, l := range o.links(u, func(w model.SwitchID) bool { return len(direct) == 0 && o.group(w) == o.group(u) }) {
		for _, c := range o.links(o.n.Head(l), func(w model.SwitchID) bool { return o.group(w) == o.group(v) }) {
			finish([]letter{{l, first}}, c)
		}
	}
	return list
}

// valiant lists the paths from u to v by an intermediate place.
func (o flyOracle) valiant(u, v model.SwitchID, via string, first int) (list [][]letter) {
	join := func(before []letter, w model.SwitchID, leg1 int) {
		for _, rest := range o.minimal(w, v, leg1) {
			list = append(list, append(slices.Clone(before), rest...))
		}
	}
	within := o.group(u) == o.group(v)
	switch {
	case via == route.ViaSwitch:
		for w := range model.SwitchID(o.n.NumSwitches()) {
			for _, p := range o.minimal(u, w, first) {
				if w != u {
					join(p, w, first+3)
				}
			}
		}
		return list
	case within && via == route.ViaIntra:
		for _, l := range o.links(u, func(w model.SwitchID) bool { return o.group(w) == o.group(u) }) {
			join([]letter{{l, first}}, o.n.Head(l), first+2)
		}
		return list
	case within:
		return o.minimal(u, v, first)
	}
	global := func(before []letter, x model.SwitchID) {
		for _, g := range o.links(x, func(w model.SwitchID) bool { return o.group(w) != o.group(x) }) {
			join(append(slices.Clone(before), letter{g, first + 1}), o.n.Head(g), first+2)
		}
	}
	global(nil, u)
	for _, l := range o.links(u, func(w model.SwitchID) bool { return o.group(w) == o.group(u) }) {
		global([]letter{{l, first}}, o.n.Head(l))
	}
	return list
}

// par lists the paths of progressive adaptive routing.
func (o flyOracle) par(u, v model.SwitchID, via string) [][]letter {
	list := o.valiant(u, v, via, 1)
	for _, p := range o.minimal(u, v, 0) {
		if len(p) > 1 && p[0].at == 0 {
			for _, rest := range o.valiant(o.n.Head(p[0].c), v, via, 1) {
				list = append(list, append([]letter{p[0]}, rest...))
			}
		}
	}
	return list
}

// vcs returns the VCs of a path by a rule; word has the letters.
func (o flyOracle) vcs(path []letter, word, rule string) (list []model.VCID) {
	globals := 0
	for i, x := range path {
		vc := strings.Count(word[:x.at], word[x.at:x.at+1])
		switch rule {
		case route.VCsByHops:
			vc = i
		case route.VCsByGlobalHops:
			vc = globals
		}
		if list = append(list, o.n.VC(x.c, vc)); word[x.at] == 'g' {
			globals++
		}
	}
	return list
}

// cut ends a path at its first arrival at v, because packets are delivered there.
func (o flyOracle) cut(path []letter, v model.SwitchID) []letter {
	for i, x := range path {
		if o.n.Head(x.c) == v {
			return path[:i+1]
		}
	}
	return path
}

// TestDragonflyPathsByDefinition compares the paths and VCs of every choice with the definitions.
func TestDragonflyPathsByDefinition(t *testing.T) {
	for _, spec := range []string{"dragonfly:a=2,h=1,vcs=7", "dragonfly:a=3,h=1,vcs=7", "dragonfly:a=2,h=2,g=3,vcs=7", "dragonfly:a=3,h=1,vcs=7,arrangement=circulant"} {
		n := parsed(t, spec)
		o := flyOracle{n, int(spec[len("dragonfly:a=")] - '0')}
		for _, name := range []string{"dragonfly-minimal", "dragonfly-valiant", "dragonfly-ugal", "dragonfly-par"} {
			for _, via := range []string{route.ViaGroup, route.ViaIntra, route.ViaSwitch} {
				if name == "dragonfly-minimal" {
					via = ""
				}
				word := map[string]string{"": "lgl", route.ViaGroup: "lglgl", route.ViaIntra: "lglgl", route.ViaSwitch: "lgllgl"}[via]
				if name == "dragonfly-par" {
					word = "l" + word
				}
				for _, rule := range []string{route.VCsByGlobalHops, route.VCsByHops, route.VCsByStages} {
					r := build(t, name, n, route.Options{Via: via, VCsBy: rule})
					if rule == route.VCsByStages {
						modeltest.Conformance(t, r)
					}
					got := map[string]bool{}
					paths, err := route.AllPaths(r, 1_000_000)
					if err != nil {
						t.Fatal(err)
					}
					for _, p := range paths {
						got[fmt.Sprint(p.Source, p.Dest, p.VCs)] = true
					}
					if want := o.all(name, via, word, rule); !maps.Equal(got, want) {
						t.Errorf("%s %s via %s by %s: %d paths, want %d", spec, name, via, rule, len(got), len(want))
					}
				}
			}
		}
	}
}

// all lists the paths between all hosts.
func (o flyOracle) all(name, via, word, rule string) map[string]bool {
	list := map[string]bool{}
	for s := range model.HostID(o.n.NumHosts()) {
		for d := range model.HostID(o.n.NumHosts()) {
			u, v := o.n.Host(s).Switch, o.n.Host(d).Switch
			paths := [][]letter{nil}
			switch {
			case s == d:
				continue
			case u == v:
			case name == "dragonfly-minimal":
				paths = o.minimal(u, v, 0)
			case name == "dragonfly-par":
				paths = o.par(u, v, via)
			default:
				paths = o.valiant(u, v, via, 0)
			}
			for _, p := range paths {
				list[fmt.Sprint(s, d, o.vcs(o.cut(p, v), word, rule))] = true
			}
		}
	}
	return list
}
