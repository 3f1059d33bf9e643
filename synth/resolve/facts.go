package resolve

import (
	"errors"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/facts"
)

// This file determines the facts about packets, buffers and routers: what flags state, then what the input states. No other
// code reads a size from a flag or a file.

// Sizes are what flags state about packets and buffers. A zero value is not stated.
type Sizes struct {
	Packet, Buffer int // flits
	Atomic         bool
}

// source names the flags that are set.
func (f Sizes) source() (flags []string) {
	for _, x := range []struct {
		flag string
		set  bool
	}{{"--packet", f.Packet > 0}, {"--buffer", f.Buffer > 0}, {"--atomic", f.Atomic}} {
		if x.set {
			flags = append(flags, x.flag)
		}
	}
	return flags
}

// Facts returns the facts that flags and input state. If flags state sizes, and neither flags nor input state how VCs are
// reused, VCs are reused as in the simulator.
func (s *Subject) Facts() facts.Facts {
	f, flags := s.fileFacts(), s.asked.Sizes
	if flags == (Sizes{}) {
		return f
	}
	isReused := f.Reuse != "" && !flags.Atomic // as the file states
	if f.Words = ""; flags.Packet > 0 {
		f.Packet, f.Mixed = flags.Packet, false
	}
	if flags.Buffer > 0 {
		f.Buffer, f.Everywhere = flags.Buffer, true
	}
	if flags.Atomic {
		f.Reuse = facts.WhenEmpty
	} else if f.Reuse == "" {
		f.Reuse = facts.WhenUnused
	}
	sources := flags.source()
	if f.Source != "" && (flags.Packet == 0 || flags.Buffer == 0 || isReused) {
		sources = append([]string{f.Source}, sources...)
	}
	f.Source = strings.Join(sources, ", ")
	return f
}

// fileFacts returns the facts that the input states.
func (s *Subject) fileFacts() (f facts.Facts) {
	f = s.stated
	if c := s.Net.FlowControl(); c != nil && s.asked.TakesFlow {
		f.Words = ""
		if c.Packet > 0 {
			f.Packet = c.Packet
		}
		if c.Buffer > 0 {
			f.Buffer = c.Buffer
		}
		f.Source = fileWord(s.From.Network)
	}
	if list := s.Net.ChannelAttributes(); f.Source == "" && list != nil && s.From.Network != "" {
		f.Source = fileWord(s.From.Network)
	}
	return f
}

// checkSizes returns an error if flags state a part of the sizes, and the input not the rest.
func (s *Subject) checkSizes() error {
	flags := s.asked.Sizes
	if flags == (Sizes{}) || s.asked.Gated || s.asked.Flow != "" || s.Net.FlowControl() != nil {
		return nil
	}
	if b := s.Facts().On(s.Net); b.Packet == 0 || slices.Contains(b.Links(), 0) {
		return errors.New("--packet and --buffer go together, and --atomic needs both, except with --gate and --flow")
	}
	return nil
}

// GatedSizes returns the sizes of packets and buffers with which gates are decided. If nothing states a size, it is that of
// package facts, and assumed.
func (s *Subject) GatedSizes() (packet, buffer int) {
	b := s.Facts().On(s.Net)
	if packet = b.Packet; packet == 0 {
		packet = facts.GatedPacket
	}
	if buffer = b.Same(); buffer == 0 {
		buffer = b.Buffer
	}
	if buffer == 0 {
		buffer = facts.GatedBuffer
	}
	return packet, buffer
}

// FlowSizes returns the sizes of packets and buffers with which flow control of rings is decided, or 0, and what states them.
func (s *Subject) FlowSizes() (packet, buffer int, source string) {
	b := s.Facts().On(s.Net)
	if buffer = b.Same(); buffer == 0 {
		buffer = b.Buffer
	}
	return b.Packet, buffer, b.Source
}
