package sweep

import (
	"math"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model"
)

// This file declares the keys of an experiment's file.

// Key describes a key of an experiment's file.
type Key struct {
	Name    string
	Value   string // form of the value, for help texts
	Default string // empty if the key is required
	Help    string // description in one line

	read func(f *file, e *Experiment, key string, value yamldoc.Value) error
}

var keys = []Key{
	{"networks", "[NETWORK, ...]", "", "specs or files", words(func(e *Experiment) *[]string { return &e.Networks })},
	{"routings", "[ROUTING, ...]", "", "names or files", words(func(e *Experiment) *[]string { return &e.Routings })},
	{"traffics", "[TRAFFIC, ...]", "", "patterns, or trace:FILE", words(func(e *Experiment) *[]string { return &e.Traffics })},
	{"loads", "[LOAD, ...] or {from: LOAD, to: LOAD, step: LOAD}", "", "flits per clock and host, 0 to 1", readLoads},
	{"seeds", "[SEED, ...] or how many", "1", "a number stands for 1, 2, ... to that", readSeeds},
	{"model", "WORD", string(engine.Timings()[0]), "router model", word(func(s *Settings, v string) { s.Model = engine.Timing(v) })},
	{"switching", "WORD", string(engine.Switchings()[0]), "when a head may go on", word(func(s *Settings, v string) { s.Switching = model.Switching(v) })},
	{"packet", "FLITS", strconv.Itoa(defaultPacket), "length of a packet", number(func(s *Settings, v int64) { s.Packet = int(v) })},
	{"buffer", "FLITS", strconv.Itoa(defaultBuffer) + ", or a packet", "buffer of a virtual channel", number(func(s *Settings, v int64) { s.Buffer = int(v) })},
	{"clocks", "CLOCKS", strconv.Itoa(defaultClocks), "clocks of a run, those of the warm-up among them",
		number(func(s *Settings, v int64) { s.Clocks = engine.Clock(v) })},
	{"warmup", "CLOCKS", "a fifth of clocks", "clocks before measuring", number(func(s *Settings, v int64) { s.Warmup = engine.Clock(v) })},
	{"select", "WORD", string(engine.Selections()[0]), "which of several free virtual channels a head asks for, or which path",
		word(func(s *Settings, v string) { s.Select = engine.Selection(v) })},
	{"waiting", "WORD", "as the routing says, else any",
		"any: a head waits for all permitted hops; one: for one, drawn for each flow and switch",
		word(func(s *Settings, v string) { s.Waiting = model.Waiting(v) })},
	{"flow", "KIND[,KEY=VALUE...]", "none", "flow control of rings, as sim --flow", word(func(s *Settings, v string) { s.Flow = v })},
	{"arbiter", "WORD", string(engine.Arbiters()[0]), "who wins among rivals", word(func(s *Settings, v string) { s.Arbiter = engine.Arbiter(v) })},
	{"link-clocks", "CLOCKS", "1", "clocks that a channel is busy with a flit", number(func(s *Settings, v int64) { s.LinkClocks = int(v) })},
	{"links", "FILE", "none", "latency, width and buffer of channels, as sim --links", word(func(s *Settings, v string) { s.Links = v })},
	{"classes", "CLASSES", "none", "messages that cause others, such as request,reply, as sim --classes",
		word(func(s *Settings, v string) { s.Messages.Classes = v })},
	{"service", "CLOCKS", "0", "clocks that a host serves a message", number(func(s *Settings, v int64) { s.Messages.Service = int(v) })},
	{"reply-queue", "ENTRIES", strconv.Itoa(trial.DefaultEntries), "entries of a host for replies of each class; 0: no limit",
		number(func(s *Settings, v int64) { s.Messages.Entries = int(v) })},
	{"reply-packet", "FLITS", "as packet", "length of a reply", number(func(s *Settings, v int64) { s.Messages.Reply = int(v) })},
	{"outstanding", "REQUESTS", "no limit", "requests of a host that are not answered", number(func(s *Settings, v int64) { s.Messages.Outstanding = int(v) })},
	{"initiators", "HOSTS", "all", "hosts that send requests, as sim --initiators", word(func(s *Settings, v string) { s.Messages.Initiators = v })},
	{"targets", "HOSTS", "all", "hosts that receive requests, as sim --targets", word(func(s *Settings, v string) { s.Messages.Targets = v })},
}

