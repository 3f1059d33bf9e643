package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestSubnetManager: the port of OpenSM, on which the pairs of partitions.conf depend, comes from a list of the folder. If lists name two ports, or
// the only one that names a port does not fit, the verdict is in doubt. If the judged topology has no such port, the assumption stays, with a warning.
func TestSubnetManager(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(fabrics, "ring4", "opensm-subnet.lst"))
	if err != nil {
		t.Fatal(err)
	}
	list := string(data)
	lines := strings.SplitAfter(list, "\n")
	noLID := strings.ReplaceAll(list, "{H0} LID:0001", "{H0} LID:0000")
	moved := strings.ReplaceAll(strings.ReplaceAll(list, "{ CA-SM ", "{ CA "), "{ CA Ports:01 SystemGUID:0000000000100002", "{ CA-SM Ports:01 SystemGUID:0000000000100002")
	rule, all := "Default=0x7fff : 0x0000000000100003=full ;\n", "Default=0x7fff : ALL, 0x0000000000100003=full ;\n"
	for name, c := range map[string]struct {
		lists map[string]string
		rule  string
		code  int
		says  string
	}{
		"none":              {nil, rule, cli.ExitHolds, "its port is a full member of the partition 0x7fff (assumed)"},
		"one":               {map[string]string{"opensm-subnet.lst": list}, rule, cli.ExitHolds, "subnet manager: at H0 (opensm-subnet.lst)"},
		"another name":      {map[string]string{"ibdiagnet.lst": list}, rule, cli.ExitHolds, "subnet manager: at H0 (ibdiagnet.lst)"},
		"no LID":            {map[string]string{"opensm-subnet.lst": noLID}, rule, cli.ExitHolds, "opensm-subnet.lst names 0x0000000000100001 as the port of OpenSM, and topology.ibnetdiscover has no such port with a LID"},
		"no LID, SELF":      {map[string]string{"opensm-subnet.lst": noLID}, "Default=0x7fff : ALL, SELF=full ;\n", cli.ExitUsage, "partitions.conf:1: SELF is the port of OpenSM, and the network has no port with its GUID"},
		"unknown":           {map[string]string{"opensm-subnet.lst": strings.ReplaceAll(list, "PortGUID:0000000000100001", "PortGUID:0000000000999999")}, rule, cli.ExitUndecided, "and is of another state of the fabric"},
		"two":               {map[string]string{"ibdiagnet.lst": moved, "opensm-subnet.lst": list}, rule, cli.ExitUndecided, "ibdiagnet.lst names 0x0000000000100003, and opensm-subnet.lst names 0x0000000000100001"},
		"two, ALL":          {map[string]string{"ibdiagnet.lst": moved, "opensm-subnet.lst": list}, all, cli.ExitHolds, ""},
		"two, SELF":         {map[string]string{"ibdiagnet.lst": moved, "opensm-subnet.lst": list}, "Default=0x7fff : ALL, SELF=full ;\n", cli.ExitUndecided, "is not certain"},
		"cut":               {map[string]string{"opensm-subnet.lst": list[:len(list)-40]}, rule, cli.ExitUndecided, "opensm-subnet.lst names 0x0000000000100001, and cannot be read"},
		"of another fabric": {map[string]string{"opensm-subnet.lst": withoutHost(lines, lastLine(lines, "{ CA"))}, rule, cli.ExitUndecided, "and is of another state of the fabric"},
	} {
		more := map[string]string{"topology.ibnetdiscover": ""}
		for file, text := range c.lists {
			more[file] = text
		}
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", more)
		if c.lists["opensm-subnet.lst"] == noLID {
			topology := regexp.MustCompile(`("H0" lid|# lid) 1 `).ReplaceAllString(more["topology.ibnetdiscover"], "$1 0 ")
			if err := os.WriteFile(filepath.Join(dir, "topology.ibnetdiscover"), []byte(topology), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		conf := filepath.Join(t.TempDir(), "partitions.conf")
		if err := os.WriteFile(conf, []byte(c.rule), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := turnproof(t, "check", dir, "--flows", conf)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: exit status %d, want %d and %s\n%s%s", name, code, c.code, c.says, stdout, stderr)
		}
	}
}
