package seams

import (
	"fmt"

	"github.com/turnproof/turnproof/engine"
)

// This file draws the options of a simulation that check does not have: what a proof must hold for.

// simsOfLine is the number of simulations of a line that is proved, simsOfOrder that of a line that is proved by a graph
// without cycles and has no classes of messages.
const (
	simsOfLine  = 6
	simsOfOrder = 1
)

// simulation draws the options of a simulation of a line.
func simulation(r drawer, l *Line) (list []Option) {
	add := func(percent int, flag, value string) bool {
		is := r.chance(percent)
		if is {
			list = append(list, Option{flag, value})
		}
		return is
	}
	add(100, "load", pick(r, "1", "1", "1", "0.9", "0.5", "0.3"))
	add(100, "clocks", pick(r, "2000", "4000", "4000", "12000"))
	add(100, "seed", fmt.Sprint(r.between(1, 1000)))
	isPaper := add(30, "model", "paper")
	add(50, "traffic", pick(r, "shift:1", "shift:2", "neighbour", "tornado", "permutation", "random-pair", "all-to-all", "bit-complement", "transpose",
		"hotspot:0.5@0"))
	add(30, "no-self", "")
	add(45, "select", pick(r, "lowest", "random", "random", "round-robin", "least-loaded", "ordered", "drawn", "free-vcs", "dyxy", "crossbar"))
	add(30, "arbiter", pick(r, "age", "first-come"))
	add(30, "eject-clocks", fmt.Sprint(r.between(2, 6)))
	add(10, "link-clocks", fmt.Sprint(r.between(2, 3)))
	add(15, "flitwise", "")
	add(10, "check", "")
	add(8, "burst", "4")
	if !isPaper && r.chance(35) {
		for _, d := range engine.DelayKinds() {
			add(35, d.Name, fmt.Sprint(r.IntN(5)))
		}
	}
	sizesOfRun(r, l, add)
	if l.has("gate") {
		add(40, "control", pick(r, "virtual", "dedicated"))
	}
	if l.has("classes") {
		add(40, "reply-queue", pick(r, "0", "1", "1", "8"))
		add(20, "service", pick(r, "1", "10", "50"))
		add(20, "reply-packet", pick(r, "1", "2", "8"))
		add(15, "outstanding", pick(r, "1", "2", "8"))
	}
	return list
}

// sizesOfRun draws the sizes that the line leaves open. Packets may be shorter than the longest one that the line states,
// except with gates and flow control. Those have the sizes that check assumes, unless files state them.
func sizesOfRun(r drawer, l *Line, add func(percent int, flag, value string) bool) {
	isFile := l.isOn("BookSim configuration", "buffer of channels")
	switch {
	case l.has("gate") && !isFile:
		if !l.has("packet") {
			add(100, "packet", "8")
		}
		if !l.has("buffer") {
			add(100, "buffer", "15")
		}
	case l.has("gate") || l.has("flow"):
	case l.has("packet"):
		if v, _ := l.value("packet"); v != "1" && r.chance(25) {
			add(100, "length", "1")
			add(100, "length", v)
		}
	default:
		add(60, "packet", pick(r, "1", "2", "3", "4", "8", "16"))
		if !isFile {
			add(60, "buffer", pick(r, "1", "2", "3", "4", "8", "16"))
		}
		add(50, "atomic", "")
	}
}
