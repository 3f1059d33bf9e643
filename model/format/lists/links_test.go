package lists

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	_ "github.com/turnproof/turnproof/model/format/base"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/topo"
)

// attributed returns a network with random attributes of channels.
func attributed(t testing.TB, spec string, seed uint64) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	random, list := rand.New(rand.NewPCG(seed, 7)), make([]model.ChannelAttributes, n.NumChannels())
	for c := range list {
		if random.IntN(2) == 0 {
			list[c] = model.ChannelAttributes{Latency: random.Int32N(30), FlitClocks: random.Int32N(3), Buffer: random.Int32N(20)}
		}
	}
	if n, err = n.WithChannelAttributes(list); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestChannelAttributes: JSON and YAML keep the attributes of channels, anynet the latencies.
func TestChannelAttributes(t *testing.T) {
	for seed, spec := range []string{"mesh:3x2", "ring:4,hosts=2", "torus:2x2", "line:2,hosts=0", "dragonfly:a=2,h=1,p=2"} {
		n := attributed(t, spec, uint64(seed))
		for _, name := range []string{"json", "yaml"} {
			again, _, err := formattest.ParseNetwork(formattest.Written(t, n, name))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.ChannelAttributes(), n.ChannelAttributes()) {
				t.Errorf("%s, %s: %+v, want %+v", spec, name, again.ChannelAttributes(), n.ChannelAttributes())
			}
		}
	}
	text := "router 0 node 0 3 router 1 5 router 2\nrouter 1 router 0 9 router 2 7\nrouter 2 node 1\n"
	n, _, err := formattest.ParseNetwork(text)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := formattest.ParseNetwork(formattest.Written(t, n, "anynet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*model.Network{n, again} {
		got := ""
		for c := range model.ChannelID(n.NumChannels()) {
			if l := n.ChannelAttributes()[c].Latency; l > 0 {
				got += n.ChannelLabel(c) + "=" + string(rune('0'+l)) + " "
			}
		}
		if want := "0 to 1=5 1 to 0=9 1 to 2=7 h0 to 0=3 0 to h0=3 "; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestWithoutKeepsAttributes: what is left after a failure keeps the attributes of its channels.
func TestWithoutKeepsAttributes(t *testing.T) {
	n := attributed(t, "mesh:3x3,hosts=2", 4)
	of := func(n *model.Network) map[string]model.ChannelAttributes {
		list := map[string]model.ChannelAttributes{}
		for c := range model.ChannelID(n.NumChannels()) {
			list[n.ChannelLabel(c)] = n.ChannelAttributes()[c]
		}
		return list
	}
	left, err := n.Without([]model.LinkID{1, 5}, []model.SwitchID{4})
	if err != nil {
		t.Fatal(err)
	}
	before, after := of(n), of(left)
	for label, a := range after {
		if before[label] != a {
			t.Errorf("channel %s has %+v, want %+v", label, a, before[label])
		}
	}
	if len(after) != left.NumChannels() || len(after) < 40 {
		t.Errorf("%d channels with different labels of %d", len(after), left.NumChannels())
	}
}

func parseLinks(text string, n *model.Network, base []model.ChannelAttributes) ([]model.ChannelAttributes, error) {
	src, err := textfile.New("links.csv", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return readLinks(src, n, base)
}

// TestReadLinks: rows by names, numbers, patterns and ports, in their order.
func TestReadLinks(t *testing.T) {
	n, err := topo.Parse("hyperx:3,links=2") // three switches, two links for each pair
	if err != nil {
		t.Fatal(err)
	}
	text := "from,to,from_port,to_port,latency,flit_clocks,buffer\n*,*,,,4,,\nh*,*,,,1,,\n*,h1,,,1,,30\n0,1,,,9,,\n0,1,2,,,3,\n" + "2,h0,,,,,77" + "\n"
	base := make([]model.ChannelAttributes, n.NumChannels())
	base[0].Buffer = 5
	_, err = parseLinks(text, n, base)
	if err == nil {
		t.Fatal("the host of another switch was taken")
	}
	if want := "links.csv:7: no channel leads from 2 to h0"; err.Error() != "format: "+want && err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	list, err := parseLinks(strings.Replace(text, "2,h0", "2,h2", 1), n, base)
	if err != nil {
		t.Fatal(err)
	}
	for c := range model.ChannelID(n.NumChannels()) {
		want := model.ChannelAttributes{Latency: 4}
		switch {
		case n.Kind(c) == model.Inject || c == n.EjectChannel(1):
			want.Latency = 1
		case n.Tail(c) == 0 && n.Head(c) == 1:
			want.Latency = 9
		}
		if c == n.EjectChannel(1) {
			want.Buffer = 30
		}
		if c == n.EjectChannel(2) {
			want.Buffer = 77
		}
		if n.Tail(c) == 0 && n.Head(c) == 1 && n.TailPort(c) == 2 {
			want.FlitClocks = 3
		}
		if c == 0 {
			want.Buffer = 5
		}
		if list[c] != want {
			t.Errorf("%s: %+v, want %+v", n.ChannelLabel(c), list[c], want)
		}
	}
}

// TestLinkFileErrors: each error names the line.
func TestLinkFileErrors(t *testing.T) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "links.csv: there is nothing in it"},
		{"from,to,latency\n", "links.csv: no row in it"},
		{"from,to\n0,1\n", "links.csv:1: no column latency, flit_clocks or buffer"},
		{"a,b,latency\n0,1,3\n", `links.csv:1: unknown column "a"`},
		{"from,latency\n0,1\n", "links.csv:1: the columns from and to are missing"},
		{"from,to,latency,width\n0,1,3,1\n", `links.csv:1: unknown column "width", known are from, to, from_port`},
		{"from,to,latency\n0,1,3\n0,3,3\n", "links.csv:3: no channel leads from 0 to 3"},
		{"from,to,latency\n0,1,0\n", `links.csv:2: latency "0", want a number from 1 to`},
		{"from,to,latency\n0,1,-3\n", `links.csv:2: latency "-3"`},
		{"from,to,latency\n0,1,1.5\n", `links.csv:2: latency "1.5"`},
		{"from,to,latency\n0,1,99999999999999999999\n", "links.csv:2: latency"},
		{"from,to,latency,buffer\n0,1,,\n", "links.csv:2: no latency, flit_clocks or buffer"},
		{"from,to,latency\n0,9,2\n", `links.csv:2: to: no node 9 in the network`},
		{"from,to,latency\nx*,9,2\n", `links.csv:2: from: no switch or host matches "x*"`},
		{"from,to,latency,from_port\n0,1,2,7\n", `links.csv:2: no channel leads from 0 to 1 with from_port "7" and to_port ""`},
		{"from,to,latency\n0,1\n", "links.csv:2: wrong number of fields"},
		{"from,to,latency\n0,1,2", "links.csv:2: the last line does not end"},
		{"from,to,from,latency\n0,1,2,3\n", `column "from" occurs twice`},
	} {
		_, err := parseLinks(c.text, n, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	for _, c := range []struct{ links, want string }{
		{`{"a":0,"b":1,"latency":-1}`, "-1, allowed are 0 to 16777216"},
		{`{"a":0,"b":1,"latency":[1,2,3]}`, "[1,2,3], want a number, or [NUMBER, NUMBER]"},
		{`{"a":0,"b":1,"buffer":"x"}`, "want a number"},
		{`{"a":0,"b":1,"width":3}`, "known are a, a_port, a_name, b, b_port, b_name, latency, flit_clocks, buffer"},
	} {
		text := `{"schema":"turnproof.network/1","switches":[{},{}],` + "\n" + `"links":[` + c.links + "]}\n"
		if _, _, err := formattest.ParseNetwork(text); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "net:2: link") {
			t.Errorf("%s: %v, want net:2 and %q", c.links, err, c.want)
		}
	}
}

// FuzzLinks: any file gives an error with its name, or attributes that a network accepts.
func FuzzLinks(f *testing.F) {
	f.Add("from,to,from_port,to_port,latency,flit_clocks,buffer\n*,*,,,4,,\nh*,(*,,,1,2,3\n0,1,1,,,3,\n")
	f.Add(`[{"from": 0, "to": "1", "latency": 3}]`)
	n, err := topo.Parse("mesh:3x2")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseLinks(text, n, nil)
		if err != nil {
			var e *textfile.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v is no *Error", err)
			}
			return
		}
		if _, err := n.WithChannelAttributes(list); err != nil {
			t.Fatal(err)
		}
	})
}
