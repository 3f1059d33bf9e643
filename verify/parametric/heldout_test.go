package parametric

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// judgedClaims are the claims that failures judges.
var judgedClaims = []string{"connected", "livelock-free", "minimal"}

// heldOut is a program with or without a defect that only some sizes, places or failures have.
type heldOut struct {
	name, text string
	faults     *Faults
	claims     []string
}

// heldOutPrograms returns dimension order on meshes, and a step aside at failures, with every defect under every condition.
func heldOutPrograms(t *testing.T) (list []heldOut) {
	t.Helper()
	defects := [][2]string{
		{"drops a packet", "cur.x == 0 and cur.y == 0:\n        return []"},
		{"begins with a hop away", "inp.dir == None and cur.x == 1 and dst.x > 1:\n        return [W]"},
		{"turns back", "inp.dir == E and cur.x == 1 and dst.x > 1:\n        return [W]"},
	}
	const body = "    if cur.x != dst.x:\n        return [towards(cur, dst, 0)]\n    return [towards(cur, dst, 1)]\n"
	list = append(list, heldOut{"right", "family = mesh(n, m)\ndef route(cur, dst, inp):\n" + body, nil, judgedClaims})
	for _, when := range []string{"n % 2 == 1", "n > 6", "n != m", "n == m", "n > m + 1", "cur.y == m - 1", "m % 3 == 0", "n + m > 8", "dst.y == 0 and n > 4"} {
		for _, d := range defects {
			list = append(list, heldOut{d[0] + " if " + when, "family = mesh(n, m)\ndef route(cur, dst, inp):\n    if " + when + " and " + d[1] + "\n" + body,
				nil, judgedClaims})
		}
	}
	text, err := os.ReadFile("../../examples/routing-programs/sidestep.star")
	if err != nil {
		t.Fatal(err)
	}
	ladder := strings.Replace(string(text), "mesh(n, m)", "mesh(n, 2)", 1)
	const place = "        if not works(cur, a):\n"
	for _, when := range []string{"False", "cur.x == 0", "cur.x == n - 1", "cur.x == 2", "n % 2 == 0", "cur.y == 1 and n > 3"} {
		list = append(list, heldOut{"drops a packet at a failed link if " + when,
			strings.Replace(ladder, place, place+"            if "+when+":\n                return []\n", 1), &Faults{Most: 1}, PathClaims[:2]})
	}
	return list
}

// switchesOf returns the number of switches of a network mesh:4x3.
func switchesOf(spec string) int {
	_, size, _ := strings.Cut(spec, ":")
	size, _, _ = strings.Cut(size, ",")
	number := 1
	for _, side := range strings.Split(size, "x") {
		k, _ := strconv.Atoi(side)
		number *= k
	}
	return number
}

// judgeHeldOut proves a program and counts the verdicts. It compares them with the least number of switches on which each claim fails, which
// failures finds on networks of at most a number of switches.
func judgeHeldOut(t *testing.T, c heldOut, failures func(*testing.T, *program.Program, *Faults) map[string]int, most int, verdicts map[string]int) {
	t.Helper()
	p := parsed(t, "p.star", c.text)
	r, err := Prove(t.Context(), p, Options{Claims: c.claims, Faults: c.faults, Each: true, Limit: 5 * time.Second})
	if err != nil {
		t.Errorf("%s: %v", c.name, err)
		return
	}
	fails := failures(t, p, c.faults)
	for _, claim := range r.Claims {
		least := fails[claim.Name]
		verdicts[string(claim.Verdict)]++
		switch {
		case claim.Verdict == verify.Proved && least > 0:
			t.Errorf("%s: %s is proved, but fails on %d switches", c.name, claim.Name, least)
		case claim.Verdict == verify.Refuted && switchesOf(claim.Network) != least && (least > 0 || switchesOf(claim.Network) <= most):
			t.Errorf("%s: %s is refuted on %s, but the smallest network has %d switches", c.name, claim.Name, claim.Network, least)
		case claim.Verdict == verify.Undecided:
			t.Logf("%s: %s is undecided (fails on %d switches): %s", c.name, claim.Name, least, claim.Reason)
		}
	}
}

// TestHeldOut compares the verdicts on programs that were not used in development with all states of small networks. A proved claim holds
// on all of them, and a refuted one fails on none that is smaller than its network.
func TestHeldOut(t *testing.T) {
	needZ3(t)
	list, verdicts := heldOutPrograms(t), map[string]int{}
	for i, c := range list {
		if !long() && i%9 != 2 {
			continue
		}
		judgeHeldOut(t, c, failures, math.MaxInt, verdicts)
	}
	t.Logf("%d programs, %v", len(list), verdicts)
	if verdicts["refuted"] == 0 || verdicts["proved"] == 0 || verdicts["undecided"]*10 > verdicts["refuted"]+verdicts["proved"] {
		t.Errorf("%v", verdicts)
	}
}

// failures returns the least number of switches on which each claim fails, on meshes of at most 16 switches with sides up to 8.
func failures(t *testing.T, p *program.Program, faults *Faults) map[string]int {
	t.Helper()
	least := map[string]int{}
	for _, kinds := range faults.cases(2) {
		f, err := newFamily(p, 2, kinds...)
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range f.sizesUpTo(16, 8) {
			w, ok := walkOf(t.Context(), p, f, setting)
			if !ok {
				t.Errorf("no states on %v", setting)
				continue
			}
			for name, holds := range map[string]bool{"connected": w.connected, "livelock-free": w.livelockFree, "minimal": w.minimal} {
				if k := f.switches(setting); !holds && (least[name] == 0 || k < least[name]) {
					least[name] = k
				}
			}
		}
	}
	return least
}

// TestHeldOutNames checks that the programs differ, and that there are enough.
func TestHeldOutNames(t *testing.T) {
	var texts []string
	for _, c := range heldOutPrograms(t) {
		texts = append(texts, c.text)
	}
	slices.Sort(texts)
	if k := len(slices.Compact(texts)); k < 30 || k != len(heldOutPrograms(t)) {
		t.Error(fmt.Sprint(k) + " different programs")
	}
}
