package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/modeltest"
)

// simulatedFabric is a fabric simulated by ibsim, with a running OpenSM. dir contains the dumps of
// OpenSM and, in bin, the InfiniBand tools for this fabric.
type simulatedFabric struct{ dir string }

// startFabric simulates the network ring4 of the examples, routed by a routing engine of OpenSM.
// Both programs end with the test.
func startFabric(t *testing.T, engine string, flags ...string) simulatedFabric {
	t.Helper()
	netlist, err := filepath.Abs(filepath.Join(fabrics, "ring4/topology.ibnetdiscover"))
	if err != nil {
		t.Fatal(err)
	}
	return startNetlist(t, netlist, engine, flags...)
}

// startNetlist is like startFabric, for a network given by its netlist.
func startNetlist(t *testing.T, netlist, engine string, flags ...string) simulatedFabric {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	clients := []string{"ibnetdiscover", "dump_fts", "dump_lfts", "saquery"}
	for _, tool := range append([]string{"sh", "awk", "timeout", "ibsim", "ibsim-run", "opensm"}, clients...) {
		modeltest.Tool(t, tool)
	}
	f := simulatedFabric{t.TempDir()}
	socket := fmt.Sprintf("turnproof-collect-%d-%s", os.Getpid(), engine)
	t.Setenv("IBSIM_SOCKNAME", socket)
	t.Setenv("OSM_CACHE_DIR", f.dir)
	t.Setenv("OSM_TMP_DIR", f.dir)
	t.Setenv("LOGS", f.dir)
	f.start(t, "/proc/net/unix", socket+":ctl", "ibsim", "-s", "-n", "-S", "64", "-N", "64", "-P", "1024", netlist)
	f.write(t, "opensm.conf", "force_log_flush TRUE\n")
	f.write(t, "roots", "0x200000\n") // without roots, OpenSM uses minhop instead of updn
	f.start(t, filepath.Join(f.dir, "opensm.log"), "SUBNET UP", "ibsim-run",
		append([]string{"opensm", "-F", "opensm.conf", "-R", engine, "-f", "opensm.log", "-D", "0x43", "-s", "0"}, flags...)...)
	if log, _ := os.ReadFile(filepath.Join(f.dir, "opensm.log")); !bytes.Contains(log, []byte(engine+" tables configured on all switches")) {
		t.Fatalf("OpenSM did not route with %s:\n%s", engine, log)
	}
	for _, c := range clients {
		f.write(t, "bin/"+c, fmt.Sprintf("#!/bin/sh\nexec timeout 60 ibsim-run %s \"$@\"\n", modeltest.Tool(t, c)))
	}
	t.Setenv("PATH", filepath.Join(f.dir, "bin")+":"+os.Getenv("PATH"))
	return f
}

// write writes an executable file into the folder of the fabric.
func (f simulatedFabric) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// start starts a program, which runs until the test ends. It returns when the program has written
// text to file, and fails the test after a minute.
func (f simulatedFabric) start(t *testing.T, file, text, program string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = f.dir, &out, &out
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if data, _ := os.ReadFile(file); bytes.Contains(data, []byte(text)) {
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s %v ended:\n%s", program, args, &out)
		default:
		}
		if time.Now().After(deadline) {
			cancel()
			<-ended
			t.Fatalf("%s %v: no %q in %s after a minute:\n%s", program, args, text, file, &out)
		}
	}
}

