package workload

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file reads GOAL, the group operation assembly language, as text:
//
//	num_ranks 2
//	rank 0 {
//	  l1: calc 100 cpu 0
//	  l2: send 8b to 1 tag 5 cpu 0 nic 0
//	  l2 requires l1
//	}
//	rank 1 {
//	  l1: recv 8b from 0 tag 5
//	}
//
// Source: T. Hoefler, C. Siebert and A. Lumsdaine, Group Operation Assembly Language, ICPP 2009;
// the grammar of LogGOPSim (txt2bin). A calculation takes nanoseconds. "//" and "/* */" are
// comments. Beyond that grammar, a dependency may name a label that follows, and attributes may be
// in any order.

// goal is the state of the reader.
type goal struct {
	*builder
	name    string
	line    int
	rank    int // of the current block, or -1
	comment bool
	seen    map[int]int     // by rank: the line of its block
	labels  map[string]OpID // of the current block
	waits   []goalWait      // of the current block
}

// goalWait is a dependency by labels.
type goalWait struct {
	op, on string
	line   int
	start  bool
}

// readGoal reads a workload in GOAL.
func readGoal(name string, r io.Reader) (*Graph, error) {
	g := &goal{builder: newBuilder(name, "line", 0, name), name: name, rank: -1, seen: map[int]int{}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), 1<<20)
	for in.Scan() {
		g.line++
		if err := g.read(in.Text()); err != nil {
			return nil, err
		}
	}
	if err := in.Err(); err != nil {
		return nil, &Error{File: name, Line: g.line + 1, Msg: lineReason(err), Err: err}
	}
	switch {
	case g.comment:
		return nil, g.errorf("the comment does not end; want */")
	case g.rank >= 0:
		return nil, g.errorf("the block of rank %d does not end; want }", g.rank)
	case g.Ranks == 0:
		return nil, g.errorf("no ranks; want num_ranks NUMBER")
	}
	return g.finish()
}

func lineReason(err error) string {
	if errors.Is(err, bufio.ErrTooLong) {
		return "the line is longer than 1 MiB"
	}
	return "cannot be read: " + err.Error()
}

func (g *goal) errorf(format string, a ...any) error {
	text := fmt.Sprintf(format, a...)
	if g.rank >= 0 {
		text = fmt.Sprintf("rank %d: %s", g.rank, text)
	}
	return &Error{File: g.name, Line: g.line, Msg: text}
}

// read reads a line.
func (g *goal) read(line string) error {
	text := g.withoutComments(line)
	for _, mark := range []string{"{", "}", ":"} {
		text = strings.ReplaceAll(text, mark, " "+mark+" ")
	}
	words := strings.Fields(text)
	for len(words) > 0 {
		used, err := g.statement(words)
		if err != nil {
			return err
		}
		words = words[used:]
	}
	return nil
}

// withoutComments returns the line without comments.
func (g *goal) withoutComments(line string) string {
	text := ""
	for {
		if g.comment {
			_, rest, ended := strings.Cut(line, "*/")
			if !ended {
				return text
			}
			line, g.comment = rest, false
		}
		one, many := strings.Index(line, "//"), strings.Index(line, "/*")
		switch {
		case one >= 0 && (many < 0 || one < many):
			return text + line[:one]
		case many < 0:
			return text + line
		}
		text, line, g.comment = text+line[:many]+" ", line[many+2:], true
	}
}

// statement reads the statement at the start of words, and returns the number of words read. A
// brace may be followed by another statement in its line; all other statements end with the line.
func (g *goal) statement(words []string) (int, error) {
	switch {
	case words[0] == "num_ranks":
		return 2, g.numRanks(words)
	case words[0] == "rank" && g.rank < 0:
		return 3, g.open(words)
	case words[0] == "}":
		return 1, g.close()
	case g.rank < 0:
		return 0, g.errorf("%q outside a rank; want num_ranks NUMBER or rank NUMBER {", clip(words[0]))
	}
	end := len(words)
	if words[end-1] == "}" {
		end--
	}
	label := ""
	if end > 1 && words[1] == ":" {
		label = words[0]
		if end == 2 {
			return 0, g.errorf("no operation after the label %s; want send, recv or calc", clip(label))
		}
		return end, g.operation(label, words[2:end])
	}
	if end > 1 && (words[1] == "requires" || words[1] == "irequires") {
		if end != 3 {
			return 0, g.errorf("a dependency has the form LABEL %s LABEL", words[1])
		}
		g.waits = append(g.waits, goalWait{words[0], words[2], g.line, words[1] == "irequires"})
		return end, nil
	}
	return end, g.operation(label, words[:end])
}

func (g *goal) numRanks(words []string) error {
	if g.Ranks > 0 {
		return g.errorf("num_ranks appears twice")
	}
	if len(words) < 2 {
		return g.errorf("num_ranks has no number")
	}
	k, err := g.number("number of ranks", words[1], 1, MaxRanks)
	g.Ranks = int(k)
	return err
}

