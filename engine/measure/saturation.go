package measure

import (
	"errors"
	"fmt"
	"math"
)

// This file searches for the load at which a network saturates, and for the highest accepted load.
//
// Definition: saturation is the largest load at which the mean latency, including the time in the
// source, is at most 3 times that of an almost empty network. It is found by bisection, to 0.005
// flits per clock and host. With a few thousand clocks a run, two runs differ by about 0.01, so a
// smaller tolerance has no meaning.

// SaturationOptions are the options of Saturation. The zero value gives the definition above.
type SaturationOptions struct {
	ZeroLoad  float64 // load of an almost empty network; defaults to 0.005
	Factor    float64 // limit as a multiple of the latency at load ZeroLoad; defaults to 3
	Tolerance float64 // defaults to 0.005
	Max       float64 // largest load to try; defaults to 1
}

// LoadPoint is the result at one load that was tried.
type LoadPoint struct {
	Load    float64
	Latency float64 // NaN or infinite if there is none
	OK      bool    // whether the latency is within the limit
}

// Saturated is the result of Saturation.
type Saturated struct {
	Load     float64     // largest load that was tried and has a latency within the limit
	ZeroLoad float64     // latency at the load of an almost empty network, in clocks
	Limit    float64     // largest latency that does not count as saturated, in clocks
	Tried    []LoadPoint // in order of trial; the first is the almost empty network
}

// Saturation searches for the load at which a network saturates. run returns the mean latency at a
// load, and false if the load cannot be sustained (the run froze or was given up), which counts as
// saturated. Saturation fails if run returns no latency for the almost empty network. Cost: 10
// runs with the default tolerance.
//
// If the latency does not rise monotonically with the load, Load is still within the limit, and
// some load at most Tolerance above it is not, or Load is Max.
func Saturation(run func(load float64) (latency float64, ok bool), o SaturationOptions) (Saturated, error) {
	o.defaults()
	if !(o.ZeroLoad < o.Max && o.ZeroLoad > 0 && o.Max <= 1 && o.Tolerance > 0 && o.Factor >= 1) {
		return Saturated{}, fmt.Errorf("measure: saturation between loads of %v and %v, to %v, at %v times the latency",
			o.ZeroLoad, o.Max, o.Tolerance, o.Factor)
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

// Peak returns the highest accepted load over a list of offered loads, and the first offered load
// at which it occurs. Both are NaN if run returns NaN for all loads.
func Peak(loads []float64, run func(load float64) (accepted float64)) (load, accepted float64) {
	load, accepted = math.NaN(), math.NaN()
	for _, l := range loads {
		if a := run(l); a > accepted || math.IsNaN(accepted) && !math.IsNaN(a) {
			load, accepted = l, a
		}
	}
	return load, accepted
}
