package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/model/format"
)

// dumpScript lets OpenSM route the netlist $1 over ibsim, and prints the fabric in each form of infiniband-diags to files of $2.
const dumpScript = `set -eu
netlist=$1
cd "$2"
IBSIM_SOCKNAME=turnproof-ports-$$ OSM_CACHE_DIR=$2 OSM_TMP_DIR=$2
export IBSIM_SOCKNAME OSM_CACHE_DIR OSM_TMP_DIR
ibsim -s -n -S 4096 -N 8192 -P 262144 "$netlist" >ibsim.log 2>&1 &
sim=$!
trap 'kill $sim; wait $sim 2>/dev/null || :' EXIT
until grep -q "$IBSIM_SOCKNAME:ctl" /proc/net/unix; do kill -0 $sim; sleep 0.05; done
: >opensm.conf
timeout 60 ibsim-run opensm -F "$2/opensm.conf" -f "$2/opensm.log" -D 0x43 -o $3 >opensm.out 2>&1
# Clients write files to their folder: no two run at a time.
ibsim-run ibnetdiscover >topology.ibnetdiscover 2>/dev/null
ibsim-run ibnetdiscover -p >p.ports 2>/dev/null
ibsim-run ibnetdiscover --ports >long.ports 2>/dev/null
ibsim-run iblinkinfo >plain.info 2>/dev/null
ibsim-run iblinkinfo -l >l.info 2>/dev/null
ibsim-run iblinkinfo --line -p >lp.info 2>/dev/null
ibsim-run iblinkinfo -p >p.info 2>/dev/null
`

// portFiles are the files of dumpScript that are held against topology.ibnetdiscover.
var portFiles = []string{"p.ports", "long.ports", "plain.info", "l.info", "lp.info", "p.info", "opensm-subnet.lst"}

// TestPortListsOfFabrics dumps simulated fabrics by ibnetdiscover -p and iblinkinfo in all forms, and by OpenSM. Each file must have the switches, hosts, cables
// and LIDs of ibnetdiscover, and check must have the same verdict by the tables of OpenSM.
func TestPortListsOfFabrics(t *testing.T) {
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, tool := range []string{"sh", "ibsim", "ibsim-run", "opensm", "ibnetdiscover", "iblinkinfo", "timeout"} {
		modeltest.Tool(t, tool)
	}
	cases := [][2]string{{"mesh:3x3,hosts=2", "-l 1"}, {"torus:4x4", ""}, {"fattree:k=4,levels=3", ""}}
	for seed := range longtest.Cases(2, 100) {
		cases = append(cases, [2]string{fmt.Sprintf("random:switches=%d,degree=%d,hosts=%d,seed=%d", 6+2*(seed%10), 3+seed%3, 1+seed%4, seed), ""})
	}
	verdicts := map[int]int{}
	for _, c := range cases {
		t.Run(c[0], func(t *testing.T) { verdicts[checkPortLists(t, c[0], c[1])]++ })
	}
	if verdicts[0] == 0 || verdicts[1] == 0 {
		t.Errorf("exit statuses %v: want proved and refuted fabrics", verdicts)
	}
}

// checkPortLists tests one fabric. It returns the exit status of check.
func checkPortLists(t *testing.T, spec, args string) int {
	dir := t.TempDir()
	netlist := filepath.Join(dir, "netlist")
	if _, stderr, code := turnproof(t, "convert", spec, "--to", "ibnetdiscover", "-o", netlist); code != 0 {
		t.Fatal(stderr)
	}
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", dumpScript, "sh", netlist, dir, args).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, status := verdictOf(t, dir, "topology.ibnetdiscover")
	whole := networkOf(t, dir, "topology.ibnetdiscover")
	for _, name := range portFiles {
		if got, _ := verdictOf(t, dir, name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		n := networkOf(t, dir, name)
		if d := compare.DiffNetworks(whole, n); !d.Same() || !reflect.DeepEqual(lidsOf(n), lidsOf(whole)) {
			t.Errorf("%s: another network: %+v", name, d)
		}
	}
	return status
}

// verdictOf returns the claims with their verdicts, and the exit status.
func verdictOf(t *testing.T, dir, name string) (verdicts map[string]any, status int) {
	stdout, stderr, code := turnproof(t, "check", filepath.Join(dir, name), "-r", filepath.Join(dir, "opensm-lfts.dump"), "--json")
	var report struct {
		Claims []struct{ Claim, Verdict string }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || len(report.Claims) == 0 {
		t.Fatalf("%s: %v\n%s%s", name, err, stdout, stderr)
	}
	verdicts = map[string]any{"exit status": code}
	for _, c := range report.Claims {
		verdicts[c.Claim] = c.Verdict
	}
	return verdicts, code
}

func networkOf(t *testing.T, dir, name string) *model.Network {
	n, _, err := format.ReadNetwork(filepath.Join(dir, name), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// lidsOf returns the LIDs of all ports by GUID.
func lidsOf(n *model.Network) map[uint64]uint16 {
	lids := map[uint64]uint16{}
	for h := range model.HostID(n.NumEndpoints()) {
		lids[n.Host(h).PortGUID] = n.Host(h).LID
	}
	return lids
}
