package cert_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
)

// ring is a ring of n switches, one host each: port 1 to the next switch, 2 to
// the one before, 3 to the host. Channel 2u leads from u to u+1.
func ring(n, vcs int) Network {
	w := Network{VCs: vcs, Hosts: n}
	for u := range int32(n) {
		w.Switches = append(w.Switches, fmt.Sprintf("s%d", u))
		w.Endpoints = append(w.Endpoints, fmt.Sprintf("h%d", u))
		w.Links = append(w.Links, u, 1, (u+1)%int32(n), 2)
		w.Attach = append(w.Attach, u, 3)
	}
	return w
}

// tableOf routes from switch u to host d by port(u, d), or to the host.
func tableOf(w Network, port func(u, d int) int32) Subject {
	t := &Table{Sources: w.Hosts}
	for d := range w.Hosts {
		t.Destinations = append(t.Destinations, int32(d))
		t.LIDs = append(t.LIDs, int32(d+1))
		for u := range w.Switches {
			p := int32(3)
			if u != d {
				p = port(u, d)
			}
			t.Ports = append(t.Ports, p)
		}
	}
	return Subject{Switching: "vct", Network: w, Table: t}
}

// The ways round a ring of four: all clockwise, which is a cycle, and none
// over link 3-0, which is not.
func clockwise(u, d int) int32 { return 1 }
func line(u, d int) int32 {
	if u < d {
		return 1
	}
	return 2
}

// ringRows makes clockwise acyclic: packets over link 3-0 have class 2, and
// change from VC 0 to VC 1 at switch 0, to stay there; the others have class
// 0 and stay on VC 0. Class 1 is dropped (VC 15) by the same rows.
func ringRows(s Subject) Subject {
	low, high := make(Ints, 16), slices.Repeat(Ints{1}, 16)
	high[0], high[1] = 0, 15
	rows, of, sets := slices.Concat(low, high), Ints{}, Ints{}
	for u := range 4 {
		for in := range 3 { // cables by port: next, before, host
			for range 3 {
				row := int32(0)
				if u < 2 && in == 1 {
					row = 1
				}
				of = append(of, row)
			}
		}
	}
	for d := range 4 {
		for e := range 4 {
			set := int32(1)
			if e > d {
				set = 1 << 2
			}
			sets = append(sets, set)
		}
	}
	s.Table.VCRows, s.Table.VCRowOf, s.Table.Classes = &rows, &of, &sets
	return s
}

// stories are subjects with the verdicts that are known of them by hand, in
// the order of the claims; "-" where no evidence is admitted.
var stories = []struct {
	name    string
	subject func() Subject
	want    string
}{
	{"ring 4, clockwise", func() Subject { return tableOf(ring(4, 1), clockwise) }, "refuted refuted proved proved"},
	{"ring 4, line", func() Subject { return tableOf(ring(4, 1), line) }, "proved proved proved proved"},
	{"ring 4, clockwise, wormhole", func() Subject {
		s := tableOf(ring(4, 1), clockwise)
		s.Switching = "wormhole"
		return s
	}, "refuted refuted proved proved"},
	{"ring 4, line, wormhole", func() Subject {
		s := tableOf(ring(4, 1), line)
		s.Switching = "wormhole"
		return s
	}, "proved proved proved proved"},
	{"ring 4, dateline rows, 2 VCs, class 1 dropped", func() Subject {
		return ringRows(tableOf(ring(4, 2), clockwise))
	}, "proved proved proved proved"},
	{"ring 4, dateline rows, host 0 to 2 with class 1 too", func() Subject {
		s := ringRows(tableOf(ring(4, 2), clockwise))
		(*s.Table.Classes)[2*4+0] |= 1 << 1
		return s
	}, "proved proved refuted proved"},
	{"ring 4, line, no class from 1 to 3", func() Subject {
		s := tableOf(ring(4, 1), line)
		sets := slices.Repeat(Ints{1}, 16)
		sets[3*4+1] = 0
		s.Table.Classes = &sets
		return s
	}, "proved proved refuted proved"},
	{"ring 4, to and fro between 1 and 2", func() Subject {
		return tableOf(ring(4, 1), func(u, d int) int32 {
			if d == 3 && u == 2 {
				return 2
			}
			return line(u, d)
		})
	}, "refuted refuted refuted refuted"},
	{"ring 4, host 3's packets to host 0 end at host 1", func() Subject {
		return tableOf(ring(4, 1), func(u, d int) int32 {
			if d == 0 && u == 1 {
				return 3
			}
			return line(u, d)
		})
	}, "proved proved refuted proved"},
	{"ring 4, entry missing", func() Subject {
		return tableOf(ring(4, 1), func(u, d int) int32 {
			if d == 0 && u == 1 {
				return -1
			}
			return line(u, d)
		})
	}, "proved proved refuted proved"},
	{"relation: adaptive over two VCs, escape without the last link", func() Subject { return onRing("vct", adaptiveHops) }, "refuted proved proved proved"},
	{"relation: the same, wormhole", func() Subject { return onRing("wormhole", adaptiveHops) }, "refuted proved proved proved"},
	{"relation: this way or that", func() Subject { return onRing("vct", anyHops) }, "refuted refuted proved refuted"},
	{"turns: ring 4, all", func() Subject { return turnsOf(ring(4, 1), func(in, out int32) bool { return in^out != 1 }) }, "refuted - proved -"},
	{"turns: ring 4, none at switch 0", func() Subject {
		return turnsOf(ring(4, 1), func(in, out int32) bool { return in^out != 1 && out != 0 && out != 7 })
	}, "proved - proved -"},
	{"turns: ring 4, 2 VCs, none", func() Subject { return turnsOf(ring(4, 2), func(in, out int32) bool { return false }) }, "proved - refuted -"},
}

