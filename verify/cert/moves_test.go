package cert_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// runs reports whether packets can make some moves, and are all at the ends of their paths then. At each move it computes the VCs that
// packets hold again from their places.
func runs(packets []Packet, holds Ints, moves []int32) bool {
	at := make([]int, len(packets)) // by packet: the place of its head on its path
	for _, i := range moves {
		path := packets[i].Path
		if at[i] == len(path)/2-1 {
			return false
		}
		enters := []int32{path[2*at[i]+2]}
		if at[i] == 0 {
			enters = append(enters, path[0])
		}
		for k, p := range packets {
			for j := max(0, at[k]-int(holds[k])+1); at[k] > 0 && j <= at[k]; j++ {
				if slices.Contains(enters, p.Path[2*j]) {
					return false
				}
			}
		}
		at[i]++
	}
	for i, p := range packets {
		if at[i] < len(p.Path)/2-1 {
			return false
		}
	}
	return true
}

// around returns a packet on a ring with clockwise routing, from a switch over some links.
func around(n, from, links, dest int) Packet {
	p := Packet{Source: from, Destination: dest, Path: []int32{int32(2*n + from), 0}}
	for k := range links {
		p.Path = append(p.Path, int32(2*((from+k)%n)), 0)
	}
	return p
}

// orders calls visit with all orders of moves, of which packet i has left[i].
func orders(left []int, moves []int32, visit func([]int32)) {
	if !slices.ContainsFunc(left, func(k int) bool { return k > 0 }) {
		visit(moves)
		return
	}
	for i := range left {
		if left[i] > 0 {
			left[i]--
			orders(left, append(moves, int32(i)), visit)
			left[i]++
		}
	}
}

// TestMoves compares the judge of schedules with a plain simulation, for all orders of moves of packets that hold
// one VC or several.
func TestMoves(t *testing.T) {
	ring4, ring5 := tableOf(ring(4, 1), clockwise), tableOf(ring(5, 1), clockwise)
	ring5.Switching = "wormhole"
	short := Claim{Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceConfiguration}
	for i := range 4 { // by the last VC: one starts there, the others come from the switch before
		links := 1 + min(i, 1)
		short.Packets = append(short.Packets, around(4, (i+5-links)%4, links, (i+2)%4))
	}
	worms := Claim{Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceWorms, Holds: &Ints{2, 3},
		Packets: []Packet{around(5, 4, 3, 3), around(5, 2, 3, 1)}}
	for _, c := range []struct {
		subject Subject
		free    Claim
		holds   Ints
	}{{ring4, short, Ints{1, 1, 1, 1}}, {ring5, worms, Ints{2, 3}}} {
		can, cannot := 0, 0
		judge := func(moves []int32) {
			list := Ints(slices.Clone(moves))
			err := Check(&Certificate{Schema: Schema, Subject: c.subject, Claims: []Claim{c.free,
				{Claim: ClaimReached, Verdict: Proved, Evidence: EvidenceMoves, Moves: &list}}})
			want := runs(c.free.Packets, c.holds, moves)
			if want != (err == nil) {
				t.Fatalf("%v: possible %v, the judge says %v", moves, want, err)
			}
			if want {
				can++
			} else {
				cannot++
			}
		}
		left := []int{}
		for _, p := range c.free.Packets {
			left = append(left, len(p.Path)/2-1)
		}
		orders(left, nil, judge)
		t.Log(can, cannot)
		if can == 0 || cannot == 0 {
			t.Errorf("%d orders are possible, %d are not", can, cannot)
		}
	}
}

// TestMoveRejects changes what a schedule rests on.
func TestMoveRejects(t *testing.T) {
	for name, change := range map[string]func(c *Certificate, moves *Ints){
		"":                           func(*Certificate, *Ints) {},
		"move 0 is of packet 4 of 4": func(_ *Certificate, moves *Ints) { (*moves)[0] = 4 },
		"move 0 is of packet -1":     func(_ *Certificate, moves *Ints) { (*moves)[0] = -1 },
		"is not at the end of its":   func(_ *Certificate, moves *Ints) { *moves = (*moves)[1:] },
		"has no further VC":          func(_ *Certificate, moves *Ints) { *moves = append(*moves, 0) },
		"rests on packets":           func(c *Certificate, _ *Ints) { c.Claims = slices.Delete(c.Claims, 1, 2) },
	} {
		c := kept(t, "moves")
		change(c, c.Claim(ClaimReached).Moves)
		err := Check(c)
		if name == "" && err != nil || name != "" && (err == nil || !strings.Contains(err.Error(), name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
	c := kept(t, "product-reached")
	for i := range c.Subject.Product.Lines {
		l := &c.Subject.Product.Lines[i]
		l.Claims = slices.DeleteFunc(l.Claims, func(k Claim) bool { return k.Claim == ClaimReached })
	}
	if err := Check(c); err == nil || !strings.Contains(fmt.Sprint(err), "no line claims it") {
		t.Errorf("without the schedules of lines: %v", err)
	}
}
