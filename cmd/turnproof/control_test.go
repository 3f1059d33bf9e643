package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestCheckGates compares verdicts about networks with gates with the simulator. A proved routing
// runs at saturation. A refuted one deadlocks under load, or holds a deadlock that is placed in
// the network.
func TestCheckGates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		code int
		want []string
	}{
		{"torus:8x8,vcs=2 -r dor --gate injection,level=8,hops=4", cli.ExitRefuted,
			[]string{"REFUTED    deadlock-free  4 packets can be placed", "deadlock reached in clock", "its head has arrived, a gate keeps the rest",
				": 7 flits", "all packets have 8 flits, and a buffer has room for 15"}},
		{"torus:8x8,vcs=2 -r dor --gate both,level=8,hops=4,unit=packet", cli.ExitHolds,
			[]string{"PROVED     deadlock-free", "no deadlock in 20,000 clocks at saturation"}},
		{"torus:6x6,vcs=3 -r duato,stay-on-escape=true --gate turn,level=0,hops=3", cli.ExitRefuted, []string{"the deadlock holds when placed in the network"}},
		{"torus:6x6,vcs=3 -r cross-line --gate turn,level=8,hops=3,unit=packet,vcs=any", cli.ExitRefuted, []string{"deadlock reached in clock"}},
		{"torus:6x6,vcs=3 -r cross-line --gate turn,level=8,hops=3,unit=packet,vcs=any,exempt=escape", cli.ExitHolds, []string{"PROVED     deadlock-free"}},
	} {
		if strings.Contains(c.line, "duato") && !long() {
			continue // this takes forty simulations; tests of verify cover these gates
		}
		stdout, stderr, code := turnproof(t, append([]string{"check", "--simulate"}, strings.Fields(c.line)...)...)
		if code != c.code {
			t.Errorf("%s: exit status %d, %s%s", c.line, code, stdout, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout, want) {
				t.Errorf("%s: no %q in\n%s", c.line, want, stdout)
			}
		}
	}
	dir := t.TempDir()
	file, picture := filepath.Join(dir, "gates.cert"), filepath.Join(dir, "gates.svg")
	stdout, stderr, code := turnproof(t, "check", "torus:8x8,vcs=2", "-r", "dor", "--gate", "turn,level=8,hops=4", "--certificate", file, "--figure",
		picture, "--json")
	v := valid(t, "check.json", stdout)
	if code != cli.ExitRefuted || v["gate"] != "turn,f=f1:16>0,level=8,hops=4" || v["method"] != "numbering, gated-configuration, walk, longest-path" {
		t.Errorf("exit status %d, %.300s%s", code, stdout, stderr)
	}
	for _, p := range v["configuration"].([]any) {
		if w := p.(map[string]any); len(w["flits"].([]any)) != len(w["holds"].([]any)) {
			t.Errorf("%v", w)
		}
	}
	for _, f := range []string{file, picture} {
		if text, err := os.ReadFile(f); err != nil || len(text) < 1000 {
			t.Errorf("%s: %d bytes, %v", f, len(text), err)
		}
	}
}

// TestSimControl checks gates and throttling in the simulator, a deadlock caused by gates, and
// errors in the flags.
func TestSimControl(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"torus:8x8,vcs=2 -r dor --vc-rule dateline --switching vct --buffer 15 --load 0.3 --clocks 3000 --gate " +
			"both,level=8,unit=packet,hops=5": "accepted",
		"torus:8x8,vcs=3 -r cross-line --switching vct --buffer 15 --load 0.3 --clocks 3000 --throttle rth=0.6,pn=0.1,release=full " +
			"--control dedicated": "accepted",
		"torus:8x8,vcs=3 -r simple-adaptive --switching vct --buffer 15 --traffic shift:4 --collective 3 --throttle rth=0.6,pn=0.1": "accepted",
	} {
		if stdout, stderr, code := turnproof(t, append([]string{"sim"}, strings.Fields(line)...)...); code != cli.ExitHolds || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit status %d, %s%s", line, code, stdout, stderr)
		}
	}
	stdout, stderr, code := turnproof(t,
		strings.Fields("sim torus:8x8,vcs=2 -r dor --vc-rule dateline --switching vct --buffer 15 --collective 60 --gate injection,level=8,hops=4 --seed 2")...)
	if code != cli.ExitRefuted || !strings.Contains(stdout, "DEADLOCK: closed in clock") || !strings.Contains(stdout, "waits at the gate before") {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	for line, want := range map[string]string{
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --gate turns":                        `--gate: gate: no place "turns"`,
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --throttle rth=2,pn=0":               "a mobility of 2",
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --throttle rth=0.2":                  "want rth and pn",
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --throttle rth=0.2,rth=3":            "rth is given twice",
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --throttle rth=x,pn=0":               `rth is "x"`,
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --throttle rth=0.1,pn=0,release=all": `release is "all"`,
		"sim torus:4x4,vcs=2 -r dor --load 0.1 --control dedicated":                 "--control goes with",
		"check torus:4x4,vcs=2 -r dor --packet 4":                                   "--packet and --buffer go together",
		"check torus:4x4,vcs=2 -r dor --gate turn --cross-check":                    "does not support gates",
		"check torus:4x4,vcs=2 -r dor --gate turn --buffer 4":                       "want level < buffer and packet <= buffer",
		"reproduce flow-limiting/figure-4 --reading rounds=0":                       `rounds is "0"`,
	} {
		if _, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
}

// TestReproduceFlow computes figures 4 and 5 on a small torus, and resumes from a journal.
func TestReproduceFlow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	line := func(name string, more ...string) []string {
		return append([]string{"reproduce", "flow-limiting/" + name, "--reading", "side=4", "--reading", "rounds=1", "--reading", "hops=3",
			"--journal", filepath.Join(dir, "journal")}, more...)
	}
	picture := filepath.Join(dir, "figure.svg")
	stdout, stderr, code := turnproof(t, line("figure-4", "--json", "--figure", picture)...)
	if code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	if rows := valid(t, "reproduce.json", stdout)["rows"].([]any); len(rows) != 40 {
		t.Errorf("%d rows for 8 patterns and 5 routings", len(rows))
	}
	if text, err := os.ReadFile(picture); err != nil || !strings.Contains(string(text), "torn") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	second := "figure-4" // from the journal
	if long() {
		second = "figure-5" // which needs many more points
	}
	if stdout, stderr, code = turnproof(t, line(second)...); code != cli.ExitHolds || !strings.Contains(stdout, "torn") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	again, _, _ := turnproof(t, line(second)...)
	if stripSeconds(again) != stripSeconds(stdout) {
		t.Errorf("from the journal:\n%s, want\n%s", again, stdout)
	}
	if other, _, _ := turnproof(t, line("figure-4", "--reading", "dovcs=4")...); !strings.Contains(other, "do with 4 VCs") {
		t.Errorf("the reading is not named in\n%s", other)
	}
}