// onRing is a ring of four switches and two VCs with what hops permits at switch u to host d.
func onRing(switching string, permits func(u, d, class int32) []state) Subject {
	w := ring(4, 2)
	r := &Relation{Classes: 2, Sources: 4, Destinations: Ints{0, 1, 2, 3}, States: Ints{}}
	for e := range int32(4) {
		for d := range int32(4) {
			if e != d {
				r.Inject = append(r.Inject, e, d, 0)
			}
		}
	}
	for d := range int32(4) {
		hops := map[state][]state{}
		var list []state
		for e := range int32(4) {
			if e != d {
				list = append(list, state{(8 + e) * 2, 0})
			}
		}
		for i := 0; i < len(list); i++ {
			u, _ := enters(&w, list[i].vc/2)
			hops[list[i]] = permits(u, d, list[i].class)
			for _, to := range hops[list[i]] {
				if _, ok := hops[to]; !ok && to.vc < 16 {
					list = append(list, to)
				}
			}
		}
		slices.SortFunc(list, func(a, b state) int { return int(2*(a.vc-b.vc) + a.class - b.class) })
		for _, at := range slices.Compact(list) {
			r.States = append(r.States, d, at.vc, at.class, int32(len(hops[at])))
			for _, to := range hops[at] {
				r.States = append(r.States, to.vc, to.class)
			}
		}
	}
	return Subject{Switching: switching, Network: w, Relation: r}
}

// anyHops: on VC 0 a packet may go either way wherever it is.
func anyHops(u, d, class int32) []state {
	if u == d {
		return []state{{(12 + d) * 2, class}}
	}
	up, down := 2*u, (2*u+7)%8 // channels
	return []state{{2 * min(up, down), class}, {2 * max(up, down), class}}
}

// adaptiveHops: VC 1 goes clockwise all round; VC 0, the escape, goes both ways, but never over link
// 3-0. A packet that has gone down once has class 1 and goes on down.
func adaptiveHops(u, d, class int32) []state {
	up, down := 2*u, 2*u-1 // channels
	switch {
	case u == d:
		return []state{{(12 + d) * 2, class}}
	case u < d:
		return []state{{up * 2, class}, {up*2 + 1, class}}
	case class == 1:
		return []state{{down * 2, 1}}
	}
	return []state{{down * 2, 1}, {up*2 + 1, 0}}
}

func verdicts(c *Certificate) string {
	by := map[string]string{}
	for _, claim := range c.Claims {
		by[claim.Claim] = claim.Verdict
	}
	var list []string
	for _, name := range []string{ClaimAcyclic, ClaimDeadlockFree, ClaimConnected, ClaimLivelockFree} {
		if by[name] == "" {
			by[name] = "-"
		}
		list = append(list, by[name])
	}
	return strings.Join(list, " ")
}

