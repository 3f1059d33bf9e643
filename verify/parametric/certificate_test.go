package parametric

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/kinds"
	"github.com/turnproof/turnproof/verify/smt"
)

var update = flag.Bool("update", false, "rewrite the certificates that package everysize judges")

// judged are the published programs whose certificates are in the testdata of package everysize.
var judged = map[string]bool{"west-first.mesh vct": true, "odd-even.mesh vct": true, "dor.torus vct": true, "o1turn.mesh vct": true,
	"duato.mesh vct": true, "duato.mesh wormhole": true, "dimwar.hyperx vct": true, "duato.hyperx wormhole": true,
	"dor.express vct": true, "negative-first.hexgrid vct": true, "zigzag.brickwall vct": true, flowJudged: true}

const flowJudged = "bubble.torus vct"

// TestCertificatesOfPublished writes a certificate of each published program that is proved, and reads and checks it again. With
// -update it writes those that package everysize judges.
func TestCertificatesOfPublished(t *testing.T) {
	for _, f := range published.All() {
		for _, switching := range []model.Switching{model.CutThrough, model.Wormhole} {
			if switching == model.Wormhole && f.Name != "duato" && f.Name != "dal" {
				continue
			}
			name := strings.TrimSuffix(f.Path, ".star") + " " + string(switching)
			t.Run(name, func(t *testing.T) {
				if name != "dor.torus vct" && name != "duato.mesh wormhole" && !*update {
					longtest.Only(t, "other programs are certified; package everysize judges kept certificates")
				}
				p, err := program.Parse(f.Path, f.Text)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				r, err := proveOnce(p, Options{Switching: switching})
				if errors.Is(err, smt.ErrUnavailable) {
					t.Skip("needs Z3")
				}
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != verify.Refuted {
					certify(t, r, name, time.Since(began))
				}
			})
		}
	}
}

// TestCertificateOfFlow writes a certificate of dimension order without datelines, with flow control of rings.
func TestCertificateOfFlow(t *testing.T) {
	needZ3(t)
	for _, rule := range []string{"critical-bubble", "bubble"} {
		if rule != "bubble" && !longtest.On() {
			continue
		}
		began := time.Now()
		r, err := Prove(context.Background(), parsed(t, "ring.star", withoutDatelines), Options{Dims: 2, Flow: flowOf(t, rule, 4, 8)})
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		if rule == "bubble" {
			name = flowJudged
		}
		certify(t, r, name, time.Since(began))
	}
}

func certify(t *testing.T, r *Report, name string, proved time.Duration) {
	t.Helper()
	began := time.Now()
	c, effort, err := r.Certificate(context.Background(), []cert.Input{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	made := time.Since(began)
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	text := file.Bytes()
	again, err := cert.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	began = time.Now()
	if err := cert.Check(again); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, k := range effort.Obligations {
		total += k
	}
	t.Logf("%s: %d obligations, %d nodes, %d bytes, prove %.2f s, make %.2f s, check %.3f s, %v", name, total, effort.Nodes, len(text),
		proved.Seconds(), made.Seconds(), time.Since(began).Seconds(), effort.Obligations)
	if *update && judged[name] {
		if err := os.WriteFile("../cert/everysize/testdata/"+strings.ReplaceAll(name, " ", "-")+".cert", text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWithdraw: what the checker has not judged is undecided, and what is refuted stays so.
func TestWithdraw(t *testing.T) {
	proved, refuted := Claim{Name: "deadlock-free", Verdict: verify.Proved}, Claim{Name: "connected", Verdict: verify.Refuted, Network: "mesh:2x2"}
	for _, c := range []struct {
		unjudged string
		claims   []Claim
		before   verify.Verdict
		after    verify.Verdict
		first    verify.Verdict
	}{
		{"", []Claim{proved}, verify.Proved, verify.Proved, verify.Proved},
		{"a limit", []Claim{proved}, verify.Proved, verify.Undecided, verify.Undecided},
		{"a limit", []Claim{proved, refuted}, verify.Refuted, verify.Refuted, verify.Undecided},
	} {
		r := &Report{Verdict: c.before, Claims: slices.Clone(c.claims), Unjudged: c.unjudged}
		r.Withdraw()
		last := r.Claims[len(r.Claims)-1]
		if r.Verdict != c.after || r.Claims[0].Verdict != c.first || len(c.claims) == 2 && last.Verdict != verify.Refuted {
			t.Errorf("%q: %s, %v", c.unjudged, r.Verdict, r.Claims)
		}
		if c.unjudged != "" && !strings.Contains(r.Claims[0].Reason, c.unjudged) {
			t.Errorf("the reason does not say %q: %s", c.unjudged, r.Claims[0].Reason)
		}
	}
}

// TestJudge: a claim that no certificate states is not judged, even if others are.
func TestJudge(t *testing.T) {
	needZ3(t)
	p := bundled(t, "west-first.mesh.star")
	once, err := Prove(t.Context(), p, Options{Claims: []string{"connected", "livelock-free"}})
	if err != nil {
		t.Fatal(err)
	}
	r := *once
	if err := r.Judge(t.Context(), []cert.Input{}, nil); err != nil || r.Unjudged != "" {
		t.Fatalf("%v, %s", err, r.Unjudged)
	}
	more := *once
	more.Claims = append(slices.Clone(r.Claims), Claim{Name: "deadlock-free", Verdict: verify.Proved})
	if err := more.Judge(t.Context(), []cert.Input{}, nil); err != nil || !strings.Contains(more.Unjudged, "deadlock-free") {
		t.Errorf("a claim without a proof: %v, %q", err, more.Unjudged)
	}
	if more.Withdraw(); more.Verdict != verify.Undecided {
		t.Errorf("a claim without a proof is %s", more.Verdict)
	}
}
