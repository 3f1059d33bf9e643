package main

import (
	"math"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/demand"
	"github.com/turnproof/turnproof/cmd/turnproof/sim"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
)

// FuzzWords checks that the parsers of flags return an error or values within their ranges.
func FuzzWords(f *testing.F) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		f.Fatal(err)
	}
	for _, word := range []string{"0.1,0.2", "0:1:0.1", "rth=0.2,pn=3", "pause,link=1000,ms=1", "updown,root=1", "dor,order=yx",
		"turn-addition,form=safe,paths=first", "NaN:1:1", "pfc,buffer=1e300", "a=b,,c"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if len(word) > 200 {
			return
		}
		if loads, err := simrun.ParseLoads(word); err == nil && strings.Contains(word, ":") {
			for _, x := range loads {
				if !(x >= 0 && x <= 1) {
					t.Fatalf("%q has the load %v", word, x)
				}
			}
		}
		if r, err := demand.ParseThrottle(word); err == nil && r == nil {
			t.Fatalf("%q is nothing", word)
		}
		if s, err := sim.ParseEthernet(word); err == nil && (s.O.LinkRate < 0 || s.O.BufferBytes < 0 || math.IsNaN(s.Host)) {
			t.Fatalf("%q is %+v", word, s)
		}
		_, _, _, _ = methods.Parse(word)
		if name, _, _ := strings.Cut(word, ","); !strings.Contains(name, "duato") {
			_, _ = resolve.Named(word, n)
		}
	})
}
