package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
)

// This file compares the command whatif with a judge of its own: it reads the dumps of each run line by line, and walks packet by packet.

// dumped are dumps of OpenSM. Nodes are named as in the topology.
type dumped struct {
	peer   map[string]string // "S-...[1]": the other end of a cable
	lid    map[string]int    // of each host port, by "H-...[1]"
	next   map[string]int    // output port, by switch and LID
	lane   map[string][]string
	levels map[string]string // by node GUID and LID
}

var (
	dumpedNode  = regexp.MustCompile(`^(Switch|Ca)\s+\d+ "([SH]-[0-9a-f]+)"`)
	dumpedPort  = regexp.MustCompile(`^\[(\d+)\](?:\([0-9a-f]+\))?\s+"([SH]-[0-9a-f]+)"\[(\d+)\]`)
	dumpedLID   = regexp.MustCompile(`# lid (\d+) lmc 0`)
	dumpedLFT   = regexp.MustCompile(`guid 0x([0-9a-f]+)`)
	dumpedEntry = regexp.MustCompile(`^0x([0-9a-f]+) (\d+)`)
	dumpedRow   = regexp.MustCompile(`^(\d+)\s+(\d+)\s*: (.*)`)
)

// readDumps reads the dumps in a folder.
func readDumps(t *testing.T, dir string) *dumped {
	t.Helper()
	d := &dumped{map[string]string{}, map[string]int{}, map[string]int{}, map[string][]string{}, nil}
	at := ""
	each := func(name string, do func(line string)) bool {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return false
		}
		defer func() { _ = f.Close() }()
		for s := bufio.NewScanner(f); s.Scan(); {
			do(s.Text())
		}
		return true
	}
	each("topology.ibnetdiscover", func(line string) {
		if m := dumpedNode.FindStringSubmatch(line); m != nil {
			at = m[2]
		} else if m := dumpedPort.FindStringSubmatch(line); m != nil {
			d.peer[at+"["+m[1]+"]"] = m[2] + "[" + m[3] + "]"
			if l := dumpedLID.FindStringSubmatch(line); l != nil {
				d.lid[at+"["+m[1]+"]"], _ = strconv.Atoi(l[1])
			}
		}
	})
	each("opensm-lfts.dump", func(line string) {
		if m := dumpedLFT.FindStringSubmatch(line); strings.HasPrefix(line, "Unicast") && m != nil {
			at = "S-" + m[1]
		} else if m := dumpedEntry.FindStringSubmatch(line); m != nil {
			lid, _ := strconv.ParseInt(m[1], 16, 32)
			d.next[fmt.Sprint(at, " ", lid)], _ = strconv.Atoi(m[2])
		}
	})
	each("opensm-sl2vl.dump", func(line string) {
		if strings.HasPrefix(line, "Switch 0x") {
			at = "S-" + line[len("Switch 0x"):][:16]
		} else if m := dumpedRow.FindStringSubmatch(line); m != nil {
			d.lane[at+" "+m[1]+" "+m[2]] = strings.Fields(m[3])
		}
	})
	each("path-sl.txt", func(line string) {
		if d.levels == nil {
			d.levels = map[string]string{}
		}
		f := strings.Fields(line)
		d.levels["H-"+strings.TrimPrefix(f[0], "0x")+" "+f[1]] = f[2]
	})
	return d
}

// judge walks a packet of each level of each pair. It returns the number of pairs, those lost, and the dependencies.
func (d *dumped) judge() (pairs, lost int, waits map[string]map[string]bool) {
	waits = map[string]map[string]bool{}
	for from := range d.lid {
		for to, lid := range d.lid {
			if from == to {
				continue
			}
			pairs++
			levels := "0"
			if d.levels != nil {
				levels = d.levels[from[:strings.Index(from, "[")]+" "+strconv.Itoa(lid)]
			}
			arrives := true
			for level := range strings.SplitSeq(levels, ",") {
				arrives = d.walk(from, to, lid, level, waits) && arrives
			}
			if !arrives {
				lost++
			}
		}
	}
	return pairs, lost, waits
}

// walk follows a packet, notes its dependencies, and reports whether it arrives.
func (d *dumped) walk(from, to string, lid int, level string, waits map[string]map[string]bool) bool {
	at, held := d.peer[from], ""
	for range 200 {
		if at == to {
			return true
		}
		if at == "" || strings.HasPrefix(at, "H-") {
			return false
		}
		sw, in, _ := strings.Cut(strings.TrimSuffix(at, "]"), "[")
		out, ok := d.next[fmt.Sprint(sw, " ", lid)]
		if !ok || out == 0 || out == 255 {
			return false
		}
		next := d.peer[fmt.Sprint(sw, "[", out, "]")]
		if !strings.HasPrefix(next, "H-") {
			lane := level
			if row := d.lane[fmt.Sprint(sw, " ", in, " ", out)]; row != nil {
				k, _ := strconv.Atoi(level)
				lane = row[k]
			}
			channel := fmt.Sprint(sw, "[", out, "] VL ", lane)
			if held != "" {
				if waits[held] == nil {
					waits[held] = map[string]bool{}
				}
				waits[held][channel] = true
			}
			held = channel
		}
		at = next
	}
	return false
}

// isCyclic removes channels that wait for none until none is left.
func isCyclic(waits map[string]map[string]bool) bool {
	for removed := true; removed; {
		removed = false
		for c, next := range waits {
			for n := range next {
				if len(waits[n]) == 0 {
					delete(next, n)
				}
			}
			if len(next) == 0 {
				delete(waits, c)
				removed = true
			}
		}
	}
	return len(waits) > 0
}

