package seams

import (
	"regexp"
	"strconv"
)

// This file finds the sizes that a line states.

// sizes are those that the flags and files of a line state; 0 if nothing states one.
type sizes struct {
	packet    int
	buffer    int  // the smallest
	isUneven  bool // buffers of channels differ
	isAtomic  bool // a VC takes a packet only when it is empty
	isShared  bool // a VC takes a packet while flits of others are in it
	isFlagged bool // flags state both sizes
}

var (
	bufferOfLink = regexp.MustCompile(`buffer: \[(\d+), (\d+)\]`)
	linkLine     = regexp.MustCompile(`(?m)^  - \{a: .*\}$`)
	packetKey    = regexp.MustCompile(`(?m)^packet_size = (\d+);`)
	bufferKey    = regexp.MustCompile(`(?m)^vc_buf_size = (\d+);`)
	tailKey      = regexp.MustCompile(`(?m)^wait_for_tail_credit = 1;`)
)

// statedSizes returns the sizes that a line states. Flags are stronger than files.
func statedSizes(l *Line) (s sizes) {
	s.fromNetwork(l.Files["net.yaml"])
	if text, ok := l.Files["bs.cfg"]; ok {
		s.fromBookSim(text)
	}
	if v, ok := l.value("packet"); ok {
		s.packet = number(v)
	}
	if v, ok := l.value("buffer"); ok {
		s.buffer, s.isUneven = number(v), false
	}
	s.isFlagged = l.has("packet") && l.has("buffer")
	if l.has("atomic") {
		s.isAtomic, s.isShared = true, false
	} else if s.isFlagged {
		s.isShared = true
	}
	return s
}

// fromNetwork takes the buffers of a network file.
func (s *sizes) fromNetwork(text string) {
	links := len(linkLine.FindAllString(text, -1))
	found := bufferOfLink.FindAllStringSubmatch(text, -1)
	for _, m := range found {
		for _, v := range m[1:] {
			k := number(v)
			s.isUneven = s.isUneven || s.buffer > 0 && k != s.buffer
			if s.buffer == 0 || k < s.buffer {
				s.buffer = k
			}
		}
	}
	if len(found) > 0 && len(found) < links { // the others are open
		s.isUneven = true
	}
}

// fromBookSim takes the sizes of a configuration.
func (s *sizes) fromBookSim(text string) {
	s.packet, s.buffer = 1, 8 // the defaults of BookSim 2
	if m := packetKey.FindStringSubmatch(text); m != nil {
		s.packet = number(m[1])
	}
	if m := bufferKey.FindStringSubmatch(text); m != nil {
		s.buffer = number(m[1])
	}
	s.isAtomic = tailKey.MatchString(text)
	s.isShared = !s.isAtomic
}

func number(text string) int {
	k, _ := strconv.Atoi(text) // digits
	return k
}
