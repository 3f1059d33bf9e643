package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/longtest"
)

// pickOne returns a random word of a text.
func pickOne(r *rand.Rand, words string) string {
	list := strings.Fields(words)
	return list[r.IntN(len(list))]
}

// drawnTopologies has for each topology the keys that it needs, as a function that draws them.
var drawnTopologies = map[string]func(r *rand.Rand) string{
	"mesh": func(r *rand.Rand) string {
		return fmt.Sprintf("k=%s n=%s routing_function=%s", pickOne(r, "2 3 4 5"), pickOne(r, "1 2 2 3"), pickOne(r, "dor dim_order xy_yx adaptive_xy_yx min_adapt"))
	},
	"torus": func(r *rand.Rand) string {
		return fmt.Sprintf("k=%s n=%s routing_function=%s", pickOne(r, "3 4 5"), pickOne(r, "1 2"), pickOne(r, "dim_order dim_order_bal dim_order_ni min_adapt"))
	},
	"cmesh": func(r *rand.Rand) string {
		k := pickOne(r, "2 4 6")
		return fmt.Sprintf("k=%s x=%s y=%s n=2 c=4 xr=2 yr=2 routing_function=%s", k, k, k, pickOne(r, "dor dor_no_express xy_yx xy_yx_no_express"))
	},
	"dragonflynew": func(r *rand.Rand) string {
		return fmt.Sprintf("k=%s n=1 routing_function=%s", pickOne(r, "1 2"), pickOne(r, "min ugal"))
	},
	"fattree": func(r *rand.Rand) string {
		return fmt.Sprintf("k=%s n=%s routing_function=%s", pickOne(r, "2 3"), pickOne(r, "2 3"), pickOne(r, "nca anca"))
	},
	"flatfly": func(r *rand.Rand) string {
		if r.IntN(5) == 0 {
			return "k=4 x=8 y=8 n=3 c=1 xr=1 yr=1 routing_function=ran_min"
		}
		k := pickOne(r, "2 3 4")
		return fmt.Sprintf("k=%s x=%s y=%s n=2 c=4 xr=2 yr=2 routing_function=%s", k, k, k, pickOne(r, "ran_min xyyx adaptive_xyyx valiant ugal ugal_xyyx"))
	},
	"qtree": func(*rand.Rand) string { return "k=4 n=3 routing_function=nca" },
	"tree4": func(r *rand.Rand) string { return "k=4 n=3 routing_function=" + pickOne(r, "nca anca") },
	"anynet": func(*rand.Rand) string {
		return "network_file=drawn.anynet routing_function=min"
	},
	"fly": func(r *rand.Rand) string { return fmt.Sprintf("k=%s n=1 routing_function=dest_tag", pickOne(r, "3 6")) },
}

