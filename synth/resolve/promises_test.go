package resolve_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// networks are small networks, of which each routing accepts one or more.
var networks = []string{"mesh:4x3", "mesh:3x3,vcs=2", "mesh:3x2x2,vcs=4", "torus:3x3,vcs=2", "torus:4x4,vcs=3", "torus:5x5,vcs=2", "hypercube:3,vcs=2",
	"random:switches=8,degree=3,seed=1", "dragonfly:a=3,h=1,vcs=3", "dragonfly:a=2,h=1,vcs=5",
	"hyperx:3x2,vcs=4", "hyperx:3x2", "hyperx:2x3,links=2,vcs=2", "fattree:k=4,levels=2", "xgft:2x2,up=2x3,hosts=2", "complete:4,vcs=4", "polarfly:2,vcs=4", "ring:5,vcs=5"}

// promises says on which of the networks a routing is deadlock-free under virtual cut-through.
var promises = map[string]func(spec string) bool{
	"minimal": func(spec string) bool {
		return strings.Contains("fattree xgft complete", spec[:strings.Index(spec, ":")])
	},
	"nf":                func(spec string) bool { return strings.HasPrefix(spec, "mesh") },
	"dor":               always,
	"dor-booksim":       always,
	"vlan-dor":          always,
	"west-first":        always,
	"north-last":        always,
	"negative-first":    always,
	"odd-even":          always,
	"e-cube":            always,
	"updown":            always,
	"nf+1":              always,
	"fully-adaptive":    always,
	"linder-harden":     always,
	"duato":             always,
	"duato-nonminimal":  always,
	"simple-adaptive":   always,
	"cross-line":        always,
	"dragonfly-minimal": always,
	"dragonfly-valiant": always,
	"dragonfly-ugal":    always,
	"o1turn":            always,
	"romm":              always,
	"planar-adaptive":   always,
	"lbdr":              always,
	"hyperx-dor":        always,
	"hyperx-dal":        always,
	"hyperx-dimwar":     always,
	"hyperx-omniwar":    always,
	"d-mod-k":           always,
	"s-mod-k":           always,
	"positive-hop":      always,
	"negative-hop":      always,
	"valiant":           always,
	"slimfly-minimal":   always,
	"slimfly-valiant":   always,
	"segments":          always,
	"nue":               always,
	"escape":            always,
	"dragonfly-par":     always,
}

func always(string) bool { return true }

// optionWords has words for each option. One of them must change the routing on one or more of the
// networks.
var optionWords = map[string][]string{"order": {"yx", "zyx"}, "both-ways": {"true"}, "vc-rule": {"position"}, "root": {"1"},
	"escape-vcs": {"1", "2"}, "stay-on-escape": {"true"}, "keep-first": {"true"}, "misroutes": {"1"}, "reading": {"wrap-early"}, "vcs-by": {"hops", "global-hops"}, "via": {"switch"}, "beyond": {"last", "wrap"},
	"turns": {"odd-even"}, "adaptive": {"west-first"}, "on": {"west-first"}, "return": {"true"}}

// TestRoutingsKeepPromises checks every routing on every network that it accepts.
func TestRoutingsKeepPromises(t *testing.T) {
	for _, r := range route.Routings() {
		promise, known := promises[r.Name]
		if !known {
			t.Errorf("routing %s has no promise; add to promises in synth/resolve/promises_test.go where it is deadlock-free", r.Name)
			continue
		}
		accepted := 0
		for _, spec := range networks {
			rel, err := route.New(r.Name, parse(t, spec), route.Options{})
			if err != nil {
				continue
			}
			accepted++
			modeltest.Conformance(t, rel)
			rep, err := verify.Check(context.Background(), rel, verify.Options{Switching: model.CutThrough})
			if err != nil {
				t.Fatal(err)
			}
			if got := rep.DeadlockFree.Verdict == verify.Proved; got != promise(spec) {
				t.Errorf("routing %s on %s: deadlock-free %s, which is not its promise", r.Name, spec, rep.DeadlockFree.Verdict)
			}
			if rep.Connected.Verdict != verify.Proved {
				t.Errorf("routing %s on %s: connected %s", r.Name, spec, rep.Connected.Verdict)
			}
		}
		if accepted == 0 {
			t.Errorf("routing %s accepts none of the networks in synth/resolve/promises_test.go; add one", r.Name)
		}
	}
}

// TestOptionsChangeRoutings finds options that a routing lists and does not read.
func TestOptionsChangeRoutings(t *testing.T) {
	for _, r := range route.Routings() {
		for _, x := range r.Options {
			words := optionWords[x.Name]
			if words == nil {
				t.Errorf("option %s has no word; add one to optionWords in synth/resolve/promises_test.go", x.Name)
				continue
			}
			if !slices.ContainsFunc(networks, func(spec string) bool {
				return slices.ContainsFunc(words, func(word string) bool { return changes(t, r, x, word, parse(t, spec)) })
			}) {
				t.Errorf("routing %s: option %s with %v changes no hop on any of the networks; does it read the option?", r.Name, x.Name, words)
			}
		}
	}
}

func parse(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// changes reports whether the option changes a permitted hop of the routing on n.
func changes(t *testing.T, r route.Routing, x route.Option, word string, n *model.Network) bool {
	t.Helper()
	var o route.Options
	if err := x.Set(&o, word); err != nil {
		t.Fatal(err)
	}
	before, refused := route.New(r.Name, n, route.Options{})
	after, err := route.New(r.Name, n, o)
	if err != nil || refused != nil {
		return err == nil // the option makes a routing of a network that has too few VCs without it
	}
	for d := range model.DestID(before.Destinations()) {
		for h := range model.HostID(before.Sources()) {
			if before.DestinationHost(d) != h && differ(before, after, n.VC(n.InjectChannel(h), 0), d) {
				return true
			}
		}
	}
	return before.Classes() != after.Classes()
}

// differ reports whether two relations have other hops on some state that packets of both reach from
// an injection channel.
func differ(a, b model.Relation, from model.VCID, d model.DestID) bool {
	seen := map[model.State]bool{}
	todo := []model.State{{VC: from, Dest: d}}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		hops := a.Next(s, nil)
		if !slices.Equal(hops, b.Next(s, nil)) {
			return true
		}
		for _, hop := range hops {
			if a.Network().IsLinkVC(hop.VC) {
				todo = append(todo, model.State{VC: hop.VC, Dest: d, Class: hop.Class})
			}
		}
	}
	return false
}