// run runs a shell command in a folder, with the tools of the fabric.
func (f simulatedFabric) run(t *testing.T, dir, command string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		logs, _ := filepath.Glob(filepath.Join(dir, "*.err"))
		for _, l := range logs {
			data, _ := os.ReadFile(l)
			out = append(append(out, l+":\n"...), data...)
		}
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// TestCollect collects the files of fabrics that OpenSM has routed. The tables and the verdict are
// the same as for the stored dumps.
func TestCollect(t *testing.T) {
	script, err := filepath.Abs("../../examples/collect/collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		engine string
		flags  []string
		sls    string
		code   int
	}{
		{"dor", nil, "0", cli.ExitRefuted},
		{"updn", []string{"-a", "roots"}, "0", cli.ExitHolds},
		{"dfsssp", []string{"-Q"}, "hosts", cli.ExitHolds},
		{"lash", []string{"-Q"}, "hosts", cli.ExitHolds},
	} {
		t.Run(c.engine, func(t *testing.T) {
			f := startFabric(t, c.engine, c.flags...)
			out := t.TempDir()
			f.run(t, out, "SLS="+c.sls+" "+script+" .")
			checkCollected(t, out, c.engine, c.code)
			_, err := os.Stat(filepath.Join(out, "path-records.txt"))
			if (err == nil) != (c.sls != "0") {
				t.Errorf("SLS=%s: path-records.txt: %v", c.sls, err)
			}
			if err == nil {
				checkLevels(t, out, c.engine)
				checkWholeAnswer(t, f, script, filepath.Join(out, "path-records.txt"))
			}
			if left, _ := filepath.Glob(filepath.Join(out, "*.tmp")); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestCollectLIDs collects two kinds of fabrics: dump_fts leaves out the last LID, or hosts have
// several LIDs. The verdict is the same as for the dumps of OpenSM.
func TestCollectLIDs(t *testing.T) {
	script, err := filepath.Abs("../../examples/collect/collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec, engine, sls string
		shift             int // added to each LID, modulo 64
		pairs             string
		flags             []string
	}{
		{"mesh:4x4,hosts=3", "dor", "0", 16, "2256", nil},
		{"mesh:3x3", "dor", "0", 0, "144", []string{"-l", "1"}},
		{"mesh:2x2", "dfsssp", "1", 0, "24", []string{"-l", "1", "-Q"}},
	} {
		t.Run(fmt.Sprint(c.spec, c.engine, c.flags), func(t *testing.T) {
			f := startNetlist(t, shiftedLIDs(t, c.spec, c.shift), c.engine, c.flags...)
			out := t.TempDir()
			f.run(t, out, "SLS="+c.sls+" "+script+" .")
			got, stderr, code := turnproof(t, "check", out, "--json")
			if code != cli.ExitHolds || stderr != "" {
				t.Fatalf("exit status %d, %s%s", code, got, stderr)
			}
			a := valid(t, "check.json", got)
			if fmt.Sprint(a["pairs"]) != c.pairs {
				t.Errorf("%v pairs, want %v", a["pairs"], c.pairs)
			}
			f.run(t, out, "cp "+f.dir+"/opensm-lfts.dump lfts.dump")
			want, _, _ := turnproof(t, "check", out, "--json")
			b := valid(t, "check.json", want)
			for _, key := range []string{"verdict", "pairs", "entries", "dependencies"} {
				if a[key] == nil || a[key] != b[key] {
					t.Errorf("%s is %v, of OpenSM's own dump %v", key, a[key], b[key])
				}
			}
		})
	}
}

// shiftedLIDs writes a network as ibnetdiscover output and returns the name of the file. It adds
// shift to each LID; LIDs above 64 start again at 1.
func shiftedLIDs(t *testing.T, spec string, shift int) string {
	t.Helper()
	text, stderr, code := turnproof(t, "convert", spec, "--to", "ibnetdiscover")
	if code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	text = regexp.MustCompile(`\blid \d+`).ReplaceAllStringFunc(text, func(lid string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(lid, "lid "))
		return fmt.Sprintf("lid %d", (n-1+shift)%64+1)
	})
	file := filepath.Join(t.TempDir(), "net.txt")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// checkCollected compares collected files with the stored dumps of a routing engine.
func checkCollected(t *testing.T, dir, engine string, want int) {
	t.Helper()
	stdout, stderr, code := turnproof(t, "check", dir, "--json")
	if code != want || stderr != "" {
		t.Fatalf("exit status %d, want %d, %s%s", code, want, stdout, stderr)
	}
	kept, _, _ := turnproof(t, "check", "@ring4/"+engine, "--json")
	a, b := valid(t, "check.json", stdout), valid(t, "check.json", kept)
	for _, key := range []string{"verdict", "pairs", "entries"} {
		if a[key] != b[key] {
			t.Errorf("%s is %v, of the kept dumps %v", key, a[key], b[key])
		}
	}
	if d := readBack(t, dir).differs(entriesOf(t, filepath.Join(fabrics, "ring4", engine, "opensm-lfts.dump"))); len(d) > 0 {
		t.Errorf("%d entries differ: %v", len(d), d[:min(3, len(d))])
	}
}

// checkLevels compares the service level of each pair of LIDs with the stored one. OpenSM's dfsssp
// draws the level at random from a set; path-slset.txt lists the set.
func checkLevels(t *testing.T, dir, engine string) {
	t.Helper()
	kept := filepath.Join(fabrics, "ring4", engine, "path-slset.txt")
	if _, err := os.Stat(kept); err != nil {
		kept = filepath.Join(fabrics, "ring4", engine, "path-sl.txt")
	}
	lidOf := portLIDs(t, filepath.Join(dir, "topology.ibnetdiscover"))
	got, pairs := recordLevels(t, filepath.Join(dir, "path-records.txt")), 0
	for _, line := range fileLines(t, kept) {
		var guid, lid, levels string
		if _, err := fmt.Sscan(line, &guid, &lid, &levels); err != nil {
			t.Fatal(kept, line, err)
		}
		pairs++
		sl, ok := got[[2]string{lidOf[guid], lid}]
		if !ok || !strings.Contains(","+levels+",", ","+sl+",") {
			t.Errorf("host %s to LID %s: service level %q, want one of %s", guid, lid, sl, levels)
		}
	}
	if pairs != 56 {
		t.Errorf("%d pairs, want 56", pairs)
	}
}

// checkWholeAnswer replaces saquery by a script. If saquery -p prints all records, as on a real
// fabric, collect.sh writes them to the file. If a pair has no record, collect.sh fails and writes
// no file.
func checkWholeAnswer(t *testing.T, f simulatedFabric, script, records string) {
	t.Helper()
	f.write(t, "bin/saquery", "#!/bin/sh\n[ \"$*\" = -p ] && cat "+records+"\n")
	out := t.TempDir()
	f.run(t, out, "SLS=hosts "+script+" .")
	collected := filepath.Join(out, "path-records.txt")
	if got, want := fileLines(t, collected), fileLines(t, records); !slices.Equal(got, want) {
		t.Errorf("%d lines of the answer are %d in the file", len(want), len(got))
	}
	f.write(t, "bin/saquery", "#!/bin/sh\n[ \"$*\" = -p ] && sed 's/^\\([ \t]*slid[.]*\\)12$/\\10/' "+records+"\n")
	out = t.TempDir()
	f.run(t, out, "SLS=hosts "+script+" .; [ $? = 1 ] && ! [ -e path-records.txt ] && grep '^12 1$' path-records.txt.err")
}

// portLIDs returns the LID of each host by node GUID, from ibnetdiscover output.
func portLIDs(t *testing.T, file string) map[string]string {
	t.Helper()
	lids, guid := map[string]string{}, ""
	for _, line := range fileLines(t, file) {
		if g, ok := strings.CutPrefix(line, "caguid=0x"); ok {
			guid = fmt.Sprintf("0x%016s", g)
		} else if _, after, ok := strings.Cut(line, "# lid "); ok && strings.Contains(line, "](") && guid != "" {
			lids[guid], _, _ = strings.Cut(after, " ")
		}
	}
	return lids
}

// recordLevels returns the service level of each pair of source and destination LIDs in path
// records.
func recordLevels(t *testing.T, file string) map[[2]string]string {
	t.Helper()
	levels, field := map[[2]string]string{}, map[string]string{}
	for _, line := range fileLines(t, file) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ".")
		field[key] = strings.TrimLeft(value, ".")
		if key == "sl" { // in each record, the fields of both LIDs come first
			levels[[2]string{field["slid"], field["dlid"]}] = strings.TrimPrefix(field["sl"], "0x")
		}
	}
	return levels
}

// fileLines returns the lines of a file.
func fileLines(t *testing.T, file string) (lines []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// TestCollectByHand runs the commands that README and docs/fabrics.md give for a real fabric. The
// tables and the verdict are the same as for the stored dumps.
func TestCollectByHand(t *testing.T) {
	f := startFabric(t, "updn", "-a", "roots")
	for _, c := range []struct {
		doc      string
		commands int
	}{{"../../README.md", 2}, {"../../docs/fabrics.md", 3}} {
		commands, out := printedCommands(t, c.doc), t.TempDir()
		if len(commands) != c.commands {
			t.Errorf("%s: %d commands, want %d: %q", c.doc, len(commands), c.commands, commands)
		}
		for _, line := range commands {
			f.run(t, out, line)
		}
		checkCollected(t, out, "updn", cli.ExitHolds)
		for _, file := range []string{"topology.ibnetdiscover", "lfts.dump"} {
			if _, err := os.Stat(filepath.Join(out, file)); err != nil {
				t.Errorf("%s: %v", c.doc, err)
			}
		}
	}
}

var printedCommand = regexp.MustCompile("(?m)(?:^    |\\| `)((?:ibnetdiscover|dump_l?fts)[^`\n]* > [^`\n]*)")

// printedCommands returns the commands in a document that write a file about a fabric.
func printedCommands(t *testing.T, doc string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range printedCommand.FindAllStringSubmatch(string(text), -1) {
		commands = append(commands, m[1])
	}
	return commands
}
