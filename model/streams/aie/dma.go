package aie

import (
	"strconv"
)

// This file reads the programs of DMA channels and of cores.

// readDMA reads the channels of a tile. Blocks are lists of operations behind a label.
func (d *design) readDMA(o *op) error {
	t, err := d.tileOf(o)
	if err != nil || len(o.regions) != 1 {
		return d.errorf(o, "%s needs a tile and a region", o.name)
	}
	blocks, constants := map[string][]*op{}, map[string]int{}
	label := ""
	var starts []*op
	for _, x := range o.regions[0] {
		switch {
		case x.name[0] == '^':
			label = x.name
			if blocks[label] != nil {
				return d.errorf(x, "there are two blocks %s", label)
			}
			blocks[label] = []*op{}
		case x.name == "arith.constant":
			readConstant(x, constants)
		default:
			if x.name == "aie.dma_start" {
				starts = append(starts, x)
			}
			blocks[label] = append(blocks[label], x)
		}
	}
	for _, x := range starts {
		if err := d.readChain(t, x, blocks, constants); err != nil {
			return err
		}
	}
	return nil
}

// readConstant notes the value of an arith.constant that is an integer.
func readConstant(x *op, constants map[string]int) {
	if len(x.results) == 1 && len(x.words) > 0 {
		if n, err := strconv.Atoi(x.words[0]); err == nil {
			constants[x.results[0]] = n
		}
	}
}

// readChain reads the BDs of one channel.
func (d *design) readChain(t tile, o *op, blocks map[string][]*op, constants map[string]int) error {
	n, labels := o.numbers(), o.withPrefix("^")
	if len(n) == 0 || len(labels) < 1 || o.has("MM2S") == o.has("S2MM") {
		return d.errorf(o, "aie.dma_start needs a direction, a channel and blocks")
	}
	id := channelID{t, o.has("MM2S"), n[0]}
	if d.chains[id] != nil {
		return d.errorf(o, "channel %s is started twice", id)
	}
	c := &chain{back: -1, runs: 1}
	if r, ok := o.number("repeat_count"); ok {
		c.runs = r + 1
	}
	seen := map[string]int{}
	for at := labels[0]; at != ""; {
		if k, ok := seen[at]; ok {
			c.back = k
			break
		}
		list, ok := blocks[at]
		if !ok {
			return d.errorf(o, "there is no block %s", at)
		}
		seen[at] = len(c.bds)
		b, next, err := d.readBlock(o, list, constants)
		if err != nil {
			return err
		}
		if b != nil {
			c.bds = append(c.bds, *b)
		}
		at = next
	}
	if c.back >= len(c.bds) && c.back >= 0 {
		return d.errorf(o, "a loop without a BD")
	}
	d.chains[id] = c
	return nil
}

// readBlock reads one block: its BD, or nil if it has none, and the label of the next block, or "".
func (d *design) readBlock(start *op, list []*op, constants map[string]int) (b *bd, next string, err error) {
	var before []use
	for _, x := range list {
		switch x.name {
		case "aie.use_lock":
			u, err := d.readUse(x, constants)
			if err != nil {
				return nil, "", err
			}
			if b == nil {
				before = append(before, u)
			} else {
				b.after = append(b.after, u)
			}
		case "aie.dma_bd":
			if b != nil {
				return nil, "", d.errorf(x, "a second BD in a block")
			}
			if b, err = d.readBD(x); err != nil {
				return nil, "", err
			}
		case "aie.next_bd":
			if to := x.withPrefix("^"); len(to) == 1 {
				next = to[0]
			}
		case "aie.end", "aie.dma_start":
		default:
			return nil, "", d.errorf(x, "%.60s is not read", x.name)
		}
	}
	switch {
	case b != nil:
		b.before = before
	case len(before) > 0:
		return nil, "", d.errorf(start, "a block that uses locks without a BD")
	}
	return b, next, nil
}

func (d *design) readBD(x *op) (*bd, error) {
	elements, bits, ok := x.memref()
	if !ok {
		return nil, d.errorf(x, "aie.dma_bd has no memref of known size")
	}
	if n, ok := x.number("len"); ok {
		elements = n
	} else if n := x.numbers(); len(n) >= 2 && !x.has("=") {
		elements = n[1]
	}
	b := &bd{line: x.line, packet: -1}
	if b.words = elements * bits / 32; b.words < 1 || elements*bits%32 != 0 {
		return nil, d.errorf(x, "a BD of %d elements of %d bits is not a whole number of words", elements, bits)
	}
	if id, ok := x.number("pkt_id"); ok {
		b.packet = id
	}
	return b, nil
}

func (d *design) readUse(x *op, constants map[string]int) (use, error) {
	values := x.withPrefix("%")
	if len(values) == 0 || d.locks[values[0]] == nil {
		return use{}, d.errorf(x, "aie.use_lock names no lock")
	}
	u := use{lock: values[0], amount: 1}
	switch {
	case x.has("AcquireGreaterEqual"):
		u.acquire = true
	case !x.has("Release"):
		return use{}, d.errorf(x, "only AcquireGreaterEqual and Release of locks are read")
	}
	if len(values) > 1 {
		n, ok := constants[values[1]]
		if !ok {
			return use{}, d.errorf(x, "%s is no constant", values[1])
		}
		u.amount = n
	} else if n := x.numbers(); len(n) > 0 {
		u.amount = n[0]
	}
	if u.amount < 1 {
		return use{}, d.errorf(x, "a lock is used by %d; want at least 1", u.amount)
	}
	return u, nil
}
