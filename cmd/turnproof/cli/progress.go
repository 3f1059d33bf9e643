package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// This file shows the progress of a command on one line of a terminal, on standard error. The line
// is cleared before other output and at the end. If standard error is no terminal, commands that ask for
// it (ProgressLines) print a line from time to time.

// Progress is the progress line. All methods of a nil Progress do nothing.
type Progress struct {
	w    io.Writer
	stop chan struct{}
	// lines is set if standard error is no terminal; then off says that the command has not asked for lines.
	lines, off bool

	mu    sync.Mutex
	began time.Time // start of the current step
	what  string
	left  func() string // text with the time left; may be nil or return ""
	shown bool
	ended bool
}

// The line appears after progressDelay, so short commands show none. It is refreshed each
// progressEvery.
const (
	progressDelay = 700 * time.Millisecond
	progressEvery = 250 * time.Millisecond
)

// linesEvery is the time between lines, and before the first one, if standard error is no terminal.
var linesEvery = 10 * time.Second

// newProgress returns the progress line of a command. It is off if w is no terminal that can clear a line.
func newProgress(w io.Writer) *Progress {
	lines := !isTerminal(w) || os.Getenv("TERM") == "dumb"
	return &Progress{w: w, lines: lines, off: lines}
}

// ProgressOf returns the progress line of the command with this standard error, or nil if it is off.
func ProgressOf(stderr io.Writer) *Progress {
	if w, ok := stderr.(*wiping); ok && !w.line.off {
		return w.line
	}
	return nil
}

// ProgressLines makes a command print its progress every ten seconds if standard error is no terminal.
func ProgressLines(c *Context) {
	if w, ok := c.App.ErrWriter.(*wiping); ok && w.line.off {
		w.line.off = false
		w.line.start(c.Command.Name)
	}
}

// start shows the line with the step what, and refreshes it until end is called.
func (p *Progress) start(what string) {
	if p == nil {
		return
	}
	p.Say("%s", what)
	stop := make(chan struct{}) // not that of an earlier start
	p.mu.Lock()
	p.stop = stop
	p.mu.Unlock()
	first, every := progressDelay, progressEvery
	if p.lines {
		first, every = linesEvery, linesEvery
	}
	go func() {
		delay := time.NewTimer(first)
		defer delay.Stop()
		select {
		case <-stop:
			return
		case <-delay.C:
		}
		tick := time.NewTicker(every)
		defer tick.Stop()
		for p.show(); ; p.show() {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
}

// Say starts a step of unknown duration.
func (p *Progress) Say(format string, a ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.began, p.left = fmt.Sprintf(format, a...), time.Now(), nil
}

// Again shows the line again for a step that goes on after output that has ended the line.
func (p *Progress) Again(format string, a ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	ended := p.ended
	p.ended = false
	p.mu.Unlock()
	if !ended {
		p.Say(format, a...)
		return
	}
	p.start(fmt.Sprintf(format, a...))
}

// Tell changes the text of the current step. The elapsed time continues.
func (p *Progress) Tell(format string, a ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = fmt.Sprintf(format, a...)
}

// Within starts a step that takes at most limit.
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

// Part sets the part of the current step that is done, 0 to 1. The time left is extrapolated from
// it.
func (p *Progress) Part(done float64) {
	if p == nil || done < 0.01 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	end := time.Now().Add(time.Duration(float64(time.Since(p.began)) * (1 - done) / done))
	p.left = func() string { return about(end) }
}

// about returns a text with the time until an estimated end, or "" if the end has passed, so that the estimate was wrong.
func about(end time.Time) string {
	if rest := time.Until(end); rest >= time.Second {
		return "about " + shortTime(rest) + " left"
	}
	return ""
}

// Counter returns a function that shows how many of total items are done, and the time left. A
// negative left means that it is unknown. The function is nil if p is nil.
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
			p.left = func() string { return about(end) }
		}
	}
}

// Steps returns a function that shows how much of a step is done, and the time left. The function is
// nil if p is nil, and safe for concurrent use.
func (p *Progress) Steps() func(step string, done, total int) {
	if p == nil {
		return nil
	}
	var lock sync.Mutex
	last := ""
	return func(step string, done, total int) {
		lock.Lock()
		defer lock.Unlock()
		if step != last || done == 1 {
			p.Say("%s", step)
			last = step
		}
		p.Part(float64(done) / float64(total))
	}
}

// shortTime formats a duration in whole seconds.
func shortTime(d time.Duration) string { return d.Round(time.Second).String() }

// show prints the line.
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
	if p.lines {
		fmt.Fprintln(p.w, "turnproof:", text)
		return
	}
	if width := widthOf(p.w); len(text) >= width {
		text = text[:max(0, width-1)]
	}
	fmt.Fprint(p.w, "\r\x1b[K"+text)
	p.shown = true
}

// wipe clears the line. The caller holds mu.
func (p *Progress) wipe() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// end clears the line and stops its updates.
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

// wiping is a writer that clears the progress line before each write.
type wiping struct {
	to   io.Writer
	line *Progress
	last bool // the first write ends the progress line
}

func (w *wiping) Write(text []byte) (int, error) {
	if w.last {
		w.line.end()
	}
	w.line.mu.Lock()
	defer w.line.mu.Unlock()
	w.line.wipe()
	return w.to.Write(text)
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf returns the width of a terminal in columns, or 80 if it is unknown.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}
