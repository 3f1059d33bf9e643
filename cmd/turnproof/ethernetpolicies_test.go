package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestPolicies writes the policies that withdraw next hops. FRR accepts this text: with it, the routes differ in these next hops only.
func TestPolicies(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "new")
	if err := os.CopyFS(dir, os.DirFS("../../examples/day-roce/tuesday")); err != nil {
		t.Fatal(err)
	}
	refuse := func(want string, args ...string) {
		t.Helper()
		stdout, stderr, code := turnproof(t, append([]string{"priorities", "--policies", out}, args...)...)
		if stderr != "turnproof: "+want+"\n" || stdout != "" || code != cli.ExitUsage {
			t.Errorf("%v: exit status %d, %s%s; want %s", args, code, stdout, stderr, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: refused, and written", args)
		}
	}
	refuse("--policies: no dump states the AS number of l2; want show bgp summary json, or bgp_asn in config_db.json", dir)
	refuse("--policies: the routes have no cyclic buffer dependency: there is nothing to withdraw", "../../examples/day-roce/monday")
	refuse("--policies withdraws present routes; it cannot be combined with --bounces or tunnels (dual ToR)", dir, "--bounces", "1")
	for i, name := range []string{"l1", "l2", "l3", "l4", "s1", "s2"} {
		write(t, dir, name+"/bgp_summary.json", fmt.Sprintf(`{"ipv4Unicast":{"routerId":"10.9.9.%d","as":%d}}`, i, 65001+i))
	}
	stdout, stderr, code := turnproof(t, "priorities", dir, "--policies", out, "--json")
	if code != 0 {
		t.Fatalf("exit status %d, %s%s", code, stdout, stderr)
	}
	got := valid(t, "priorities.json", stdout)
	proved := 0
	for _, c := range listAt(got, "claims") {
		if at(c, "of") == "policies" && at(c, "verdict") == "proved" {
			proved++
		}
	}
	if proved != 2 {
		t.Errorf("%v: want two proved claims of policies", got["claims"])
	}
	hops := listAt(got, "withdraw", "next_hops")
	for _, h := range hops {
		text, err := os.ReadFile(filepath.Join(out, at(h, "switch").(string)+".conf"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range listAt(h, "prefixes") {
			if !strings.Contains(string(text), fmt.Sprintf(" permit %s\nroute-map TURNPROOF-", p)) ||
				!strings.Contains(string(text), "\n address-family ipv4 unicast\n  neighbor ") {
				t.Errorf("%s: %s", at(h, "switch"), text)
			}
		}
	}
	if files, err := os.ReadDir(out); err != nil || len(files) != 2 || len(hops) != 2 {
		t.Errorf("files %v (%v), next hops %v; want two of each", files, err, hops)
	}
	refuse = func(want string, args ...string) {
		t.Helper()
		stdout, stderr, code := turnproof(t, args...)
		if !strings.Contains(stderr, want) || stdout != "" || code != cli.ExitUsage {
			t.Errorf("%v: exit status %d, %s%s; want %s", args, code, stdout, stderr, want)
		}
	}
	refuse(" is not empty: want the name of a new folder", "priorities", dir, "--policies", out)
	refuse(" is not empty: want the name of a new folder", "priorities", dir, "--sonic", out)
	number := func(sw string, as int) {
		write(t, dir, sw+"/bgp_summary.json", fmt.Sprintf(`{"ipv4Unicast":{"routerId":"10.9.9.9","as":%d}}`, as))
	}
	number("l4", 65001) // the number of l1, too
	refuse(" are not those of a model of BGP with the AS numbers of the dumps", "priorities", dir, "--policies", out+"1")
	number("l4", 65004)
	refuse(" is in the folder that is read, ", "priorities", dir, "--sonic", dir)
	refuse(" is in the folder that is read, ", "priorities", dir, "--policies", filepath.Join(dir, "new", "er"))
	refuse(" is in the folder that is read, ", "lab", dir, "--protocol", "bgp", "--out", filepath.Join(dir, "lab"))
	refuse(" are the same file, ", "priorities", dir, "--sonic", out+"2", "--policies", out+"2")
	for _, name := range []string{"ip_route.json", "show_ip_route.json"} {
		if text, err := os.ReadFile(filepath.Join(dir, "l2", name)); err == nil {
			write(t, dir, "l2/"+name, strings.ReplaceAll(string(text), `"protocol":"bgp"`, `"protocol":"ospf"`))
		}
	}
	refuse(" is not of BGP, or its next hops are recursive", "priorities", dir, "--policies", out+"3")
}
