package route_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

func parsed(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDragonfly: the paths are those of the definition, with the VCs of the definition. The graph has no cycle.
func TestDragonfly(t *testing.T) {
	for _, c := range []struct {
		spec   string
		size   int
		orbits int // with both routings; 0: no symmetry
	}{
		{"dragonfly:a=3,h=1,vcs=3", 3, 0}, {"dragonfly:a=3,h=1,vcs=3,arrangement=relative", 3, 3}, {"dragonfly:a=2,h=2,p=2,vcs=3,arrangement=relative", 2, 2},
		{"dragonfly:a=4,h=2,g=5,vcs=3", 4, 0}, {"dragonfly:a=4,h=2,g=5,vcs=4,arrangement=relative", 4, 4}, {"dragonfly:a=3,h=1,g=1,vcs=3", 3, 0},
	} {
		n := parsed(t, c.spec)
		for _, valiant := range []bool{false, true} {
			name := map[bool]string{false: "dragonfly-minimal", true: "dragonfly-valiant"}[valiant]
			r := build(t, name, n, route.Options{})
			modeltest.Conformance(t, r)
			got, err := route.AllPaths(r, 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, p := range got {
				words = append(words, fmt.Sprint(p.Source, p.Dest, p.VCs))
			}
			want := dragonflyPaths(n, c.size, valiant)
			slices.Sort(words)
			slices.Sort(want)
			if !slices.Equal(words, want) {
				t.Errorf("%s %s: %d paths, want %d", c.spec, name, len(words), len(want))
			}
			rep, err := verify.Check(t.Context(), r, verify.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved || rep.Orbits != c.orbits {
				t.Errorf("%s %s: acyclic %s, connected %s, %d groups explored", c.spec, name, rep.Acyclic.Verdict, rep.Connected.Verdict, rep.Orbits)
			}
		}
	}
}

// dragonflyPaths lists the paths between all hosts by trying all paths of at most five channels. l is a local link, g a
// global one.
func dragonflyPaths(n *model.Network, size int, valiant bool) (list []string) {
	group := func(u model.SwitchID) int { return int(u) / size }
	leadsTo := func(u model.SwitchID, g int) bool {
		return slices.ContainsFunc(n.Out(u), func(c model.ChannelID) bool { return n.Head(c) != model.NoSwitch && group(n.Head(c)) == g })
	}
	// minimal reports whether a path of at most one global link takes a local link to it only where it must.
	minimal := func(path []model.ChannelID, word string, from, to model.SwitchID) bool {
		switch {
		case group(from) == group(to):
			return word == "" || word == "l"
		case strings.HasPrefix(word, "l"):
			return regexp.MustCompile("^lgl?$").MatchString(word) && !leadsTo(from, group(to)) && group(n.Head(path[1])) == group(to)
		}
		return regexp.MustCompile("^gl?$").MatchString(word) && group(n.Head(path[0])) == group(to)
	}
	good := func(path []model.ChannelID, word string, from, to model.SwitchID) bool {
		if !valiant || group(from) == group(to) {
			return minimal(path, word, from, to)
		}
		i := strings.Index(word, "g")
		return i >= 0 && i <= 1 && minimal(path[i+1:], word[i+1:], n.Head(path[i]), to)
	}
	for s := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			from, to := n.Host(s).Switch, n.Host(d).Switch
			var try func(u model.SwitchID, path []model.ChannelID, word string)
			try = func(u model.SwitchID, path []model.ChannelID, word string) {
				if u == to && good(path, word, from, to) {
					var vcs []model.VCID
					for i, c := range path {
						vcs = append(vcs, n.VC(c, strings.Count(word[:i], "g")))
					}
					list = append(list, fmt.Sprint(s, d, vcs))
				}
				for _, c := range n.Out(u) {
					v := n.Head(c)
					if v == model.NoSwitch || len(path) == 5 {
						continue
					}
					kind := "l"
					if group(u) != group(v) {
						kind = "g"
					}
					if !strings.Contains(word+kind, "ll") && strings.Count(word+kind, "g") <= 2 {
						try(v, append(slices.Clone(path), c), word+kind)
					}
				}
			}
			if s != d {
				try(from, nil, "")
			}
		}
	}
	return list
}

// TestDragonflyRejects: networks that are no dragonflies, or have too few VCs.
func TestDragonflyRejects(t *testing.T) {
	for spec, want := range map[string]string{
		"dragonfly:a=3,h=1":                "dragonfly-valiant needs 3 virtual channels; this network has 1",
		"mesh:3x3,vcs=3":                   "dragonfly-valiant needs a dragonfly: groups of switches with consecutive numbers, here 2",
		"dragonfly:a=3,h=1,vcs=3,fail=4-5": "dragonfly-valiant needs a dragonfly",
		"dragonfly:a=3,h=1,vcs=3,fail=7":   "dragonfly-valiant needs a dragonfly",
		"dragonfly:a=3,h=1,vcs=3,fail=0-3": "dragonfly-valiant needs a dragonfly",
		"torus:2x4,vcs=3":                  "dragonfly-valiant needs a dragonfly",
	} {
		if _, err := route.New("dragonfly-valiant", parsed(t, spec), route.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", spec, err, want)
		}
	}
}

// TestDragonflySymmetry: on the ring of three groups of two switches, a turn by one switch is a symmetry of the network, but takes
// local links to global ones.
func TestDragonflySymmetry(t *testing.T) {
	const size = 6
	for step, want := range map[int]int{1: 0, 2: 1} {
		b, image := model.NewBuilder(), make([]model.SwitchID, size)
		for u := range model.SwitchID(size) {
			image[u] = (u + model.SwitchID(step)) % size
			b.AddSwitch(model.Switch{})
			b.AddHost(model.Host{Switch: u, Port: 3})
		}
		for u := range model.SwitchID(size) {
			b.AddLink(u, 1, (u+1)%size, 2)
		}
		b.SetVCs(3)
		b.SetSymmetries([][]model.SwitchID{image})
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if len(n.Symmetries()) != 1 {
			t.Fatal("the ring has no symmetry")
		}
		r := build(t, "dragonfly-valiant", n, route.Options{})
		if got := r.(model.Symmetric).Symmetries(); len(got) != want {
			t.Errorf("by %d switches: %d symmetries, want %d", step, len(got), want)
		}
		modeltest.Conformance(t, r)
	}
}
