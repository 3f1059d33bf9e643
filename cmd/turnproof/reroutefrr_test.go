package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/longtest"
)

// frrRouter is a network namespace with zebra and staticd. Its ports are those of the spine of clos.
const frrRouter = `set -eu
ns=$1 dir=$2
ip netns add $ns
for i in 1 2 3; do
	ip -n $ns link add swp$i type veth peer name p$i
	ip -n $ns addr add 10.255.0.$((2 * i - 2))/31 dev swp$i
	ip -n $ns link set swp$i up
	ip -n $ns link set p$i up
done
ip -n $ns link set lo up
chown frr:frr $dir
for d in zebra staticd; do
	ip netns exec $ns /usr/lib/frr/$d -d -u frr -g frr -i $dir/$d.pid -z $dir/zserv.api --vty_socket $dir > $dir/$d.log 2>&1
done
`

// TestRerouteFRR loads the steps into static routes of FRR. It needs root, namespaces and FRR.
func TestRerouteFRR(t *testing.T) {
	longtest.Only(t, "the script reroute-relations compares the files")
	if _, err := os.Stat("/usr/lib/frr/staticd"); err != nil || exec.Command("ip", "netns", "add", "turnproof-static-try").Run() != nil {
		t.Skip("FRR or network namespaces are missing")
	}
	_ = exec.Command("ip", "netns", "del", "turnproof-static-try").Run()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "steps")
	script, err := os.ReadFile("testdata/script/reroute-relations.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range strings.Split(string(script), "\n-- ") {
		if name, text, _ := strings.Cut(f, " --\n"); strings.HasSuffix(name, "_ip_route.json") {
			write(t, dir, name, text)
		}
	}
	if _, stderr, code := turnproof(t, "reroute", filepath.Join(dir, "full"), filepath.Join(dir, "failed"), "--by", "switch", "-o", out); code != cli.ExitHolds {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	run, err := os.MkdirTemp("/run", "tp-static-")
	if err != nil {
		t.Fatal(err)
	}
	const ns = "turnproof-static"
	t.Cleanup(func() {
		_ = exec.Command("sh", "-c", "kill $(cat "+run+"/*.pid); ip netns del "+ns).Run()
		_ = os.RemoveAll(run)
	})
	if text, err := exec.Command("sh", "-c", frrRouter, "sh", ns, run).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	vtysh := func(args ...string) []byte {
		text, err := exec.Command("ip", append([]string{"netns", "exec", ns, "vtysh", "--vty_socket", run}, args...)...).Output()
		if err != nil {
			t.Fatalf("vtysh %q: %v\n%s", args, err, text)
		}
		return text
	}
	for _, c := range []struct {
		file string
		want []string // ports, or blackhole
	}{{"00-keep-old/s1.conf", []string{"blackhole"}}, {"02/s1.conf", []string{"swp2", "swp3"}}, {"03-release/s1.conf", nil}} {
		vtysh("-f", filepath.Join(out, "frr", c.file))
		var got []string
		for range 50 { // zebra takes a moment
			if got = hopsOfFRR(t, vtysh("-c", "show ip route 10.0.1.0/24 json")); slices.Equal(got, c.want) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("after %s: %q, want %q", c.file, got, c.want)
		}
	}
}

// hopsOfFRR returns the next hops of "show ip route PREFIX json".
func hopsOfFRR(t *testing.T, text []byte) (list []string) {
	var routes map[string][]struct {
		NextHops []struct {
			InterfaceName string
			Unreachable   bool
		}
	}
	if err := json.Unmarshal(text, &routes); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, h := range routes["10.0.1.0/24"] {
		for _, x := range h.NextHops {
			if x.Unreachable {
				x.InterfaceName = "blackhole"
			}
			list = append(list, x.InterfaceName)
		}
	}
	slices.Sort(list)
	return list
}
