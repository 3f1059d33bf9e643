//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// onTerminal runs a command line whose standard error is a terminal; with both, standard output is
// the same terminal. It returns what the terminal received, the other standard output, and the
// exit status. If after is not nil, it is called at the first output on the terminal.
func onTerminal(t *testing.T, both bool, environment []string, after func(*os.Process), line ...string) (shown, stdout string, code int) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 24, Cols: 60}); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self, line...)
	cmd.Env = append(append(os.Environ(), asProgram+"=1", "TERM=xterm"), environment...)
	cmd.Stdout, cmd.Stderr = &out, slave
	if both {
		cmd.Stdout = slave
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	read := make(chan string)
	go func() {
		var all []byte
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer) // EIO when the program ends
			if all = append(all, buffer[:n]...); n > 0 && after != nil {
				after(cmd.Process)
				after = nil
			}
			if err != nil {
				read <- string(all)
				return
			}
		}
	}()
	_ = cmd.Wait() // the exit status is read below
	shown = <-read
	_ = master.Close()
	return shown, out.String(), cmd.ProcessState.ExitCode()
}

// visible returns the text that remains on a terminal after lines are cleared.
func visible(t *testing.T, shown string) string {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(strings.ReplaceAll(shown, "\r\n", "\n"), "\n") {
		parts := strings.Split(line, "\r\x1b[K")
		for _, p := range parts {
			if len([]rune(p)) >= 60 && strings.Contains(p, "left") {
				t.Errorf("%q does not fit into 60 columns", p)
			}
		}
		lines = append(lines, parts[len(parts)-1])
	}
	return strings.Join(lines, "\n")
}

// TestProgress checks that long commands show a progress line on a terminal and clear it, and that
// nothing of it is in other output.
func TestProgress(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"sim mesh:8x8 -r dor --load 0.3 --clocks 2000000 --flitwise", `clock [0-9,]+ of 2,000,000, \d+s, about \d+s left`},
		{"turns random:switches=48,degree=4,hosts=1,seed=3 -m minimum --seconds 2", `prohibited, at least \d+, \d+s`},
		{"layers torus:10x10 --seconds 2", `(looking for virtual channels|proving the result), \d+s`},
		{"sweep mesh:8x8 -r dor --loads 0.1,0.2,0.3,0.35 --clocks 80000 --workers 1", `\d of 4 points, \d+s`},
		{"check torus:12x12 -r updown --fail links:1", `\d+ of 288 failures, \d+s, about \d+s left`},
	} {
		command := strings.Fields(c.line)[0]
		t.Run(command, func(t *testing.T) {
			longOnly(t, "TestInterrupt checks the lines of sim and turns")
			t.Parallel()
			shown, stdout, code := onTerminal(t, false, nil, nil, strings.Fields(c.line)...)
			if !regexp.MustCompile(c.want).MatchString(shown) {
				t.Errorf("no %q in %q", c.want, shown)
			}
			if v := strings.TrimSpace(visible(t, shown)); v != "" || code > 1 || stdout == "" || strings.Contains(stdout, "\x1b") {
				t.Errorf("exit status %d, left on the terminal: %q, standard output %.80q", code, v, stdout)
			}
		})
	}
}

// TestProgressQuiet checks that there is no progress line with --quiet, on a dumb terminal, and
// for quick commands.
func TestProgressQuiet(t *testing.T) {
	line := strings.Fields("turns random:switches=48,degree=4,hosts=1,seed=3 -m minimum --seconds 1.5")
	if shown, _, code := onTerminal(t, false, nil, nil, append(line, "-q")...); shown != "" || code != 0 {
		t.Errorf("--quiet: exit status %d, %q", code, shown)
	}
	if long() {
		if shown, _, code := onTerminal(t, false, []string{"TERM=dumb"}, nil, line...); shown != "" || code != 0 {
			t.Errorf("TERM=dumb: exit status %d, %q", code, shown)
		}
	}
	if shown, _, _ := onTerminal(t, false, nil, nil, "networks"); shown != "" {
		t.Errorf("networks: %q", shown)
	}
}

// TestProgressAndReport checks that the report is complete if it shares a terminal with the
// progress line.
func TestProgressAndReport(t *testing.T) {
	shown, _, code := onTerminal(t, true, nil, nil,
		strings.Fields("turns random:switches=48,degree=4,hosts=1,seed=3 -m minimum --seconds 1.5 --color never")...)
	v := visible(t, shown)
	if code != 0 || !strings.HasPrefix(v, "random:switches=48,degree=4,hosts=1,seed=3: 48 switches") || strings.Contains(v, "\x1b") ||
		!strings.Contains(shown, "\r\x1b[K") {
		t.Errorf("exit status %d, %q", code, v)
	}
}

// TestInterrupt checks that Ctrl-C clears the progress line. The exit status is 130, or that of
// the result found so far.
func TestInterrupt(t *testing.T) {
	interrupt := func(p *os.Process) { _ = p.Signal(syscall.SIGINT) }
	shown, stdout, code := onTerminal(t, false, nil, interrupt, strings.Fields("sim mesh:8x8 -r dor --load 0.3 --clocks 100000000 --flitwise")...)
	if v := strings.TrimSpace(visible(t, shown)); code != cli.ExitInterrupted || v != "turnproof: interrupted" || stdout != "" ||
		!regexp.MustCompile(`clock [0-9,]+ of 100,000,000, \d+s`).MatchString(shown) {
		t.Errorf("sim: exit status %d, %q, standard output %q", code, v, stdout)
	}
	shown, stdout, code = onTerminal(t, false, nil, interrupt, strings.Fields("turns random:switches=48,degree=4,hosts=1,seed=3 -m minimum --seconds 100")...)
	if v := strings.TrimSpace(visible(t, shown)); code != cli.ExitHolds || v != "" || !strings.Contains(stdout, "prohibited") ||
		!regexp.MustCompile(`prohibited, at least \d+, \d+s`).MatchString(shown) {
		t.Errorf("turns: exit status %d, %q, standard output %q", code, v, stdout)
	}
}

