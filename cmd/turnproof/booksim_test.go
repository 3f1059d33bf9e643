package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// arrivals returns the arrival clock of each packet in a list, which may be compressed by gzip.
func arrivals(t *testing.T, path string) map[int]int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(bytes.NewReader(text))
	if z, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		in = bufio.NewScanner(z)
	}
	list := map[int]int{}
	for in.Scan() {
		var id, clock, from, to, at int
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscan(in.Text(), &id, &clock, &from, &to, &at); err != nil {
			t.Fatal(err)
		}
		list[id] = at
	}
	return list
}

// TestBookSimLists checks that each packet arrives in the same clock as in BookSim 2. BookSim 2
// wrote the lists of packets; all other settings are those of its configuration.
func TestBookSimLists(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tail-credit", "torus", "latencies", "leaf-spine"} {
		at := filepath.Join("testdata", "booksim", name)
		out := filepath.Join(t.TempDir(), "out.txt")
		_, stderr, code := turnproof(t, "sim", at+".cfg", "--traffic", "trace:"+at+".txt.gz", "--packets-out", out, "--check")
		if code != cli.ExitHolds || stderr != "" && !strings.HasPrefix(stderr, "warning: the buffers of the channel") {
			t.Errorf("%s: exit status %d, %s", name, code, stderr)
			continue
		}
		want, got := arrivals(t, at+".txt.gz"), arrivals(t, out)
		bad := 0
		for id, clock := range want {
			if got[id] != clock {
				bad++
			}
		}
		if bad > 0 || len(want) < 500 || len(got) != len(want) {
			t.Errorf("%s: %d of %d packets differ, %d arrived", name, bad, len(want), len(got))
		}
	}
}

const bookSimMesh = "topology = mesh; k = 4; n = 2;\nrouting_function = dor;\nnum_vcs = 2;\n"

// TestBookSimSimTakesFile checks that load, packets, buffers, traffic and delays come from the
// file unless a flag sets them.
func TestBookSimSimTakesFile(t *testing.T) {
	path := fileOf(t, "run.cfg", bookSimMesh+
		"packet_size = 6; vc_buf_size = 12;\ninjection_rate = 0.02;\ntraffic = transpose;\nrouting_delay = 0;\nseed = 7;\nsample_period = 3;\n")
	same := func(want string, line ...string) {
		t.Helper()
		a, stderr, code := turnproof(t, line...)
		b, _, _ := turnproof(t, strings.Fields(want)...)
		cut := func(s string) string {
			_, rest, _ := strings.Cut(s, "offered:")
			rest, _, _ = strings.Cut(rest, "flit hops")
			return rest
		}
		if code != cli.ExitHolds || cut(a) == "" || cut(a) != cut(b) {
			t.Errorf("%v: exit status %d, %s%s\nwant that of %s:\n%s", line, code, stderr, a, want, b)
		}
	}
	const spec = "sim mesh:4x4,vcs=2 -r dor --clocks 3000 "
	same(spec+"--packet 6 --buffer 12 --load 0.12 --traffic transpose --routing-delay 0 --seed 7", "sim", path, "--clocks", "3000")
	same(spec+"--packet 3 --buffer 5 --load 0.2 --traffic uniform --routing-delay 1 --seed 2 --credit-delay 3 --atomic",
		"sim", path, "--clocks", "3000", "--packet", "3", "--buffer", "5", "--load", "0.2", "--traffic", "uniform",
		"--routing-delay", "1", "--seed", "2", "--credit-delay", "3", "--atomic")
	same(spec+"--length 1 --length 5 --length 5 --length 5 --load 0.2", "sim",
		fileOf(t, "mix.cfg", bookSimMesh+"packet_size = {{1,5}}; packet_size_rate = {{1,3}}; injection_rate = 0.05;"), "--clocks", "3000")
	if _, stderr, _ := turnproof(t, "sim", path, "--clocks", "1000"); !strings.Contains(stderr, "sample_period have no effect") {
		t.Errorf("no note on the keys of the clock: %s", stderr)
	}
}

