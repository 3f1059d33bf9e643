package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// This file runs collect.sh with stubs of the InfiniBand tools, for a line of two switches with a host each. The hosts have two LIDs.

// stubTopology has hosts with LIDs 2 and 3, 4 and 5, and switches with LIDs 6 and 7.
const stubTopology = `switchguid=0x200000(200000)
Switch	2 "S-0000000000200000"		# "s0" enhanced port 0 lid 6 lmc 0
[1]	"S-0000000000200001"[1]		# "s1" lid 7 4xQDR
[2]	"H-0000000000100000"[1](100001) 		# "h0" lid 2 4xQDR

switchguid=0x200001(200001)
Switch	2 "S-0000000000200001"		# "s1" enhanced port 0 lid 7 lmc 0
[1]	"S-0000000000200000"[1]		# "s0" lid 6 4xQDR
[2]	"H-0000000000100001"[1](100002) 		# "h1" lid 4 4xQDR

caguid=0x100000
Ca	1 "H-0000000000100000"		# "h0"
[1](100001) 	"S-0000000000200000"[2]		# lid 2 lmc 1 "s0" lid 6 4xQDR

caguid=0x100001
Ca	1 "H-0000000000100001"		# "h1"
[1](100002) 	"S-0000000000200001"[2]		# lid 4 lmc 1 "s1" lid 7 4xQDR
`

