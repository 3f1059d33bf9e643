package parametric

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// walks is what a search over all states of a network finds. It shares no code with the provers.
type walks struct {
	connected, livelockFree bool
	longest                 int // hops of the longest path, if livelock-free
	minimal                 bool
	deterministic           bool
	adaptive                bool // every shortest path is permitted
}

// walk searches all states of all packets of a relation, depth first.
func walk(r model.Relation) walks {
	n, w := r.Network(), walks{true, true, 0, true, true, true}
	far := allDistances(n)
	for d := range model.DestID(r.Destinations()) {
		const open = -1
		longest := map[model.State]int{} // the longest path from here; open while the search is in it
		arrives := map[model.State]bool{}
		before := map[model.State][]model.State{}
		var visit func(s model.State) int
		visit = func(s model.State) int {
			if k, seen := longest[s]; seen {
				if k == open {
					w.livelockFree = false
				}
				return max(k, 0)
			}
			longest[s] = open
			most := 0
			hops := r.Next(s, nil)
			w.deterministic = w.deterministic && len(sets(hops)) < 2
			for _, h := range hops {
				if !n.IsLinkVC(h.VC) {
					arrives[s] = true
					continue
				}
				next := model.State{VC: h.VC, Dest: d, Class: h.Class}
				before[next] = append(before[next], s)
				to := n.Head(n.EjectChannel(r.DestinationHost(d)))
				if to < 0 {
					to = n.Tail(n.EjectChannel(r.DestinationHost(d)))
				}
				from, _ := n.Channel(s.VC)
				onto, _ := n.Channel(h.VC)
				w.minimal = w.minimal && far[n.Head(onto)][to] < far[n.Head(from)][to]
				most = max(most, 1+visit(next))
			}
			longest[s] = most
			return most
		}
		for h := range model.HostID(r.Sources()) {
			if h == r.DestinationHost(d) {
				continue
			}
			classes := r.Inject(h, d, nil)
			w.connected = w.connected && len(classes) > 0
			w.deterministic = w.deterministic && len(sets(classes)) < 2
			w.adaptive = w.adaptive && takesAll(r, h, d, far)
			for _, k := range classes {
				w.longest = max(w.longest, visit(model.InjectState(r, h, d, k)))
			}
		}
		todo := slices.Collect(maps.Keys(arrives))
		for ; len(todo) > 0; todo = todo[1:] {
			for _, s := range before[todo[0]] {
				if !arrives[s] {
					arrives[s] = true
					todo = append(todo, s)
				}
			}
		}
		w.connected = w.connected && len(arrives) == len(longest)
	}
	return w
}

func sets[T comparable](list []T) map[T]bool {
	set := map[T]bool{}
	for _, x := range list {
		set[x] = true
	}
	return set
}

// takesAll reports whether packets of a pair can take every path of channels whose hops all lead nearer. It follows all paths one by one.
func takesAll(r model.Relation, h model.HostID, d model.DestID, far [][]int) bool {
	n := r.Network()
	to := n.Head(n.InjectChannel(r.DestinationHost(d)))
	var follow func(u model.SwitchID, at map[model.State]bool) bool
	follow = func(u model.SwitchID, at map[model.State]bool) bool {
		if len(at) == 0 {
			return false
		}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if n.Tail(c) != u || far[n.Head(c)][to] >= far[u][to] {
				continue
			}
			next := map[model.State]bool{}
			for s := range at {
				for _, hop := range r.Next(s, nil) {
					if onto, _ := n.Channel(hop.VC); n.IsLinkVC(hop.VC) && onto == c {
						next[model.State{VC: hop.VC, Dest: d, Class: hop.Class}] = true
					}
				}
			}
			if !follow(n.Head(c), next) {
				return false
			}
		}
		return true
	}
	at := map[model.State]bool{}
	for _, k := range r.Inject(h, d, nil) {
		at[model.InjectState(r, h, d, k)] = true
	}
	return follow(n.Head(n.InjectChannel(h)), at)
}

// allDistances returns the links between each pair of switches, by Floyd and Warshall.
func allDistances(n *model.Network) [][]int {
	far := make([][]int, n.NumSwitches())
	for u := range far {
		far[u] = slices.Repeat([]int{n.NumSwitches()}, n.NumSwitches())
		far[u][u] = 0
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		far[n.Tail(c)][n.Head(c)] = 1
	}
	for k := range far {
		for u := range far {
			for v := range far {
				far[u][v] = min(far[u][v], far[u][k]+far[k][v])
			}
		}
	}
	return far
}

