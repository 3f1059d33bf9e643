package limits

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/model/topo"
)

// script makes a program of shell text.
func script(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestMeasure checks that a series ends with the last size that finishes, for each kind of failure.
func TestMeasure(t *testing.T) {
	bin := t.TempDir()
	script(t, bin, "fails", `[ "$1" != torus:8x8 ] || { echo too large >&2; exit 2; }; exit 1`)
	script(t, bin, "hangs", `[ "$1" != torus:8x8 ] || exec sleep 60`)
	script(t, bin, "grows", `[ "$1" != torus:8x8 ] || { x=0123456789abcdef; while :; do x=$x$x; done; }`)
	script(t, bin, "makes", `echo "$1" >input`)
	script(t, bin, "reads", `[ "$(cat input)" != torus:8x8 ]  || exit 2`)
	for _, x := range []struct {
		command, before, why string
	}{
		{"fails SIZE", "", "too large"},
		{"hangs SIZE", "", "not after 2s"},
		{"grows SIZE", "", "more than 64 MB"},
		{"reads", "makes SIZE", "exit status 2"},
		{"reads", "fails SIZE", "its input: exit status 2"},
	} {
		s := series{command: x.command, sizes: []string{"torus:4x4", "torus:8x8", "torus:16x16"}}
		want := "torus:4x4"
		if x.before != "" {
			s.before = []string{x.before}
		}
		if strings.HasPrefix(x.why, "its input") {
			s.sizes = s.sizes[1:]
			want = ""
		}
		limit := 8 * time.Second
		if strings.HasPrefix(x.command, "hangs") {
			limit = 2 * time.Second // all of it passes
		}
		m, err := s.measure(context.Background(), budget{limit, 64 << 20}, stage.Options{Bin: bin, Work: t.TempDir(), Progress: io.Discard})
		if err == nil {
			err = m.count()
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.last != want || m.not != "torus:8x8" || !strings.Contains(m.why, x.why) {
			t.Errorf("%s: finished with %q, not with %q: %s; want %s", x.command, m.last, m.not, m.why, x.why)
		}
		if want != "" && (m.channels != 64 || m.at.memory == 0 || m.at.time == 0) {
			t.Errorf("%s: %+v", x.command, m)
		}
	}
}

// TestSeries checks that all sizes are networks, and that rows have all columns.
func TestSeries(t *testing.T) {
	for _, s := range all {
		if !strings.Contains(s.command+strings.Join(s.before, ""), "SIZE") {
			t.Errorf("%s takes no size", s.command)
		}
		if !s.counts {
			if _, err := topo.Parse(s.sizes[0]); err != nil {
				t.Errorf("%s: %v", s.command, err)
			}
		}
	}
	row := (&measured{series: series{command: "x"}, last: "ring:4", channels: 1234567, at: usage{time: time.Second, memory: 3 << 30}}).row()
	if want := "| `x` | `ring:4` | 1,234,567 | 1.0 | 3.0 GB | 2,609 |  |"; row != want {
		t.Errorf("%s, want %s", row, want)
	}
	grown := &measured{series: series{command: "x", by: byStates}}
	for i := 1; i <= 100; i *= 10 { // time as the square root of states, memory as channels
		grown.all = append(grown.all, point{"", usage{time: time.Duration(i) * time.Second, memory: int64(i) << 20}, 1024 * i, 4096 * i * i})
	}
	if got, want := grown.growth(), "| `x` | 1,024 to 102,400 | 1.00 to 100.0 | 1,024 to 1,024 | states^0.50 | channels^1.00 |"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var out bytes.Buffer
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Run(ctx, stage.Options{Bin: t.TempDir(), Work: t.TempDir(), Progress: io.Discard}, &out); err == nil {
		t.Error("no error when broken off")
	}
}
