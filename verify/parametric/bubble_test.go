package parametric

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// withoutDatelines is dimension order on a torus with one VC.
const withoutDatelines = `
family = torus(*n)
def route(cur, dst, inp):
    for d in range(len(cur)):
        a = towards(cur, dst, d)
        if a != None:
            return [a]
    return []
`

func flowOf(t *testing.T, rule string, packet, buffer int) *bubble.Flow {
	t.Helper()
	r, err := bubble.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	return &bubble.Flow{Rule: r, Packet: packet, Buffer: buffer}
}

// TestBubble proves dimension order without datelines for every size of tori of one to three dimensions. If a ring has no
// slot left by the rule, the smallest ring with a cycle refutes it.
func TestBubble(t *testing.T) {
	needZ3(t)
	for _, c := range []struct {
		dims           int
		rule           string
		packet, buffer int
		verdict        verify.Verdict
	}{
		{1, "bubble", 4, 8, verify.Proved}, {2, "bubble", 3, 11, verify.Proved}, {3, "critical-bubble", 4, 4, verify.Proved},
		{1, "bubble", 4, 7, verify.Refuted}, {2, "bubble,packet=2", 4, 7, verify.Refuted}, {1, "critical-bubble,packet=2", 4, 4, verify.Refuted},
	} {
		if c.dims == 3 && !long() {
			continue // two seconds
		}
		r, err := Prove(context.Background(), parsed(t, "ring.star", withoutDatelines), Options{Dims: c.dims, Flow: flowOf(t, c.rule, c.packet, c.buffer)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.verdict {
			t.Errorf("%d dimensions, %s: %s, %+v", c.dims, c.rule, r.Verdict, r.Claims[0])
		}
		if c.verdict == verify.Refuted {
			if r.Witness == nil || r.Witness.Sides[0] != 4 || r.Witness.Report.Run == nil {
				t.Errorf("%s: witness %+v", c.rule, r.Witness)
			}
			continue
		}
		kinds := map[string]int{}
		for _, o := range r.Obligations {
			if kinds[o.Kind]++; o.Result != smt.Unsat {
				t.Errorf("%s %s: %s", o.Kind, o.Name, o.Result)
			}
		}
		if kinds["slot"] == 0 || kinds["enter"] == 0 || kinds["distance"] == 0 || len(r.Rechecked) == 0 || r.Method != "bubble" {
			t.Errorf("%v, %s, %v", kinds, r.Method, r.Rechecked)
		}
	}
}

// TestBubbleRingsInACycle checks that flow control proves nothing if rings depend on each other in a cycle.
func TestBubbleRingsInACycle(t *testing.T) {
	needZ3(t)
	p := parsed(t, "both.star", `
family = torus(n, m)
def route(cur, dst, inp):
    a, b = towards(cur, dst, 0), towards(cur, dst, 1)
    if a == None:
        return [b]
    if b == None:
        return [a]
    if inp.dim == 1:
        return [a]
    return [b]
`)
	r, err := Prove(context.Background(), p, Options{Flow: flowOf(t, "bubble", 4, 8)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == verify.Proved {
		t.Errorf("%+v", r.Claims)
	}
}

// TestFlowObligations checks by all numbers up to a bound which sizes satisfy the obligations slot and enter.
func TestFlowObligations(t *testing.T) {
	needZ3(t)
	f, err := newFamily(parsed(t, "ring.star", withoutDatelines), 1)
	if err != nil {
		t.Fatal(err)
	}
	script, err := smt.NewScript()
	if err == nil {
		err = script.Tell("(set-logic QF_LIA)\n" + f.declarations())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []bubble.Kind{bubble.Local, bubble.Critical} {
		for packet := 1; packet <= 3; packet++ {
			for buffer := packet; buffer <= 7; buffer++ {
				for assumed := 1; assumed <= 3; assumed++ {
					s := &proof{system: &system{family: f}, flow: &bubble.Flow{Rule: bubble.Rule{Kind: kind, Packet: assumed}, Packet: packet, Buffer: buffer}}
					good := true
					s.flowObligations(func(_, _, text string, _ *pair) {
						result, _, _, err := script.Ask(context.Background(), "(assert "+text+")", nil, smt.Limit{})
						if err != nil {
							t.Fatal(err)
						}
						good = good && result == smt.Unsat
					})
					if want := keepsSlot(kind, packet, buffer, assumed); good != want {
						t.Errorf("%s, packets of %d taken for %d, buffers of %d: %t", kind, packet, assumed, buffer, good)
					}
				}
			}
		}
	}
}

// keepsSlot fills a buffer, or a ring of 3 to 12 buffers, packet by packet.
func keepsSlot(kind bubble.Kind, packet, buffer, assumed int) bool {
	if kind == bubble.Local {
		entered := false
		for n := 0; n*packet <= buffer; n++ {
			if free := buffer - n*packet; free >= packet && free >= 2*assumed {
				if entered = true; free-packet < packet {
					return false
				}
			}
		}
		return entered
	}
	for length := 3; length <= 12; length++ {
		slots, count := length*(buffer/packet), 0
		for count+1 < length*(buffer/assumed) && count < slots {
			count++
		}
		if count == 0 || count == slots {
			return false
		}
	}
	return true
}

// TestCheckFlow checks which flow control is refused.
func TestCheckFlow(t *testing.T) {
	for _, c := range []struct{ rule, switching, want string }{
		{"worm-bubble", "", "worm-bubble for every size"}, {"bubble,off=3", "", "it names places of one network"}, {"bubble", "saf", "want vct switching, got saf"},
	} {
		_, err := Prove(context.Background(), &program.Program{}, Options{Flow: flowOf(t, c.rule, 4, 8), Switching: model.Switching(c.switching)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}