func TestStories(t *testing.T) {
	t.Parallel()
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			c := certify(story.subject())
			if got := verdicts(c); got != story.want {
				t.Errorf("brute force finds %s, want %s", got, story.want)
			}
			accepted(t, c)
			mutants(t, c)
		})
	}
}

// accepted checks c, and that writing and reading bring it back.
func accepted(t *testing.T, c *Certificate) {
	t.Helper()
	before, _ := json.Marshal(c)
	if err := Check(c); err != nil {
		t.Fatalf("rejected: %v\n%s", err, before)
	}
	if after, _ := json.Marshal(c); !bytes.Equal(before, after) {
		t.Fatal("Check has changed the certificate")
	}
	var file bytes.Buffer
	if err := Write(&file, c); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(again); err != nil {
		t.Fatal(err)
	}
	acceptedInBlocks(t, c)
}

// refused checks that c is rejected, with a reason.
func refused(t *testing.T, what string, c *Certificate) {
	t.Helper()
	var bad *Rejection
	if err := Check(c); !errors.As(err, &bad) || bad.Reason == "" || bad.Claim == "" {
		text, _ := json.Marshal(c)
		t.Fatalf("mutant accepted (%v): %s\n%s", err, what, text)
	}
	refusedInBlocks(t, what, c)
}

// mutants changes each single thing in the evidence of c, which Check must
// notice. What is left as true as before is passed over: the rotation of a
// cycle of two, and another way that packets of a relation may take.
func mutants(t *testing.T, c *Certificate) {
	t.Helper()
	for i := range c.Claims {
		try := func(what string, change func(*Claim)) {
			t.Helper()
			m := *c // shares the subject, which Check leaves as it is
			m.Claims = deepCopy(reflect.ValueOf(c.Claims)).Interface().([]Claim)
			change(&m.Claims[i])
			refused(t, fmt.Sprintf("%s: %s", c.Claims[i].Claim, what), &m)
		}
		mutateNames(c, i, try)
		mutateNumbers(c, i, try)
		mutatePackets(c, i, try)
	}
	m := clone(c)
	m.Claims = append(m.Claims, m.Claims[0])
	refused(t, "a claim twice", m)
	m = clone(c)
	slices.Reverse(m.Claims)
	refused(t, "claims in reverse", m)
	m.Claims = nil
	refused(t, "no claims", m)
	if i := slices.IndexFunc(c.Claims, func(c Claim) bool { return c.Evidence == EvidenceAcyclic }); i > 0 {
		m = clone(c)
		m.Claims = m.Claims[i:]
		refused(t, "the acyclic claim left out", m)
	}
}

// clone returns a deep copy of c.
func clone(c *Certificate) *Certificate {
	return deepCopy(reflect.ValueOf(c)).Interface().(*Certificate)
}

// deepCopy returns a copy of v that shares no list and no pointer with v.
func deepCopy(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		to.Set(reflect.New(v.Type().Elem()))
		to.Elem().Set(deepCopy(v.Elem()))
	case v.Kind() == reflect.Slice && !v.IsNil():
		to.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		reflect.Copy(to, v)
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Pointer {
			for i := range v.Len() {
				to.Index(i).Set(deepCopy(v.Index(i)))
			}
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			to.Field(i).Set(deepCopy(v.Field(i)))
		}
	}
	return to
}

type try func(what string, change func(*Claim))

func mutateNames(c *Certificate, i int, try try) {
	was, tried := c.Claims[i], map[string]bool{}
	isNew := func(name, was string) bool {
		defer func() { tried[name] = true }()
		return name != was && !tried[name]
	}
	for _, k := range Kinds() {
		if isNew(k.Claim, was.Claim) {
			try("claim renamed to "+k.Claim, func(c *Claim) { c.Claim = k.Claim })
		}
		if isNew(k.Verdict, was.Verdict) {
			try("verdict flipped", func(c *Claim) { c.Verdict = k.Verdict })
		}
		if !isNew(k.Evidence, was.Evidence) {
			continue
		}
		try("evidence renamed to "+k.Evidence, func(c *Claim) { c.Evidence = k.Evidence })
		if k.Verdict != was.Verdict {
			try("verdict and evidence changed", func(c *Claim) { c.Verdict, c.Evidence = k.Verdict, k.Evidence })
		}
	}
	for _, end := range []string{EndDropped, EndWrongHost, EndLooping, EndNoClass, "", "late"} {
		if end != was.End {
			try("end "+end, func(c *Claim) { c.End = end })
		}
	}
	try("verdict", func(c *Claim) { c.Verdict = "undecided" })
	try("claim", func(c *Claim) { c.Claim += "?" })
}

