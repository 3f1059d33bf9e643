package whatif

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/opensm"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

func network(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestIsWhole removes links of a line and of a ring.
func TestIsWhole(t *testing.T) {
	for spec, want := range map[string]string{"line:4": "2 of 4 switches are cut off", "ring:4": ""} {
		n := network(t, spec)
		if err := isWhole(n); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		left, err := n.Without([]model.LinkID{1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := isWhole(left); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s without a link: %v, want %q", spec, err, want)
		}
	}
}

// TestPlan checks which engines run, and which lists are refused.
func TestPlan(t *testing.T) {
	for _, c := range []struct{ words, engines, missing, err string }{
		{"all", "minhop updn lash", "", ""},
		{"lash,nue", "lash", "nue", ""},
		{"ar_updn,all", "minhop updn lash", "ar_updn", ""},
		{"nue", "", "", "OpenSM 1.2 has none of nue"},
		{"lash,all", "", "", "names lash twice"},
		{"nue,nue,lash", "", "", "names nue twice"},
		{"", "", "", `no engine ""`},
		{"lash,file", "", "", `no engine "file"`},
		{"../lash", "", "", `no engine "../lash"`},
		{"present", "", "", `no engine "present"`},
	} {
		n := network(t, "ring:4")
		w := &whatif{tools: &opensm.Tools{Version: "1.2", Engines: []string{"minhop", "updn", "lash"}}, in: &resolve.Subject{}, fail: "links:1",
			kind: "links", atOnce: 1}
		w.in.Net, w.in.Whole = n, n
		err := w.plan(c.words)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.words, err, c.err)
			}
		case err != nil || strings.Join(w.engines, " ") != c.engines || strings.Join(w.missing, " ") != c.missing ||
			w.number() != 5*len(w.engines):
			t.Errorf("%q: %v, missing %v, %d runs, %v", c.words, w.engines, w.missing, w.number(), err)
		}
	}
}

// TestSum checks the sums, the exit status and the order of the proved engines.
func TestSum(t *testing.T) {
	n := network(t, "ring:4")
	w := &whatif{tools: &opensm.Tools{}, in: &resolve.Subject{}, engines: []string{"a", "b", "c"}, net: n}
	w.in.Net, w.in.Whole = n, n
	q := func(load int64) *use { return &use{MaxLoad: load} }
	proved, refuted, undecided := string(verify.Proved), string(verify.Refuted), string(verify.Undecided)
	for _, c := range []struct {
		list   []run
		proved string
		code   string
	}{
		{[]run{{Engine: "a", Verdict: proved, Quality: q(5)}, {Engine: "b", Verdict: proved, Quality: q(3)}, {Engine: "c", Verdict: refuted}}, "b a", ""},
		{[]run{{Engine: "a", Verdict: refuted}, {Engine: "b", Verdict: "unrouted"}, {Engine: "c", Verdict: refuted}}, "", "exit status 1"},
		{[]run{{Engine: "a", Verdict: refuted}, {Engine: "b", Verdict: undecided}, {Engine: "c", Verdict: refuted}}, "", "exit status 3"},
	} {
		out := w.sum(c.list, 0)
		err := ""
		if e := out.status(); e != nil {
			err = e.Error()
		}
		if strings.Join(out.Proved, " ") != c.proved || err != c.code || !out.Complete {
			t.Errorf("%+v: proved %v, %q, want %q, %q", c.list, out.Proved, err, c.proved, c.code)
		}
	}
	if out := w.sum([]run{{Engine: "a", Verdict: proved, Quality: q(5)}}, 0); out.Complete || len(out.Proved) != 1 || out.Engines[1].Now != nil {
		t.Errorf("after an interruption: %+v", out)
	}
}