// stripSeconds removes the run time, which is the last line.
func stripSeconds(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:len(lines)-1], "\n")
}

// TestGatesAgainstSimulator checks verdicts for random routings and gates. Proved networks do not
// deadlock under load. Refuted deadlocks do not move when placed in the network. The short run omits four
// of five cases, and the networks whose states take seconds.
func TestGatesAgainstSimulator(t *testing.T) {
	t.Parallel()
	verdicts := map[verify.Verdict]int{}
	specs := []string{"ring:5,vcs=2", "torus:3x3", "torus:3x3,vcs=2", "mesh:3x3,vcs=2"}
	if long() {
		specs = append(specs, "torus:4x3,vcs=2", "ring:4", "mesh:2x3")
	}
	rapid.Check(t, func(t *rapid.T) {
		if !long() && rapid.IntRange(0, 11).Draw(t, "omitted") > 0 {
			return
		}
		n, err := topo.Parse(rapid.SampledFrom(specs).Draw(t, "network"))
		if err != nil {
			t.Fatal(err)
		}
		var r model.Relation = modeltest.Adaptive(t, n, 1)
		if n.VCs() == 2 && rapid.Bool().Draw(t, "dor") {
			if r, err = route.New("dor", n, route.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		g := &gate.Setup{Packet: rapid.IntRange(1, 4).Draw(t, "packet")}
		g.Buffer = g.Packet + rapid.IntRange(0, 5).Draw(t, "room")
		g.Rule = gate.DefaultRule(rapid.SampledFrom(gate.Places()).Draw(t, "place"))
		g.Rule.Unit, g.Rule.VCs, g.Rule.Buffer = rapid.SampledFrom(gate.Units()).Draw(t, "unit"), rapid.SampledFrom(gate.Readings()).Draw(t,
			"vcs"), rapid.SampledFrom(gate.Buffers()).Draw(t, "buffer")
		g.Rule.Hops, g.Rule.Level = rapid.IntRange(1, 4).Draw(t, "hops"), rapid.IntRange(0, g.Buffer-1).Draw(t, "level")
		g.Rule.WithinRow = rapid.Bool().Draw(t, "within row")
		ctx := context.Background()
		if !long() { // a search that ends undecided takes many seconds, and decides nothing
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, time.Second)
			defer stop()
		}
		rep, err := verify.Check(ctx, r, verify.Options{Conditions: []model.Condition{g}})
		if errors.Is(err, context.DeadlineExceeded) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		verdicts[rep.DeadlockFree.Verdict]++
		switch rep.DeadlockFree.Verdict {
		case verify.Proved:
			sat, err := replay.Saturate(context.Background(), r, replay.Options{Engine: confirm.GatedEngine(g), Clocks: 3000, Seed: 1})
			if atOnce := (rep.Evidence(cert.ClaimDeadlockFree) == cert.EvidenceGatedStates); atOnce && sat != nil && sat.Deadlock != nil {
				verdicts["proved at once, late control information freezes"]++
			} else if err != nil || sat.Deadlock != nil {
				t.Fatalf("%s, packets of %d in buffers of %d: proved, but %+v, %v", g.Rule, g.Packet, g.Buffer, sat, err)
			}
		case verify.Refuted:
			if _, err := replay.Stand(context.Background(), r, confirm.Standing(rep), *confirm.GatedEngine(g), 300); err != nil {
				t.Fatalf("%s, packets of %d in buffers of %d: %v", g.Rule, g.Packet, g.Buffer, err)
			}
		}
	})
	if long() && verdicts[verify.Proved] == 0 || verdicts[verify.Refuted] == 0 { // a quarter is proved, too few for the short run
		t.Errorf("%v", verdicts)
	}
	t.Log(verdicts)
}

// TestSimAheadErrors: the errors of --select ahead speak of the selection, not of gates.
func TestSimAheadErrors(t *testing.T) {
	for line, text := range map[string]string{
		"fattree:k=4 -r updown":      "selection ahead needs a mesh or torus",
		"mesh:3x3 -r dor --packet 9": "selection ahead needs buffers of whole packets: 8 flits are less than a packet of 9",
		"mesh:3x3 -r dor --packet 8": "",
	} {
		_, stderr, code := turnproof(t, append([]string{"sim", "--select", "ahead", "--load", "0.1", "--clocks", "100"}, strings.Fields(line)...)...)
		if code == 0 != (text == "") || !strings.Contains(stderr, text) {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
}
