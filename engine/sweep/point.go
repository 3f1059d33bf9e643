package sweep

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
)

// This file declares the parameters of a simulation.

// Point is one simulation. It is comparable.
type Point struct {
	Network  string  // a spec or a file
	Routing  string  // a name or a file
	Traffic  string  // a pattern, or trace:FILE
	Load     float64 // requested load in flits per clock and host
	Seed     uint64
	Settings Settings
}

// String identifies a point within its experiment, for messages.
func (p Point) String() string {
	return fmt.Sprintf("%s, %s, %s, load %s, seed %d", p.Network, p.Routing, p.Traffic, strconv.FormatFloat(p.Load, 'g', -1, 64), p.Seed)
}

// Settings are the settings that all points of an experiment share. Experiment.Check replaces 0
// and "" by the default, except in Warmup.
type Settings struct {
	Model      engine.Timing
	Switching  model.Switching
	Select     engine.Selection
	Arbiter    engine.Arbiter
	Waiting    model.Waiting `json:",omitempty"` // as in engine.Options
	Packet     int           // length of a packet in flits
	Buffer     int           // flits of a VC's buffer; default 8, or a packet if that is longer and Switching needs room for whole packets
	LinkClocks int           // clocks for which a flit occupies a channel
	Links      string        `json:",omitempty"` // a file of the attributes of channels
	Clocks     engine.Clock  // clocks of a run, including the warm-up
	// Warmup is the number of clocks before measuring starts. If a file does not set it, it is a
	// fifth of Clocks.
	Warmup engine.Clock
	Flow   string `json:",omitempty"` // flow control of rings, as sim --flow
	// Messages are requests that cause replies. Its zero value means none.
	Messages trial.MessageWords `json:",omitzero"`
}

// Defaults of settings for which the engine has none.
const (
	defaultPacket = 8
	defaultBuffer = 8
	defaultClocks = 50_000
)

// Ranges of the settings. Where the engine has limits, they are the same.
const (
	maxFlits      = 1 << 14
	maxLinkClocks = 1 << 10
	maxClocks     = 1 << 40
)

func (s *Settings) defaults() {
	orElse(&s.Model, engine.Timings()[0])
	if s.Model == engine.Paper {
		orElse(&s.Switching, model.CutThrough)
	}
	if rule, err := bubble.Parse(s.Flow); err == nil {
		orElse(&s.Switching, rule.Switching())
		if rule.Kind == bubble.Local {
			orElse(&s.Buffer, max(defaultBuffer, 2*rule.Assumed(cmp.Or(s.Packet, defaultPacket)), s.Packet))
		}
	}
	orElse(&s.Switching, engine.Switchings()[0])
	orElse(&s.Select, engine.Selections()[0])
	orElse(&s.Arbiter, engine.Arbiters()[0])
	orElse(&s.Packet, defaultPacket)
	orElse(&s.LinkClocks, 1)
	orElse(&s.Clocks, defaultClocks)
	if s.Switching == model.Wormhole {
		orElse(&s.Buffer, defaultBuffer)
	}
	orElse(&s.Buffer, max(defaultBuffer, s.Packet))
}

func orElse[T comparable](v *T, def T) {
	if *v == *new(T) {
		*v = def
	}
}

func (s *Settings) check() error {
	if err := wordIn("model", s.Model, engine.Timings()); err != nil {
		return err
	}
	if err := wordIn("switching", s.Switching, engine.Switchings()); err != nil {
		return err
	}
	if err := s.Select.Check(); err != nil {
		return faultf("select", "%s", strings.TrimPrefix(err.Error(), "engine: "))
	}
	if err := wordIn("arbiter", s.Arbiter, engine.Arbiters()); err != nil {
		return err
	}
	if _, err := s.flow(); err != nil {
		return faultf("flow", "%s", strings.TrimPrefix(err.Error(), "flow: "))
	}
	if s.Waiting != "" {
		if err := wordIn("waiting", s.Waiting, []model.Waiting{model.WaitAny, model.WaitOne}); err != nil {
			return err
		}
	}
	for _, r := range []struct {
		key         string
		value       int64
		least, most int64
	}{
		{"packet", int64(s.Packet), 1, maxFlits}, {"buffer", int64(s.Buffer), 1, maxFlits}, {"link-clocks", int64(s.LinkClocks), 1, maxLinkClocks},
		{"clocks", int64(s.Clocks), 1, maxClocks}, {"warmup", int64(s.Warmup), 0, int64(s.Clocks) - 1},
	} {
		if r.value < r.least || r.value > r.most {
			return faultf(r.key, "%s %d, allowed are %d to %d", r.key, r.value, r.least, r.most)
		}
	}
	if s.Switching != model.Wormhole && s.Buffer < s.Packet {
		return faultf("buffer", "under %s a buffer holds whole packets: %d flits are less than a packet of %d", s.Switching, s.Buffer, s.Packet)
	}
	return s.checkMessages()
}

// flow returns the rule of Flow, or nil.
func (s *Settings) flow() (*bubble.Rule, error) {
	if s.Flow == "" {
		return nil, nil
	}
	rule, err := bubble.Parse(s.Flow)
	if err == nil && !rule.Takes(s.Switching) {
		err = fmt.Errorf("%s needs %s switching, got %s", rule.Kind, rule.Switching(), s.Switching)
	}
	return &rule, err
}

// FlowRule returns the rule of Flow, or nil. Check has accepted it.
func (s *Settings) FlowRule() *bubble.Rule {
	rule, _ := s.flow()
	return rule
}

func wordIn[T ~string](key string, word T, known []T) error {
	list := ""
	for _, k := range known {
		if k == word {
			return nil
		}
		list += ", " + string(k)
	}
	return faultf(key, "no %s %q, known are %s", key, clip(string(word)), list[2:])
}
