package aie

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model/streams"
)

// This file makes an agent of the runtime sequence. The host pushes tasks into the queues of channels, and waits
// for tokens of tasks that are done.

// tasksInQueue is how many tasks a queue holds.
const tasksInQueue = 4

// task is a transfer of a channel that the host has configured.
type task struct {
	channelID
	moves  []transfer
	runs   int
	token  bool
	number int // of tasks that are started by name; its token is its own
}

// transfer is a BD of a task.
type transfer struct{ words, packet int }

// hostReader reads the sequence.
type hostReader struct {
	b         *builder
	program   []streams.Action
	constants map[string]int
	tasks     map[string]task
	steps     int
}

// mostEvents bounds the sequence after its loops are unrolled.
const mostEvents = 1 << 16

func (b *builder) host() error {
	if b.d.sequence == nil {
		return nil
	}
	h := &hostReader{b: b, constants: map[string]int{}, tasks: map[string]task{}}
	for _, region := range b.d.sequence.regions {
		if err := h.read(region); err != nil {
			return err
		}
	}
	b.agent("host", true, h.program)
	return nil
}

func (h *hostReader) read(list []*op) error {
	for _, x := range list {
		if h.steps++; h.steps > mostEvents {
			return h.b.d.errorf(x, "the sequence has more than %d steps", mostEvents)
		}
		if err := h.event(x); err != nil {
			return err
		}
	}
	return nil
}

func (h *hostReader) event(x *op) error {
	switch x.name {
	case "arith.constant":
		readConstant(x, h.constants)
	case "scf.for":
		times, known := loop(x, h.constants)
		if !known || len(x.regions) != 1 {
			return h.b.d.errorf(x, "only scf.for with constant bounds is read")
		}
		for range times {
			if err := h.read(x.regions[0]); err != nil {
				return err
			}
		}
	case "aiex.npu.dma_memcpy_nd":
		t, err := h.memcpy(x)
		if err != nil {
			return err
		}
		return h.push(x, t)
	case "aiex.npu.dma_wait":
		a, ok := h.b.d.allocs[x.after("symbol", "=")]
		if !ok {
			return h.b.d.errorf(x, "aiex.npu.dma_wait names no allocation of a shim DMA")
		}
		h.program = append(h.program, streams.Action{Kind: streams.Acquire, Object: h.b.counter("tokens of "+a.channelID.String(), 0), Amount: 1})
	case "aiex.dma_configure_task_for", "aiex.dma_configure_task":
		return h.configure(x)
	case "aiex.dma_start_task", "aiex.dma_await_task":
		return h.named(x)
	case "aie.end", "aiex.dma_free_task", "aiex.npu.rtp_write", "aiex.npu.write32", "scf.yield":
	default:
		return h.b.d.errorf(x, "%.60s in a runtime sequence is not read", x.name)
	}
	return nil
}

// memcpy reads a transfer and its channel.
func (h *hostReader) memcpy(x *op) (task, error) {
	a, ok := h.b.d.allocs[x.after("metadata", "=")]
	_, bits, typed := x.memref()
	if !ok || !typed {
		return task{}, h.b.d.errorf(x, "aiex.npu.dma_memcpy_nd needs an allocation of a shim DMA and a memref")
	}
	t := task{channelID: a.channelID, runs: 1, token: x.after("issue_token", "=") == "true"}
	packet := a.packet
	if id, ok := x.number("pkt_id"); ok {
		packet = id
	}
	elements := 1
	for i, word := range x.brackets(1) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > streams.MostWords || elements > streams.MostWords {
			return task{}, h.b.d.errorf(x, "the sizes of a transfer are not constants")
		}
		if i == 0 { // the outermost size is how often the BD runs, each time as a packet of its own
			t.runs = n
			continue
		}
		elements *= n
	}
	words := elements * bits / 32
	if words < 1 || elements*bits%32 != 0 {
		return task{}, h.b.d.errorf(x, "a transfer of %d elements of %d bits is not a whole number of words", elements, bits)
	}
	t.moves = []transfer{{words, packet}}
	return t, nil
}

// configure reads a task that is started by name.
func (h *hostReader) configure(x *op) error {
	packet := -1
	t := task{runs: 1, token: x.after("issue_token", "=") == "true", number: len(h.tasks) + 1}
	if names := x.withPrefix("@"); len(names) > 0 {
		a, ok := h.b.d.allocs[names[0]]
		if !ok {
			return h.b.d.errorf(x, "there is no allocation %s", names[0])
		}
		t.channelID, packet = a.channelID, a.packet
	} else {
		at, ok := h.b.d.named[first(x.withPrefix("%"))]
		n := x.numbers()
		if !ok || len(n) == 0 || x.has("MM2S") == x.has("S2MM") {
			return h.b.d.errorf(x, "a task needs a tile, a direction and a channel")
		}
		t.channelID = channelID{at, x.has("MM2S"), n[0]}
	}
	if r, ok := x.number("repeat_count"); ok {
		t.runs = r + 1
	}
	for _, region := range x.regions {
		for _, y := range region {
			if y.name != "aie.dma_bd" {
				continue
			}
			b, err := h.b.d.readBD(y)
			if err != nil {
				return err
			}
			if b.packet < 0 {
				b.packet = packet
			}
			t.moves = append(t.moves, transfer{b.words, b.packet})
		}
	}
	if len(t.moves) == 0 || len(x.results) != 1 {
		return h.b.d.errorf(x, "a task needs a name and a BD")
	}
	h.tasks[x.results[0]] = t
	return nil
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// named starts a task, or waits for it.
func (h *hostReader) named(x *op) error {
	t, ok := h.tasks[first(x.withPrefix("%"))]
	if !ok {
		return h.b.d.errorf(x, "%s names no task", x.name)
	}
	if x.name == "aiex.dma_start_task" {
		return h.push(x, t)
	}
	h.program = append(h.program, streams.Action{Kind: streams.Acquire, Object: h.tokens(t), Amount: 1})
	return nil
}

// tokens returns the counter of the tokens of a task.
func (h *hostReader) tokens(t task) int {
	if t.number > 0 {
		return h.b.counter(fmt.Sprintf("tokens of task %d of %s", t.number, t.channelID), 0)
	}
	return h.b.counter("tokens of "+t.channelID.String(), 0)
}

// push puts a task into the queue of its channel.
func (h *hostReader) push(x *op, t task) error {
	b, c := h.b, t.channelID
	if b.tasks[c] == nil {
		b.queues = append(b.queues, c)
	}
	queue, room := b.counter("tasks for "+c.String(), 0), b.counter("room for tasks of "+c.String(), tasksInQueue)
	h.program = append(h.program, streams.Action{Kind: streams.Acquire, Object: room, Amount: 1},
		streams.Action{Kind: streams.Release, Object: queue, Amount: 1})
	var moves []streams.Action
	for _, m := range t.moves {
		move, err := b.move(c, m.packet, m.words)
		if err != nil {
			return fmt.Errorf("%w (line %d)", err, x.line)
		}
		moves = append(moves, move)
	}
	program := append(b.tasks[c], streams.Action{Kind: streams.Acquire, Object: queue, Amount: 1},
		streams.Action{Kind: streams.Release, Object: room, Amount: 1})
	program = append(program, repeat(t.runs, moves)...)
	if t.token {
		done, err := b.done(c, h.tokens(t))
		if err != nil {
			return err
		}
		program = append(program, streams.Action{Kind: streams.Release, Object: done, Amount: 1})
	}
	b.tasks[c] = program
	return nil
}