func mutateNumbers(c *Certificate, i int, try try) {
	was := c.Claims[i]
	if was.Ranks == nil {
		try("ranks added", func(c *Claim) { c.Ranks = &Ints{} })
	} else {
		try("ranks taken off", func(c *Claim) { c.Ranks = nil })
		try("one rank more", func(c *Claim) { *c.Ranks = append(*c.Ranks, int32(len(*c.Ranks))) })
		for j, rank := range *was.Ranks {
			try("one rank less", func(c *Claim) { *c.Ranks = slices.Delete(*c.Ranks, j, j+1) })
			for _, r := range []int32{rank + 1, rank - 1, -1, 1 << 30, -1 << 31, 1<<31 - 1} {
				if r != rank {
					try(fmt.Sprintf("rank of VC %d", j), func(c *Claim) { (*c.Ranks)[j] = r })
				}
			}
		}
	}
	if was.Escape == nil {
		try("escape added", func(c *Claim) { c.Escape = &Ints{} })
	} else {
		try("escape taken off", func(c *Claim) { c.Escape = nil })
		for j, flag := range *was.Escape {
			try("one flag less", func(c *Claim) { *c.Escape = slices.Delete(*c.Escape, j, j+1) })
			for _, f := range []int32{1 - flag, 2, -1} {
				try(fmt.Sprintf("flag %d", j), func(c *Claim) { (*c.Escape)[j] = f })
			}
		}
	}
	mutateLists(c, i, try)
	for _, number := range []struct {
		name string
		at   func(*Claim) **int64
	}{
		{"pairs", func(c *Claim) **int64 { return &c.Pairs }},
		{"unreachable", func(c *Claim) **int64 { return &c.Unreachable }},
		{"hops", func(c *Claim) **int64 { return &c.Hops }},
	} {
		if *number.at(&was) == nil {
			try(number.name+" added", func(c *Claim) { *number.at(c) = new(int64) })
			continue
		}
		try(number.name+" taken off", func(c *Claim) { *number.at(c) = nil })
		for _, by := range []int64{1, -1, 1 << 32, -1 << 63} {
			try(number.name, func(c *Claim) { **number.at(c) += by })
		}
	}
}

// mutateLists is for cycles and trees of turns.
func mutateLists(c *Certificate, i int, try try) {
	for _, list := range []struct {
		name  string
		at    func(*Claim) **Ints
		holds func(*Subject, Ints) bool // by brute force
	}{
		{"cycle", func(c *Claim) **Ints { return &c.Cycle }, cycleHolds},
		{"tree", func(c *Claim) **Ints { return &c.Tree }, treeHolds},
		{"messages", func(c *Claim) **Ints { return &c.Messages }, func(_ *Subject, list Ints) bool {
			return slices.Equal(list, Ints{0, 0, 0}) // as true as of two classes in one network
		}},
	} {
		was := *list.at(&c.Claims[i])
		if was == nil {
			try(list.name+" added", func(c *Claim) { *list.at(c) = &Ints{} })
			continue
		}
		change := func(what string, to Ints) {
			if !slices.Equal(to, *was) && !list.holds(&c.Subject, to) {
				try(list.name+what, func(c *Claim) { *list.at(c) = &to })
			}
		}
		try(list.name+" taken off", func(c *Claim) { *list.at(c) = nil })
		try(list.name+" emptied", func(c *Claim) { *list.at(c) = &Ints{} })
		for j, x := range *was {
			change(": one less", slices.Delete(slices.Clone(*was), j, j+1))
			change(": one twice", slices.Insert(slices.Clone(*was), j, x))
			change(": rotated", slices.Concat((*was)[j:], (*was)[:j]))
			for _, y := range []int32{x + 1, x - 1, x ^ 1, 0, -1, -2, -3, 1<<31 - 1, -1 << 31} {
				to := slices.Clone(*was)
				to[j] = y
				change(fmt.Sprintf(": entry %d", j), to)
			}
		}
	}
}

