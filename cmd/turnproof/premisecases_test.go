package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file runs folders of dumps that leave a premise of the verdict open or contradictory. The
// environment variable TURNPROOF_PREMISES names a folder of such cases; without it the test is
// skipped. inputfabric_test.go, management_test.go and multicast_test.go contain small cases.

// premiseAnswer is the required answer of a command.
type premiseAnswer struct {
	code int
	want []string // texts that the output must contain
	not  []string // texts that it must not contain
}

// premiseAnswers are the required answers by case, one for each command.
var premiseAnswers = map[string][]premiseAnswer{
	"compare-lids-moved-random16-d4-s2-nue": {{cli.ExitHolds, []string{"LID moved    H0: LID 80, was 1",
		"LID moved    H63: LID 1, was 80", "0 of 4,032 pairs", "2 LIDs lead"}, []string{"\nPROVED"}}},
	"dump-fts-without-its-last-lid-n64": {{cli.ExitUsage, []string{"dump_fts", "LID 64"}, []string{"REFUTED"}}},
	"dump-lfts-with-warning-mesh": {{cli.ExitHolds, []string{"306 pairs", "28 dependencies"}, nil},
		{cli.ExitHolds, []string{"306 pairs", "28 dependencies"}, nil}},
	"lmc1-mesh3x3-dor-and-minhop-ibnetdiscover": {{cli.ExitRefuted, []string{"612 pairs", "41 dependencies", "LMC: 1 (topology.ibnetdiscover"}, nil}},
	"lmc1-mesh3x3-dor-and-minhop-subnet-lst": {{cli.ExitRefuted, []string{"612 pairs", "LMC: 1 (inferred from"}, nil},
		{cli.ExitRefuted, []string{"612 pairs", "LMC: 1 (--lmc)"}, nil}},
	"lmc1-mesh3x3-dor-ibnetdiscover": {{cli.ExitHolds, []string{"612 pairs"}, nil}},
	"lmc1-mesh3x3-dor-subnet-lst": {{cli.ExitHolds, []string{"612 pairs", "LMC: 1 (inferred from"}, nil},
		{cli.ExitHolds, []string{"612 pairs"}, nil}},
	"management-lids-ft3-k8-minhop": {{cli.ExitHolds,
		[]string{"PROVED for packets between hosts, REFUTED with management traffic", "864 dependencies"}, []string{"\nPROVED. "}},
		{cli.ExitRefuted, []string{"8 packets can hold", "2,448 dependencies"}, nil}},
	"multicast-mesh3x3-dor-sound-tree": {{cli.ExitHolds, []string{"multicast: 1 group", "30 dependencies"}, nil}},
	"multicast-mesh3x3-dor-tree-closes": {{cli.ExitRefuted,
		[]string{"multicast group 0xc000", "32 dependencies", "Credit loop of 6 channels"}, nil}},
	"multicast-ring4-updn-table-is-a-ring": {{cli.ExitRefuted,
		[]string{"copies of a packet to multicast group 0xc000 are forwarded in a loop", "8 dependencies"}, nil}},
	"multicast-ring4-updn-tree-takes-the-closing-turn": {{cli.ExitRefuted,
		[]string{"multicast group 0xc000", "Credit loop of 4 channels", "8 dependencies"}, nil}},
	"no-lids-before-the-subnet-manager-mesh": {{cli.ExitUsage, []string{"none of the 18 hosts", "LID"}, nil}},
	"sl2vl-without-sls-ft2-8x4-dfsssp": {{cli.ExitHolds, []string{"any that has a data VL", "512 virtual channels",
		"1,792 dependencies"}, nil}},
	"sl2vl-without-sls-mesh3x3-torus-2qos":  {{cli.ExitHolds, []string{"any that has a data VL", "96 virtual channels", "176 dependencies"}, nil}},
	"sl2vl-without-sls-real-opensm-folder":  {{cli.ExitUndecided, []string{"UNDECIDED  deadlock-free", "saquery"}, []string{"REFUTED. "}}},
	"sl2vl-without-sls-torus8x8-torus-2qos": {{cli.ExitUndecided, []string{"UNDECIDED  deadlock-free", "saquery"}, []string{"REFUTED. "}}},
	"sls-without-sl2vl-torus4x4-dfsssp":     {{cli.ExitHolds, []string{"SL to VL: VL = SL at every switch", "(assumed)"}, nil}},
	"some-hosts-without-lids-mesh":          {{cli.ExitHolds, []string{"3 of 18 hosts without a LID", "H0, H1, H2", "210 pairs"}, nil}},
	"swapped-lids-mesh8x8-updn": {{cli.ExitUsage, []string{"contradicts", "topology.ibnetdiscover", "opensm-lfts.dump",
		"LID 5"}, []string{"REFUTED"}}},
	"table-named-in-folder-with-sls-torus8x8-torus-2qos": {{cli.ExitHolds, []string{"384 virtual channels"}, []string{"REFUTED. "}},
		{cli.ExitHolds, []string{"384 virtual channels"}, []string{"REFUTED. "}}},
	"table-of-mesh8x8-updn-in-torus8x8":          {{cli.ExitUsage, []string{"belong together"}, []string{"REFUTED"}}},
	"table-of-mesh8x8-updn-in-torus8x8-linkdown": {{cli.ExitRefuted, []string{"86 entries lead to a port without a cable"}, nil}},
	"table-of-torus8x8-updn-in-mesh8x8":          {{cli.ExitUsage, []string{"belong together"}, []string{"REFUTED"}}},
	"table-older-than-a-lost-cable-mesh3x3-dor":  {{cli.ExitRefuted, []string{"9 entries lead to a port without a cable"}, nil}},
}

