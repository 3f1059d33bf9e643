package congestion

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file parses the sizes and readings of a study.

// readings are the keys of Study.Read.
var readings = []struct {
	key, about string
	set        func(s *Study, value string) bool
}{
	{"side", "of the torus, 4 to 64, a power of two", func(s *Study, v string) bool {
		return number(&s.Side, v, 4, 64) && s.Side&(s.Side-1) == 0
	}},
	{"rounds", "1 to 1000", func(s *Study, v string) bool { return number(&s.Rounds, v, 1, 1000) }},
	{"unit", "flit or packet", func(s *Study, v string) bool { return word(&s.Unit, v, gate.Units()) }},
	{"vcs", "own, any or all", func(s *Study, v string) bool { return word(&s.VCs, v, gate.Readings()) }},
	{"buffer", "stored or reserved", func(s *Study, v string) bool { return word(&s.Buffer, v, gate.Buffers()) }},
	{"hops", "bits of VCinfo, 1 to 20", func(s *Study, v string) bool { return number(&s.Hops, v, 1, 20) }},
	{"exempt", "escape or none", func(s *Study, v string) bool { s.Exempt = v == "escape"; return s.Exempt || v == "none" }},
	{"room", "vct or wormhole", func(s *Study, v string) bool {
		return word(&s.Room, v, []model.Switching{model.CutThrough, model.Wormhole})
	}},
	{"arbiter", "round-robin, age or first-come", func(s *Study, v string) bool { return word(&s.Arbiter, v, engine.Arbiters()) }},
	{"release", "full or empty", func(s *Study, v string) bool { return either(&s.ReleaseEmpty, v, "full", "empty") }},
	{"clocks", "of a hop, 1 to 5", func(s *Study, v string) bool { return number(&s.Clocks, v, 1, 5) }},
	{"dovcs", "VCs of do, 2 to 16", func(s *Study, v string) bool { return number(&s.DoVCs, v, 2, 16) }},
	{"atomic", "no or yes", func(s *Study, v string) bool { return either(&s.Atomic, v, "no", "yes") }},
	{"within", "ring or row, where VCinfo ends", func(s *Study, v string) bool { return either(&s.WithinRow, v, "ring", "row") }},
	{"order", "of all-to-all, first or next", func(s *Study, v string) bool { return either(&s.Next, v, "first", "next") }},
	{"load", "at the end of a ramp, 0.01 to 1", func(s *Study, v string) bool { return real(&s.RampTo, v, 0.01, 1) }},
	{"ramp", "clocks of a ramp, 1000 to 10000000", func(s *Study, v string) bool {
		var clocks int
		ok := number(&clocks, v, 1000, 10_000_000)
		s.RampClocks = engine.Clock(clocks)
		return ok
	}},
	{"seed", "a number", func(s *Study, v string) (ok bool) {
		var err error
		s.Seed, err = strconv.ParseUint(v, 10, 64)
		return err == nil
	}},
}

// ReadingKeys returns a text that lists the keys with their values.
func ReadingKeys() string {
	var list []string
	for _, r := range readings {
		list = append(list, r.key+" ("+r.about+")")
	}
	return strings.Join(list, ", ")
}

// Read sets a size or reading from text of the form KEY=VALUE.
func (s *Study) Read(text string) error {
	key, value, _ := strings.Cut(text, "=")
	var keys []string
	for _, r := range readings {
		if r.key == key {
			if !r.set(s, value) {
				return fmt.Errorf("%s is %q, %s was expected", key, value, r.about)
			}
			return nil
		}
		keys = append(keys, r.key)
	}
	return fmt.Errorf("no key %q%s, known are %s", key, spelling.Suggest(key, keys), strings.Join(keys, ", "))
}

// either sets a flag from the word for false or the word for true.
func either(to *bool, value, no, yes string) bool {
	*to = value == yes
	return *to || value == no
}

func real(to *float64, value string, least, most float64) bool {
	x, err := strconv.ParseFloat(value, 64)
	*to = x
	return err == nil && x >= least && x <= most
}

func number(to *int, value string, least, most int) bool {
	k, err := strconv.Atoi(value)
	*to = k
	return err == nil && k >= least && k <= most
}

func word[T ~string](to *T, value string, known []T) bool {
	*to = T(value)
	for _, k := range known {
		if *to == k {
			return true
		}
	}
	return false
}
