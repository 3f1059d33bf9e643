package workload

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
)

const smallGoal = `// two ranks
num_ranks 3
rank 0 { /* a comment
  of two lines */
  l1: calc 100 cpu 2
  send 8b to 1 tag 5 cpu 1 nic 0
  b : send 12 b to 1
  b requires l1
  b irequires c
  c: recv 0b from -1 tag -1
}
rank 2 {
  x: send 0b to 0 tag 7 }
rank 1 {
  recv 8b from 0 tag 5
  recv 12b from 0
}
`

// TestGoal compares a text with all its operations and dependencies.
func TestGoal(t *testing.T) {
	g := mustGoal(t, smallGoal)
	want := []Op{
		{Kind: Calc, Amount: 100, CPU: 2, Line: 5},
		{Kind: Send, Amount: 8, Peer: 1, Tag: 5, CPU: 1, Line: 6},
		{Kind: Send, Amount: 12, Peer: 1, Line: 7},
		{Kind: Recv, Peer: Any, Tag: Any, Line: 10},
		{Kind: Send, Rank: 2, Tag: 7, Line: 13},
		{Kind: Recv, Rank: 1, Amount: 8, Tag: 5, Line: 15},
		{Kind: Recv, Rank: 1, Amount: 12, Line: 16},
	}
	if !reflect.DeepEqual(g.Ops, want) {
		t.Errorf("%+v", g.Ops)
	}
	if list := dependencies(g); !reflect.DeepEqual(list, []pair{{2, 0, false}, {2, 3, true}}) {
		t.Errorf("%+v", list)
	}
	if !reflect.DeepEqual(g.Wild, []bool{true, false, false}) || g.Ranks != 3 {
		t.Errorf("%+v", g)
	}
}

func dependencies(g *Graph) (list []pair) {
	g.Requires(func(op, on OpID, start bool) { list = append(list, pair{op, on, start}) })
	return list
}