// TestWhatif routes small fabrics by all engines of the installed OpenSM, also after each failure of a link, and compares every verdict, the
// lost pairs and the dependency cycles with the judge.
func TestWhatif(t *testing.T) {
	longOnly(t, "the tests of the package opensm read stored logs")
	for _, tool := range []string{"opensm", "ibsim"} {
		t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
		modeltest.Tool(t, tool)
	}
	verdicts := map[string]int{}
	for _, c := range []struct {
		network, fail string
		runs          int // of an engine
		isPresent     bool
	}{
		{"@ring4/dor", "links:1", 5, true},
		{"@mesh3x3/minhop", "links:1", 13, true},
		{"@ft2-8x4/updn", "switches:1", 13, true},
		{"torus:3x3,hosts=2", "", 1, false},
		{"random:switches=6,degree=3,hosts=1,seed=7", "links:1", 10, false},
		{"random:switches=12,degree=3,hosts=1,seed=7", "links:1", 19, false},
	} {
		out := t.TempDir()
		line := []string{"whatif", c.network, "--engines", "all,ar_updn", "--json", "-o", out}
		if !longtest.IsFull() && c.runs > 12 {
			c.fail, c.runs = "", 1
		}
		if c.fail != "" {
			line = append(line, "--fail", c.fail)
		}
		stdout, stderr, code := turnproof(t, line...)
		if code == cli.ExitUsage {
			t.Fatal(line, stderr)
		}
		x := valid(t, "whatif.json", stdout)
		if fmt.Sprint(x["missing_engines"]) != "[ar_updn]" || x["complete"] != true {
			t.Errorf("%s: missing %v, complete %v", c.network, x["missing_engines"], x["complete"])
		}
		engines := map[string]int{}
		for _, item := range x["runs"].([]any) {
			r := item.(map[string]any)
			engine := r["engine"].(string)
			number := engines[engine]
			engines[engine]++
			verdicts[r["verdict"].(string)]++
			if engine == "present" || r["verdict"] == "unrouted" {
				continue
			}
			dir := filepath.Join(out, engine, "now")
			if number > 0 {
				dir = filepath.Join(out, engine, fmt.Sprintf("failure-%d", number))
			}
			pairs, lost, waits := readDumps(t, dir).judge()
			want := "proved"
			isFree := !isCyclic(waits)
			if !isFree || lost > 0 {
				want = "refuted"
			}
			if r["verdict"] != want || fmt.Sprintf("%v %v", r["pairs"], r["unreachable_pairs"]) != fmt.Sprintf("%d %d", pairs, lost) ||
				(r["deadlock_free"] == "proved") != isFree {
				t.Errorf("%s %s %d: %v, %v pairs, %v lost, deadlock-free %v; the judge: %s, %d, %d, %v", c.network, engine, number, r["verdict"], r["pairs"],
					r["unreachable_pairs"], r["deadlock_free"], want, pairs, lost, isFree)
			}
			if (len(r["loop"].([]any)) > 0) == isFree {
				t.Errorf("%s %s %d: loop %v", c.network, engine, number, r["loop"])
			}
		}
		_, isPresent := engines["present"]
		for engine, k := range engines {
			if k != c.runs || isPresent != c.isPresent {
				t.Errorf("%s: %d runs of %s, want %d; present: %v", c.network, k, engine, c.runs, isPresent)
			}
		}
		if !slices.Contains(keysOf(engines), "nue") || len(engines) < 10 {
			t.Errorf("%s: engines %v", c.network, engines)
		}
	}
	t.Log(verdicts)
	if verdicts["proved"] < 50 || verdicts["refuted"] < 30 {
		t.Error(verdicts)
	}
}

func keysOf[V any](m map[string]V) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

// TestWhatifJournal interrupts nothing, but runs twice with one journal: the second call routes nothing and says the same.
func TestWhatifJournal(t *testing.T) {
	longOnly(t, "the journal is that of package batch")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	modeltest.Tool(t, "opensm")
	modeltest.Tool(t, "ibsim")
	journal := filepath.Join(t.TempDir(), "whatif.journal")
	file := filepath.Join(t.TempDir(), "whatif.html")
	line := []string{"whatif", "@ring4/dor", "--engines", "lash,nue", "--fail", "links:1", "--journal", journal, "--page", file}
	first, stderr, code := turnproof(t, line...)
	if code != cli.ExitHolds {
		t.Fatal(code, first, stderr)
	}
	if page, err := os.ReadFile(file); err != nil || !strings.Contains(plainText(string(page)), "Proved in all cases, the least loaded first: ") {
		t.Errorf("the page lacks the engines: %v", err)
	}
	t.Setenv("TMPDIR", "/nonexistent") // a run of OpenSM would fail
	second, stderr, code := turnproof(t, line...)
	seconds := regexp.MustCompile(`[0-9.]+ s\n`)
	if code != cli.ExitHolds || seconds.ReplaceAllString(first, "") != seconds.ReplaceAllString(second, "") {
		t.Errorf("%d %s\n%s\n%s", code, stderr, first, second)
	}
	if _, stderr, code = turnproof(t, "whatif", "@ring4/dor", "--engines", "lash", "--fail", "links:1", "--journal", journal); code != cli.ExitUsage {
		t.Errorf("another list of engines: exit status %d, %s", code, stderr)
	}
}
