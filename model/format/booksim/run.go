package booksim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the settings of packets, buffers, delays and traffic in a BookSim configuration.
//
// Source: booksim/booksim2, src/trafficmanager.cpp (packet_size, injection_rate), buffer_state.cpp
// (buffers), routers/router.cpp (delays), networks/kncube.cpp (use_noc_latency), traffic.cpp
// (patterns), config_utils.cpp (lists).

// Run has the settings of a configuration's simulation.
type Run struct {
	// Lengths are the lengths of packets in flits. All entries are equally likely; a length occurs
	// several times if packet_size_rate gives it a larger weight.
	Lengths []int
	// Buffer is the number of flits in the buffer of a VC.
	Buffer int
	// Atomic is true if a VC takes the next packet only when all its slots are free
	// (wait_for_tail_credit).
	Atomic bool
	// NotFull is true if a VC takes the next packet only when it has a free slot (vc_busy_when_full). If
	// Atomic and NotFull are false, a packet may be given a VC that is full.
	NotFull bool
	// Delays in clocks. Link is the delay of channels between switches without a latency of their own.
	Route, VCAlloc, SwitchAlloc, Traversal, Link, Credit int
	// Replies, if not nil, are the messages of use_read_write.
	Replies *Replies
	// Traffic is the pattern, by its name in package engine/traffic.
	Traffic string
	// Load is in flits per clock and host.
	Load float64
	// Seed is the value of key seed, or nil.
	Seed *uint64
	// Fault, if not nil, is the reason why our simulator cannot simulate the configuration.
	Fault error
	// TrafficFault, if not nil, is the reason why Traffic is empty.
	TrafficFault error
	// Warnings name keys that affect BookSim's simulation and have no effect here.
	Warnings []string
	// Timed are the keys that set how long BookSim measures. They have no effect here.
	Timed []string
}

// Longest returns the length of the longest packet.
func (r *Run) Longest() int { return slices.Max(r.sizes()) }

// sizes returns the lengths that occur.
func (r *Run) sizes() []int {
	if r.Replies != nil {
		return r.Replies.Flits[:]
	}
	return r.Lengths
}

// IsMixed reports whether packets have several lengths.
func (r *Run) IsMixed() bool { return slices.Min(r.sizes()) < r.Longest() }

// Mean returns the mean length of a packet.
func (r *Run) Mean() float64 {
	sum := 0
	for _, l := range r.Lengths {
		sum += l
	}
	return float64(sum) / float64(len(r.Lengths))
}

// WholePackets reports whether each packet gets a buffer with room for all of its flits, so that
// switching is virtual cut-through. A VC must be empty when it takes a packet
// (wait_for_tail_credit), and the packet must fit into it. For packets of one flit a free slot
// suffices (vc_busy_when_full). Otherwise a head may be given a full VC and then waits for this VC
// only, or a packet may queue behind another one with its remaining flits on the previous VC. This
// is wormhole switching for any size of buffer.
func (r *Run) WholePackets() bool {
	return r.Atomic && r.Longest() <= r.Buffer || r.NotFull && r.Longest() == 1
}

// Sizes describes packets and buffers in one line.
func (r *Run) Sizes() string {
	lengths := slices.Compact(slices.Sorted(slices.Values(r.sizes())))
	words := make([]string, len(lengths))
	for i, l := range lengths {
		words[i] = strconv.Itoa(l)
	}
	text := fmt.Sprintf("packets of %s flits, buffers of %d flits", strings.Join(words, " or "), r.Buffer)
	if len(lengths) == 1 && lengths[0] == 1 {
		text = fmt.Sprintf("packets of 1 flit, buffers of %d flits", r.Buffer)
	}
	switch {
	case r.Atomic:
		return text + ", a VC takes a packet only when it is empty"
	case r.NotFull:
		return text + ", a VC takes the next packet while it has a free slot"
	}
	return text + ", a VC takes the next packet while flits of others are in it, also when it is full"
}

// maxBookSimSize is the largest length or buffer in flits, maxBookSimDelay the longest delay in
// clocks.
const (
	maxSize  = 1 << 14
	maxDelay = 1 << 10
)

// run reads the settings of the simulation.
func (c *configReader) run(b *Config) (err error) {
	r := &b.Run
	for _, step := range []func(*Config) error{c.lengths, c.replies, c.buffers, c.delays, c.load} {
		if err := step(b); err != nil {
			return err
		}
	}
	if seed, err := strconv.ParseUint(c.value["seed"], 10, 64); err == nil && c.line["seed"] > 0 {
		r.Seed = &seed
	}
	r.Traffic, r.TrafficFault = c.traffic(b)
	r.Warnings, r.Timed = append(c.unmodelled(), r.Warnings...), c.timed()
	if c.value["sim_type"] == "batch" {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s:%d: sim_type = batch has no effect on the simulation: the traffic is steady; use "+
			"--collective", textfile.Base(c.src.Name), c.line["sim_type"]))
	}
	return nil
}