// TestBookSimSweep checks that a sweep takes routing, sizes and traffic from the file.
func TestBookSimSweep(t *testing.T) {
	path := fileOf(t, "run.cfg", bookSimMesh+"packet_size = 6; vc_buf_size = 12; traffic = transpose; wait_for_tail_credit = 1;\n")
	rows := func(line ...string) string {
		t.Helper()
		out, stderr, code := turnproof(t, append(line, "--loads", "0.1,0.3", "--clocks", "2000", "--csv", "-")...)
		if code != cli.ExitHolds || strings.Count(out, "\n") != 3 {
			t.Fatalf("%v: exit status %d, %s%s", line, code, stderr, out)
		}
		return out
	}
	if text := rows("sweep", path); strings.Count(text, ",dor,transpose,") != 2 {
		t.Errorf("got\n%s", text)
	}
	latency := func(line ...string) string {
		out, _, _ := turnproof(t, append(line, "--clocks", "2000")...)
		_, text, _ := strings.Cut(out, "latency:")
		text, _, _ = strings.Cut(strings.TrimSpace(text), " clocks")
		return text
	}
	out, _, _ := turnproof(t, "sweep", path, "--loads", "0.3", "--clocks", "2000")
	if want := latency("sim", path, "--load", "0.3", "--seed", "1"); want == "" || !strings.Contains(out, want) {
		t.Errorf("sim has a latency of %q, sweep\n%s", want, out)
	}
	out, _, _ = turnproof(t, "sweep", path, "--loads", "0.3", "--clocks", "2000", "--packet", "2", "--traffic", "uniform", "-r", "updown")
	if want := latency("sim", path, "--load", "0.3", "--seed", "1", "--packet", "2", "--traffic", "uniform", "-r", "updown"); !strings.Contains(out,
		want) || !strings.Contains(out, "updown") {
		t.Errorf("sim has a latency of %q, sweep\n%s", want, out)
	}
}

// TestBookSimSwitching checks that the switching discipline and its source come from the file.
func TestBookSimSwitching(t *testing.T) {
	for text, want := range map[string]string{
		"packet_size = 8;\nwait_for_tail_credit = 1;": "switching: vct (run.cfg, packet_size in line 4, vc_buf_size by " +
			"default, wait_for_tail_credit in line 5)",
		"packet_size = 8;": "switching: wormhole (run.cfg, packet_size in line 4",
		"packet_size = 9;\nwait_for_tail_credit = 1;":                "switching: wormhole",
		"vc_buf_size = 1;":                                           "switching: wormhole", // a head may be given a full VC
		"vc_buf_size = 1; vc_busy_when_full = 1;":                    "switching: vct",
		"packet_size = 2; vc_busy_when_full = 1;":                    "a VC takes the next packet while it has a free slot",
		"packet_size = {{1,2}};":                                     "switching: wormhole",
		"packet_size = {1,9}; wait_for_tail_credit=1;":               "switching: vct", // each value is for one class of packets
		"packet_size = {1,9}; classes = 2;":                          "packets of 1 or 9 flits",
		"packet_size = 6; buf_size = 12; wait_for_tail_credit = 1;":  "buffers of 6 flits, a VC takes a packet only when it is empty",
		"packet_size = 7; buf_size = 12; wait_for_tail_credit = 1; ": "switching: wormhole",
	} {
		stdout, stderr, code := turnproof(t, "check", fileOf(t, "run.cfg", bookSimMesh+text))
		if code != cli.ExitHolds || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit status %d, %s%s\nwant %q", text, code, stderr, stdout, want)
		}
	}
}