// stubTools writes tools that print fixed answers into a folder. saquery answers saquery -p with the records of some pairs, and writes the
// pairs of other queries to the file asked. It fails for the pair that lost names.
func stubTools(t *testing.T, dir string, known []string, lost string) {
	t.Helper()
	record := func(pair string) string {
		from, to, _ := strings.Cut(pair, " ")
		return fmt.Sprintf("PathRecord dump:\n\t\tdlid....................%s\n\t\tslid....................%s\n\t\tsl......................0x0\n", to, from)
	}
	answer := ""
	for _, pair := range known {
		answer += record(pair)
	}
	for name, text := range map[string]string{
		"topology.txt": stubTopology, "answer.txt": answer,
		"ibnetdiscover": "#!/bin/sh\ncat " + dir + "/topology.txt\n",
		"dump_fts":      "#!/bin/sh\necho tables\n",
		"ibdiagnet":     "#!/bin/sh\n",
		"saquery": "#!/bin/sh\ncase $1 in -g) exit 1 ;; -p) cat " + dir + "/answer.txt; exit ;; esac\n" +
			"[ $# -gt 3 ] || exit 1\necho \"$3 $5\" >>" + dir + "/asked\n[ \"$3 $5\" != \"" + lost + "\" ] || exit 1\n" +
			"printf 'PathRecord dump:\\n\\t\\tdlid....................%d\\n\\t\\tslid....................%d\\n\\t\\tsl......................0x0\\n' $5 $3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCollectRecords checks for which pairs of LIDs collect.sh asks, and what it keeps if a query fails.
func TestCollectRecords(t *testing.T) {
	for _, tool := range []string{"sh", "awk", "sed"} {
		modeltest.Tool(t, tool)
	}
	script, err := filepath.Abs("../../examples/collect/collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	var hosts, switches []string
	owner := []int{2, 2, 4, 4, 6, 7}
	for i, from := range owner {
		for j, to := range owner {
			if pair := fmt.Sprintf("%d %d", 2+i, 2+j); from != to && max(i, j) < 4 {
				hosts = append(hosts, pair)
			} else if from != to {
				switches = append(switches, pair)
			}
		}
	}
	for _, c := range []struct {
		sls, lost string
		known     []string
		asked     []string
		records   int // in path-records.txt; 0 if there is none
		says      string
	}{
		{"1", "", nil, slices.Concat(hosts, switches), 26, ""},
		{"1", "", slices.Concat(hosts, switches), nil, 26, ""},
		{"1", "", hosts, switches, 26, ""},
		{"1", "", slices.Concat(hosts[:1], hosts[2:], switches), nil, 26, ""},
		{"hosts", "", nil, hosts, 8, ""},
		{"1", "2 4", nil, nil, 0, "path-records.txt: path_records failed"},
		{"1", "6 7", hosts, nil, -1, "of LIDs with a switch"},
	} {
		bin, out := t.TempDir(), t.TempDir()
		stubTools(t, bin, c.known, c.lost)
		cmd := exec.Command("sh", script, out)
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SLS="+c.sls, "LOGS="+bin)
		text, err := cmd.CombinedOutput()
		if (err != nil) != (c.says != "") || !strings.Contains(string(text), c.says) {
			t.Errorf("%+v: %v\n%s", c, err, text)
		}
		records, _ := os.ReadFile(filepath.Join(out, "path-records.txt"))
		if k := strings.Count(string(records), "PathRecord dump"); c.records >= 0 && k != c.records || c.records < 0 && k < 8 {
			t.Errorf("%+v: %d records", c, k)
		}
		if left, _ := filepath.Glob(filepath.Join(out, "*.tmp")); (left != nil) != (c.says != "") {
			t.Errorf("%+v: left behind: %v", c, left)
		}
		data, _ := os.ReadFile(filepath.Join(bin, "asked"))
		asked := strings.Fields(strings.ReplaceAll(string(data), " ", ":"))
		slices.Sort(asked)
		if want := strings.Fields(strings.ReplaceAll(strings.Join(slices.Sorted(slices.Values(c.asked)), "\n"), " ", ":")); c.asked != nil &&
			!slices.Equal(asked, want) {
			t.Errorf("%+v: asked for %v, want %v", c, asked, want)
		}
	}
}

// collectStub runs collect.sh with the stubs in bin, and returns what it prints and the pairs that it has asked for, in order.
func collectStub(t *testing.T, bin, out string, env ...string) (text string, asked []string, err error) {
	t.Helper()
	_ = os.Remove(filepath.Join(bin, "asked"))
	cmd := exec.Command("sh", "../../examples/collect/collect.sh", out)
	cmd.Env = append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "LOGS="+bin), env...)
	output, err := cmd.CombinedOutput()
	data, _ := os.ReadFile(filepath.Join(bin, "asked"))
	asked = strings.Split(strings.TrimSpace(string(data)), "\n")
	slices.Sort(asked)
	return string(output), asked, err
}

// TestCollectResumes: after a query that failed, the same command asks again for that pair only, and keeps the other records.
func TestCollectResumes(t *testing.T) {
	for _, tool := range []string{"sh", "awk", "sed"} {
		modeltest.Tool(t, tool)
	}
	bin, out := t.TempDir(), t.TempDir()
	stubTools(t, bin, nil, "4 2")
	text, asked, err := collectStub(t, bin, out, "SLS=hosts")
	if err == nil || len(asked) != 8 || !strings.Contains(text, "path_records failed") {
		t.Fatalf("%v, asked for %v\n%s", err, asked, text)
	}
	if text, err := os.ReadFile(filepath.Join(out, "path-records.txt.err")); err != nil || !strings.Contains(string(text), "of 1 pairs") ||
		!strings.Contains(string(text), "\n4 2\n") {
		t.Errorf("%v: %s", err, text)
	}
	stubTools(t, bin, nil, "")
	text, asked, err = collectStub(t, bin, out, "SLS=hosts", "JOBS=1")
	if err != nil || !slices.Equal(asked, []string{"4 2"}) {
		t.Fatalf("%v, asked for %v\n%s", err, asked, text)
	}
	records, err := os.ReadFile(filepath.Join(out, "path-records.txt"))
	if k := strings.Count(string(records), "PathRecord dump"); k != 8 || err != nil {
		t.Errorf("%d records, %v", k, err)
	}
}

// TestCollectBySource: an answer with all records from a LID is taken; one that is cut ends these queries, and its last record is not taken.
func TestCollectBySource(t *testing.T) {
	for _, tool := range []string{"sh", "awk", "sed"} {
		modeltest.Tool(t, tool)
	}
	for _, c := range []struct {
		answer string   // what saquery PR --slid 2 prints
		asked  []string // of pairs
	}{
		{"all", nil},
		{"head -n 5", []string{"2 5", "3 4", "3 5", "4 2", "4 3", "5 2", "5 3"}},
		{"false", []string{"2 4", "2 5", "3 4", "3 5", "4 2", "4 3", "5 2", "5 3"}},
	} {
		bin, out := t.TempDir(), t.TempDir()
		stubTools(t, bin, nil, "")
		each := "for d in 2 3 4 5; do [ $(($3 / 2)) = $((d / 2)) ] || printf 'PathRecord dump:\\n\\t\\tdlid....................%d\\n" +
			"\\t\\tslid....................%d\\n\\t\\tsl......................0x0\\n' $d $3; done"
		switch c.answer {
		case "head -n 5":
			each = "{ " + each + "; } | head -n 5"
		case "false":
			each = "exit 1"
		}
		stub, err := os.ReadFile(filepath.Join(bin, "saquery"))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(stub), "[ $# -gt 3 ] || exit 1", "[ $# -gt 3 ] || { "+each+"; exit; }", 1)
		if err := os.WriteFile(filepath.Join(bin, "saquery"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		said, asked, err := collectStub(t, bin, out, "SLS=hosts")
		if c.asked == nil {
			c.asked = []string{""}
		}
		if err != nil || !slices.Equal(asked, c.asked) {
			t.Errorf("%s: %v, asked for %q, want %q\n%s", c.answer, err, asked, c.asked, said)
		}
	}
}

// TestCollectAgain: files of an earlier run do not stay beside new ones. They are set aside, and removed when there is a new one. A folder with
// one that was not collected again has no proof.
func TestCollectAgain(t *testing.T) {
	for _, tool := range []string{"sh", "awk", "sed"} {
		modeltest.Tool(t, tool)
	}
	bin, out := t.TempDir(), t.TempDir()
	stubTools(t, bin, nil, "")
	tables := ""
	for u, ports := range [][]int{{2, 2, 1, 1, 0, 1}, {1, 1, 2, 2, 1, 0}} {
		tables += fmt.Sprintf("Unicast lids [0x0-0x7] of switch Lid %d guid 0x000000000020000%d (s%d):\n", 6+u, u, u)
		for i, port := range ports {
			tables += fmt.Sprintf("0x%04x %03d\n", 2+i, port)
		}
		tables += "6 valid lids dumped\n"
	}
	group := "printf 'MCMemberRecord group dump:\\n\\t\\tMlid....................0xC000\\n\\t\\tSL......................0x0\\n'"
	stub, err := os.ReadFile(filepath.Join(bin, "saquery"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		list, _ := filepath.Glob(filepath.Join(out, "*.*"))
		for i := range list {
			list[i] = filepath.Base(list[i])
		}
		return strings.Join(list, " ")
	}
	write("tables", tables)
	write("dump_fts", "#!/bin/sh\n[ \"$*\" = -M ] || exec cat "+bin+"/tables\nexit 1\n")
	write("saquery", strings.Replace(string(stub), "-g) exit 1 ;;", "-g) "+group+"; exit ;;", 1))
	write("opensm-sl2vl.dump", "Switch 0x200000\n#in out : 0  1\n")
	for _, c := range []struct {
		sls, says, left string
	}{
		{"SLS=hosts", "mfts.dump: dump_fts -M failed", "groups.txt lfts.dump mfts.dump.err opensm-sl2vl.dump path-records.txt topology.ibnetdiscover"},
		{"SLS=hosts", "missing: mfts.dump", "groups.txt lfts.dump mfts.dump.err opensm-sl2vl.dump path-records.txt topology.ibnetdiscover"},
		{"SLS=0", "path-records.txt: not collected; that of an earlier run is now path-records.txt.old",
			"groups.txt.old lfts.dump mfts.dump.err opensm-sl2vl.dump.old path-records.txt.old topology.ibnetdiscover"},
	} {
		if c.sls == "SLS=0" {
			write("saquery", "#!/bin/sh\nexit 1\n")
			if err := os.Remove(filepath.Join(bin, "opensm-sl2vl.dump")); err != nil {
				t.Fatal(err)
			}
		}
		text, _, err := collectStub(t, bin, out, c.sls)
		if err == nil || !strings.Contains(text, c.says) || left() != c.left {
			t.Errorf("%s: %v, left %s\n%s", c.sls, err, left(), text)
		}
	}
	stdout, stderr, code := turnproof(t, "check", out)
	for _, name := range []string{"path-records.txt.old", "opensm-sl2vl.dump.old"} {
		if want := name + " is what a collection left, and the folder has no whole file"; code != 3 || !strings.Contains(stdout, want) {
			t.Errorf("exit status %d, want 3 and %s\n%s%s", code, want, stdout, stderr)
		}
	}
}
