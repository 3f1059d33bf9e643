// Package limits measures the largest network for which each command finishes: it tries larger and
// larger networks until one takes too much time or memory.
//
// The record has the last network with which a command finished, its time and memory, and the first
// network with which it did not.
//
// Read first: series.go.
package limits

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage measures all series.
var Stage = stage.Stage{Name: "limits", Title: "How far each command goes", Run: Run}

// Run measures all series. o.Time limits the time of a command; if 0, two minutes.
func Run(ctx context.Context, o stage.Options, out io.Writer) error {
	b := budget{o.Time, 12 << 30}
	if b.time == 0 {
		b.time = 2 * time.Minute
	}
	fmt.Fprintf(out, "Up to %v and %s for each command.\n\n", b.time, size(b.memory))
	fmt.Fprintln(out, "| command | finished with | channels | seconds | memory | bytes per channel | not with |")
	fmt.Fprintln(out, "|---|---|---:|---:|---:|---:|---|")
	var list []*measured
	for _, s := range all {
		m, err := s.measure(ctx, b, o)
		if err != nil {
			return fmt.Errorf("%s: %w", s.command, err)
		}
		list = append(list, m)
	}
	for _, m := range list {
		if err := m.count(); err != nil {
			return err
		}
		fmt.Fprintln(out, m.row())
	}
	fmt.Fprint(out, growthHead)
	for _, m := range list {
		if m.by != byNothing {
			fmt.Fprintln(out, m.growth())
		}
	}
	return nil
}

// measured is the result of a series.
type measured struct {
	series
	last     string // the largest size with which the command finished, or ""
	at       usage
	channels int // 0 if sizes are not networks
	all      []point
	not, why string // the next size and the reason why the command did not finish, or ""
}

// measure runs the command of s with one size after the other. A usage error with the first size is an
// error of the series.
func (s series) measure(ctx context.Context, b budget, o stage.Options) (*measured, error) {
	m := &measured{series: s}
	for i, size := range s.sizes {
		fmt.Fprintf(o.Progress, "%s\n", strings.ReplaceAll(s.command, "SIZE", size))
		dir := filepath.Join(o.Work, fmt.Sprintf("%p-%d", m, i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
		for _, line := range s.before {
			if u := run(ctx, budget{10 * b.time, b.memory}, o.Bin, dir, strings.ReplaceAll(line, "SIZE", size)); u.why != "" {
				m.not, m.why = size, "its input: "+u.why
				return m, ctx.Err()
			}
		}
		u := run(ctx, b, o.Bin, dir, strings.ReplaceAll(s.command, "SIZE", size))
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if u.why != "" {
			if i == 0 && u.usage {
				return nil, errors.New(u.why)
			}
			m.not, m.why = size, u.why
			break
		}
		m.last, m.at = size, u
		m.all = append(m.all, point{size: size, usage: u})
	}
	return m, ctx.Err()
}

// count counts channels and states. It is called after all series: the memory of this process counts for every
// program that it starts later (stage.OwnMemory).
func (m *measured) count() error {
	if m.counts {
		return nil
	}
	for i := range m.all {
		if err := m.all[i].count(); err != nil {
			return err
		}
		m.channels = m.all[i].channels
	}
	return nil
}

func (m *measured) row() string {
	channels, each := "", ""
	if m.channels > 0 {
		channels, each = grouped(m.channels), grouped(int(m.at.memory)/m.channels)
	}
	not := ""
	if m.not != "" {
		not = fmt.Sprintf("`%s`: %s", m.not, m.why)
	}
	return fmt.Sprintf("| `%s` | `%s` | %s | %.1f | %s | %s | %s |", m.command, m.last, channels, m.at.time.Seconds(), size(m.at.memory), each, not)
}

// size formats a number of bytes.
func size(bytes int64) string {
	if bytes >= 1<<30 {
		return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%.0f MB", math.Ceil(float64(bytes)/(1<<20)))
}

// grouped formats k with commas.
func grouped(k int) string {
	text := fmt.Sprint(k)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
