package live

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/wording"
)

// This file writes the lines of a frame.

// Lines returns the lines of the current frame. No line is wider than the width of Options.Size, and
// there are at most as many as its height.
func (v *View) Lines() []string {
	width, height := v.o.Size()
	lines := v.figures()
	rest := height - len(lines)
	lines = append(lines, v.network(width, rest-len(v.deadlock()))...)
	lines = append(lines, v.deadlock()...)
	for i := range lines {
		lines[i] = cut(lines[i], width)
	}
	return lines[:min(len(lines), max(height, 1))]
}

// figures returns the lines above the network.
func (v *View) figures() []string {
	f := &v.frame
	clock := "clock " + wording.Thousands(int64(f.to))
	if v.o.Clocks > 0 {
		part := min(1, float64(f.to)/float64(v.o.Clocks))
		clock += fmt.Sprintf(" of %s  %s %.0f %%", wording.Thousands(int64(v.o.Clocks)), v.bar(part, 20), 100*part)
	}
	loads := ""
	if v.o.Load > 0 {
		loads = fmt.Sprintf("load %.4f  ", v.o.Load)
	}
	clocks := math.Max(1, float64(f.to-f.from))
	loads += fmt.Sprintf("accepted %.4f flits/clock/host  ", float64(f.counts.flits)/clocks/math.Max(1, float64(v.n.NumHosts())))
	if f.counts.packets > 0 {
		loads += fmt.Sprintf("latency %.1f clocks", float64(f.counts.latency)/float64(f.counts.packets))
	} else {
		loads += "no packet arrived"
	}
	return []string{
		v.o.Title,
		fmt.Sprintf("%s  %s flit hops per second", clock, quantity(f.speed)),
		loads,
		fmt.Sprintf("in the network: %s, %s in buffers, oldest %s; %s delivered", wording.Count(f.inNetwork, "packet", "s"),
			wording.Count(f.buffered, "flit", "s"), wording.Count(int64(f.oldest), "clock", "s"), wording.Thousands(f.delivered)),
	}
}

// Line returns the current frame as one line.
func (v *View) Line() string {
	f := &v.frame
	text := "clock " + wording.Thousands(int64(f.to))
	if v.o.Clocks > 0 {
		text += " of " + wording.Thousands(int64(v.o.Clocks))
	}
	clocks, busiest := math.Max(1, float64(f.to-f.from)), 0.0
	for _, load := range f.load {
		busiest = max(busiest, load)
	}
	text += fmt.Sprintf(": accepted %.4f, ", float64(f.counts.flits)/clocks/math.Max(1, float64(v.n.NumHosts())))
	if f.counts.packets > 0 {
		text += fmt.Sprintf("latency %.1f, ", float64(f.counts.latency)/float64(f.counts.packets))
	}
	text += fmt.Sprintf("%s in the network, the oldest %s old, busiest channel %.0f %%", wording.Count(f.inNetwork, "packet", "s"),
		wording.Count(int64(f.oldest), "clock", "s"), 100*busiest)
	if d := f.deadlock; d != nil {
		text += ", DEADLOCK closed in clock " + wording.Thousands(int64(d.Clock))
	}
	return text
}

// bar returns a bar of the given number of characters.
func (v *View) bar(part float64, long int) string {
	full, empty := "█", "░"
	if v.o.ASCII {
		full, empty = "#", "."
	}
	k := int(math.Round(part * float64(long)))
	return strings.Repeat(full, k) + strings.Repeat(empty, long-k)
}

// quantity writes a number with three digits and a unit.
func quantity(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.3g M", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.3g k", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

// network returns at most height lines that show the loads.
func (v *View) network(width, height int) []string {
	if height < 3 || v.frame.load == nil {
		return nil
	}
	lines := v.grid(width, height-1)
	if lines == nil {
		lines = v.busiest(height - 1)
	}
	return append(lines, v.legend())
}

// legend explains the characters.
func (v *View) legend() string {
	var parts []string
	for i, text := range []string{"idle", "to 25 %", "50 %", "75 %", "100 % of capacity"} {
		parts = append(parts, v.mark(i)+" "+text)
	}
	return strings.Join(parts, "  ")
}

// busiest returns a histogram of the loads and the channels with the highest ones.
func (v *View) busiest(height int) (lines []string) {
	var count [levels]int
	order := make([]model.ChannelID, len(v.frame.load))
	for c, load := range v.frame.load {
		count[level(load)]++
		order[c] = model.ChannelID(c)
	}
	most := slices.Max(count[:])
	for i := levels - 1; i >= 0 && len(lines) < height; i-- {
		lines = append(lines, fmt.Sprintf("%s %7s channels %s", v.mark(i), wording.Thousands(int64(count[i])),
			v.bar(float64(count[i])/math.Max(1, float64(most)), 20)))
	}
	slices.SortStableFunc(order, func(a, b model.ChannelID) int {
		if x, y := v.frame.frozen[a], v.frame.frozen[b]; x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return cmp.Compare(v.frame.load[b], v.frame.load[a])
	})
	for _, c := range order[:min(len(order), max(0, height-len(lines)))] {
		lines = append(lines, fmt.Sprintf("%s %5.1f %%  %s > %s", v.at(c), 100*v.frame.load[c], v.n.SwitchLabel(v.n.Tail(c)), v.n.SwitchLabel(v.n.Head(c))))
	}
	return lines
}

// deadlock returns the lines about a deadlock.
func (v *View) deadlock() []string {
	d := v.frame.deadlock
	if d == nil {
		return nil
	}
	return []string{v.paint(frozenColour, "X") + fmt.Sprintf(" DEADLOCK: closed in clock %s; %s can never move again, and hold the channels marked X",
		wording.Thousands(int64(d.Clock)), wording.Count(len(d.Packets), "packet", "s"))}
}

// Levels of a load: idle, and quarters of the capacity.
const levels = 5

// colours are those of the figures (palette of 256 colours), by level.
var colours = [levels]int{244, 222, 215, 202, 160}

const frozenColour = 201

func level(load float64) int {
	if load <= 0 {
		return 0
	}
	return min(levels-1, max(1, int(math.Ceil(4*load-1e-9))))
}

// mark returns the character of a level.
func (v *View) mark(i int) string {
	text := []string{"·", "░", "▒", "▓", "█"}[i]
	if v.o.ASCII {
		text = []string{".", "-", "+", "*", "#"}[i]
	}
	return v.paint(colours[i], text)
}

// at returns the character of a channel.
func (v *View) at(c model.ChannelID) string {
	if v.frame.frozen[c] {
		return v.paint(frozenColour, "X")
	}
	return v.mark(level(v.frame.load[c]))
}

func (v *View) paint(colour int, text string) string {
	if !v.o.Colour {
		return text
	}
	return fmt.Sprintf("\x1b[38;5;%dm%s\x1b[0m", colour, text)
}

// cut shortens a line to the given number of columns. Escape sequences take none.
func cut(line string, width int) string {
	columns := 0
	for i := 0; i < len(line); {
		if line[i] == '\x1b' {
			i += strings.IndexByte(line[i:], 'm') + 1
			continue
		}
		if columns == width {
			if strings.Contains(line[:i], "\x1b") {
				return line[:i] + "\x1b[0m"
			}
			return line[:i]
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
		columns++
	}
	return line
}
