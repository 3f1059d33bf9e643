package measure

import (
	"errors"
	"fmt"
	"math"
)

// This file searches loads: where a network saturates, and the most that it takes.
//
// Definition: saturation is the largest load at which the mean latency, waiting at
// the source included, is at most 3 times that of an almost empty network. It is
// found by bisection, to 0.005 flits per clock and host. With a few thousand clocks
// a point two runs differ by some 0.01, so more digits tell nothing.

// SaturationOptions of Saturation. The zero value is the definition.
type SaturationOptions struct {
	ZeroLoad  float64 // the load of an almost empty network; 0: 0.005
	Factor    float64 // times its latency; 0: 3
	Tolerance float64 // 0: 0.005
	Max       float64 // the largest load tried; 0: 1
}

// LoadPoint is a load that was tried.
type LoadPoint struct {
	Load    float64
	Latency float64 // NaN or infinite: none
	OK      bool    // the latency is within the limit
}

// Saturated is where a network saturates.
type Saturated struct {
	Load     float64     // the largest that was tried and is within the limit
	ZeroLoad float64     // latency of an almost empty network, in clocks
	Limit    float64     // the latency that counts as saturated if it is passed
	Tried    []LoadPoint // in the order of trial, the almost empty network first
}

// Saturation searches the saturation of what run measures: run returns the mean
// latency at a load, and false where the load cannot be sustained (the run froze,
// or was given up), which counts as too much. It fails if the almost empty
// network has no latency. Cost: 10 runs with the default tolerance.
//
// Where the latency does not rise with the load, Load still is within the limit
// and a load at most Tolerance above it is not, or Load is Max.
func Saturation(run func(load float64) (latency float64, ok bool), o SaturationOptions) (Saturated, error) {
	o.defaults()
	if !(o.ZeroLoad < o.Max && o.ZeroLoad > 0 && o.Max <= 1 && o.Tolerance > 0 && o.Factor >= 1) {
		return Saturated{}, fmt.Errorf("measure: saturation between loads of %v and %v, to %v, at %v times the latency", o.ZeroLoad, o.Max, o.Tolerance, o.Factor)
	}
	latency, ok := run(o.ZeroLoad)
	s := Saturated{Load: o.ZeroLoad, ZeroLoad: latency, Limit: o.Factor * latency, Tried: []LoadPoint{{o.ZeroLoad, latency, ok}}}
	if !ok || !(latency > 0) || math.IsInf(latency, 1) {
		s.Tried[0].OK = false
		return s, errors.New("measure: the network has no latency at the least load")
	}
	try := func(load float64) bool {
		latency, ok := run(load)
		ok = ok && latency <= s.Limit
		s.Tried = append(s.Tried, LoadPoint{load, latency, ok})
		if ok {
			s.Load = load
		}
		return ok
	}
	if try(o.Max) {
		return s, nil
	}
	for high := o.Max; high-s.Load > o.Tolerance; {
		if middle := (s.Load + high) / 2; !try(middle) {
			high = middle
		}
	}
	return s, nil
}

func (o *SaturationOptions) defaults() {
	for _, d := range []struct {
		value *float64
		def   float64
	}{{&o.ZeroLoad, 0.005}, {&o.Factor, 3}, {&o.Tolerance, 0.005}, {&o.Max, 1}} {
		if *d.value == 0 {
			*d.value = d.def
		}
	}
}

// Peak returns the highest accepted load over a list of offered loads, and the
// first of them at which it was; NaN if run measures nothing at any.
func Peak(loads []float64, run func(load float64) (accepted float64)) (load, accepted float64) {
	load, accepted = math.NaN(), math.NaN()
	for _, l := range loads {
		if a := run(l); a > accepted || math.IsNaN(accepted) && !math.IsNaN(a) {
			load, accepted = l, a
		}
	}
	return load, accepted
}
