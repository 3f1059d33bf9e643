package local

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/program"
)

// TestParallelCables: two ports to the same switch are different, and so are conditions about them. Two parallel cables let packets of these
// programs go in a loop on VC 0, so livelock-free is wrong. On networks without parallel cables all claims are right.
func TestParallelCables(t *testing.T) {
	const text = `family = network()
vcs = 2

def premise(u, v):
    return distance(u, v) <= 1

def low(p, u):
    return not any([q.number < p.number for q in ports(u)])

def route(cur, dst, inp):
    if inp.port == None:
        return [(p, 0) for p in ports(cur)]
    if inp.vc == 0 and CONDITION:
        return [(p, 0) for p in ports(cur)]
    return [(p, 1) for p in productive(cur, dst)]
`
	for condition, want := range map[string]string{
		"any([p.to == inp.prev and p.number != inp.port.number for p in ports(cur)])":            "UUU",
		"not low(inp.port, cur) and any([p.to == inp.prev and low(p, cur) for p in ports(cur)])": "UUU",
		"not low(inp.port, cur) and any([p.to == inp.prev and p.to == cur for p in ports(cur)])": "PPP",
	} {
		p, err := program.Parse("cables.star", strings.Replace(text, "CONDITION", condition, 1))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Prove(t.Context(), p, Options{Switches: 3})
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(r); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}
