package streams

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

const example = `flow-problem: 1
resources: {arbiter: 0, link: 0, ta: 2, tb: 2, ra: 4, rb: 4, rc: 4}
counters: {full: 0}
routes:
  a: [ta, arbiter, ra]
  b: [tb, arbiter, [link, rb], [{drop 1: rc}]]
agents:
  core: [acquire full, release full 2]
  dma:
  - repeat 3: [send a 64, {repeat 2: [send b 2]}]
  - take rb 6 of b
  clerk: {optional: [take ra 64]}
  printer:
  - forever: [take rc 1, release full]
packets:
- {name: c, path: [ta, arbiter, ra], words: 64, after: [d]}
- {name: d, path: [tb, [rb], [rc]], words: 3, times: 2, starts-after: [c]}
`

// TestReadWrite checks what is read, and that writing and reading again changes nothing.
func TestReadWrite(t *testing.T) {
	_, err := Read(example, "x.yaml")
	if err == nil || !strings.Contains(err.Error(), "take the same words of") {
		t.Fatalf("a receiver of d and the printer take the same words: %v", err)
	}
	p, err := Read(strings.ReplaceAll(strings.ReplaceAll(example, "take rc 1,", "take rc 1 of b,"), "take ra 64]", "take ra 192 of a]"), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Routes[1].Nodes); n != 5 || p.Routes[1].Nodes[4] != (Node{6, 1, 1}) {
		t.Errorf("route b: %+v", p.Routes[1])
	}
	if p.Agents[0].Name != "sender at ta" || len(p.Agents) != 9 {
		t.Errorf("%d agents: %+v", len(p.Agents), p.Agents)
	}
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	again, err := Read(b.String(), "x.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if !reflect.DeepEqual(p, again) {
		t.Errorf("after writing and reading:\n%+v\n%+v", p, again)
	}
}

// TestReadErrors checks that errors name the line and what is wrong.
func TestReadErrors(t *testing.T) {
	for change, want := range map[string]string{
		"flow-problem: 1=flow-problem: 2":             "x.yaml:1: flow-problem: only version 1",
		"ta: 2=ta: -2":                                `x.yaml:2: "-2" is no number`,
		"ta: 2=ta: 0":                                 "ta holds no words",
		"a: [ta, arbiter, ra]=a: [ta, nothing, ra]":   `x.yaml:5: "nothing" is no resource`,
		"[link, rb], [{drop 1: rc}]]=[link, rb], rc]": "comes behind a branch",
		"acquire full,=acquire empty,":                `x.yaml:8: acquire: there is no counter "empty"`,
		"send a 64=send a":                            "want send ROUTE WORDS",
		"repeat 3=repeat 0":                           "want repeat N",
		"after: [d]=after: [z]":                       `waits for "z"`,
		"words: 64=words: 0":                          "at least one word",
		"counters:=meters:":                           `unknown key "meters"`,
		"- forever: [take rc 1, release full]=- forever: [release full]": "never waits",
		"agents:=agents: &x":                         "anchors",
		"{optional: [take ra 64]}=[take arbiter 1]":  "arbiter holds no words",
		"- take rb 6 of b=- take rb 6 of q":          `no route "q"`,
		"send b 2]=send b 1]":                        "of which 1 are dropped",
		"b: [tb, arbiter,=b: [tb, arbiter, arbiter,": "needs arbiter twice",
	} {
		old, now, _ := strings.Cut(change, "=")
		text := strings.Replace(example, old, now, 1)
		if text == example {
			t.Fatalf("%q is not in the example", old)
		}
		if _, err := Read(text, "x.yaml"); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x.yaml") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// FuzzRead checks that what is read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(example)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read(text, "x")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, p); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.String(), "x")
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if len(again.Agents) != len(p.Agents) || !reflect.DeepEqual(again.Routes, p.Routes) {
			t.Fatalf("%s", b.String())
		}
	})
}
