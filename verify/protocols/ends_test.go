package protocols_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/topo"
)

// This file checks that transactions end if nothing blocks them: no entry of a table stays.

// drawnGraph draws the text of a protocol for six hosts: any graph of classes, each in its own virtual network, with queues and tables
// without limit.
func drawnGraph(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("roles:\n  r: 0-1\n  s: 2-4\n  t: 5\nclasses:\n")
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	from := pick("r", "r", "s", "all")
	roots, classes := 1+rng.IntN(2), 3+rng.IntN(3)
	for c := range classes {
		to, rest := pick("r", "s", "s", "t", "all"), pick("", "", "", ", copies: 2", ", multicast: true")
		if c < roots {
			fmt.Fprintf(&b, "  c%d: {from: %s, to: %s, queue: infinite%s}\n", c, from, to, rest)
			continue
		}
		y := func() string { return fmt.Sprint("c", rng.IntN(c)) }
		after := y()
		switch rng.IntN(6) {
		case 0, 1, 2:
			after += " & " + y()
		case 3:
			after += " | " + y()
		case 4:
			after += " & " + y() + " | " + y()
		}
		if to = pick(to, "initiator", "sender"); strings.Contains("initiator", to) || to == "sender" {
			rest = ""
		}
		if c == classes-1 && rng.IntN(2) == 0 {
			to, rest = "none", ""
		}
		fmt.Fprintf(&b, "  c%d: {from: all, to: %s, after: %s, queue: infinite, table: infinite%s}\n", c, to, after, rest)
	}
	return b.String()
}

// joinOfTwoHosts is a protocol in which two hosts send the class of a join to the same host.
const joinOfTwoHosts = "roles: {r: 0-1, s: 2-4}\nclasses:\n  c0: {from: r, to: s, queue: infinite, copies: 2}\n  c1: {from: r, to: s, queue: infinite, copies: 2}\n" +
	"  c2: {from: all, to: sender, after: c1, queue: infinite}\n  c3: {from: all, to: initiator, after: c1 & c0, queue: infinite, table: infinite}\n" +
	"  c4: {from: all, to: initiator, after: c3 & c2, queue: infinite, table: infinite}\n"

// TestTransactionsEnd: without limits no message waits for ever, so every transaction of an accepted protocol ends, by the rules of the
// machine and in the simulator. An entry that stays would be an input that goes elsewhere, or a wrong number of inputs. Openers
// has the inputs that come first.
func TestTransactionsEnd(t *testing.T) {
	r := routed(t, "mesh:3x2", "dor")
	joins, refused := 0, 0
	for seed := range uint64(longtest.Share(120_000, 100)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		text := drawnGraph(rng)
		if seed == 0 {
			text = joinOfTwoHosts
		}
		parsed, err := protocol.Parse("drawn.yaml", []byte(text))
		if err != nil {
			continue
		}
		p, err := parsed.Bind(r.Network())
		if err != nil && strings.Contains(err.Error(), "different hosts") {
			refused++
		}
		if err != nil || total(p) > 200 || engine.CheckProtocol(p) != nil {
			continue
		}
		m := newMachine(r, p, 4, 1, rng.IntN(1000))
		if stuck, err := m.walk(rng, m.start(), 20); stuck || err != nil || m.surprised {
			t.Fatalf("seed %d: the machine ends its transactions: %v, %v; the first input opens the table: %v\n%s", seed, !stuck, err, !m.surprised, text)
		}
		s, all := drawnRun(t, rng, r, p, model.CutThrough, false)
		if runProtocol(t, seed, s, all, text) || s.Answered() != all {
			t.Fatalf("seed %d: %d of %d transactions have ended\n%s", seed, s.Answered(), all, text)
		}
		if strings.Contains(text, "&") {
			joins++
		}
	}
	t.Log(joins, refused)
	if joins < 100 || refused < 25 {
		t.Errorf("%d protocols with joins are accepted, %d refused: the test is too weak", joins, refused)
	}
}

// lossy is a routing that loses packets of some pairs of hosts, before they enter the network or on the way.
type lossy struct {
	model.Relation
	seed uint64
}

func (l lossy) loses(h model.HostID, d model.DestID) bool {
	return engine.Draw(l.seed, uint64(h), uint64(d))%6 == 0 && l.DestinationHost(d) != h
}

func (l lossy) Inject(h model.HostID, d model.DestID, list []model.Class) []model.Class {
	if l.loses(h, d) {
		return list
	}
	return l.Relation.Inject(h, d, list)
}

func (l lossy) Next(s model.State, list []model.Hop) []model.Hop {
	if engine.Draw(l.seed+1, uint64(s.VC), uint64(s.Dest))%9 == 0 {
		return list
	}
	return l.Relation.Next(s, list)
}