func mutatePackets(c *Certificate, i int, try try) {
	was := c.Claims[i]
	if len(was.Packets) == 0 {
		try("packet added", func(c *Claim) { c.Packets = []Packet{{}} })
	}
	for j := range was.Packets {
		name := fmt.Sprintf("packet %d", j)
		try(name+" taken off", func(c *Claim) { c.Packets = slices.Delete(c.Packets, j, j+1) })
		try(name+" twice", func(c *Claim) { c.Packets = slices.Insert(c.Packets, j, c.Packets[j]) })
		for k := range j {
			try(name+" swapped", func(c *Claim) { c.Packets[j], c.Packets[k] = c.Packets[k], c.Packets[j] })
		}
		for _, source := range []int{-1, was.Packets[j].Source + 1, 1 << 40} {
			try(name+": source", func(c *Claim) { c.Packets[j].Source = source })
		}
		for _, class := range []int{-2, was.Packets[j].Class + 1, was.Packets[j].Class + 1<<32} {
			try(name+": class", func(c *Claim) { c.Packets[j].Class = class })
		}
		for _, destination := range []int{-1, 1 << 40} {
			try(name+": destination", func(c *Claim) { c.Packets[j].Destination = destination })
		}
		path := was.Packets[j].Path
		try(name+": one more", func(c *Claim) { c.Packets[j].Path = append(c.Packets[j].Path, 0) })
		if len(path) > 0 {
			try(name+": one less", func(c *Claim) { c.Packets[j].Path = path[:len(path)-1] })
			try(name+": no path", func(c *Claim) { c.Packets[j].Path = nil })
		}
		for k, x := range path {
			for _, y := range []int32{x + 1, x - 1, x + 16, -1, 1<<31 - 1, -1 << 31} {
				on := slices.Clone(path)
				if on[k] = y; y != x && !(c.Subject.Relation != nil && legal(&c.Subject, was.Packets[j].Destination, on)) &&
					!(was.Evidence == EvidenceBarred && isBarred(&c.Subject, was.Packets[j], on)) {
					try(fmt.Sprintf("%s: path element %d", name, k), func(c *Claim) { c.Packets[j].Path = on })
				}
			}
		}
	}
}

// isBarred reports by brute force whether no packet can take a path that leads nearer to its destination.
func isBarred(s *Subject, of Packet, path []int32) (found bool) {
	explore(s).channelPaths(len(path)/2, func(p Packet, nearer, taken bool) {
		found = found || nearer && !taken && p.Source == of.Source && p.Destination == of.Destination && slices.Equal(p.Path, path)
	})
	return found
}

// legal reports whether each state of a path follows from the one before.
func legal(s *Subject, d int, path []int32) bool {
	n := &naive{s: s, w: &s.Network}
	for i := 2; i < len(path); i += 2 {
		if !slices.Contains(n.next(d, state{path[i-2], path[i-1]}), state{path[i], path[i+1]}) {
			return false
		}
	}
	return true
}

