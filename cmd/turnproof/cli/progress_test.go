package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// guarded is a buffer that several goroutines may use.
type guarded struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (g *guarded) Write(text []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.Write(text)
}

func (g *guarded) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.String()
}

// TestProgressLines checks that a writer that is no terminal gets whole lines if the command asks for them, none before the first
// interval has passed, and no estimate whose end has passed.
func TestProgressLines(t *testing.T) {
	old := linesEvery
	linesEvery = 20 * time.Millisecond
	defer func() { linesEvery = old }()
	w := &guarded{}
	line := newProgress(w)
	stderr := &wiping{w, line, false}
	if ProgressOf(stderr) != nil {
		t.Error("progress without a terminal, though the command has not asked for it")
	}
	line.off = false
	line.start("reproduce")
	ProgressOf(stderr).Counter("points")(3, 9, time.Hour)
	for range 500 {
		if strings.Count(w.text(), "\n") > 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	line.end()
	if !strings.HasPrefix(w.text(), "turnproof: 3 of 9 points, 0s, about ") || strings.ContainsAny(w.text(), "\r\x1b") {
		t.Errorf("%q", w.text())
	}
	if text := about(time.Now()); text != "" {
		t.Errorf("%q", text)
	}
}