// lengths reads packet_size and packet_size_rate. Both are lists with an entry for each class,
// which is a value or a list of values.
func (c *configReader) lengths(b *Config) error {
	classes, err := c.number("classes", 1, 1<<10)
	if err != nil {
		return err
	}
	if classes > 1 {
		b.Run.Fault = c.fault("classes", "classes = %d: one class of packets is simulated", classes)
	}
	sizes, rates := listOf(c.value["packet_size"]), listOf(c.value["packet_size_rate"])
	for class := range classes {
		size := c.wholes("packet_size", sizes[min(class, len(sizes)-1)], 1, maxSize)
		rate := c.wholes("packet_size_rate", rates[min(class, len(rates)-1)], 0, 1<<10)
		if c.bad != nil {
			return c.bad
		}
		for i, l := range size {
			for range rate[min(i, len(rate)-1)] {
				b.Run.Lengths = append(b.Run.Lengths, l)
			}
		}
	}
	if len(b.Run.Lengths) == 0 {
		return c.fault("packet_size_rate", "packet_size_rate = %s leaves no length of packets", textfile.Clip(c.value["packet_size_rate"]))
	}
	return nil
}

// listOf splits a list as BookSim does: "{1,{2,3}}" has the values "1" and "{2,3}". Text that
// does not begin with a brace is a single value.
func listOf(text string) (list []string) {
	if !strings.HasPrefix(text, "{") {
		return []string{text}
	}
	depth, start := 0, 1
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}' && depth > 0:
			depth--
		case depth == 0 && (text[i] == ',' || text[i] == '}'):
			if i > start {
				list = append(list, text[start:i])
			}
			start = i + 1
		}
	}
	if list == nil {
		return []string{""}
	}
	return list
}

// wholes parses a list of whole numbers from low to high. It stores an error in c.bad.
func (c *configReader) wholes(key, text string, low, high int) (list []int) {
	for _, word := range listOf(text) {
		v, err := strconv.Atoi(word)
		if (err != nil || v < low || v > high) && c.bad == nil {
			c.bad = c.fault(key, "%s = %s, allowed are %d to %d", key, textfile.Clip(c.value[key]), low, high)
		}
		list = append(list, v)
	}
	return list
}

// buffers reads the sizes of buffers. buf_size is the total size of all VCs of a channel.
func (c *configReader) buffers(b *Config) (err error) {
	if b.Run.Buffer, err = c.number("vc_buf_size", 1, maxSize); err != nil {
		return err
	}
	all, err := c.number("buf_size", -1<<30, 1<<30)
	if err != nil {
		return err
	}
	if all > 0 {
		if b.Run.Buffer = all / b.VCs; b.Run.Buffer < 1 || b.Run.Buffer > maxSize {
			return c.fault("buf_size", "buf_size = %d makes buffers of %d flits for each of %d VCs, allowed are 1 to %d",
				all, b.Run.Buffer, b.VCs, maxSize)
		}
	}
	wait, err := c.number("wait_for_tail_credit", -1<<30, 1<<30)
	b.Run.Atomic = wait != 0
	if err != nil {
		return err
	}
	full, err := c.number("vc_busy_when_full", -1<<30, 1<<30)
	b.Run.NotFull = full > 0
	return err
}

// delays reads the delays of a router and its channels.
func (c *configReader) delays(b *Config) error {
	r := &b.Run
	prepare := 0
	for _, x := range []struct {
		key string
		low int
		to  *int
	}{
		{"routing_delay", 0, &r.Route}, {"vc_alloc_delay", 1, &r.VCAlloc}, {"sw_alloc_delay", 1, &r.SwitchAlloc},
		{"st_prepare_delay", 0, &prepare}, {"st_final_delay", 0, &r.Traversal}, {"credit_delay", 0, &r.Credit},
	} {
		var err error
		if *x.to, err = c.number(x.key, x.low, maxDelay); err != nil {
			return err
		}
	}
	r.Traversal += prepare
	r.Link = 1
	if b.Topology == "torus" && c.value["use_noc_latency"] == "1" {
		r.Link = 2
	}
	for _, x := range []struct {
		key   string
		inner bool
	}{{"routing_delay", r.Route > 1}, {"st_final_delay", r.Traversal != 1}, {"vc_alloc_delay", r.VCAlloc > 1}, {"sw_alloc_delay", r.SwitchAlloc > 1}} {
		if x.inner {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %s = %s is approximate: packets may arrive a few clocks earlier or later "+
				"than in BookSim", c.place(x.key), x.key, c.value[x.key]))
		}
	}
	return nil
}

