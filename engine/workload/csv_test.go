package workload

import (
	"reflect"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model/topo"
)

// TestCSV: a chain of messages over a ring takes the sum of their times and delays. The message c
// waits for a message that its source has sent, the others for messages that it has received.
func TestCSV(t *testing.T) {
	const text = `# a chain
id, source, destination, bytes, after, delay_ns
a,0,1,16,,
b,1,2,16,a,100
c,1,0,16,b a,
d,0,3,16,c,
`
	g, err := readCSV("x.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if messages, bytes := g.Messages(); messages != 4 || bytes != 64 || g.Ranks != 4 || g.Count(Calc) != 1 {
		t.Errorf("%+v", g)
	}
	res := mustRun(t, relation(t, "ring:4,vcs=2", "dor"), g, Settings{Check: true})
	// One flit: 13 clocks over 2 switches. b has left 1 clock after its start at 13+100.
	want := []engine.Clock{0, 113, 114, 114 + 13}
	for i, m := range res.Messages {
		if m.Started != want[i] {
			t.Errorf("message %d starts at %d, want %d", i, m.Started, want[i])
		}
	}
	if res.End != 114+13+13 {
		t.Errorf("end %d", res.End)
	}
	if at := g.At(res.Messages[3].Send); at != "x.csv:6" {
		t.Error(at)
	}
}

func TestCSVErrors(t *testing.T) {
	const head = "id,source,destination,bytes,after,delay_ns\n"
	for text, want := range map[string]string{
		"":                             "no messages",
		head:                           "no messages",
		"id,source,bytes\n":            "x.csv:1: the column destination is missing",
		"id,source,destinatoin\n":      `no column "destinatoin" (did you mean destination?)`,
		"id,id\n":                      "appears twice",
		head + "a,0\n":                 "x.csv:2: no CSV: wrong number of fields",
		head + "a,0,1,x,,\n":           `x.csv:2: bytes "x"`,
		head + "a,0,-1,5,,\n":          `x.csv:2: destination "-1"`,
		head + "a,0,1,5,,-3\n":         `delay_ns "-3"`,
		head + "a,0,1,5,,\na,0,1,5,,":  `x.csv:3: id "a"`,
		head + "a,0,1,5,b,\n":          `x.csv:2: after "b": no message has this id`,
		head + "a,0,1,5,b,\nb,2,3,1,,": `after "b": that message neither begins nor ends at rank 0`,
		head + "a,0,1,5,b,\nb,1,0,1,a,\nc,0,1,1,c,": "waits for itself",
	} {
		if _, err := readCSV("x.csv", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestMapping checks the mappings of ranks to hosts.
func TestMapping(t *testing.T) {
	hosts, err := topo.Parse("line:5")
	if err != nil {
		t.Fatal(err)
	}
	list, err := Mapping("linear", 3, hosts, 1)
	if err != nil || !reflect.DeepEqual(list, mapped(0, 1, 2)) {
		t.Error(list, err)
	}
	list, err = Mapping("random", 5, hosts, 1)
	other, _ := Mapping("random", 5, hosts, 2)
	again, _ := Mapping("random", 5, hosts, 1)
	sum := 0
	for _, h := range list {
		sum |= 1 << h
	}
	if err != nil || sum != 31 || reflect.DeepEqual(list, other) || !reflect.DeepEqual(list, again) {
		t.Error(list, other, again, err)
	}
	if _, err := Mapping("linear", 6, hosts, 1); err == nil || !strings.Contains(err.Error(), "6 ranks on 5 hosts") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"1 4 # x\n\n0 4\n":  "",
		"0 1\n":             "no line gives rank 1 a host",
		"0 1\n0 2\n":        ":2: rank 0 has a host already",
		"0 5\n":             `:1: no host 5 in the network; want a name, or a number from 0 to 4`,
		"0 h4\n1 \"(4)\"\n": "",
		"2 0\n":             `:1: no rank "2", ranks are 0 to 1`,
		"0\n":               "want RANK HOST",
	} {
		list, err := Mapping(file(t, "mapping", text), 2, hosts, 1)
		if want == "" && (err != nil || !reflect.DeepEqual(list, mapped(4, 4))) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}
