package resolve_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/judge"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

func verdictOf(t *testing.T, q resolve.Request) *verify.Report {
	t.Helper()
	s, err := resolve.Load(context.Background(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	o, err := judge.Options(s)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	rep, err := verify.Check(context.Background(), s.Rel, o)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return rep
}

// TestLoad gives the library what the command check takes.
func TestLoad(t *testing.T) {
	config := filepath.Join(t.TempDir(), "torus.cfg")
	if err := os.WriteFile(config, []byte("topology = torus;\nk = 4;\nn = 2;\nrouting_function = dim_order;\nnum_vcs = 2;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", "..", "examples", "fabrics", "random16-d4-s2")
	fabric := filepath.Join(folder, "topology.ibnetdiscover")
	for _, c := range []struct {
		q    resolve.Request
		want verify.Verdict
	}{
		{resolve.Request{Network: "torus:4x4", Routing: "minimal"}, verify.Refuted},
		{resolve.Request{Network: "random:switches=16,degree=4,seed=7", Routing: "updown,root=3"}, verify.Proved},
		{resolve.Request{Network: "random:switches=16,degree=4,seed=7", Routing: "lturn-alpha", Paths: "first"}, verify.Proved},
		{resolve.Request{Network: config}, verify.Proved},
		{resolve.Request{Network: fabric, Routing: filepath.Join(folder, "updn", "opensm-lfts.dump.gz")}, verify.Refuted},
		{resolve.Request{Network: fabric, Routing: filepath.Join(folder, "file-synth-updown", "opensm-lfts.dump.gz")}, verify.Proved},
	} {
		if got := verdictOf(t, c.q).DeadlockFree.Verdict; got != c.want {
			t.Errorf("%+v: got %s, want %s", c.q, got, c.want)
		}
	}
}

func TestLoadStatesPremises(t *testing.T) {
	q := resolve.Request{Network: "mesh:4x4,vcs=2", Routing: "duato", Switching: string(model.StoreAndForward), Waiting: string(model.WaitOne)}
	rep := verdictOf(t, q)
	var got []string
	for _, p := range rep.Premises {
		got = append(got, p.Name+": "+p.Source)
	}
	for _, want := range []string{model.PremiseSwitching + ": --switching", model.PremiseWaiting + ": --waiting"} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("got premises %q, want %q among them", got, want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	lmc := uint(8)
	for _, c := range []struct {
		q    resolve.Request
		want string
	}{
		{resolve.Request{Network: "mesh:4x4", NeedsRouting: true}, "--routing FILE|NAME is missing"},
		{resolve.Request{Network: "mesh:4x4", Routing: "dor", LMC: &lmc}, "--lmc 8: want 0 to 7"},
		{resolve.Request{Network: "mesh:4x4", Routing: "dor", SL: "levels"}, "--sl applies to forwarding tables"},
		{resolve.Request{Network: "mesh:4x4", Hosts: "*"}, "--hosts applies to networks from DOT"},
		{resolve.Request{Network: "mesh:4x4", Paths: "all"}, "need --routing"},
		{resolve.Request{Network: "no-such-file"}, "a network is a file, a folder"},
	} {
		if _, err := resolve.Load(context.Background(), c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got error %v, want %q", c.q, err, c.want)
		}
	}
}

// TestPathChoices proves a turn set with every choice of paths, which has to route every pair.
func TestPathChoices(t *testing.T) {
	for _, paths := range resolve.PathWords() {
		if paths == methods.PathsShortestTable {
			continue // not every set has such a table
		}
		rep := verdictOf(t, resolve.Request{Network: "random:switches=12,degree=4,seed=5", Routing: "lturn-alpha", Paths: paths})
		if rep.Verdict() != verify.Proved || rep.Routes.Pairs != 12*11 {
			t.Errorf("paths %s: got %s for %d pairs; want proved for 132", paths, rep.Verdict(), rep.Routes.Pairs)
		}
	}
}