// TestPremiseCases runs the commands of each case in its folder.
func TestPremiseCases(t *testing.T) {
	folder := os.Getenv("TURNPROOF_PREMISES")
	if folder == "" {
		t.Skip("TURNPROOF_PREMISES names no folder of cases")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no cases, %v", folder, err)
	}
	left := maps.Clone(premiseAnswers)
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		answers, known := left[name]
		if !known {
			t.Logf("%s: no answer is known here", name)
			continue
		}
		delete(left, name)
		t.Run(name, func(t *testing.T) { premiseCase(t, file, answers) })
	}
	if len(left) > 0 {
		t.Errorf("no folder for %v", slices.Sorted(maps.Keys(left)))
	}
}

func premiseCase(t *testing.T, file string, answers []premiseAnswer) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Commands []string `json:"commands"`
		Mention  []string `json:"should_mention"`
	}
	if err := json.Unmarshal(text, &truth); err != nil || len(truth.Commands) != len(answers) {
		t.Fatalf("%d commands for %d answers, %v", len(truth.Commands), len(answers), err)
	}
	t.Chdir(filepath.Dir(file))
	for i, command := range truth.Commands {
		stdout, stderr, code := turnproof(t, strings.Fields(command)...)
		all := stdout + stderr
		if code != answers[i].code {
			t.Errorf("%s: exit status %d, want %d\n%s", command, code, answers[i].code, all)
		}
		for _, want := range answers[i].want {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %q in\n%s", command, want, all)
			}
		}
		for _, bad := range answers[i].not {
			if strings.Contains(all, bad) {
				t.Errorf("%s: %q in\n%s", command, bad, all)
			}
		}
	}
}

var (
	testRow  = regexp.MustCompile(`(?m)^\|.*\|.*\|.*\| (Test[A-Za-z, ]*) \|$`)
	testFunc = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]*)\(`)
)

// TestPremisesPageNamesTests checks that each line of the tables of docs/premises-reference.md names tests that exist.
func TestPremisesPageNamesTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/premises-reference.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	err = filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := testRow.FindAllStringSubmatch(string(page), -1)
	for _, row := range rows {
		for _, name := range strings.Split(row[1], ", ") {
			if !known[name] {
				t.Errorf("docs/premises-reference.md names %s, which is no test", name)
			}
		}
	}
	if len(rows) < 40 {
		t.Errorf("%d rows with tests", len(rows))
	}
}