// open begins the block of a rank.
func (g *goal) open(words []string) error {
	if g.Ranks == 0 {
		return g.errorf("a rank before num_ranks")
	}
	if len(words) < 3 || words[2] != "{" {
		return g.errorf("want rank NUMBER {")
	}
	k, err := g.number("rank", words[1], 0, int64(g.Ranks)-1)
	if err != nil {
		return err
	}
	if line := g.seen[int(k)]; line > 0 {
		return g.errorf("rank %d has a block in line %d, too", k, line)
	}
	g.rank, g.seen[int(k)], g.labels, g.waits = int(k), g.line, map[string]OpID{}, g.waits[:0]
	return nil
}

// close ends the block of a rank, and finds the operations of its dependencies.
func (g *goal) close() error {
	if g.rank < 0 {
		return g.errorf("} without a block")
	}
	for _, w := range g.waits {
		var ends [2]OpID
		for i, label := range [...]string{w.op, w.on} {
			x, ok := g.labels[label]
			if !ok {
				g.line = w.line
				return g.errorf("no operation has the label %s%s", clip(label), g.nearest(label))
			}
			ends[i] = x
		}
		g.pairs = append(g.pairs, pair{ends[0], ends[1], w.start})
	}
	g.rank = -1
	return nil
}

// nearest suggests a label of this block.
func (g *goal) nearest(label string) string {
	return spelling.Suggest(label, slices.Sorted(maps.Keys(g.labels)))
}

// operation reads a send, a receive or a calculation.
func (g *goal) operation(label string, words []string) error {
	o := Op{Rank: int32(g.rank), Line: clampLine(g.line)}
	var err error
	switch words[0] {
	case "calc":
		if len(words) < 2 {
			return g.errorf("want calc NANOSECONDS")
		}
		o.Kind = Calc
		o.Amount, err = g.number("duration", words[1], 0, maxTime)
		words = words[2:]
	case "send":
		o.Kind = Send
		words, err = g.message(&o, words, "to")
	case "recv":
		o.Kind = Recv
		words, err = g.message(&o, words, "from")
	default:
		return g.errorf("no operation %q%s, known are send, recv, calc", clip(words[0]), spelling.Suggest(words[0], []string{"send", "recv", "calc"}))
	}
	if err == nil {
		err = g.attributes(&o, words)
	}
	if err != nil {
		return err
	}
	x := g.add(o)
	if label == "" {
		return nil
	}
	if y, twice := g.labels[label]; twice {
		return g.errorf("the label %s belongs to line %d, too", clip(label), g.Ops[y].Line)
	}
	g.labels[label] = x
	return nil
}

// message reads bytes and peer: NUMBERb to|from RANK. It returns the remaining words.
func (g *goal) message(o *Op, words []string, joint string) ([]string, error) {
	bytes := ""
	if len(words) > 1 {
		bytes = words[1]
	}
	rest := words[min(2, len(words)):]
	if strings.HasSuffix(bytes, "b") {
		bytes = bytes[:len(bytes)-1]
	} else if len(rest) > 0 && rest[0] == "b" {
		rest = rest[1:]
	} else {
		return nil, g.errorf("want %s BYTESb %s RANK", words[0], joint)
	}
	if len(rest) < 2 || rest[0] != joint {
		return nil, g.errorf("want %s BYTESb %s RANK", words[0], joint)
	}
	var err error
	if o.Amount, err = g.number("size", bytes, 0, maxBytes); err != nil {
		return nil, err
	}
	peer, err := g.orAny(o, "rank", rest[1], int64(g.Ranks)-1)
	o.Peer = int32(peer)
	return rest[2:], err
}

// orAny reads a number. A receive may have -1, which is Any.
func (g *goal) orAny(o *Op, what, word string, most int64) (int64, error) {
	if word == "-1" && o.Kind == Recv {
		return Any, nil
	}
	return g.number(what, word, 0, most)
}

// attributes reads "tag NUMBER", "cpu NUMBER" and "nic NUMBER".
func (g *goal) attributes(o *Op, words []string) error {
	for ; len(words) > 0; words = words[2:] {
		if len(words) == 1 {
			return g.errorf("no number after %q", clip(words[0]))
		}
		var k int64
		var err error
		switch {
		case words[0] == "tag" && o.Kind != Calc:
			o.Tag, err = g.orAny(o, "tag", words[1], 1<<32-1)
		case words[0] == "cpu":
			k, err = g.number("cpu", words[1], 0, 255)
			o.CPU = int16(k)
		case words[0] == "nic":
			_, err = g.number("nic", words[1], 0, 255) // a host has one injection channel
		default:
			return g.errorf("%q after a %s; want tag, cpu or nic", clip(words[0]), o.Kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *goal) number(what, word string, least, most int64) (int64, error) {
	k, err := strconv.ParseInt(word, 10, 64)
	if err != nil || k < least || k > most {
		return 0, g.errorf("%s %q: want a whole number from %d to %d", what, clip(word), least, most)
	}
	return k, nil
}

// clip shortens a text that an error quotes.
func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "..."
	}
	return s
}
