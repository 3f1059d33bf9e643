package aie

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model/streams"
)

// This file makes the problem of a design.
//
// The premises of the model:
//
//   - A packet holds the arbiter of each switchbox, and each port, from its header to its last word. Any packet that
//     waits for a free arbiter may get it: arbiters are not assumed to be fair, and nothing has a duration.
//   - Words lie only in the buffers at the two ends of a route. Measured on Strix by the authors of mlir-aie: a stream holds 8
//     words beyond those that the receiver takes, however many switchboxes it passes (docs/DeadlockModel.md there).
//   - A packet has a header of one word, which a receiver drops unless it is to keep it.
//   - A channel takes words of its BD, whatever the packets they belong to. It acquires its locks before the transfer.
//   - The host runs the sequence in order. A queue of tasks holds 4 tasks. The run hangs if the host waits for ever.
//   - A channel that the design names in a flow but does not program sends for ever, or takes for ever.

// Options are the sizes of buffers in words.
type Options struct {
	Sender   int // behind a sending channel; 0: DefaultSender
	Receiver int // before a receiving channel; 0: DefaultReceiver
}

// The defaults of Options. Their sum is what was measured. The part of the receiver is what two designs show that
// share an arbiter at the receiver: 5 words too many pass on the chip, 6 hang.
const (
	DefaultSender   = 3
	DefaultReceiver = 5
)

// separator is the line that separates the design from its routing.
const separator = "// -----"

// Is reports whether a text looks like a design.
func Is(text string) bool { return strings.Contains(text, "aie.device") }

// Read reads a design with its routing.
func Read(text, file string, o Options) (*streams.Problem, error) {
	if o.Sender == 0 {
		o.Sender = DefaultSender
	}
	if o.Receiver == 0 {
		o.Receiver = DefaultReceiver
	}
	d := newDesign(file)
	for _, part := range parts(text) {
		s, err := scan(part.text, file, part.line)
		if err != nil {
			return nil, err
		}
		list, err := s.ops(0)
		if err != nil {
			return nil, err
		}
		if err := d.readPart(list); err != nil {
			return nil, err
		}
	}
	return d.problem(o)
}

type part struct {
	text string
	line int
}

// parts splits a file at the separator.
func parts(text string) (list []part) {
	line, begin := 1, 1
	var rows []string
	for row := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(row, " \r") == separator {
			list = append(list, part{strings.Join(rows, "\n"), begin})
			rows, begin = nil, line+1
		} else {
			rows = append(rows, row)
		}
		line++
	}
	return append(list, part{strings.Join(rows, "\n"), begin})
}

// builder makes the problem.
type builder struct {
	d         *design
	o         Options
	p         *streams.Problem
	resources map[string]int
	counters  map[string]int
	traced    map[stream]traced
	tasks     map[channelID][]streams.Action // programs of the queues of tasks
	queues    []channelID                    // in the order of first use
}

func (d *design) problem(o Options) (*streams.Problem, error) {
	if len(d.boxes) == 0 {
		return nil, fmt.Errorf("%s: the design has no switchbox: run aie-opt --aie-create-pathfinder-flows first", d.file)
	}
	b := &builder{d: d, o: o, p: &streams.Problem{Name: d.file}, resources: map[string]int{}, counters: map[string]int{}, traced: map[stream]traced{},
		tasks: map[channelID][]streams.Action{}}
	for _, name := range d.order {
		b.counter(d.locks[name].name, d.locks[name].value)
	}
	if err := b.host(); err != nil {
		return nil, err
	}
	if err := b.agents(); err != nil {
		return nil, err
	}
	if d.sequence == nil {
		b.p.Notes = append(b.p.Notes, "no runtime sequence: each program that can end has to end")
		for i := range b.p.Agents {
			b.p.Agents[i].Required = ends(b.p.Agents[i].Program)
		}
	}
	if err := b.p.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", d.file, err)
	}
	return b.p, nil
}

// ends reports whether a program has no loop without end.
func ends(program []streams.Action) bool {
	for _, x := range program {
		if x.Kind == streams.Repeat && x.Amount == 0 {
			return false
		}
	}
	return true
}

// resource returns the resource of that name, which it makes if there is none.
func (b *builder) resource(name string, words int) int {
	if i, ok := b.resources[name]; ok {
		return i
	}
	b.resources[name] = len(b.p.Resources)
	b.p.Resources = append(b.p.Resources, streams.Resource{Name: name, Words: words})
	return b.resources[name]
}

// buffer returns the buffer of a channel.
func (b *builder) buffer(c channelID) int {
	if c.send {
		return b.resource(c.String(), b.o.Sender)
	}
	return b.resource(c.String(), b.o.Receiver)
}

// counter returns the counter of that name, which it makes if there is none.
func (b *builder) counter(name string, value int) int {
	if i, ok := b.counters[name]; ok {
		return i
	}
	b.counters[name] = len(b.p.Counters)
	b.p.Counters = append(b.p.Counters, streams.Counter{Name: name, Value: value})
	return b.counters[name]
}

// agent adds an agent.
func (b *builder) agent(name string, required bool, program []streams.Action) {
	b.p.Agents = append(b.p.Agents, streams.Agent{Name: name, Required: required, Program: program})
}

// repeat returns a loop; times 0 is for ever.
func repeat(times int, body []streams.Action) []streams.Action {
	if times == 1 || len(body) == 0 {
		return body
	}
	return append([]streams.Action{{Kind: streams.Repeat, Object: len(body), Amount: times}}, body...)
}