// load reads injection_rate, which counts packets, or flits if injection_rate_uses_flits is set.
func (c *configReader) load(b *Config) error {
	rates := listOf(c.value["injection_rate"])
	rate, err := strconv.ParseFloat(rates[0], 64)
	if err != nil || !(rate >= 0) || math.IsInf(rate, 0) {
		return c.fault("injection_rate", "injection_rate = %s, want a number from 0 on", textfile.Clip(c.value["injection_rate"]))
	}
	flits, err := c.number("injection_rate_uses_flits", -1<<30, 1<<30)
	if err != nil {
		return err
	}
	if b.Run.Load = rate; flits == 0 {
		b.Run.Load = rate * b.Run.Mean()
	}
	return nil
}

// traffic returns our name of BookSim's traffic pattern.
func (c *configReader) traffic(b *Config) (string, error) {
	spec := c.value["traffic"]
	if list := listOf(spec); list[0] != "" {
		spec = list[0]
	}
	name, arguments, _ := strings.Cut(spec, "(")
	grid := b.Topology == "mesh" || b.Topology == "torus"
	same := map[string]string{"uniform": "uniform", "transpose": "transpose", "bitcomp": "bit-complement", "bitrev": "bit-reversal", "shuffle": "shuffle"}
	if grid && arguments == "" {
		same["tornado"], same["neighbor"] = "tornado", "neighbour"
	}
	if word, ok := same[name]; ok {
		return word, nil
	}
	if name == "hotspot" {
		if word := hotspot(strings.TrimSuffix(arguments, ")")); word != "" {
			return word, nil
		}
	}
	return "", c.fault("traffic", "traffic = %s has no counterpart here; choose one with --traffic", textfile.Clip(spec))
}

// hotspot returns our name of BookSim's pattern hotspot({{hosts},{rates}}), in which all packets
// go to the named hosts. It returns "" for unequal rates and for randomly drawn hosts.
func hotspot(text string) string {
	lists := listOf(text)
	hosts := listOf(lists[0])
	if len(lists) > 1 && len(slices.Compact(listOf(lists[1]))) > 1 {
		return ""
	}
	for _, h := range hosts {
		if textfile.Decimal(h) < 0 {
			return ""
		}
	}
	return "hotspot:1@" + strings.Join(hosts, "+")
}

// place says where a key was assigned, for notes.
func (c *configReader) place(key string) string {
	if c.line[key] == 0 {
		return textfile.Base(c.src.Name)
	}
	return fmt.Sprintf("%s:%d", textfile.Base(c.src.Name), c.line[key])
}

// Source returns the name of the file with the line of each key, or a remark that its default
// applies.
func (b *Config) Source(keys ...string) string {
	parts := []string{b.file}
	for _, key := range keys {
		where := key + " by default"
		if b.lines[key] > 0 {
			where = fmt.Sprintf("%s in line %d", key, b.lines[key])
		}
		parts = append(parts, where)
	}
	return strings.Join(parts, ", ")
}

// This file reads the requests and replies of BookSim 2 (use_read_write).
//
// Source: booksim/booksim2, src/trafficmanager.cpp (sizes, _IssuePacket), routefunc.cpp
// (InitializeRoutingMap: negative ends of ranges).

// Replies are the messages of a configuration with use_read_write: read requests, write
// requests, read replies and write replies, in this order.
type Replies struct {
	First, Last, Flits [4]int // by type: its VCs, and its length
	Writes             float64
}

// replies reads use_read_write and its keys. The load counts a pair of request and reply, so
// Lengths becomes half of the sum of all sizes, as in BookSim.
func (c *configReader) replies(b *Config) error {
	if use, err := c.number("use_read_write", 0, 1); err != nil || use == 0 {
		return err
	}
	r, sum := &Replies{}, 0
	for i, name := range []string{"read_request", "write_request", "read_reply", "write_reply"} {
		half := i / 2 * (b.VCs / 2)
		for _, x := range []struct {
			key           string
			to            *int
			low, high, at int
		}{
			{"_begin_vc", &r.First[i], -1, b.VCs - 1, half},
			{"_end_vc", &r.Last[i], -1, b.VCs - 1, max(half+b.VCs/2-1, (b.VCs-1)*(i/2))},
			{"_size", &r.Flits[i], 1, maxSize, 0},
		} {
			var err error
			if *x.to, err = c.number(name+x.key, x.low, x.high); err != nil {
				return err
			}
			if *x.to < 0 {
				*x.to = x.at
			}
		}
		if r.First[i] > r.Last[i] {
			return c.fault(name+"_end_vc", "%s_end_vc = %d is less than %s_begin_vc = %d", name, r.Last[i], name, r.First[i])
		}
		sum += r.Flits[i]
	}
	var err error
	if r.Writes, err = strconv.ParseFloat(c.value["write_fraction"], 64); err != nil || !(r.Writes >= 0 && r.Writes <= 1) {
		return c.fault("write_fraction", "write_fraction = %s, allowed are 0 to 1", textfile.Clip(c.value["write_fraction"]))
	}
	b.Run.Replies, b.Run.Lengths = r, []int{sum / 2}
	return nil
}