// TestGoalErrors: each error names the line.
func TestGoalErrors(t *testing.T) {
	block := func(lines string) string { return "num_ranks 2\nrank 0 {\n" + lines + "\n}\n" }
	for text, want := range map[string]string{
		"":                                     "no ranks",
		"num_ranks 0":                          "test.goal:1: number of ranks",
		"num_ranks 99999999":                   "want a whole number from 1 to",
		"num_ranks":                            "has no number",
		"num_ranks 2\nnum_ranks 2":             "test.goal:2: num_ranks appears twice",
		"rank 0 {\n}":                          "a rank before num_ranks",
		"num_ranks 2\nrank 2 {\n}":             `test.goal:2: rank "2": want a whole number from 0 to 1`,
		"num_ranks 2\nrank 0 {\n":              "the block of rank 0 does not end",
		"num_ranks 2\nrank 0 {}\nrank 0 {}":    "test.goal:3: rank 0 has a block in line 2",
		"num_ranks 2\n/* x":                    "the comment does not end",
		"num_ranks 2\nrank 0":                  "want rank NUMBER {",
		"num_ranks 2\ncalc 5":                  `"calc" outside a rank`,
		"num_ranks 2\n}":                       "} without a block",
		block("calc"):                          "want calc NANOSECONDS",
		block("calc -1"):                       `test.goal:3: rank 0: duration "-1"`,
		block("calc 5 tag 1"):                  "want tag, cpu or nic",
		block("calc 5 cpu"):                    "no number after",
		block("calc 5 cpu 256"):                "want a whole number from 0 to 255",
		block("send 5 to 1"):                   "want send BYTESb to RANK",
		block("send 5b from 1"):                "want send BYTESb to RANK",
		block("send 5b to -1"):                 `rank "-1"`,
		block("send 5b to 2"):                  "want a whole number from 0 to 1",
		block("send 5b to 1 tag -1"):           `tag "-1"`,
		block("a: calc 1\na: calc 2"):          "test.goal:4: rank 0: the label a belongs to line 3",
		block("label: calc 1\nx requires lab"): "no operation has the label x",
		block("label: calc 1\nlabel requires labl\ncalc 4"):        "test.goal:4: rank 0: no operation has the label labl (did you mean label?)",
		block("a: calc 1\na requires"):                             "LABEL requires LABEL",
		block("l:"):                                                "no operation after the label l",
		block("sent 5b to 1"):                                      `no operation "sent" (did you mean send?)`,
		block("a: calc 1\na requires a"):                           "test.goal:3: rank 0: the calculation of 1 ns waits for itself: it requires test.goal:3",
		block("a: calc 1\nb: calc 2\na requires b\nb irequires a"): "it requires test.goal:4, which requires test.goal:3",
		block("send 5b to 1 tag 3"):                                "test.goal:3: rank 0: the send of 5 bytes to rank 1, tag 3 has no receive",
		block("recv 1b from 1 tag 3"):                              "test.goal:3: rank 0: the receive of 1 byte from rank 1, tag 3 gets no message",
		block("recv 5b from -1"):                                   "gets no message",
		block(strings.Repeat("x", 1<<21)):                          "test.goal:3: the line is longer than 1 MiB",
	} {
		if _, err := readGoal("test.goal", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// goalBinary writes a graph as LogGOPSim's txt2bin does.
func goalBinary(g *Graph) []byte {
	var head, body bytes.Buffer
	put := func(b *bytes.Buffer, list ...any) {
		for _, v := range list {
			_ = binary.Write(b, binary.LittleEndian, v) // a buffer takes all
		}
	}
	put(&head, uint64(4223), uint32(g.Ranks), uint8(3), uint8(1))
	at := uint64(6 + 16*g.Ranks)
	for rank := range g.Ranks {
		var ops []OpID
		index := map[OpID]uint32{}
		for i := range g.Ops {
			if int(g.Ops[i].Rank) == rank {
				index[OpID(i)] = uint32(len(ops))
				ops = append(ops, OpID(i))
			}
		}
		var part, list bytes.Buffer
		put(&part, uint32(len(ops)), uint32(1), uint32(0)) // one root, which readers do not need
		entries := uint32(0)
		for _, x := range ops {
			o := g.Ops[x]
			kind := map[Kind]uint8{Send: 1, Recv: 2, Calc: 3}[o.Kind]
			put(&part, uint32(g.needs[x]), kind, uint32(o.Peer), uint64(o.Amount), uint32(o.Tag), uint8(o.CPU), uint8(0))
			for _, e := range []*edges{&g.after, &g.started} {
				put(&part, uint32(len(e.of(x))), entries)
				for _, y := range e.of(x) {
					put(&list, index[y])
					entries++
				}
			}
		}
		part.Write(list.Bytes())
		put(&head, at, at+uint64(part.Len()))
		at += uint64(part.Len())
		body.Write(part.Bytes())
	}
	return append(head.Bytes(), body.Bytes()...)
}

// TestGoalBinary: text and binary give the same graph, except for positions.
func TestGoalBinary(t *testing.T) {
	text := mustGoal(t, smallGoal)
	data := goalBinary(text)
	if !isGoalBinary(data) {
		t.Error("not recognised")
	}
	g, err := readGoalBinary("x.bin", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	// The binary form has the ranks in order, the text does not.
	order := []OpID{0, 1, 2, 3, 5, 6, 4}
	for i, x := range order {
		a, b := g.Ops[i], text.Ops[x]
		a.Line, b.Line = 0, 0
		if a != b {
			t.Errorf("operation %d: %+v, want %+v", i, a, b)
		}
	}
	if list := dependencies(g); !reflect.DeepEqual(list, []pair{{2, 0, false}, {2, 3, true}}) || len(g.Ops) != len(order) {
		t.Errorf("%+v", list)
	}
	for k := range data { // every cut is an error
		if _, err := readGoalBinary("x.bin", bytes.NewReader(data[:k])); err == nil {
			t.Errorf("the first %d of %d bytes are read", k, len(data))
		}
	}
	bad := bytes.Clone(data)
	bad[8+6+16*3+12+4] = 9 // the type of the first operation
	if _, err := readGoalBinary("x.bin", bytes.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "rank 0: operation 1 has type 9") {
		t.Error(err)
	}
}
