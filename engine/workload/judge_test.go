package workload

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"pgregory.net/rapid"
)

// This file judges runs of random workloads. The judge knows the workload from the generator, not
// from the reader: the generator writes GOAL text and keeps its own lists.

// event is an operation of the generator.
type event struct {
	rank, peer, bytes, tag int
	kind                   string // calc, send, recv
	nanoseconds, cpu       int
	requires, irequires    []int // earlier events of the same rank
}

// drawWorkload draws events in an order in which each can happen after the earlier ones, so the
// workload ends. Receives with one source and tag start in this order, too, as otherwise a later
// one could take the message that an earlier one needs.
func drawWorkload(t *rapid.T, ranks int) (events []event) {
	byRank, lastRecv := make([][]int, ranks), map[[3]int]int{}
	add := func(e event) {
		for _, x := range byRank[e.rank] {
			switch rapid.IntRange(0, 7).Draw(t, "requires") {
			case 0:
				e.requires = append(e.requires, x)
			case 1:
				e.irequires = append(e.irequires, x)
			}
		}
		if key := [3]int{e.rank, e.peer, e.tag}; e.kind == "recv" {
			if x, ok := lastRecv[key]; ok && !slices.Contains(e.requires, x) && !slices.Contains(e.irequires, x) {
				e.irequires = append(e.irequires, x)
			}
			lastRecv[key] = len(events)
		}
		byRank[e.rank] = append(byRank[e.rank], len(events))
		events = append(events, e)
	}
	for range rapid.IntRange(1, 25).Draw(t, "events") {
		rank := rapid.IntRange(0, ranks-1).Draw(t, "rank")
		if rapid.Bool().Draw(t, "calc") {
			add(event{rank: rank, kind: "calc", nanoseconds: rapid.IntRange(0, 60).Draw(t, "ns"), cpu: rapid.IntRange(0, 1).Draw(t, "cpu")})
			continue
		}
		peer, bytes, tag := rapid.IntRange(0, ranks-1).Draw(t, "peer"), rapid.IntRange(0, 300).Draw(t, "bytes"), rapid.IntRange(0, 1).Draw(t, "tag")
		add(event{rank: rank, peer: peer, bytes: bytes, tag: tag, kind: "send", cpu: rapid.IntRange(0, 1).Draw(t, "cpu")})
		add(event{rank: peer, peer: rank, bytes: bytes, tag: tag, kind: "recv"})
	}
	return events
}

// goalText writes the events in GOAL, and returns the number of each event's operation in the
// order of the text.
func goalText(events []event, ranks int) (text string, number []int) {
	var b strings.Builder
	number = make([]int, len(events))
	next := 0
	fmt.Fprintf(&b, "num_ranks %d\n", ranks)
	for rank := range ranks {
		fmt.Fprintf(&b, "rank %d {\n", rank)
		for i, e := range events {
			if e.rank != rank {
				continue
			}
			number[i] = next
			next++
			switch e.kind {
			case "calc":
				fmt.Fprintf(&b, "e%d: calc %d cpu %d\n", i, e.nanoseconds, e.cpu)
			case "send":
				fmt.Fprintf(&b, "e%d: send %db to %d tag %d cpu %d\n", i, e.bytes, e.peer, e.tag, e.cpu)
			case "recv":
				fmt.Fprintf(&b, "e%d: recv %db from %d tag %d\n", i, e.bytes, e.peer, e.tag)
			}
			for _, x := range e.requires {
				fmt.Fprintf(&b, "e%d requires e%d\n", i, x)
			}
			for _, x := range e.irequires {
				fmt.Fprintf(&b, "e%d irequires e%d\n", i, x)
			}
		}
		b.WriteString("}\n")
	}
	return b.String(), number
}

const (
	judgeFlitBytes = 16
	judgePacket    = 3
)

// judge fails if a run of the events is wrong. arrivals has, by event, the arrivals of its packets.
func judge(events []event, times []Times, messages map[int]Message, eventOf map[int]int, arrivals map[int][]engine.Delivery) error {
	for i, e := range events {
		x := times[i]
		if x.Start < 0 || x.End < x.Start {
			return fmt.Errorf("event %d is at %+v", i, x)
		}
		ready := engine.Clock(0)
		for _, on := range e.requires {
			ready = max(ready, times[on].End)
		}
		for _, on := range e.irequires {
			ready = max(ready, times[on].Start)
		}
		if x.Start < ready {
			return fmt.Errorf("event %d starts at %d, before %d", i, x.Start, ready)
		}
		if x.Start > ready && (e.kind == "recv" || !occupied(events, times, i, ready, x.Start)) {
			return fmt.Errorf("event %d starts at %d, it could at %d", i, x.Start, ready)
		}
		for j, f := range events {
			if e.kind != "recv" && f.kind == "calc" && i != j && f.rank == e.rank && f.cpu == e.cpu && times[j].Start < x.Start && x.Start < times[j].End {
				return fmt.Errorf("event %d starts while event %d has its processor", i, j)
			}
			if e.kind == "calc" && f.kind == "calc" && i != j && f.rank == e.rank && f.cpu == e.cpu && times[j] == x && x.Start < x.End {
				return fmt.Errorf("events %d and %d have a processor at the same time", i, j)
			}
		}
		if e.kind == "calc" && x.End != x.Start+engine.Clock(e.nanoseconds) {
			return fmt.Errorf("event %d takes %d clocks, not %d", i, x.End-x.Start, e.nanoseconds)
		}
	}
	return judgeMessages(events, times, messages, eventOf, arrivals)
}

