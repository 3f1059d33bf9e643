package traffic

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// all asks a source for everything, host by host.
func all(s engine.Source, hosts int) (list []engine.Packet) {
	for h := range model.HostID(hosts) {
		for p, ok := s.Next(h); ok; p, ok = s.Next(h) {
			list = append(list, p)
		}
	}
	return list
}

const small = `# two comments
# id clock source destination arrival
7 5 1 0 30 tail

8 3 1 2 40 # a comment
	9  3 1 3 50	x
-1 0 0 0 2
`

func TestReadTrace(t *testing.T) {
	n := network(t, "ring:4")
	for name, text := range map[string]string{"plain": small, "gzip": gzipped(t, small), "no last end": strings.TrimSuffix(small, "\n"), "returns": strings.ReplaceAll(small, "\n", "\r\n")} {
		path := t.TempDir() + "/packets"
		write(t, path, text)
		trace, err := ReadTrace(path, n, TraceOptions{Flits: 4})
		if err != nil {
			t.Fatal(err)
		}
		if trace.Packets() != 4 || trace.Last() != 5 || trace.MaxFlits() != 4 {
			t.Errorf("%s: %d packets, the last in clock %d, up to %d flits", name, trace.Packets(), trace.Last(), trace.MaxFlits())
		}
		want := []engine.Packet{
			{Created: 0, Source: 0, Dest: 0, Flits: 4, ID: -1},
			{Created: 3, Source: 1, Dest: 2, Flits: 4, ID: 8}, {Created: 3, Source: 1, Dest: 3, Flits: 4, ID: 9}, {Created: 5, Source: 1, Dest: 0, Flits: 4, ID: 7},
		}
		if got := all(trace, 4); !slices.Equal(got, want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTraceLengths(t *testing.T) {
	n := network(t, "ring:4")
	trace, err := parseTrace("x", strings.NewReader("1 0 0 1 30 6 z\n2 1 0 2 30 1\n"), n, TraceOptions{Flits: 3, FlitsColumn: 6})
	if err != nil {
		t.Fatal(err)
	}
	if got := all(trace, 4); len(got) != 2 || got[0].Flits != 6 || got[1].Flits != 1 || trace.MaxFlits() != 6 {
		t.Errorf("%+v", got)
	}
	if empty, err := parseTrace("x", strings.NewReader("# none\n"), n, TraceOptions{}); err != nil || empty.Packets() != 0 || empty.Last() != -1 || empty.MaxFlits() != 0 {
		t.Error(err)
	}
}

// TestTraceRoundTrip: what a PacketWriter writes is what a Trace reads, in the
// order of a host's packets.
func TestTraceRoundTrip(t *testing.T) {
	n := network(t, "mesh:3x3")
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) engine.Packet {
			return engine.Packet{Created: engine.Clock(rapid.Int64Range(0, 1<<40).Draw(t, "clock")), Source: model.HostID(rapid.IntRange(0, 8).Draw(t, "source")),
				Dest: model.DestID(rapid.IntRange(0, 8).Draw(t, "destination")), Flits: 5, ID: rapid.Int64().Draw(t, "id")}
		}), 0, 30).Draw(t, "packets")
		var b bytes.Buffer
		w := NewPacketWriter(&b, "a run\nwith two lines", nil, func(d model.DestID) model.HostID { return model.HostID(8 - d) })
		for _, p := range list {
			w.Deliver(engine.Delivery{Packet: p, Arrived: p.Created + 9})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if head := "# a run\n# with two lines\n# id clock source destination arrival\n"; !strings.HasPrefix(b.String(), head) {
			t.Fatalf("%q", b.String())
		}
		trace, err := parseTrace("b", &b, n, TraceOptions{Flits: 5, Dests: []model.DestID{8, 7, 6, 5, 4, 3, 2, 1, 0}})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(list, func(a, b engine.Packet) int {
			if a.Source != b.Source {
				return int(a.Source - b.Source)
			}
			return int(a.Created - b.Created)
		})
		if got := all(trace, 9); !slices.Equal(got, list) {
			t.Fatalf("%+v\nwant %+v", got, list)
		}
	})
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestPacketWriterError(t *testing.T) {
	w := NewPacketWriter(brokenWriter{}, "", nil, nil)
	for range 10000 {
		w.Deliver(engine.Delivery{})
	}
	if err := w.Close(); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

// TestFileErrors: each message names the file and the line.
func TestFileErrors(t *testing.T) {
	n := network(t, "ring:4")
	dir := t.TempDir()
	t.Chdir(dir)
	read := map[string]func(path string) error{
		"trace":       func(path string) error { _, err := ReadTrace(path, n, TraceOptions{}); return err },
		"lengths":     func(path string) error { _, err := ReadTrace(path, n, TraceOptions{FlitsColumn: 5}); return err },
		"permutation": func(path string) error { _, err := NewPattern("permutation:"+path, n, 0); return err },
		"matrix":      func(path string) error { _, err := NewPattern("matrix:"+path, n, 0); return err },
	}
	for _, c := range []struct{ kind, text, want string }{
		{"trace", "0 0 1\n", "traffic: f:1: 3 columns, id, clock, source and destination were expected"},
		{"trace", "# x\n\n0 0 4 1\n", `traffic: f:3: source: no host 4 in the network; want a name, or a number from 0 to 3`},
		{"trace", "0 0 0 1\n0 0 0 -1", `traffic: f:2: destination: no host "-1" in the network (did you mean h1?)`},
		{"trace", "a 0 0 1\n", `traffic: f:1: id "a" is no whole number`},
		{"trace", "0 1.5 0 1\n", `traffic: f:1: clock "1.5" is no whole number`},
		{"trace", "0 -1 0 1\n", "traffic: f:1: clock -1, allowed are 0 to 1152921504606846976"},
		{"trace", "0 99999999999999999999 0 1\n", "traffic: f:1: clock 99999999999999999999, allowed are 0 to 1152921504606846976"},
		{"trace", "0 0 0 " + strings.Repeat("9", 99) + "\n", `traffic: f:1: destination: no host ` + strings.Repeat("9", 80) + `... in the network; the names are h0, h1, h2, h3`},
		{"trace", "0 0 0 1\n" + strings.Repeat(" ", 1<<17), "traffic: f:2: the line is longer than 65536 bytes"},
		{"trace", "\x1f\x8bx", "traffic: f: gzip: unexpected EOF"},
		{"lengths", "0 0 0 1\n", "traffic: f:1: 4 columns, the length was expected in column 5"},
		{"lengths", "0 0 0 1 0\n", "traffic: f:1: length 0, allowed are 1 to 2147483647"},
		{"permutation", "0 1\n1\n", "traffic: f:2: 1 columns, source and destination were expected"},
		{"permutation", "0 1 1\n", "traffic: f:1: 3 columns, source and destination were expected"},
		{"permutation", "0 x\n", `traffic: f:1: destination: no host "x" in the network; the names are h0, h1, h2, h3`},
		{"permutation", "7 1\n", `traffic: f:1: source: no host 7 in the network; want a name, or a number from 0 to 3`},
		{"permutation", "0 1\n#\n0 2\n", "traffic: f:3: host 0 is a source already, line 1"},
		{"permutation", "0 1\n2 1\n", "traffic: f:2: host 1 is a destination already, line 1"},
		{"permutation", "# nothing\n", "traffic: f: names no pair of hosts"},
		{"matrix", "0 9 1\n", `format: f:1: no host 9 in the network; want a name, or a number from 0 to 3`},
		{"matrix", "* * 0\n", "traffic: f: no host sends to another"},
	} {
		write(t, "f", c.text)
		if err := read[c.kind]("f"); err == nil || err.Error() != c.want {
			t.Errorf("%s %q: %v\nwant %s", c.kind, c.text[:min(len(c.text), 40)], err, c.want)
		}
	}
	write(t, "f", gzipped(t, small)[:60])
	if _, err := ReadTrace("f", n, TraceOptions{}); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasSuffix(err.Error(), ": cannot be read: unexpected EOF") {
		t.Errorf("cut off: %v", err)
	}
	for path, want := range map[string]string{"none": "traffic: none: no such file or directory", dir: "traffic: " + dir + ": cannot be read: is a directory"} {
		if _, err := ReadTrace(path, n, TraceOptions{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, o := range []TraceOptions{{Flits: -1}, {FlitsColumn: 4}, {Dests: make([]model.DestID, 5)}} {
		if _, err := ReadTrace("f", n, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// FuzzTrace: any bytes are refused or give packets between hosts, by ascending
// clock, that read the same when written.
func FuzzTrace(f *testing.F) {
	n := network(f, "ring:4")
	for _, text := range []string{small, gzipped(f, small), "0 0 0 0\n", "1 2 3", "#", "\x1f\x8b\b"} {
		f.Add([]byte(text), 0)
		f.Add([]byte(text), 5)
	}
	f.Fuzz(func(t *testing.T, text []byte, column int) {
		trace, err := parseTrace("f", bytes.NewReader(text), n, TraceOptions{FlitsColumn: column})
		if err != nil {
			return
		}
		list := all(trace, 4)
		if len(list) != trace.Packets() {
			t.Fatalf("%d packets, want %d", len(list), trace.Packets())
		}
		var b bytes.Buffer
		w := NewPacketWriter(&b, "", nil, nil)
		for i, p := range list {
			if p.Created < 0 || p.Dest < 0 || p.Dest > 3 || p.Flits < 1 || i > 0 && list[i-1].Source == p.Source && list[i-1].Created > p.Created {
				t.Fatalf("%+v", p)
			}
			w.Deliver(engine.Delivery{Packet: p, Arrived: engine.Clock(p.Flits)})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := parseTrace("b", &b, n, TraceOptions{FlitsColumn: 5})
		if err != nil || !slices.Equal(all(again, 4), list) {
			t.Fatalf("read again: %v", err)
		}
	})
}

// FuzzPermutation: any bytes are refused or give a permutation of some hosts.
func FuzzPermutation(f *testing.F) {
	n := network(f, "ring:4")
	for _, text := range []string{"0 1\n1 0\n", "# x\n2 2 # y\n", "0 1\n0 2", gzipped(f, "3 1\n"), ""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		places := hostPlaces(n)
		to, err := parsePermutation("f", bytes.NewReader(text), places)
		if err != nil {
			return
		}
		p := places.expand(to)
		seen, pairs := map[model.HostID]bool{}, 0
		for h := range model.HostID(4) {
			d := p.Dest(h, nil)
			if d == model.NoHost {
				continue
			}
			if d < 0 || d > 3 || seen[d] {
				t.Fatalf("%d to %d", h, d)
			}
			seen[d] = true
			pairs++
		}
		if pairs == 0 {
			t.Fatal("no pair")
		}
	})
}