// TestBookSimKeys checks keys that turnproof does not implement. If such a key could change a
// verdict or a measurement, it is an error or gives a warning, also with --quiet.
func TestBookSimKeys(t *testing.T) {
	for _, c := range []struct {
		text, check, sim string // check and sim: parts of standard error
		status           int    // exit status of sim
	}{
		{"internal_speedup = 2.0;", "", "warning: run.cfg:4: internal_speedup = 2.0 has no effect", cli.ExitHolds},
		{"internal_speedup = 1;", "", "", cli.ExitHolds},
		{"hold_switch_for_packet = 1;", "", "hold_switch_for_packet = 1 has no effect", cli.ExitHolds},
		{"sw_allocator = wavefront;", "", "sw_allocator = wavefront has no effect", cli.ExitHolds},
		{"injection_process = on_off;", "", "injection_process = on_off", cli.ExitHolds},
		{"st_final_delay = 2;", "", "st_final_delay = 2 is approximate", cli.ExitHolds},
		{"colour = red;", "warning: run.cfg:4: BookSim 2 has no key colour", "key colour", cli.ExitHolds},
		{"watch_out = -; print_activity = 1;", "", "", cli.ExitHolds},
		{"traffic = taper64;", "", "traffic = taper64 has no counterpart", cli.ExitUsage},
		{"classes = 2;", "", "classes = 2: one class of packets is simulated", cli.ExitUsage},
		{"noq = 1;", "noq = 1 is not read", "noq = 1 is not read", cli.ExitUsage},
		{"buffer_policy = shared;", "buffer_policy = shared is not read", "buffer_policy = shared is not read", cli.ExitUsage},
		{"subnets = 2;", "subnets = 2 is not read", "subnets", cli.ExitUsage},
		{"router = chaos;", "router = chaos is not read", "router", cli.ExitUsage},
		{"packet_size = none;", "packet_size = none, allowed are 1 to", "packet_size", cli.ExitUsage},
	} {
		path := fileOf(t, "run.cfg", bookSimMesh+c.text)
		for _, x := range []struct {
			line []string
			want string
		}{{[]string{"check", "-q", path}, c.check}, {[]string{"sim", "-q", path, "--clocks", "500"}, c.sim}} {
			_, stderr, code := turnproof(t, x.line...)
			want := cli.ExitHolds
			if x.line[0] == "sim" || strings.Contains(c.check, "not read") || strings.Contains(c.check, "allowed") {
				want = c.status
			}
			if code != want || !strings.Contains(stderr, x.want) || x.want == "" && stderr != "" {
				t.Errorf("%s, %s: exit status %d, %q; want status %d and %q", x.line[0], c.text, code, stderr, want, x.want)
			}
		}
	}
}

// TestBookSimOtherRouting checks that --routing replaces a routing function that turnproof cannot
// model.
func TestBookSimOtherRouting(t *testing.T) {
	path := fileOf(t, "run.cfg", "topology = mesh; k = 4; n = 2; routing_function = valiant; num_vcs = 2;")
	if _, stderr, code := turnproof(t, "check", path); code != cli.ExitUsage || !strings.Contains(stderr, "valiant") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	for _, line := range [][]string{{"check", path, "-r", "west-first"}, {"sim", path, "-r", "west-first", "--clocks", "500"},
		{"sweep", path, "-r", "west-first", "--loads", "0.1", "--clocks", "500"}} {
		if _, stderr, code := turnproof(t, line...); code != cli.ExitHolds {
			t.Errorf("%v: exit status %d, %s", line, code, stderr)
		}
	}
}

// TestBookSimAnynetVCs checks that a simulation of an anynet network uses all VCs: with 1 VC it
// accepts less traffic than with 4.
func TestBookSimAnynetVCs(t *testing.T) {
	const net = "router 0 node 0 router 1\nrouter 1 node 1 router 2\nrouter 2 node 2 router 3\nrouter 3 node 3\n"
	dir := filepath.Dir(fileOf(t, "a.net", net))
	for _, vcs := range []string{"1", "4"} {
		path := filepath.Join(dir, vcs+".cfg")
		if err := os.WriteFile(path,
			[]byte("topology = anynet; network_file = a.net; routing_function = min; num_vcs = "+vcs+"; injection_rate = 1.0;"), 0o644); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := turnproof(t, "sim", path, "--clocks", "2000")
		if code != cli.ExitHolds || !strings.Contains(stdout, "4 hosts, "+vcs+" VC") {
			t.Errorf("exit status %d, %s%s", code, stderr, stdout)
		}
	}
}

