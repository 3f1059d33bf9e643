package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestInputSums checks that the --json output of each command lists every file that was read, with
// the SHA-256 of its bytes.
func TestInputSums(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	made := func(name, line string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if _, stderr, code := turnproof(t, append(strings.Fields(line), "-o", path)...); code != cli.ExitHolds {
			t.Fatalf("%s: exit status %d, %s", line, code, stderr)
		}
		return path
	}
	network := made("network.yaml", "convert ring:4 --to yaml")
	addresses := file("addresses.txt", "h0 02:00:00:00:00:01\nh1 02:00:00:00:00:02\nh2 02:00:00:00:00:03\nh3 02:00:00:00:00:04\n")
	trace := file("trace.txt", "1 0 0 1\n2 5 2 3\n")
	messages := file("messages.csv", "id,source,destination,bytes,after\na,0,1,100,\nb,1,0,200,a\n")
	costs := file("costs.txt", "link 2.5\nbuffer-write 1\n")
	mapping := file("mapping.txt", "0 2\n1 3\n")
	matrix := file("matrix.txt", "0 1 1\n1 2 1\n2 3 1\n3 0 1\n")
	closed, keep := file("closed.txt", "1 0\n"), file("keep.txt", "0 1 2\n")
	star, err := os.ReadFile("../../examples/routing-programs/published/west-first.mesh.star")
	if err != nil {
		t.Fatal(err)
	}
	program := file("mine.star", string(star))
	set, vlans := made("set.json", "turns "+network+" -m updown"), made("vlans.json", "vlan "+network+" -r updown")
	fabric, gz := args("", slCase)[1:], []string(nil)
	for i := range fabric {
		if fabric[i] = strings.ReplaceAll(fabric[i], "@", fabrics); !strings.HasPrefix(fabric[i], "-") {
			gz = append(gz, fabric[i])
		}
	}
	for _, c := range []struct {
		schema, line string
		files        []string
	}{
		{"check.json", "check " + network + " -r " + set, []string{network, set}},
		{"sim.json", "sim " + network + " -r " + set + " --load 0.1 --clocks 500", []string{network, set}},
		{"sim.json", "sim " + network + " -r " + set + " --traffic trace:" + trace, []string{network, set, trace}},
		{"sim.json", "sim " + network + " -r " + set + " --load 0.1 --clocks 500 --traffic matrix:" + matrix, []string{network, set, matrix}},
		{"sim.json", "sim mesh:3x3 -r " + program + " --load 0.1 --clocks 500", []string{program}},
		{"sim.json", "sim mesh:3x3 -r dor --load 0.1 --clocks 500", nil},
		{"sim.json", "sim " + network + " -r " + set + " --load 0.1 --clocks 500 --energy " + costs, []string{network, set, costs}},
		{"sim-workload.json", "sim " + network + " -r " + set + " --workload " + messages + " --energy " + costs, []string{network, set, messages, costs}},
		{"sim-workload.json", "sim " + network + " -r " + set + " --workload " + messages + " --mapping " + mapping, []string{network, set, messages, mapping}},
		{"sim-ethernet.json", "sim " + network + " -r " + vlans + " --ethernet pause,ms=1", []string{network, vlans}},
		{"replay.json", "replay " + network + " -r " + set, []string{network, set}},
		{"replay.json", "replay " + strings.Join(fabric, " "), gz},
		{"vlan.json", "vlan " + network + " -r " + set, []string{network, set}},
		{"vlan.json", "vlan " + network + " -r " + vlans + " --addresses " + addresses + " --linux " + filepath.Join(dir, "linux"),
			[]string{network, vlans, addresses}},
		{"layers.json", "layers " + network, []string{network}},
		{"possible.json", "possible " + network + " --closed " + closed, []string{network, closed}},
		{"turns.json", "turns " + network + " -m updown --traffic " + matrix, []string{network, matrix}},
		{"turns.json", "turns " + network + " -m minimum --seconds 0.3 --keep " + keep, []string{network, keep}},
		{"turns.json", "turns torus:3x3 -m updown", nil},
		{"prove.json", "prove " + program, []string{program}},
		{"prove.json", "prove west-first", nil},
	} {
		stdout, stderr, code := turnproof(t, append(strings.Fields(c.line), "--json")...)
		if code == cli.ExitUsage {
			t.Errorf("%s: exit status %d, %s", c.line, code, stderr)
			continue
		}
		got, want := listedSums(valid(t, c.schema, stdout)), sumsOf(t, c.files)
		if !slices.Equal(got, want) {
			t.Errorf("%s: inputs\n%q, want\n%q", c.line, got, want)
		}
	}
}

// listedSums returns "name sum" for each input in JSON output, sorted.
func listedSums(out map[string]any) (list []string) {
	for _, x := range out["inputs"].([]any) {
		in := x.(map[string]any)
		list = append(list, fmt.Sprint(in["name"], " ", in["sha256"]))
	}
	slices.Sort(list)
	return list
}

// sumsOf returns "name sum" for each file, sorted.
func sumsOf(t *testing.T, files []string) (list []string) {
	t.Helper()
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %x", filepath.Base(f), sha256.Sum256(text)))
	}
	slices.Sort(list)
	return list
}
