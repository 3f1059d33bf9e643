package aie

import (
	"fmt"
	"slices"
	"sort"

	"github.com/turnproof/turnproof/model/streams"
)

// This file makes agents of cores and DMA channels.

func (b *builder) agents() error {
	for _, t := range sortedTiles(b.d.cores) {
		program, err := b.core(b.d.cores[t].regions, map[string]int{})
		if err != nil {
			return err
		}
		if len(program) > 0 {
			b.agent("core "+t.String(), false, program)
		}
	}
	for _, c := range b.channels() {
		program, err := b.channel(c)
		if err != nil {
			return err
		}
		b.agent(c.String(), false, program)
	}
	for _, c := range b.queues {
		if b.d.chains[c] != nil {
			return fmt.Errorf("%s: channel %s has BDs and gets tasks of the host", b.d.file, c)
		}
		b.agent(c.String(), false, b.tasks[c])
	}
	return b.assumed()
}

// channels returns the channels with BDs in order.
func (b *builder) channels() (list []channelID) {
	for c := range b.d.chains {
		list = append(list, c)
	}
	sort.Slice(list, func(i, k int) bool { return list[i].less(list[k]) })
	return list
}

func (c channelID) less(o channelID) bool {
	key := func(c channelID) []int {
		return []int{c.col, c.row, map[bool]int{true: 1}[c.send], c.channel}
	}
	return slices.Compare(key(c), key(o)) < 0
}

// channel returns the program of a channel.
func (b *builder) channel(c channelID) (program []streams.Action, err error) {
	chain := b.d.chains[c]
	var starts []int
	for _, x := range chain.bds {
		starts = append(starts, len(program))
		if program, err = b.transfer(c, x, program); err != nil {
			return nil, err
		}
	}
	if chain.back < 0 {
		return repeat(chain.runs, program), nil
	}
	at := starts[chain.back]
	return append(program[:at:at], repeat(0, program[at:])...), nil
}

// transfer adds a BD to a program.
func (b *builder) transfer(c channelID, x bd, program []streams.Action) ([]streams.Action, error) {
	for _, u := range x.before {
		program = append(program, b.use(u))
	}
	move, err := b.move(c, x.packet, x.words)
	if err != nil {
		return nil, fmt.Errorf("%w (line %d)", err, x.line)
	}
	program = append(program, move)
	for _, u := range x.after {
		program = append(program, b.use(u))
	}
	return program, nil
}

// move returns the action that sends or takes words.
func (b *builder) move(c channelID, packet, words int) (streams.Action, error) {
	if !c.send {
		return streams.Action{Kind: streams.Take, Object: b.buffer(c), Amount: words, Route: -1}, nil
	}
	t, err := b.trace(stream{c, packet})
	switch {
	case err != nil:
		return streams.Action{}, err
	case t.unrouted && packet < 0:
		return streams.Action{}, fmt.Errorf("%s: channel %s sends words that the routing leads nowhere", b.d.file, c)
	case t.unrouted:
		return streams.Action{}, fmt.Errorf("%s: channel %s sends packets of id %d that the routing leads nowhere", b.d.file, c, packet)
	case packet >= 0:
		words++ // the header
	}
	return streams.Action{Kind: streams.Send, Object: t.route, Amount: words}, nil
}

func (b *builder) use(u use) streams.Action {
	kind := streams.Release
	if u.acquire {
		kind = streams.Acquire
	}
	return streams.Action{Kind: kind, Object: b.counters[b.d.locks[u.lock].name], Amount: u.amount}
}

// core returns what the program of a core does with locks.
func (b *builder) core(regions [][]*op, constants map[string]int) (program []streams.Action, err error) {
	for _, region := range regions {
		for _, x := range region {
			switch x.name {
			case "arith.constant":
				readConstant(x, constants)
				continue
			case "aie.use_lock":
				u, err := b.d.readUse(x, constants)
				if err != nil {
					return nil, err
				}
				program = append(program, b.use(u))
				continue
			}
			body, err := b.core(x.regions, constants)
			if err != nil {
				return nil, err
			}
			if len(body) == 0 {
				continue
			}
			times, known := loop(x, constants)
			if x.name != "scf.for" || !known {
				return nil, b.d.errorf(x, "%.60s around uses of locks: only scf.for with constant bounds is read", x.name)
			}
			if times > streams.MostWords { // a loop that is meant to have no end
				return append(program, repeat(0, body)...), nil
			}
			if times > 0 {
				program = append(program, repeat(times, body)...)
			}
		}
	}
	return program, nil
}

// loop returns how often a loop runs.
func loop(x *op, constants map[string]int) (times int, known bool) {
	from, ok1 := constants[x.after("=")]
	to, ok2 := constants[x.after("to")]
	step, ok3 := constants[x.after("step")]
	if !ok1 || !ok2 || !ok3 || step < 1 {
		return 0, false
	}
	return max(0, (to-from+step-1)/step), true
}

// assumed adds agents for channels that flows name and nothing programs.
func (b *builder) assumed() error {
	has := map[channelID]bool{}
	for c := range b.d.chains {
		has[c] = true
	}
	for _, c := range b.queues {
		has[c] = true
	}
	sends := map[stream]bool{}
	for _, f := range b.d.flows {
		for _, e := range f.from {
			s := stream{channelID{e.tile, true, e.channel}, f.packet}
			if e.bundle != "DMA" || e.row == 0 || has[s.channelID] || sends[s] {
				continue
			}
			sends[s] = true
			move, err := b.move(s.channelID, f.packet, b.expected(f))
			if err != nil {
				return err
			}
			b.assume(s.channelID, move)
		}
		for _, e := range f.to {
			c := channelID{e.tile, false, e.channel}
			if e.bundle != "DMA" || e.row == 0 || has[c] {
				continue
			}
			has[c] = true
			move, err := b.move(c, -1, streams.MostWords)
			if err != nil {
				return err
			}
			b.assume(c, move)
		}
	}
	return nil
}

// assume adds an agent that does the same for ever.
func (b *builder) assume(c channelID, move streams.Action) {
	name := c.String() + " (assumed)"
	if move.Kind == streams.Send {
		name = b.p.Routes[move.Object].Name + " (assumed)"
	}
	b.agent(name, false, repeat(0, []streams.Action{move}))
	what := "takes all words"
	if c.send {
		what = fmt.Sprintf("sends packets of %d words at any time", move.Amount)
	}
	b.p.Notes = append(b.p.Notes, fmt.Sprintf("%s has no program in the design; assumed: it %s", c, what))
}

// expected returns the words of the first BD of a receiver of a flow.
func (b *builder) expected(f flow) int {
	for _, e := range f.to {
		if c := b.d.chains[channelID{e.tile, false, e.channel}]; c != nil && len(c.bds) > 0 {
			return c.bds[0].words
		}
	}
	return 256
}