// occupied reports whether calculations occupy the processor of event i from one time to another.
func occupied(events []event, times []Times, i int, from, to engine.Clock) bool {
	for at := from; at < to; {
		next := at
		for j, e := range events {
			if e.kind == "calc" && e.rank == events[i].rank && e.cpu == events[i].cpu && times[j].Start <= at && times[j].End > at {
				next = times[j].End
			}
		}
		if next == at {
			return false
		}
		at = next
	}
	return true
}

// judgeMessages checks that each send has one receive, with the order of the channel, and that
// exactly its packets arrive.
func judgeMessages(events []event, times []Times, messages map[int]Message, eventOf map[int]int, arrivals map[int][]engine.Delivery) error {
	taken := map[int]bool{}
	for i, e := range events {
		if e.kind != "send" {
			continue
		}
		m, ok := messages[i]
		if !ok {
			return fmt.Errorf("the message of event %d is missing", i)
		}
		j := eventOf[int(m.Receive)]
		r := events[j]
		if taken[j] || r.kind != "recv" || r.rank != e.peer || r.peer != e.rank || r.tag != e.tag {
			return fmt.Errorf("the message of event %d goes to event %d", i, j)
		}
		taken[j] = true
		if want := max(times[j].Start, m.Arrived); times[j].End != want {
			return fmt.Errorf("event %d ends at %d, not at %d", j, times[j].End, want)
		}
		for k, other := range messages {
			f := events[k]
			if f.rank == e.rank && f.peer == e.peer && f.tag == e.tag && other.Started < m.Started && times[eventOf[int(other.Receive)]].Start > times[j].Start {
				return fmt.Errorf("the messages of events %d and %d change their order", k, i)
			}
		}
		if err := judgePackets(e, m, arrivals[i]); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	if len(messages) != len(taken) {
		return fmt.Errorf("%d messages, %d receives", len(messages), len(taken))
	}
	return nil
}

func judgePackets(e event, m Message, packets []engine.Delivery) error {
	if e.rank == e.peer {
		if len(packets) != 0 || m.Arrived != m.Started+1 {
			return fmt.Errorf("a message to its own rank: %d packets, %+v", len(packets), m)
		}
		return nil
	}
	flits, last, longest := 0, engine.Clock(0), 0
	for _, p := range packets {
		flits += p.Flits
		longest = max(longest, p.Flits)
		last = max(last, p.Arrived)
		if p.Injected < m.Started || int(p.Source) != e.rank || int(p.Dest) != e.peer {
			return fmt.Errorf("packet %+v", p)
		}
	}
	want := max(1, (e.bytes+judgeFlitBytes-1)/judgeFlitBytes)
	if m.Left < m.First+engine.Clock(want) {
		return fmt.Errorf("%d flits leave the host from %d to %d", want, m.First, m.Left)
	}
	if flits != want || len(packets) != (want+judgePacket-1)/judgePacket || longest > judgePacket || m.Arrived != last+1 {
		return fmt.Errorf("%d bytes in %d packets of %d flits until %d, the message arrives at %d", e.bytes, len(packets), flits, last, m.Arrived)
	}
	return nil
}

// TestRandomWorkloads judges random workloads on several networks.
func TestRandomWorkloads(t *testing.T) {
	networks := []model.Relation{relation(t, "mesh:3x2", "dor"), relation(t, "mesh:3x3", "west-first"), relation(t, "torus:3x3,vcs=2", "dor"),
		relation(t, "fattree:k=4", "updown"), relation(t, "ring:5,vcs=2", "dor")}
	rapid.Check(t, func(t *rapid.T) {
		r := networks[rapid.IntRange(0, len(networks)-1).Draw(t, "network")]
		ranks := rapid.IntRange(1, min(6, r.Network().NumHosts())).Draw(t, "ranks")
		events := drawWorkload(t, ranks)
		text, number := goalText(events, ranks)
		g, err := readGoal("drawn.goal", strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		eventOf, arrivals := map[int]int{}, map[int][]engine.Delivery{}
		for i, k := range number {
			eventOf[k] = i
		}
		s := Settings{FlitBytes: judgeFlitBytes, Packet: judgePacket, Check: true,
			Report: func(d engine.Delivery) { i := eventOf[int(d.ID)]; arrivals[i] = append(arrivals[i], d) }}
		res, err := Run(context.Background(), r, g, s)
		if err != nil || !res.Finished {
			t.Fatalf("%v, %+v\n%s", err, res, text)
		}
		times, messages, end := make([]Times, len(events)), map[int]Message{}, engine.Clock(0)
		for i, k := range number {
			times[i] = res.Times[k]
			end = max(end, times[i].End)
		}
		for _, m := range res.Messages {
			messages[eventOf[int(m.Send)]] = m
		}
		if err := judge(events, times, messages, eventOf, arrivals); err != nil || res.End != end {
			t.Fatalf("%v, end %d and %d\n%s", err, res.End, end, text)
		}
		s.Check, s.Report = false, nil
		again, err := Run(context.Background(), r, g, s) // skips the clocks of an empty network
		if err != nil || !slices.Equal(again.Times, res.Times) || again.FlitHops != res.FlitHops {
			t.Fatalf("another result without the check: %v\n%s", err, text)
		}
		checkRapidPath(t, g, res)
	})
}

func checkRapidPath(t *rapid.T, g *Graph, res *Result) {
	at := res.End
	for _, s := range res.Path {
		if s.To != at || s.From > s.To {
			t.Fatalf("the critical path has the step %+v (%s) before time %d", s, g.Describe(s.Op), at)
		}
		at = s.From
	}
	if at != 0 {
		t.Fatalf("the critical path begins at time %d", at)
	}
}
