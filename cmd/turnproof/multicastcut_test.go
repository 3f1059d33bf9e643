package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// This file checks that incomplete multicast tables are never proved.

// groupsByLID are multicast entries by group, switch GUID and port.
type groupsByLID map[int]map[uint64][]int

// mfts returns multicast tables of all switches of n in the format of dump_fts -M -n.
func mfts(n *model.Network, groups groupsByLID) string {
	var b strings.Builder
	for u := range model.SwitchID(n.NumSwitches()) {
		guid, count := n.Switch(u).GUID, 0
		fmt.Fprintf(&b, "Multicast mlids [0xc000-0xc3ff] of switch Lid %d guid 0x%016x (%s):\n MLid       Port Mask\n", n.Switch(u).LID, guid, n.Switch(u).Name)
		for _, lid := range slices.Sorted(maps.Keys(groups)) {
			mask := 0
			for _, p := range groups[lid][guid] {
				mask |= 1 << p
			}
			if mask != 0 {
				count++
				fmt.Fprintf(&b, "0x%x      %04x\n", lid, mask)
			}
		}
		fmt.Fprintf(&b, "%d valid mlids dumped\n", count)
	}
	return b.String()
}

// severalGroups returns multicast tables in the format of OpenSM.
func severalGroups(groups groupsByLID) string {
	var b strings.Builder
	for guid := range uint64(4) {
		head := fmt.Sprintf("\nSwitch 0x%016x\nLID    : Out Port(s) \n", guid+0x200000)
		for _, lid := range slices.Sorted(maps.Keys(groups)) {
			if groups[lid][guid+0x200000] == nil {
				continue
			}
			fmt.Fprintf(&b, "%s0x%X : ", head, lid)
			for _, p := range groups[lid][guid+0x200000] {
				fmt.Fprintf(&b, "0x%03X ", p)
			}
			b.WriteString("\n")
			head = ""
		}
	}
	return b.String()
}

// TestMulticastCut cuts files of ring4 that are refuted, after each byte, in the short run after each line and each
// 17th byte. No part is proved, except
// an empty file (TestMulticastEmpty). The first group alone is
// proved, so the second one must not be forgotten.
func TestMulticastCut(t *testing.T) {
	t.Parallel()
	n, _, err := format.ReadNetwork(filepath.Join(fabrics, "ring4", "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	groups := groupsByLID{0xc000: {0x200000: {1, 3}, 0x200001: {2, 3}}, 0xc001: closingTree}
	seen := map[int]int{}
	for name, text := range map[string]string{"opensm.mcfdbs": severalGroups(groups), "mfts.dump": mfts(n, groups), "closing.mcfdbs": mcfdbs(closingTree)} {
		files := map[string]string{name: text}
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", files)
		if stdout, stderr, code := turnproof(t, "check", dir); code != cli.ExitRefuted {
			t.Fatalf("%s: exit status %d\n%s%s", name, code, stdout, stderr)
		}
		for cut := range len(text) {
			if strings.TrimSpace(text[:cut]) == "" || !long() && cut%17 != 0 && text[cut-1] != '\n' {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text[:cut]), 0o600); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := turnproof(t, "check", dir)
			seen[code]++
			if code == cli.ExitHolds {
				t.Errorf("%s, cut after %d of %d bytes, is proved:\n%s\n%s%s", name, cut, len(text), text[:cut], stdout, stderr)
			}
		}
	}
	if seen[cli.ExitUndecided] == 0 || seen[cli.ExitRefuted] == 0 {
		t.Errorf("exit statuses %v", seen)
	}
}

// TestMulticastGaps removes switches, ports and cables of a tree that is refuted as a whole.
func TestMulticastGaps(t *testing.T) {
	n, _, err := format.ReadNetwork(filepath.Join(fabrics, "ring4", "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	without := func(guid uint64) map[uint64][]int {
		tree := maps.Clone(closingTree)
		delete(tree, guid)
		return tree
	}
	noPortBack := maps.Clone(soundTree)
	noPortBack[0x200001] = []int{3}
	for name, c := range map[string]struct {
		text string
		code int
		says string
	}{
		"no block of S2":  {mcfdbs(without(0x200002)), cli.ExitUsage, "S1(0x0000000000200001) sends copies by port 1 to S2(0x0000000000200002), which has no entry"},
		"no block of S3":  {mcfdbs(without(0x200003)), cli.ExitRefuted, "Credit loop of 4 channels"},
		"no port back":    {mcfdbs(noPortBack), cli.ExitUndecided, "which has no port 2 in its entry"},
		"no cable":        {mcfdbs(map[uint64][]int{0x200000: {1, 3, 5}, 0x200001: {2, 3}}), cli.ExitUndecided, "port 5 of switch S0(0x0000000000200000), which has ports 0 to 4"},
		"only the head":   {mcfdbs(map[uint64][]int{0x200000: {1, 3}}), cli.ExitUndecided, "to S1(0x0000000000200001), which has no entry"},
		"another network": {mcfdbs(map[uint64][]int{0x200000: {1}, 0x200002: {1, 2}}), cli.ExitUsage, "do the files belong together"},
		"three sections": {strings.Join(strings.SplitAfter(mfts(n, groupsByLID{0xc000: soundTree}), "dumped\n")[:3], ""), cli.ExitUndecided,
			"no multicast table for switch S3(0x0000000000200003)"},
	} {
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", map[string]string{"opensm.mcfdbs": c.text})
		stdout, stderr, code := turnproof(t, "check", dir)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: exit status %d, want %d and %q\n%s%s", name, code, c.code, c.says, stdout, stderr)
		}
	}
}

// TestMulticastEmpty checks files without an entry. OpenSM writes an empty file if there is no group, so such a file is like no
// file. dump_fts -M writes a table of each switch, so its output without groups is evidence.
func TestMulticastEmpty(t *testing.T) {
	n, _, err := format.ReadNetwork(filepath.Join(fabrics, "ring4", "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const head = "Switch 0x0000000000200000\nLID    : Out Port(s) \n"
	for _, c := range []struct {
		text       string
		code       int
		says, hint string
	}{
		{"", cli.ExitHolds, "multicast: none (assumed)", "does not show that there are no multicast packets"},
		{"\n# nothing\n", cli.ExitHolds, "multicast: none (assumed)", "does not show that there are no multicast packets"},
		{head, cli.ExitUndecided, "multicast: present but not read", "has no entry: is the file truncated?"},
		{mfts(n, nil), cli.ExitHolds, "multicast: none (opensm.mcfdbs)", ""},
	} {
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", map[string]string{"opensm.mcfdbs": c.text})
		stdout, stderr, code := turnproof(t, "check", dir)
		if code != c.code || !strings.Contains(stdout, c.says) || !strings.Contains(stdout+stderr, c.hint) {
			t.Errorf("%q: exit status %d, want %d, %q and %q\n%s%s", c.text, code, c.code, c.says, c.hint, stdout, stderr)
		}
		isNone := c.says == "multicast: none (assumed)"
		_, stderr, code = turnproof(t, "check", dir, "--multicast", filepath.Join(dir, "opensm.mcfdbs"))
		if isNone && (code != cli.ExitUsage || !strings.Contains(stderr, "has no multicast table")) {
			t.Errorf("%q, named: exit status %d, %s", c.text, code, stderr)
		}
		stdout, _, _ = turnproof(t, "check", dir, "--strict", "--assume", "messages,adaptive-routing,management-traffic,flows")
		if isNone && !strings.Contains(stdout, "--assume multicast accepts it: none") {
			t.Errorf("%q, --strict:\n%s", c.text, stdout)
		}
	}
}
