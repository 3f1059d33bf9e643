package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/modeltest"
)

// TestCollectEthernet runs collect-ethernet.sh with a program in place of ssh, which prints the dumps of a fabric. The first run lacks a
// switch; the second one continues, and its folder is checked.
func TestCollectEthernet(t *testing.T) {
	sh := modeltest.Tool(t, "sh")
	script, err := filepath.Abs("../../examples/collect/collect-ethernet.sh")
	if err != nil {
		t.Fatal(err)
	}
	source, folder := writeLeafSpine(t, "zebra kernel addresses lldp"), filepath.Join(t.TempDir(), "dumps")
	stub := filepath.Join(t.TempDir(), "stub")
	text := "#!/bin/sh\nset -e\necho \"$2\" >> " + stub + ".log\n[ -e " + stub + ".down ] && [ \"$1\" = sw3 ] && exit 255\ncase $2 in\n" +
		"*'show ip route'*) cat " + source + "/$1/show_ip_route.json ;;\n*'ip -j route'*) cat " + source + "/$1/ip_route.json ;;\n" +
		"*'ip -j addr'*) cat " + source + "/$1/ip_addr.json ;;\n*lldpcli*) cat " + source + "/$1/lldp.json ;;\n" +
		"*'bgp summary'*) if [ $1 = sw4 ]; then echo '{\"warning\":\"Default BGP instance not found\"}'; else cat " + source + "/$1/bgp_summary.json; fi ;;\n" +
		"*) exit 1 ;;\nesac\n"
	for u := range 4 {
		summary := fmt.Sprintf(`{"ipv4Unicast":{"routerId":"10.0.0.%d","as":%d}}`, u, 65001+u)
		if err := os.WriteFile(filepath.Join(source, fmt.Sprintf("sw%d", u), "bgp_summary.json"), []byte(summary), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(stub, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(want int) string {
		t.Helper()
		c := exec.Command(sh, script, folder, "-")
		c.Stdin, c.Env = strings.NewReader("sw0 sw1\nsw2\nsw3 sw4\n"), append(os.Environ(), "SSH="+stub, "SUDO=")
		out, err := c.CombinedOutput()
		if c.ProcessState.ExitCode() != want {
			t.Fatalf("exit status %d (%v), want %d\n%s", c.ProcessState.ExitCode(), err, want, out)
		}
		return string(out)
	}
	if err := os.WriteFile(stub+".down", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(1); !strings.Contains(out, "no routes of: sw3") {
		t.Errorf("output %s", out)
	}
	if err := os.Remove(stub + ".down"); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(stub + ".log")
	if out := run(0); !strings.Contains(out, "turnproof check "+folder) {
		t.Errorf("output %s", out)
	}
	after, _ := os.ReadFile(stub + ".log")
	if again := strings.Count(string(after[len(before):]), "ip -j addr"); again != 1 {
		t.Errorf("%d switches asked for addresses again, want 1", again)
	}
	if stdout, stderr, code := turnproof(t, "check", folder); code != cli.ExitHolds || stderr != "" {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	if _, stderr, code := turnproof(t, "check", folder, "--fail", "links:1", "--reroute", "bgp"); code != cli.ExitUsage || !strings.Contains(stderr, "AS number of sw4") {
		t.Errorf("exit status %d, %s; want that sw4, which has no BGP, has no AS number", code, stderr)
	}
}

// TestFlatEthernet checks that files in one folder, whose names begin with the switch, are read as subfolders are.
func TestFlatEthernet(t *testing.T) {
	source, flat := writeLeafSpine(t, "zebra addresses lldp"), t.TempDir()
	for u := range 5 {
		for _, name := range []string{"show_ip_route.json", "ip_addr.json", "lldp.json"} {
			text, err := os.ReadFile(filepath.Join(source, fmt.Sprintf("sw%d", u), name))
			if err == nil {
				err = os.WriteFile(filepath.Join(flat, fmt.Sprintf("sw%d_%s", u, name)), text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	a, _, _ := turnproof(t, "check", source, "--json")
	b, _, _ := turnproof(t, "check", flat, "--json")
	x, y := valid(t, "check.json", a), valid(t, "check.json", b)
	for _, key := range []string{"verdict", "dependencies", "used_vcs", "pairs", "warnings"} {
		if fmt.Sprint(x[key]) != fmt.Sprint(y[key]) {
			t.Errorf("%s: %v in subfolders, %v in one folder", key, x[key], y[key])
		}
	}
}
