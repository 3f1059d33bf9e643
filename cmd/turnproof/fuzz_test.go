package main

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/topo"
)

// FuzzConfigFile: a configuration is refused on one line, or names flags that there are.
func FuzzConfigFile(f *testing.F) {
	for _, text := range []string{"quiet: true\n", "check:\n  switching: wormhole\nsweep:\n  routing: [dor, updown]\n", "check: {lmc: 1}", "check:\n  routing: &a [*a]\n", "a: &a\n  <<: *a\n", "check: !!x\n  lmc: !!int 1\n", "? check\n: x\n", "---\n---\n", "check:\n  routing: |\n    x\n"} {
		f.Add([]byte(text))
	}
	app := newApp(io.Discard, io.Discard, &settings{})
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxConfig { // is not parsed
			return
		}
		c := &configFile{path: "c", values: map[[2]string]setting{}}
		if err := c.parse(app, text); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		for key, s := range c.values {
			flags := app.Flags
			if cmd := app.Command(key[0]); key[0] != "" {
				flags = cmd.Flags
			}
			if x := flagCalled(flags, key[1]); x == nil || len(s.values) == 0 && !isList(x) {
				t.Fatalf("%v is %+v", key, s)
			}
		}
	})
}

// FuzzWords: words of flags are refused, or mean numbers that can be meant.
func FuzzWords(f *testing.F) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		f.Fatal(err)
	}
	for _, word := range []string{"0.1,0.2", "0:1:0.1", "rth=0.2,pn=3", "pause,link=1000,ms=1", "updown,root=1", "dor,order=yx", "turn-addition,form=safe,paths=first", "NaN:1:1", "pfc,buffer=1e300", "a=b,,c"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if len(word) > 200 {
			return
		}
		if loads, err := parseLoads(word); err == nil && strings.Contains(word, ":") {
			for _, x := range loads {
				if !(x >= 0 && x <= 1) {
					t.Fatalf("%q has the load %v", word, x)
				}
			}
		}
		if r, err := parseThrottle(word); err == nil && r == nil {
			t.Fatalf("%q is nothing", word)
		}
		if s, err := parseEthernet(word); err == nil && (s.o.LinkRate < 0 || s.o.BufferBytes < 0 || math.IsNaN(s.host)) {
			t.Fatalf("%q is %+v", word, s)
		}
		_, _, _, _ = parseMethod(word)
		if name, _, _ := strings.Cut(word, ","); !strings.Contains(name, "duato") {
			_, _ = parseRouting(word, n)
		}
	})
}