// TestBookSimNodeLatency checks the warning that BookSim 2 uses the latency of a node's channel
// for a link between routers.
func TestBookSimNodeLatency(t *testing.T) {
	path := fileOf(t, "a.net", "router 0 node 0 3 router 1\nrouter 1 node 1\n")
	cfg := filepath.Join(filepath.Dir(path), "a.cfg")
	if err := os.WriteFile(cfg, []byte("topology = anynet; network_file = a.net; routing_function = min;"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"check", "-q", cfg}, {"sim", "-q", cfg, "--clocks", "500"}} {
		if _, stderr, code := turnproof(t, line...); code != cli.ExitHolds ||
			!strings.Contains(stderr, "warning: a.net:1: the latency of a channel to a node") {
			t.Errorf("%v: exit status %d, %s", line, code, stderr)
		}
	}
}

// TestBookSimMinAdapt: min_adapt of BookSim 2 is dimension order, so the dependency graph has no cycle and no run freezes.
func TestBookSimMinAdapt(t *testing.T) {
	for _, sizes := range []string{"vc_buf_size = 8; packet_size = 4;", "vc_buf_size = 2; packet_size = 1;"} {
		for _, vcs := range []string{"2", "3", "4"} {
			path := fileOf(t, "run.cfg", "topology = mesh; k = 4; n = 2; routing_function = min_adapt; num_vcs = "+vcs+"; "+sizes)
			stdout, stderr, code := turnproof(t, "check", path)
			if code != cli.ExitHolds || !strings.Contains(stdout, "the channel dependency graph has no cycle") {
				t.Errorf("%s VCs, %s check: exit status %d, %s%s", vcs, sizes, code, stderr, stdout)
			}
			stdout, stderr, code = turnproof(t, "sim", path, "--load", "0.9", "--clocks", "3000")
			if code != cli.ExitHolds || stderr != "" {
				t.Errorf("%s VCs, %s sim: exit status %d, %s%s", vcs, sizes, code, stderr, stdout)
			}
		}
	}
}

// TestBookSimFullVCs: a packet of one flit may be given a full VC, so its file is not judged as cut-through with a routing
// whose VCs form cycles without an escape that packets keep.
func TestBookSimFullVCs(t *testing.T) {
	path := fileOf(t, "run.cfg", "topology = mesh; k = 2; n = 2; routing_function = dim_order; num_vcs = 4; packet_size = 1;")
	stdout, _, _ := turnproof(t, "check", path, "-r", "fully-adaptive")
	if !strings.Contains(stdout, "switching: wormhole") {
		t.Error(stdout)
	}
}

// TestBookSimWarnsOnce: sim prints each warning once, and names the keys that it does not follow.
func TestBookSimWarnsOnce(t *testing.T) {
	for text, want := range map[string]string{
		"topology = torus; k = 4; n = 1; routing_function = dim_order; num_vcs = 3;\nsw_allocator = separable_input_first;": "run.cfg:2: sw_allocator",
		"topology = mesh; k = 4; n = 2; num_vcs = 2;\nrouting_function = adaptive_xy_yx;":                                   "run.cfg:2: routing_function = adaptive_xy_yx is approximate",
	} {
		_, stderr, _ := turnproof(t, "sim", fileOf(t, "run.cfg", text), "--clocks", "100")
		if strings.Count(stderr, want) != 1 {
			t.Errorf("%s: want one warning with %q, got %s", text, want, stderr)
		}
	}
}
