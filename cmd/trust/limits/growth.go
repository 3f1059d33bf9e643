package limits

import (
	"fmt"
	"math"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// This file fits how time and memory of a command grow with the network.

// point is a size with which a command finished.
type point struct {
	size string
	usage
	channels int // between switches
	states   int // pairs of a channel between switches and a switch with hosts
}

// count counts channels and states of the network.
func (p *point) count() error {
	n, err := topo.Parse(p.size)
	if err != nil {
		return err
	}
	ends := map[model.SwitchID]bool{}
	for h := range model.HostID(n.NumHosts()) {
		ends[n.Host(h).Switch] = true
	}
	p.channels, p.states = n.NumLinkChannels(), n.NumLinkChannels()*len(ends)
	return nil
}

// measure is the number that time is compared with.
type measure string

const (
	byNothing  measure = ""
	byChannels measure = "channels"
	byStates   measure = "states"
)

// startUp is the time below which a point says more about the start of a process than about its work.
const startUp = 300 * time.Millisecond

const growthHead = "\n| command | channels | seconds | bytes per channel | time | memory |\n|---|---:|---:|---:|---|---|\n"

// growth formats the growth of time and memory over all sizes.
func (m *measured) growth() string {
	if len(m.all) == 0 {
		return fmt.Sprintf("| `%s` | | | | | |", m.command)
	}
	var work, seconds, channels, memory []float64
	for _, p := range m.all {
		if p.time < startUp {
			continue
		}
		of := p.channels
		if m.by == byStates {
			of = p.states
		}
		work, seconds = append(work, float64(of)), append(seconds, p.time.Seconds())
		channels, memory = append(channels, float64(p.channels)), append(memory, float64(p.memory))
	}
	first, last := m.all[0], m.all[len(m.all)-1]
	return fmt.Sprintf("| `%s` | %s to %s | %.2f to %.1f | %s to %s | %s | %s |", m.command, grouped(first.channels), grouped(last.channels),
		first.time.Seconds(), last.time.Seconds(), grouped(int(first.memory)/first.channels), grouped(int(last.memory)/last.channels),
		power(string(m.by), work, seconds), power("channels", channels, memory))
}

// power formats the exponent e for which y grows as x to the power e, by least squares of the logarithms. It returns "-" for
// fewer than three points, or if x does not grow fourfold.
func power(name string, x, y []float64) string {
	if len(x) < 3 || x[len(x)-1] < 4*x[0] {
		return "-"
	}
	var n, sx, sy, sxx, sxy float64
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		n, sx, sy, sxx, sxy = n+1, sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	return fmt.Sprintf("%s^%.2f", name, (n*sxy-sx*sy)/(n*sxx-sx*sx))
}