// TestRandom certifies random subjects by brute force, and changes subject
// and evidence: Check accepts what brute force finds true, and nothing else.
func TestRandom(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(360) {
		if !long() && (seed/8%4 != 0 || seed < 280 && seed/8%16 != 8) {
			continue // some groups of eight, each with all kinds of subjects
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		wild := seed%2 == 0
		s := randomTable(rng, wild)
		if seed%4 >= 2 {
			s = randomRelation(rng, wild)
		}
		if seed >= 280 {
			s = randomTurns(rng)
		}
		c := certify(s)
		for i := range c.Claims {
			seen[c.Claims[i].Evidence+" "+c.Claims[i].End]++
		}
		if t.Run(fmt.Sprint(seed), func(t *testing.T) {
			accepted(t, c)
			if seed%8 < 4 && len(s.Network.Switches) < 5 && (seed/8%16 == 0 || long()) {
				mutants(t, c)
			}
			otherSubject(t, rng, c)
		}); t.Failed() {
			return
		}
	}
	for _, k := range Kinds() {
		n := 0
		for name, count := range seen {
			if strings.HasPrefix(name, k.Evidence+" ") {
				n += count
			}
		}
		if n < longtest.Share(5, 5) && k.Evidence != EvidenceEscape && k.Evidence != EvidenceLines && k.Evidence != EvidenceWorms && !slices.Contains([]string{EvidenceNoWorms, EvidenceUnreachable, EvidenceMoves, EvidenceQueuedRun}, k.Evidence) && !strings.HasPrefix(k.Evidence, "family-") && !strings.HasPrefix(k.Evidence, "gated-") && !strings.HasPrefix(k.Evidence, "bubble") && !slices.Contains(k.Subjects, "streams") && !slices.Contains(k.Subjects, "transition") && k.Evidence != EvidenceEverySize && k.Evidence != EvidenceEverySizePaths && k.Evidence != EvidenceEveryNetwork && k.Evidence != EvidenceEveryNetworkPaths && k.Claim != ClaimLowerBound && k.Claim != ClaimUnroutable && !slices.Contains(k.Fields, "protocol") { // see the stories for these, verify/family, verify/streams, synth/reroute and the tests of verify
			t.Errorf("only %d certificates with evidence %s; issue it in certify, or exempt it here and name its test", n, k.Evidence)
		}
	}
	t.Log(seen)
}

// otherSubject leaves the evidence and changes a number of the routing. If
// the certificate is accepted, brute force agrees with each verdict and count.
func otherSubject(t *testing.T, rng *rand.Rand, c *Certificate) {
	t.Helper()
	for range 30 {
		m := clone(c)
		list := []Ints{m.Subject.Network.Links, m.Subject.Network.Attach}
		if table := m.Subject.Table; table != nil {
			list = append(list, table.Ports, table.Ports, table.Destinations)
			for _, extra := range []*Ints{table.Classes, table.VCRows, table.VCRowOf} {
				if extra != nil {
					list = append(list, *extra)
				}
			}
		} else if m.Subject.Turns != nil {
			list = append(list, m.Subject.Turns.Next, m.Subject.Turns.Next)
		} else {
			list = append(list, m.Subject.Relation.States, m.Subject.Relation.States, m.Subject.Relation.Inject)
		}
		numbers := list[rng.IntN(len(list))]
		if len(numbers) == 0 {
			continue
		}
		i := rng.IntN(len(numbers))
		numbers[i] += []int32{1, -1, 2, -2}[rng.IntN(4)]
		if Check(m) != nil {
			continue
		}
		want := certify(m.Subject)
		for _, claim := range m.Claims {
			j := slices.IndexFunc(want.Claims, func(w Claim) bool { return w.Claim == claim.Claim })
			if w := want.Claims[j]; w.Verdict != claim.Verdict || !same(w.Pairs, claim.Pairs) ||
				!same(w.Unreachable, claim.Unreachable) || !same(w.Hops, claim.Hops) {
				text, _ := json.Marshal(m)
				t.Fatalf("accepted, but brute force finds %+v\n%s", w, text)
			}
		}
	}
}

func same(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// TestArrives uses a ring on which packets may take both directions. From every state some path
// leads to the destination.
func TestArrives(t *testing.T) {
	s := onRing("vct", anyHops)
	r, err := OpenRouting(&Certificate{Subject: s})
	if err != nil {
		t.Fatal(err)
	}
	_, ends := r.Traffic()
	for d, e := range ends {
		lo, hi := r.StatesTo(d)
		for i := lo; i < hi; i++ {
			if !Arrives(r, d, r.State(i)) {
				t.Errorf("%v does not lead to destination %d", r.State(i), d)
			}
		}
		if !Arrives(r, d, State{VC: r.Ejection(e) * r.VCs}) {
			t.Errorf("at destination %d a packet has not arrived", d)
		}
		if other := ends[(d+1)%4]; Arrives(r, d, State{VC: r.Ejection(other) * r.VCs}) {
			t.Errorf("at endpoint %d a packet to destination %d has arrived", other, d)
		}
	}
}