// TestBrokenPipe checks that "turnproof ... | head -1" prints no error.
func TestBrokenPipe(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `{ turnproof table mesh:16x16 -r dor --kind paths; echo "status $?" >&2; } | head -1`)
	cmd.Env = append(os.Environ(), "PATH="+installed(t)+":"+os.Getenv("PATH"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "\n") != 1 || errs.String() != "status 141\n" {
		t.Errorf("stdout %q, stderr %q", out.String(), errs.String())
	}
}

// TestColour checks that verdicts are coloured on terminals, depending on --color, NO_COLOR and
// TERM. Files and JSON are never coloured.
func TestColour(t *testing.T) {
	line := []string{"check", "mesh:3x3", "-r", "dor"}
	for _, c := range []struct {
		name        string
		both        bool
		environment []string
		more        []string
		want        bool
	}{
		{"a terminal", true, nil, nil, true},
		{"a pipe", false, nil, nil, false},
		{"NO_COLOR", true, []string{"NO_COLOR=1"}, nil, false},
		{"NO_COLOR, empty", true, []string{"NO_COLOR="}, nil, true},
		{"TERM=dumb", true, []string{"TERM=dumb"}, nil, false},
		{"never", true, nil, []string{"--color", "never"}, false},
		{"always", false, []string{"NO_COLOR=1"}, []string{"--color=always"}, true},
		{"TURNPROOF_COLOR", true, []string{"TURNPROOF_COLOR=never"}, nil, false},
		{"json", true, nil, []string{"--json", "--color", "always"}, false},
		{"certificate on standard output", true, nil, []string{"--certificate", "-", "--color", "always"}, false},
	} {
		shown, stdout, code := onTerminal(t, c.both, c.environment, nil, append(line, c.more...)...)
		if got := strings.Contains(shown+stdout, "\x1b[1;34m"); got != c.want || code != 0 {
			t.Errorf("%s: exit status %d, colour %v, want %v:\n%q", c.name, code, got, c.want, shown+stdout)
		}
	}
	file := filepath.Join(t.TempDir(), "x.cert")
	if _, stderr, code := turnproof(t, append(line, "--color", "always", "--certificate", file)...); code != 0 {
		t.Fatal(stderr)
	}
	if text, err := os.ReadFile(file); err != nil || bytes.Contains(text, []byte("\x1b")) {
		t.Errorf("%v, or colour in a file", err)
	}
}

// TestColourLeavesTheText checks that colour only adds escape sequences.
func TestColourLeavesTheText(t *testing.T) {
	for _, line := range [][]string{args("check", loopCase), args("check", soundCase), {"turns", "torus:4x4", "-m", "updown"},
		{"possible", "torus:3x3"}, {"vlan", "mesh:3x3", "--seconds", "0.2"}} {
		plain, _, code := turnproof(t, line...)
		coloured, _, code2 := turnproof(t, append(line, "--color", "always")...)
		if code != code2 || !strings.Contains(coloured, "\x1b[1;3") {
			t.Errorf("%v: exit status %d and %d, or no colour", line, code, code2)
		}
		stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured, "")
		times := regexp.MustCompile(` *[0-9.]+ s\n`)
		if times.ReplaceAllString(plain, "") != times.ReplaceAllString(stripped, "") {
			t.Errorf("%v:\n%s\n%s", line, plain, stripped)
		}
	}
}

// TestProgressAfterVerdict checks that the line of progress comes back on a terminal that also has the verdict, and that Ctrl-C prints the
// failures that are judged and how to go on. A second run goes on with the journal.
func TestProgressAfterVerdict(t *testing.T) {
	longOnly(t, "TestProgress checks the line, and package failures partial results")
	journal := filepath.Join(t.TempDir(), "failures.journal")
	line := strings.Fields("check torus:16x16 -r updown --fail links:1 --workers 1 --journal " + journal)
	var once sync.Once
	shown, _, code := onTerminal(t, true, nil, func(p *os.Process) {
		once.Do(func() { time.AfterFunc(4*time.Second, func() { _ = p.Signal(os.Interrupt) }) })
	}, line...)
	verdict := strings.Index(shown, "The independent checker")
	progress := regexp.MustCompile(`\d+ of 512 failures, \d+s`).FindAllStringIndex(shown, -1)
	if code != cli.ExitInterrupted || verdict < 0 || progress == nil || progress[len(progress)-1][0] < verdict {
		t.Fatalf("exit status %d\n%q", code, shown)
	}
	said := regexp.MustCompile(`Interrupted: (\d+) of 512 failures are judged. They are in .*: the same\s+command goes on.`).FindStringSubmatch(shown)
	if said == nil || !strings.Contains(shown, "Each of "+said[1]+" links removed in turn") {
		t.Fatalf("%v in\n%q", said, shown)
	}
	stored, err := os.ReadFile(journal)
	if k := strings.Count(string(stored), `{"index"`); err != nil || fmt.Sprint(k) != said[1] {
		t.Errorf("%d failures in the journal, %v; printed %s", k, err, said[1])
	}
}
