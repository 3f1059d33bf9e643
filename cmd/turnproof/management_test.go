package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
)

// TestManagement checks the verdicts with and without --management. The root switches of
// ft2-8x4/updn have no entries for each other.
func TestManagement(t *testing.T) {
	const (
		between = "PROVED for packets between hosts, REFUTED with management traffic among all hosts and switches."
		lost    = "Not connected: 12 of 1,892 pairs"
	)
	for _, c := range []struct {
		flags []string
		code  int
		says  string
	}{
		{nil, cli.ExitHolds, between},
		{nil, cli.ExitHolds, "management traffic: none (decided, too: hosts to switches and back: proved; all: refuted) (assumed)"},
		{[]string{"--management"}, cli.ExitRefuted, lost},
		{[]string{"--management=all"}, cli.ExitRefuted, lost},
		{[]string{"--management", "all"}, cli.ExitRefuted, lost},
		{[]string{"--management=true"}, cli.ExitRefuted, lost},
		{[]string{"--management", "--quiet"}, cli.ExitRefuted, lost},
		{[]string{"--management", "hosts"}, cli.ExitHolds, "management traffic: hosts to switches and back (--management)"},
		{[]string{"--management=none"}, cli.ExitHolds, "management traffic: none (--management)"},
		{[]string{"--management=false"}, cli.ExitHolds, "management traffic: none (--management)"},
		{[]string{"--management=some"}, cli.ExitUsage, "--management some, known are none, hosts, all"},
		{[]string{"--strict"}, cli.ExitUndecided, "--assume management-traffic"},
	} {
		// The network is last, where a wrong parser would take it for the value of the flag.
		line := append(append([]string{"check", "-r", "@ft2-8x4/updn/opensm-lfts.dump.gz"}, c.flags...), "@ft2-8x4/topology.ibnetdiscover")
		stdout, stderr, code := turnproof(t, line...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%v: exit status %d, want %d and %q\n%s%s", c.flags, code, c.code, c.says, stdout, stderr)
		}
	}
}

// TestManagementSame checks a fabric on which all kinds of management traffic are proved. Then the
// verdict has no condition, and the premise is no assumption.
func TestManagementSame(t *testing.T) {
	stdout, _, code := turnproof(t, args("check", soundCase)...)
	if code != cli.ExitHolds || !strings.Contains(stdout, "\nPROVED. ") || !strings.Contains(stdout, "or all: the verdict is the same (each is decided)") {
		t.Error(code, stdout)
	}
	stdout, _, _ = turnproof(t, args("check", loopCase)...)
	if !strings.Contains(stdout, "management traffic: none (assumed)") {
		t.Error(stdout)
	}
}

func TestManagementJSON(t *testing.T) {
	stdout, _, _ := turnproof(t, "check", "@ft2-8x4/topology.ibnetdiscover", "-r", "@ft2-8x4/updn/opensm-lfts.dump.gz", "--json")
	var out struct {
		Verdict    string
		Management []verdict.TrafficJSON
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil {
		t.Fatal(err)
	}
	if m := out.Management; out.Verdict != "proved" || len(m) != 2 || m[0].Traffic != "hosts" || m[0].Verdict != "proved" || m[1].Traffic != "all" ||
		m[1].Verdict != "refuted" {
		t.Error(out)
	}
}

// TestManagementStrict checks that --strict doubts the verdicts on all kinds of management traffic.
func TestManagementStrict(t *testing.T) {
	for words, want := range map[string]string{"--strict": "undecided", "--strict --assume all": "proved"} {
		stdout, _, _ := turnproof(t, append(args("check", soundCase), append(strings.Fields(words), "--json")...)...)
		var out struct {
			Verdict    string
			Management []verdict.TrafficJSON
		}
		if err := json.Unmarshal([]byte(stdout), &out); err != nil {
			t.Fatal(err)
		}
		if m := out.Management; out.Verdict != want || len(m) != 2 || m[0].Verdict != want || m[1].Verdict != want {
			t.Errorf("%s: %v", words, out)
		}
	}
}
