package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// This file shows on a terminal what is being done, and how long it may take: one line on
// standard error, written over, wiped before anything else is written and at the end.

// progress is that line. A nil one shows nothing: nobody watches.
type Progress struct {
	w    io.Writer
	stop chan struct{}

	mu    sync.Mutex
	began time.Time // of what is being done
	what  string
	left  func() string // "": not known
	shown bool
	ended bool
}

// Quick commands show nothing; then the line changes so often.
const (
	progressDelay = 700 * time.Millisecond
	progressEvery = 250 * time.Millisecond
)

// newProgress returns the line of a command, nil if w is no terminal that can wipe it.
func newProgress(w io.Writer) *Progress {
	if !isTerminal(w) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &Progress{w: w}
}

// progressOf returns the line of a command by its standard error.
func ProgressOf(stderr io.Writer) *Progress {
	if w, ok := stderr.(*wiping); ok {
		return w.line
	}
	return nil
}

// start begins to show what is being done, from now.
func (p *Progress) start(what string) {
	if p == nil {
		return
	}
	p.Say("%s", what)
	p.stop = make(chan struct{})
	go func() {
		delay := time.NewTimer(progressDelay)
		defer delay.Stop()
		select {
		case <-p.stop:
			return
		case <-delay.C:
		}
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for p.show(); ; p.show() {
			select {
			case <-p.stop:
				return
			case <-tick.C:
			}
		}
	}()
}

// say tells what is being done now; how long that takes is not known.
func (p *Progress) Say(format string, a ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.began, p.left = fmt.Sprintf(format, a...), time.Now(), nil
}

// tell is say in the midst of it: the time goes on.
func (p *Progress) Tell(format string, a ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = fmt.Sprintf(format, a...)
}

// within tells how long it takes at most.
func (p *Progress) Within(limit time.Duration, format string, a ...any) {
	if p == nil {
		return
	}
	p.Say(format, a...)
	p.mu.Lock()
	defer p.mu.Unlock()
	end := p.began.Add(limit)
	p.left = func() string {
		if rest := time.Until(end); rest >= time.Second {
			return "at most " + shortTime(rest) + " left"
		}
		return ""
	}
}

// part tells how much of the work is done, 0 to 1, from which the time left follows.
func (p *Progress) Part(done float64) {
	if p == nil || done < 0.01 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	end := time.Now().Add(time.Duration(float64(time.Since(p.began)) * (1 - done) / done))
	p.left = func() string { return "about " + shortTime(max(0, time.Until(end))) + " left" }
}

// counter returns a function that is told how many of so many are done, and how long the
// rest takes; below 0: not known.
func (p *Progress) Counter(what string) func(done, total int, left time.Duration) {
	if p == nil {
		return nil
	}
	return func(done, total int, left time.Duration) {
		p.Tell("%d of %d %s", done, total, what)
		p.mu.Lock()
		defer p.mu.Unlock()
		end := time.Now().Add(left)
		if p.left = nil; left >= 0 {
			p.left = func() string { return "about " + shortTime(max(0, time.Until(end))) + " left" }
		}
	}
}

// shortTime is a duration in whole seconds.
func shortTime(d time.Duration) string { return d.Round(time.Second).String() }

// show writes the line.
func (p *Progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	text := fmt.Sprintf("%s, %s", p.what, shortTime(time.Since(p.began)))
	if p.left != nil {
		if left := p.left(); left != "" {
			text += ", " + left
		}
	}
	if width := widthOf(p.w); len(text) >= width {
		text = text[:max(0, width-1)]
	}
	fmt.Fprint(p.w, "\r\x1b[K"+text)
	p.shown = true
}

// wipe takes the line away for a moment; the caller holds mu.
func (p *Progress) wipe() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// end wipes the line for good.
func (p *Progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	if !p.ended && p.stop != nil {
		close(p.stop)
	}
	p.ended = true
}

// wiping is a stream on the terminal that the line is on.
type wiping struct {
	to   io.Writer
	line *Progress
	last bool // whatever is written here is the end of the line
}

// Write implements io.Writer.
func (w *wiping) Write(text []byte) (int, error) {
	if w.line == nil {
		return w.to.Write(text)
	}
	if w.last {
		w.line.end()
	}
	w.line.mu.Lock()
	defer w.line.mu.Unlock()
	w.line.wipe()
	return w.to.Write(text)
}

// isTerminal reports whether somebody may be watching a writer.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is the width of a terminal, in letters.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}