// walkOf returns what all states of the network of a setting show, or false if the program ends with an error there.
func walkOf(ctx context.Context, p *program.Program, f *family, setting []int) (walks, bool) {
	n, err := f.network(setting)
	if err != nil {
		return walks{}, false
	}
	r, _, err := p.Relation(ctx, n)
	if err != nil {
		return walks{}, false
	}
	return walk(r), true
}

// judgeClaims compares the claims about paths of a report with all states of the networks with sides up to most. A proved
// claim holds on all of them. A refuted claim fails on its network, and on none that is smaller.
func judgeClaims(t *testing.T, p *program.Program, r *Report, most int, verdicts map[string]int) {
	t.Helper()
	holds := map[string]func(walks) bool{"connected": func(w walks) bool { return w.connected }, "livelock-free": func(w walks) bool { return w.livelockFree },
		"minimal": func(w walks) bool { return w.minimal }, "deterministic": func(w walks) bool { return w.deterministic },
		"fully-adaptive": func(w walks) bool { return w.adaptive }}
	var all []walks
	var sides []int
	for _, s := range r.family.sizesUpTo(most*most, most) {
		if w, ok := walkOf(t.Context(), p, r.family, s); ok {
			all, sides = append(all, w), append(sides, product(s))
		}
	}
	for _, c := range r.Claims {
		verdicts[c.Name+" "+string(c.Verdict)]++
		held := holds[c.Name]
		first := slices.IndexFunc(all, func(w walks) bool { return held != nil && !held(w) })
		switch {
		case held == nil || c.Verdict == verify.Undecided:
		case c.Verdict == verify.Proved && first >= 0:
			t.Errorf("%s is proved, but fails on %d switches\n%s", c.Name, sides[first], p.Text)
		case c.Verdict == verify.Refuted && first < 0 && len(all) > 20:
			t.Errorf("%s is refuted (%s), but holds on all small networks\n%s", c.Name, c.Reason, p.Text)
		case c.Verdict == verify.Refuted && isExtra(c.Name) && first >= 0 && exampleSize(r, c.Name) > sides[first]:
			t.Errorf("%s is refuted on %s, but fails on %d switches as well\n%s", c.Name, c.Network, sides[first], p.Text)
		}
	}
}

// exampleSize returns the switches of the network that refutes a claim.
func exampleSize(r *Report, claim string) int {
	for _, w := range r.Examples {
		if w.Example.Claim == claim {
			return product(w.Sides)
		}
	}
	return 0
}

// wandering are programs whose dependency graphs have cycles, with what is true of their paths.
var wandering = []struct {
	name, text string
	want       string // verdicts of deadlock-free, connected, livelock-free
}{
	{"one VC on a torus", `
family = torus(n, m)
def route(cur, dst, inp):
    for d in range(2):
        if cur[d] != dst[d]:
            return [towards(cur, dst, d)]
    return []
`, "RPP"},
	{"first output is the shortest", `
family = mesh(n, m)
def route(cur, dst, inp):
    return productive(cur, dst) + ([W] if cur.x > 0 else [])
`, "RPR"},
	{"a dead end in the corner", `
family = mesh(n, m)
def route(cur, dst, inp):
    if cur.x > 1 and cur.y > 1 and cur.x == n - 1 and cur.y == m - 1:
        return []
    return productive(cur, dst)
`, "RRP"},
	{"around forever", `
family = torus(n, m)
def route(cur, dst, inp):
    return [E]
`, "RRR"},
	{"once around a ring", `
family = ring(n)
def route(cur, dst, inp):
    return [E]
`, "RPP"},
	{"two phases in the header", `
family = torus(n, m)
states = 2
def inject(src, dst):
    return [0, 1]
def route(cur, dst, inp, state):
    if state == 1:
        if cur.y != 0:
            return [(S, 0, 1)]
        return [(N, 0, 0)]
    for d in range(2):
        if cur[d] != dst[d]:
            return [(towards(cur, dst, d), 0, 0)]
    return []
`, "RPP"},
}