// TestLostMessagesEndTransactions: a lost message ends its transaction, and the entries that this has are free again. So all transactions end, if a
// table has an entry for each of them.
func TestLostMessagesEndTransactions(t *testing.T) {
	r := routed(t, "mesh:3x2", "dor")
	lost := 0
	for seed := range uint64(longtest.Share(5000, 50)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		room := 1 + rng.IntN(2)
		text := fmt.Sprintf("outstanding: %d\nroles:\n  r: 0-2\n  s: 3-5\nclasses:\n  a: {from: r, to: s, vn: a}\n  x: {from: s, to: sender, after: a, vn: x}\n"+
			"  b: {from: r, to: s, copies: 2, vn: b, queue: 2}\n  y: {from: s, to: sender, after: b, vn: y}\n"+
			"  end: {from: r, to: s, after: x & y, table: %d, queue: 1, vn: e}\n", room, room)
		parsed, err := protocol.Parse("drawn.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsed.Bind(r.Network())
		if err != nil {
			t.Fatal(err)
		}
		s, all := drawnRun(t, rng, lossy{r, seed}, p, model.CutThrough, false)
		if runProtocol(t, seed, s, all, text) || s.Answered() != all {
			t.Fatalf("seed %d: %d of %d transactions have ended\n%s", seed, s.Answered(), all, text)
		}
		if s.Dropped() > 0 {
			lost++
		}
	}
	if lost < 40 {
		t.Errorf("%d runs lose messages: the test is too weak", lost)
	}
}

// TestHostsOfRoles: a message that a host sends because of another one can go to every host of its role, except its sender and the host that
// began the transaction. Two messages of a transaction to one role go to the same host.
func TestHostsOfRoles(t *testing.T) {
	pairs, count := map[[2]int]bool{}, 0
	run := func(text string, f func(d engine.Delivery)) {
		r := routed(t, "mesh:3x2", "dor")
		parsed, err := protocol.Parse("roles.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsed.Bind(r.Network())
		if err != nil {
			t.Fatal(err)
		}
		rel, err := model.Replicate(r, p)
		if err != nil {
			t.Fatal(err)
		}
		list := make(requests, 6)
		for h := range list {
			for k := range 100 {
				for _, to := range p.Rules[0].To[k%len(p.Rules[0].To):][:1] {
					if int(to) != h {
						list[h] = append(list[h], engine.Packet{Created: engine.Clock(20 * k), Source: model.HostID(h), Dest: model.DestID(to), Flits: 1, ID: int64(6*k + h)})
					}
				}
			}
		}
		o := engine.Options{Seed: 1, Messages: &engine.Messages{Protocol: p, Queue: p.Network, Flits: []int{1, 1, 1}[:len(p.Rules)]}}
		s, err := engine.New(rel, list, o, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 4000); err != nil {
			t.Fatal(err)
		}
	}
	began := map[int64]model.HostID{}
	run("classes:\n  ask: {vn: a, queue: infinite}\n  forward: {vn: b, queue: infinite, after: ask}\n", func(d engine.Delivery) {
		if d.Message == 0 {
			began[d.ID] = d.Source
			return
		}
		count++
		if pairs[[2]int{int(d.Source), int(d.Dest)}] = true; model.HostID(d.Dest) == began[d.ID] {
			t.Errorf("transaction %d goes back to host %d", d.ID, d.Dest)
		}
	})
	if len(pairs) != 6*5 || count < 400 {
		t.Errorf("%d messages between %d pairs of hosts, want all 30", count, len(pairs))
	}
	to := map[int64]model.DestID{}
	run("roles: {r: 0-1, h: 2, s: 3-5}\nclasses:\n  ask: {from: r, to: h, vn: a, queue: infinite}\n  one: {from: h, to: s, vn: b, queue: infinite, after: ask}\n"+
		"  two: {from: h, to: s, vn: c, queue: infinite, after: ask}\n", func(d engine.Delivery) {
		if other, known := to[d.ID]; d.Message > 0 && known && other != d.Dest {
			t.Errorf("messages of transaction %d go to hosts %d and %d", d.ID, other, d.Dest)
		} else if d.Message > 0 {
			to[d.ID] = d.Dest
		}
	})
	if len(to) < 150 {
		t.Errorf("%d transactions", len(to))
	}
}

// TestInputsForOneHost refuses protocols whose transactions stay in tables, because the inputs of a join go to different hosts. The first has been proved to be
// free of deadlock, but its tables fill up.
func TestInputsForOneHost(t *testing.T) {
	n, err := topo.Parse("mesh:3x2")
	if err != nil {
		t.Fatal(err)
	}
	for _, classes := range []string{
		"y: {from: all, to: all}\n  x: {from: all, to: initiator, after: y}\n  end: {from: all, to: none, after: y & x}",
		"y: {from: 0, to: 1-3, copies: 2, queue: 2}\n  z: {from: 1-3, to: 4, after: y}\n  x: {from: 4, to: 1-3, after: z}\n  end: {from: 1-3, to: none, after: y & x}",
		"y: {from: 0, to: 1-3, multicast: true}\n  z: {from: 1-3, to: 0, after: y}\n  x: {from: 0, to: 1-3, after: z}\n  end: {from: 1-3, to: none, after: y & x}",
	} {
		parsed, err := protocol.Parse("refused.yaml", []byte("classes:\n  "+classes+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.Bind(n); err == nil || !strings.Contains(err.Error(), "may go to different hosts") {
			t.Errorf("%s: %v", classes, err)
		}
	}
}

// total returns the number of messages of a transaction.
func total(p *model.Protocol) (sum int) {
	for _, k := range p.Multiplicity() {
		sum += k
	}
	return sum
}
