package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestMendMemory checks which sizes --memory accepts.
func TestMendMemory(t *testing.T) {
	out := t.TempDir() + "/mended"
	for size, code := range map[string]int{"64M": cli.ExitRefuted, "1.5g": cli.ExitRefuted, "2GB": cli.ExitRefuted, "4": cli.ExitUsage,
		"none": cli.ExitUsage, "-1G": cli.ExitUsage} {
		if stdout, stderr, got := turnproof(t, args("check", loopCase, []string{"--mend", out, "--memory", size})...); got != code {
			t.Errorf("%s: exit status %d, want %d\n%s%s", size, got, code, stdout, stderr)
		}
	}
}

// watched is a writer that cancels a run when a text is written.
type watched struct {
	lock   sync.Mutex
	text   bytes.Buffer
	wanted string
	cancel func()
}

func (w *watched) Write(p []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.text.Write(p)
	if strings.Contains(w.text.String(), w.wanted) {
		w.cancel()
	}
	return len(p), nil
}

// TestMendInterrupted interrupts the search for a repair. The verdict is printed before the
// search, so an interrupt does not lose it. The run ends at once.
func TestMendInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &watched{wanted: "REFUTED. The independent checker", cancel: cancel}
	var stderr bytes.Buffer
	line := args("check", loopCase, []string{"--mend", t.TempDir() + "/mended", "--seconds", "1000"})
	for i := range line {
		line[i] = strings.ReplaceAll(line[i], "@", fabrics)
	}
	began := time.Now()
	code := run(ctx, append([]string{"turnproof"}, line...), out, &stderr)
	if code != cli.ExitInterrupted || !strings.Contains(out.text.String(), out.wanted) || time.Since(began) > time.Minute {
		t.Errorf("exit status %d after %v\n%s%s", code, time.Since(began), out.text.String(), stderr.String())
	}
}
