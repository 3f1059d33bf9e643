package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// stated is a condition of the page of conditions.
type stated struct {
	name string
	// flags are alternatives: the pair is decided if one of them is.
	flags []string
	// on are the inputs that have the condition: r for a routing by name, t for a table, u for buffers that differ, i for
	// a fabric, m for one with multicast tables, w for one with multicast tables and buffers that differ.
	on string
}

// statedConditions are the rows of the page.
var statedConditions = []stated{
	{"waiting one", []string{"--waiting one"}, "rtuim"},
	{"wormhole", []string{"--switching wormhole --packet 4 --buffer 2"}, "rtuim"},
	{"store-and-forward", []string{"--switching saf --packet 4 --buffer 8"}, "rtuim"},
	{"atomic VCs", []string{"--atomic --packet 4 --buffer 8"}, "rtuim"},
	{"buffers that differ", []string{""}, "uw"},
	{"flows", []string{"--flows FLOWS"}, "rtuim"},
	{"flow control of rings", []string{"--flow bubble --packet 4 --buffer 8", "--flow worm-bubble --packet 4 --buffer 2"}, "rtuim"},
	{"gates", []string{"--gate injection,level=2 --packet 4 --buffer 8", "--gate injection,level=2,unit=packet --packet 4 --buffer 8"}, "rtuim"},
	{"classes", []string{"--classes request,reply"}, "rtuim"},
	{"a protocol", []string{"--classes a:,b:a"}, "rtuim"},
	{"multicast tables", []string{""}, "mw"},
	{"management traffic", []string{"--management all"}, "imw"},
	{"failures", []string{"--fail links:1"}, "rtuim"},
	{"mending", []string{"--mend MENDED"}, "tuim"},
	{"Z3", []string{"--cross-check"}, "rtuim"},
	{"simulation", []string{"--simulate"}, "rtuim"},
}

// join joins the flags of two conditions, or returns nil if they give one flag two values.
func join(a, b string) []string {
	words, values := strings.Fields(a), strings.Fields(b)
	for i := 0; i < len(values); i++ {
		flag, value := values[i], ""
		if i+1 < len(values) && !strings.HasPrefix(values[i+1], "--") {
			i++
			value = values[i]
		}
		switch k := slices.Index(words, flag); {
		case k < 0 && value == "":
			words = append(words, flag)
		case k < 0:
			words = append(words, flag, value)
		case flag == "--packet" || flag == "--buffer":
			words[k+1] = min(words[k+1], value)
		case value != "" && words[k+1] != value:
			return nil
		}
	}
	return words
}

// decideTogether returns "" if check decides both conditions on some input, or the reason why not.
func decideTogether(t *testing.T, inputs map[rune][]string, dir string, a, b *stated) (why string) {
	asked := false
	why = "each replaces the other"
	if !strings.ContainsAny(a.on, b.on) {
		why = "no input has both"
	}
	for _, first := range a.flags {
		for _, second := range b.flags {
			words := join(first, second)
			if words == nil {
				continue
			}
			for _, on := range "rtuimw" {
				if !strings.ContainsRune(a.on, on) || !strings.ContainsRune(b.on, on) {
					continue
				}
				line := append([]string{"check"}, inputs[on]...)
				for _, w := range words {
					flows := map[bool]string{true: "H0:H3,H2:H5,H4:H7,H6:H1", false: "h0:h2,h1:h3,h2:h4,h3:h0,h4:h1"}[on == 'i' || on == 'm']
					line = append(line, strings.NewReplacer("FLOWS", flows, "MENDED", filepath.Join(dir, "mended")).Replace(w))
				}
				_, stderr, code := turnproof(t, line...)
				if code != cli.ExitUsage {
					return ""
				}
				if reason, _, _ := strings.Cut(stderr, ";"); !asked {
					asked, why = true, strings.TrimPrefix(strings.TrimSpace(reason), "turnproof: ")
					if _, because, ok := strings.Cut(why, ": "); ok && (strings.HasPrefix(why, "cannot ") || strings.Contains(why, " cannot be ")) {
						why = because
					}
				}
			}
		}
	}
	return why
}

// conditionInputs returns the inputs by letter.
func conditionInputs(t *testing.T, dir string) map[rune][]string {
	network := ok(t, 0, "convert", "ring:5", "--to", "yaml")
	differ := func(network string) string {
		uneven := strings.Replace(network, "b_port: 2}", "b_port: 2, buffer: 16}", 1)
		if uneven == network {
			t.Fatal("no buffer differs")
		}
		return uneven
	}
	groups := ""
	for u, ports := range []string{"0x001 0x003 0x004", "0x001 0x002 0x003", "0x001 0x002", "0x002"} {
		groups += fmt.Sprintf("Switch 0x%016x\nLID    : Out Port(s)\n0xC000 : %s\n\n", 0x200000+u, ports)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fabric := write("uneven-fabric.yaml", differ(ok(t, 0, "convert", "@ring4/topology.ibnetdiscover", "--to", "yaml")))
	multicast := []string{"-r", "@ring4/updn/opensm-lfts.dump", "--multicast", write("opensm.mcfdbs", groups)}
	table := write("dor.csv", ok(t, 0, "table", "ring:5", "-r", "dor", "--kind", "next-hops", "--format", "csv"))
	return map[rune][]string{
		'r': {"ring:5", "-r", "dor"}, 't': {"ring:5", "-r", table}, 'u': {write("uneven.yaml", differ(network)), "-r", table},
		'i': {"@ring4/topology.ibnetdiscover", "-r", "@ring4/updn/opensm-lfts.dump"},
		'm': append([]string{"@ring4/topology.ibnetdiscover"}, multicast...), 'w': append([]string{fabric}, multicast...),
	}
}

// TestConditionsPage decides each pair of conditions. What is decided and refused is recorded in docs/conditions.md.
func TestConditionsPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inputs := conditionInputs(t, dir)
	var rows, reasons strings.Builder
	fmt.Fprintf(&rows, "```\n%-25s", "")
	for i := range statedConditions {
		fmt.Fprintf(&rows, "%4d", i+1)
	}
	for i := range statedConditions {
		a := &statedConditions[i]
		fmt.Fprintf(&rows, "\n%2d %-22s", i+1, a.name)
		for j := range i + 1 {
			b, mark := &statedConditions[j], "+"
			if why := decideTogether(t, inputs, dir, b, a); why != "" {
				fmt.Fprintf(&reasons, "| %s | %s | %s |\n", b.name, a.name, why)
				mark = "-"
			}
			fmt.Fprintf(&rows, "%4s", mark)
		}
	}
	const page, begin, end = "../../docs/conditions.md", "<!-- pairs -->\n", "<!-- end of pairs -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %q and %q", page, begin, end)
	}
	now := head + begin + "\n" + rows.String() + "\n```\n\n| condition | with | reason |\n|---|---|---|\n" + reasons.String() + "\n" + end + tail
	switch {
	case now == string(text):
	case *update:
		if err := os.WriteFile(page, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s differs from what check decides; if this is meant: go test ./cmd/turnproof -run TestConditionsPage -update\n%s", page, now)
	}
}
