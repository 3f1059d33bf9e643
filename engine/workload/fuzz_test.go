package workload

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// holds fails if a graph that a reader returned is not complete, or if an error names no file.
func holds(t *testing.T, g *Graph, err error) {
	if err != nil {
		if e := (*Error)(nil); !errors.As(err, &e) || e.File == "" || e.Msg == "" {
			t.Fatalf("an error without a file: %v", err)
		}
		return
	}
	needs := make([]int32, len(g.Ops))
	g.Requires(func(op, on OpID, _ bool) {
		if needs[op]++; g.Ops[op].Rank != g.Ops[on].Rank {
			t.Fatalf("operation %d of rank %d requires one of rank %d", op, g.Ops[op].Rank, g.Ops[on].Rank)
		}
	})
	sends, receives := 0, 0
	for i, o := range g.Ops {
		if needs[i] != g.needs[i] || o.Rank < 0 || int(o.Rank) >= g.Ranks || o.Amount < 0 || int(o.File) >= len(g.Files) {
			t.Fatalf("operation %d: %+v", i, o)
		}
		switch o.Kind {
		case Send:
			sends++
		case Recv:
			receives++
		}
	}
	if sends != receives {
		t.Fatalf("%d sends, %d receives", sends, receives)
	}
}

func fuzzReader(f *testing.F, read func(name string, r io.Reader) (*Graph, error), seeds ...[]byte) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := read("fuzz", bytes.NewReader(data))
		holds(t, g, err)
	})
}

func FuzzGoal(f *testing.F) { fuzzReader(f, readGoal, []byte(smallGoal)) }

func FuzzGoalBinary(f *testing.F) {
	fuzzReader(f, readGoalBinary, goalBinary(mustGoal(f, smallGoal)))
}

func FuzzCSV(f *testing.F) {
	fuzzReader(f, readCSV, []byte("id,source,destination,bytes,after,delay_ns\na,0,1,5,,\nb,1,0,5,a,7\n"))
}

func FuzzChakraProto(f *testing.F) {
	fuzzReader(f, oneTrace(readChakraProto), protoTrace(pingTrace(0), true), protoTrace(pingTrace(1), false))
}

func FuzzChakraJSON(f *testing.F) {
	fuzzReader(f, oneTrace(readChakraJSON), []byte(jsonTrace(pingTrace(0), true)), []byte(jsonTrace(pingTrace(1), false)))
}

// oneTrace reads a trace that two ranks run.
func oneTrace(read func(name string, r io.Reader) ([]chakraNode, error)) func(name string, r io.Reader) (*Graph, error) {
	return func(name string, r io.Reader) (*Graph, error) {
		nodes, err := read(name, r)
		if err != nil {
			return nil, err
		}
		return readChakra(name, []string{name}, [][]chakraNode{nodes}, chakraOptions{Copies: 2})
	}
}
