package seams

import (
	"fmt"
	"slices"
	"strings"
)

// This file draws gates, flow control, sizes, premises and second opinions.

// addControl draws gates and flow control of rings. Both need sizes, mostly.
func addControl(r drawer, l *Line) {
	grid := l.isOn("network ring", "network torus", "network mesh", "BookSim configuration")
	if r.may("gate", map[bool]int{true: 7, false: 1}[grid]) {
		l.add("gate", gateText(r))
	}
	if r.may("flow", map[bool]int{true: 5, false: 1}[grid]) {
		l.add("flow", flowText(r))
	}
}

// isOn reports whether the line has one of some kinds.
func (l *Line) isOn(kinds ...string) bool {
	for _, k := range kinds {
		for _, have := range l.Kind {
			if k == have {
				return true
			}
		}
	}
	return false
}

// gateText draws a gate.
func gateText(r drawer) string {
	text := []string{pick(r, "injection", "injection", "turn", "both", "both")}
	for _, key := range []struct {
		percent int
		text    string
	}{
		{70, fmt.Sprintf("level=%d", pick(r, 0, 0, 1, 2, 4, 8))}, {40, fmt.Sprintf("hops=%d", pick(r, 1, 2, 3, 5))},
		{60, "unit=" + pick(r, "flit", "packet", "packet")}, {20, "f=" + pick(r, "f1", "f2", "f3", "f4")}, {20, "vcs=" + pick(r, "own", "any", "all")},
		{15, "buffer=" + pick(r, "stored", "reserved")}, {10, "exempt=escape"}, {10, "within=" + pick(r, "row", "ring")},
	} {
		if r.chance(key.percent) {
			text = append(text, key.text)
		}
	}
	return strings.Join(text, ",")
}

// flowText draws flow control of rings.
func flowText(r drawer) string {
	text := pick(r, "bubble", "bubble", "critical-bubble", "worm-bubble")
	if r.chance(15) {
		text += fmt.Sprintf(",packet=%d", r.between(1, 4))
	}
	if r.chance(15) {
		text += ",off=" + pick(r, "0", "1", "all", "0+1") + pick(r, "", ",from=hosts", ",from=rings", ",from=any")
	}
	if r.chance(10) {
		text += ",vc=" + pick(r, "0", "1", "0+1")
	}
	return text
}

// addSizes draws packet, buffer and atomic VCs. With gates and flow control, sizes are common.
func addSizes(r drawer, l *Line) {
	percent := 30
	if l.has("gate") || l.has("flow") {
		percent = 75
	}
	packet, buffer := pick(r, 1, 1, 1, 2, 3, 4, 5, 8), pick(r, 1, 2, 2, 3, 4, 8, 9)
	if slices.Contains(r.focus, "one flit") {
		packet = 1
	}
	word, _ := l.value("switching")
	if (word == "vct" || word == "saf" || l.has("gate")) && r.chance(90) { // whole packets fit
		buffer = max(buffer, packet)
	}
	if l.has("flow") && r.chance(70) {
		buffer = packet * r.between(1, 3)
	}
	if r.may("sizes", percent) || packet == 1 && r.may("one flit", 0) {
		l.add("packet", fmt.Sprint(packet))
		l.add("buffer", fmt.Sprint(buffer))
	} else if r.chance(2) {
		l.add(pick(r, "packet", "buffer"), fmt.Sprint(packet))
	}
	if l.has("gate") && l.has("buffer") && r.chance(20) {
		l.add("atomic", "")
	} else if isWorm := word != "vct" && word != "saf" && !l.has("flow"); r.chance(2) || isWorm && l.has("buffer") && r.may("atomic", 25) {
		l.add("atomic", "")
	}
}

// addOpinions draws rare flags: premises, failures, second opinions.
func addOpinions(r drawer, l *Line, hosts []string) {
	for _, o := range []struct {
		permille int
		Option
	}{
		{40, Option{"strict", ""}},
		{30, Option{"assume", pick(r, "all", "messages", "messages,flows", "switching,waiting,packet-and-buffer", "multicast,service-levels")}},
		{60, Option{"simulate", ""}},
		{60, Option{"check", ""}},
		{15, Option{"cross-check", ""}},
		{25, Option{"fail", pick(r, "links:1", "links:1", "switches:1")}},
		{8, Option{"management", pick(r, "none", "hosts", "all")}},
		{8, Option{"multicast", "none"}},
		{5, Option{"lmc", pick(r, "0", "1")}},
		{6, Option{"hosts", pick(r, "h*", "at:s*")}},
		{4, Option{"sl", folderMark + "flows.csv"}},
		{4, Option{"sl2vl", folderMark + "flows.csv"}},
	} {
		if r.IntN(1000) < o.permille && !l.has(o.Flag) {
			l.Options = append(l.Options, o.Option)
		}
	}
	if r.IntN(1000) < 15 {
		l.add("mend", folderMark+"mended.out")
		if r.chance(50) {
			l.add("seconds", "1")
		}
		if r.chance(50) {
			l.add("memory", "1G")
		}
	}
	if (l.has("fail") || l.has("mend")) && r.chance(30) {
		l.add("workers", "1")
	}
}