// TestEachClaim: claims about paths are decided although others fail.
func TestEachClaim(t *testing.T) {
	needZ3(t)
	for _, c := range wandering {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "first output is the shortest" || c.name == "two phases in the header" {
				longtest.Only(t, "the other programs are tried")
			}
			t.Parallel()
			p := parsed(t, "p.star", c.text)
			r, err := Prove(t.Context(), p, Options{Each: true})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, claim := range r.Claims {
				got += strings.ToUpper(string(claim.Verdict[:1]))
			}
			if got != c.want || r.Verdict != verify.Refuted {
				t.Errorf("%s; want %s: %+v", got, c.want, r.Claims)
			}
			judgeClaims(t, p, r, 4, map[string]int{})
			var wrong []string
			for _, claim := range r.Claims {
				if claim.Verdict == verify.Refuted {
					wrong = append(wrong, claim.Name)
				}
			}
			for _, alone := range r.Alone {
				certifiedClaims(t, alone, wrong...)
			}
		})
	}
}

// certifiedClaims checks that the certificate of a report states its claims, and that the checker accepts it. With a
// false claim added, the checker rejects it.
func certifiedClaims(t *testing.T, r *Report, false ...string) {
	t.Helper()
	c, _, err := r.Certificate(t.Context(), []cert.Input{}, nil)
	if err != nil {
		t.Errorf("%v\n%s", err, r.ProgramText())
		return
	}
	if len(c.Claims) != len(r.Claims) {
		t.Fatalf("%d claims; want %d", len(c.Claims), len(r.Claims))
	}
	for i := range c.Claims {
		if c.Claims[i].Claim != r.Claims[i].Name {
			t.Errorf("claim %s; want %s", c.Claims[i].Claim, r.Claims[i].Name)
		}
	}
	for _, more := range false {
		if !slices.ContainsFunc(r.Claims, func(x Claim) bool { return x.Name == more }) {
			lying := *c
			lying.Claims = append([]cert.Claim{{Claim: more, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize}}, c.Claims...)
			slices.SortFunc(lying.Claims, func(a, b cert.Claim) int {
				return slices.Index(KnownClaims, a.Claim) - slices.Index(KnownClaims, b.Claim)
			})
			if cert.Check(&lying) == nil {
				t.Errorf("a certificate is accepted for %s, which is wrong", more)
			}
		}
	}
}

// TestChosenClaims: a proof of some claims states these only, and has a certificate.
func TestChosenClaims(t *testing.T) {
	needZ3(t)
	p := parsed(t, "p.star", wandering[0].text)
	west := parsed(t, "p.star", "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [W] if dst.x < cur.x else productive(cur, dst)\n")
	for _, claims := range [][]string{{"connected"}, {"livelock-free"}, {"connected", "livelock-free"}} {
		for _, q := range []*program.Program{p, west} {
			if len(claims) == 1 && q == p && !longtest.On() {
				continue
			}
			r, err := Prove(t.Context(), q, Options{Claims: claims})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != verify.Proved || len(r.Claims) != len(claims) {
				t.Errorf("%v: %s %+v", claims, r.Verdict, r.Claims)
				continue
			}
			certifiedClaims(t, r)
		}
	}
	r, err := Prove(t.Context(), west, Options{Claims: []string{"deadlock-free"}})
	if err != nil || r.Verdict != verify.Proved || len(r.Claims) != 1 {
		t.Fatal(err, r)
	}
	certifiedClaims(t, r)
}

// TestClaimsAtRandom compares each claim of changed programs with all states of small networks.
func TestClaimsAtRandom(t *testing.T) {
	needZ3(t)
	count := longtest.Cases(3, 400)
	random := rand.New(rand.NewPCG(31, 4))
	verdicts := map[string]int{}
	for range count {
		text := wandering[random.IntN(len(wandering))].text
		for range 1 + random.IntN(2) {
			list := mutants("\n" + text)
			text = list[random.IntN(len(list))]
		}
		p, err := program.Parse("p.star", text)
		if err != nil {
			continue
		}
		r, err := Prove(t.Context(), p, Options{Limit: time.Second, Each: true})
		if err != nil {
			if strings.Contains(err.Error(), "internal") {
				t.Errorf("%v\n%s", err, text)
			}
			continue
		}
		shortest, err := Prove(t.Context(), p, Options{Limit: time.Second, Claims: []string{"minimal"}})
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		judgeClaims(t, p, shortest, 5, verdicts)
		if shortest.Verdict == verify.Proved {
			certifiedClaims(t, shortest)
		}
		judgeClaims(t, p, r, 5, verdicts)
		for _, alone := range r.Alone {
			certifiedClaims(t, alone)
		}
	}
	t.Log(verdicts)
}
