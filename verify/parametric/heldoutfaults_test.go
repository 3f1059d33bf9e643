package parametric

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
)

// faultyBases are programs that tolerate a failure. A defect takes the place of "DEFECT", at the hop that avoids the failure.
var faultyBases = []struct {
	name, text string
	faults     *Faults
	defects    []string
	when       []string
	quick      string // the condition of the program that the short run tries
}{
	{"aside on two rows", `family = mesh(n, 2)
def route(cur, dst, inp):
    over = N if cur.y == 0 else S
    if cur.x == dst.x:
        if works(cur, over):
            return [over]
        return [E] if cur.x < n - 1 else [W]
    ahead = E if cur.x < dst.x else W
    if inp.dir == -ahead:
        return [over]
    if works(cur, ahead):
        return [ahead]
    DEFECT
    return [over] if inp.dim != 1 else []
`, oneLink, []string{"return []", "return [-ahead] if 0 < cur.x and cur.x < n - 1 else [over]"},
		[]string{"False", "cur.x == 0", "cur.x == n - 2", "abs(dst.x - cur.x) == 1", "n >= 4", "n % 2 == 1", "cur.x == 2 and dst.x == 4"}, "n % 2 == 1"},
	{"the other way round a ring", `family = ring(n)
states = 2
def route(cur, dst, inp, state):
    if state == 1:
        return [(inp.dir, 0, 1)]
    a = towards(cur, dst, 0)
    if works(cur, a):
        return [(a, 0, 0)]
    DEFECT
    return [(-a, 0, 1)]
`, oneLink, []string{"return []", "return [(-a, 0, 0)]"},
		[]string{"False", "wraps(cur, a)", "wraps(cur, -a)", "distance(cur, dst) == 1", "n >= 5", "n % 2 == 0", "n == 7 and cur.x == 0"}, ""},
	{"the other way round a ring of a torus", `family = torus(n, m)
states = 2
def route(cur, dst, inp, state):
    d = 0 if cur.x != dst.x else 1
    if inp.dim == d and state == 1:
        return [(inp.dir, 0, 1)]
    a = towards(cur, dst, d)
    if works(cur, a):
        return [(a, 0, 0)]
    DEFECT
    return [(-a, 0, 1)]
`, oneLink, []string{"return []"},
		[]string{"wraps(cur, a)", "d == 1 and wraps(cur, -a)", "distance(cur, dst) == 1 and n > 3", "n != m", "cur.x == n - 1 and n % 2 == 0"}, ""},
	{"around a failed switch", `family = mesh(n, m)
vcs = 3
states = 2
def route(cur, dst, inp, state):
    if state == 1:
        if cur.y != dst.y:
            return [(towards(cur, dst, 1), 2, 1)]
        return [(towards(cur, dst, 0), 2, 1)]
    if cur.x != dst.x:
        a = towards(cur, dst, 0)
        if not works(cur, a):
            DEFECT
            return [(N if dst.y > cur.y or dst.y == cur.y and works(cur, N) else S, 0)]
        return [(a, 1 if inp.dim == 1 else inp.vc)]
    a = towards(cur, dst, 1)
    if works(cur, a):
        return [(a, inp.vc)]
    return [(E if works(cur, E) else W, 2, 1)]
`, oneSwitch, []string{"return [N] if works(cur, N) else []"},
		[]string{"cur.y == m - 2 and cur.x == 0", "dst.y == cur.y - 1 and n > 3", "n % 2 == 1 and cur.y > dst.y", "dst.x == n - 1 and m == 4"}, ""},
}

// faultyPrograms returns the bases with every defect under every condition.
func faultyPrograms() (list []heldOut, quick []bool) {
	for _, b := range faultyBases {
		for _, when := range b.when {
			for i, defect := range b.defects {
				if when == "False" && i > 0 {
					continue
				}
				line := strings.LastIndex(b.text[:strings.Index(b.text, "DEFECT")], "\n") + 1
				indent := b.text[line:strings.Index(b.text, "DEFECT")]
				text := strings.Replace(b.text, "DEFECT", "if "+when+":\n"+indent+"    "+defect, 1)
				list = append(list, heldOut{b.name + ": " + defect + " if " + when, text, b.faults, PathClaims[:2]})
				quick = append(quick, when == b.quick && i == 0)
			}
		}
	}
	return list, quick
}

// judgedSwitches bounds the networks of leastFailures.
const judgedSwitches = 20

// leastFailures returns the least number of switches on which each claim fails, on all networks up to judgedSwitches, tori included, with
// every failure.
func leastFailures(t *testing.T, p *program.Program, faults *Faults) map[string]int {
	t.Helper()
	least, dims := map[string]int{}, len(p.Family.Sides)
	for _, kinds := range faults.cases(dims) {
		f, err := newFamily(p, dims, kinds...)
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range f.sizesUpTo(judgedSwitches, 9) {
			w, ok := walkOf(t.Context(), p, f, setting)
			if !ok {
				t.Errorf("no states on %v", setting)
				continue
			}
			for name, holds := range map[string]bool{"connected": w.connected, "livelock-free": w.livelockFree} {
				if k := f.switches(setting); !holds && (least[name] == 0 || k < least[name]) {
					least[name] = k
				}
			}
		}
	}
	return least
}

// TestHeldOutFaults compares the verdicts on programs with failures, right and wrong, with all states of small networks. No wrong claim is
// proved, and a refuted claim fails on none that is smaller than its network.
func TestHeldOutFaults(t *testing.T) {
	needZ3(t)
	list, quick := faultyPrograms()
	if len(list) < 20 {
		t.Fatalf("%d programs", len(list))
	}
	verdicts := map[string]int{}
	for i, c := range list {
		if !quick[i] && (!long() || i%6 > 0 && !longtest.IsFull()) {
			continue
		}
		judgeHeldOut(t, c, leastFailures, judgedSwitches, verdicts)
	}
	t.Logf("%d programs, %v", len(list), verdicts)
	if verdicts["refuted"] == 0 || long() && verdicts["proved"] == 0 {
		t.Errorf("%v", verdicts)
	}
}