// canBeZero lists the keys of numbers that may be 0.
var canBeZero = []string{"warmup", "service", "reply-queue"}

// Keys returns all keys.
func Keys() []Key { return append([]Key(nil), keys...) }

func words(of func(*Experiment) *[]string) func(*file, *Experiment, string, yamldoc.Value) error {
	return func(f *file, e *Experiment, key string, value yamldoc.Value) error {
		for _, v := range f.list(key, value) {
			text, err := f.text(key, v)
			if err != nil {
				return err
			}
			*of(e) = append(*of(e), text)
		}
		return nil
	}
}

func word(set func(*Settings, string)) func(*file, *Experiment, string, yamldoc.Value) error {
	return func(f *file, e *Experiment, key string, value yamldoc.Value) error {
		text, err := f.text(key, value)
		if err == nil && text == "" {
			err = f.at(value.Line(), "%s: an empty word", key)
		}
		set(&e.Settings, text)
		return err
	}
}

// number returns a parser of a whole number, which it passes to set. It rejects 0 except for the
// keys of canBeZero, because 0 in Settings means the default.
func number(set func(*Settings, int64)) func(*file, *Experiment, string, yamldoc.Value) error {
	return func(f *file, e *Experiment, key string, value yamldoc.Value) error {
		v, err := f.whole(key, value, math.MaxInt32<<20)
		if err == nil && v == 0 && !slices.Contains(canBeZero, key) {
			err = f.at(value.Line(), "%s 0, at least 1 is needed", key)
		}
		set(&e.Settings, int64(v))
		return err
	}
}

func readLoads(f *file, e *Experiment, key string, value yamldoc.Value) error {
	if pairs, ok := value.Pairs(); ok {
		return f.loadRange(e, pairs, value)
	}
	for _, v := range f.list(key, value) {
		load, err := f.float(key, v)
		if err != nil {
			return err
		}
		e.Loads = append(e.Loads, load)
	}
	return nil
}

func (f *file) loadRange(e *Experiment, pairs []yamldoc.Pair, value yamldoc.Value) error {
	part := map[string]float64{}
	for _, kv := range pairs {
		name := kv.Key
		if name != "from" && name != "to" && name != "step" {
			return f.at(kv.Line, "loads: no key %q, known are from, to, step", clip(name))
		}
		v, err := f.float("loads: "+name, kv.Value)
		if err != nil {
			return err
		}
		part[name] = v
	}
	if len(part) < 3 {
		return f.at(value.Line(), "loads: from, to and step are needed")
	}
	list, err := Range(part["from"], part["to"], part["step"])
	if err != nil {
		return f.at(value.Line(), "%s", err.Error()[len("sweep: "):])
	}
	e.Loads = list
	return nil
}

func readSeeds(f *file, e *Experiment, key string, value yamldoc.Value) error {
	if _, ok := value.List(); !ok {
		count, err := f.whole(key, value, MaxPoints)
		if err == nil && count == 0 {
			err = f.at(value.Line(), "seeds: 0, at least 1 is needed")
		}
		for i := range count {
			e.Seeds = append(e.Seeds, i+1)
		}
		return err
	}
	list := f.list(key, value)
	if len(list) == 0 {
		return f.at(value.Line(), "no seeds, one at least is needed")
	}
	for _, v := range list {
		seed, err := f.whole(key, v, math.MaxUint64)
		if err != nil {
			return err
		}
		e.Seeds = append(e.Seeds, seed)
	}
	return nil
}