// drawAnynet draws the network file of an anynet: a ring or tree of routers with chords, each with one node or two.
func drawAnynet(r *rand.Rand) string {
	var b strings.Builder
	n, node := 3+r.IntN(5), 0
	ring := r.IntN(2) == 0
	for u := range n {
		fmt.Fprintf(&b, "router %d", u)
		for range 1 + r.IntN(2) {
			fmt.Fprintf(&b, " node %d", node)
			node++
		}
		switch {
		case ring:
			fmt.Fprintf(&b, " router %d", (u+1)%n)
		case u > 0:
			fmt.Fprintf(&b, " router %d", r.IntN(u))
		}
		if v := r.IntN(n); v != u && v != (u+1)%n && r.IntN(3) == 0 {
			fmt.Fprintf(&b, " router %d %d", v, 1+r.IntN(4))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// drawBookSim draws a configuration over the keys that check and sim read.
func drawBookSim(r *rand.Rand) string {
	topology := pickOne(r, "mesh mesh torus torus cmesh dragonflynew fattree flatfly qtree tree4 fly anynet anynet")
	keys := fmt.Sprintf("topology=%s %s num_vcs=%s seed=%d injection_rate=%s injection_rate_uses_flits=1 traffic=%s", topology, drawnTopologies[topology](r),
		pickOne(r, "1 2 2 3 4 4 5 6"), r.IntN(1000), pickOne(r, "0.3 0.9 1.0"), pickOne(r, "uniform uniform uniform bitcomp bitrev shuffle transpose"))
	keys += fmt.Sprintf(" wait_for_tail_credit=%d vc_busy_when_full=%d", r.IntN(2), r.IntN(2))
	keys += " " + pickOne(r, "packet_size=1 packet_size=2 packet_size=4 packet_size=8 packet_size={1,5} packet_size={2,6}")
	keys += " " + pickOne(r, "vc_buf_size=1 vc_buf_size=2 vc_buf_size=4 vc_buf_size=8 buf_size=24")
	for _, key := range []string{"routing_delay=0", "credit_delay=2", "use_noc_latency=0", "st_final_delay=2", "vc_alloc_delay=2"} {
		if r.IntN(4) == 0 {
			keys += " " + key
		}
	}
	if strings.Contains(keys, "routing_function=d") && (topology == "mesh" || topology == "torus") && r.IntN(4) == 0 {
		keys += " use_read_write=1"
		if r.IntN(2) == 0 { // ranges that overlap
			keys += " num_vcs=4 read_request_begin_vc=0 read_request_end_vc=1 write_request_begin_vc=0 write_request_end_vc=1 read_reply_begin_vc=1 " +
				"read_reply_end_vc=3 write_reply_begin_vc=2 write_reply_end_vc=3"
		} else {
			keys += " num_vcs=16"
		}
	}
	return strings.ReplaceAll(keys, " ", ";\n") + ";\n"
}

var deadlockLine = regexp.MustCompile(`(?m)^(PROVED|REFUTED|UNDECIDED) +(?:deadlock-free|message-deadlock-free) `)

// TestRandomBookSim draws configurations of BookSim 2. A simulation never freezes if check proves that no packets can block each other, no command
// fails for another reason than its input, and what one of them refuses as wrong the other one refuses, too.
func TestRandomBookSim(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(52, 1))
	count, byTopology := map[string]int{}, map[string]int{}
	file := filepath.Join(t.TempDir(), "drawn.cfg")
	for i, simulated := 0, 0; simulated < longtest.Cases(8, 500); i++ {
		text := drawBookSim(r)
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), "drawn.anynet"), []byte(drawAnynet(r)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, checkErr, code := turnproof(t, "check", file)
		result, simErr, simCode := turnproof(t, "sim", file, "--clocks", "4000")
		proved := code != cli.ExitUsage
		for _, m := range deadlockLine.FindAllStringSubmatch(stdout, -1) {
			proved = proved && m[1] == "PROVED"
		}
		froze := strings.Contains(result, "DEADLOCK")
		switch {
		case proved && froze:
			t.Errorf("case %d is proved, and freezes:\n%s\n%s", i, text, result)
		case code > cli.ExitUndecided || simCode > cli.ExitUndecided || strings.Contains(checkErr+simErr, "internal error"):
			t.Errorf("case %d: exit status %d and %d:\n%s\n%s%s", i, code, simCode, text, checkErr, simErr)
		case code == cli.ExitUsage && simCode != cli.ExitUsage:
			t.Errorf("case %d: check refuses what sim simulates:\n%s\n%s", i, text, checkErr)
		}
		if simCode != cli.ExitUsage {
			simulated++
		}
		if proved && simCode != cli.ExitUsage {
			byTopology[strings.Fields(strings.NewReplacer("=", " ", ";", " ").Replace(text))[1]]++
		}
		count[fmt.Sprintf("proved %v, refused %v, simulated %v, froze %v", proved, code == cli.ExitUsage, simCode != cli.ExitUsage, froze)]++
		if i > 100_000 {
			t.Fatal("too few of the configurations can be simulated")
		}
	}
	t.Log(count, byTopology)
	if !longtest.On() {
		return
	}
	for _, want := range []string{"proved true, refused false, simulated true, froze false", "proved false, refused false, simulated true, froze true"} {
		if count[want] == 0 {
			t.Errorf("no case with %s", want)
		}
	}
}
