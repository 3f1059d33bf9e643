package all_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/format/textfile"
)

const fabrics = "../../../examples/fabrics"

// file returns the path of a bundled file, with or without .gz.
func file(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{fabrics}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		path += ".gz"
	}
	return path
}

// text returns the decompressed content of a bundled file.
func text(t testing.TB, elem ...string) string {
	t.Helper()
	raw, err := os.ReadFile(file(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(raw, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if raw, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return string(raw)
}

func ReadNetworkFrom(t testing.TB, path string) *model.Network {
	t.Helper()
	n, notes, err := format.ReadNetwork(path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
	for _, err := range n.Check() {
		t.Error(err)
	}
	return n
}

func ReadFrom(t testing.TB, path string, n *model.Network) *model.Table {
	t.Helper()
	tab, _, err := lft.Read(path, n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// describe returns a network as text, for comparison.
func describe(n *model.Network) string {
	var b strings.Builder
	for u := range model.SwitchID(n.NumSwitches()) {
		fmt.Fprintf(&b, "switch %d %+v\n", u, *n.Switch(u))
	}
	for h := range model.HostID(n.NumEndpoints()) {
		fmt.Fprintf(&b, "host %d %+v\n", h, *n.Host(h))
	}
	for l := range model.LinkID(n.NumLinks()) {
		fmt.Fprintf(&b, "link %d %+v\n", l, n.Link(l))
	}
	return b.String()
}

// TestTwoDumpsOfOneFabric: ibnetdiscover output and OpenSM's list of one fabric give the same
// network.
func TestTwoDumpsOfOneFabric(t *testing.T) {
	for _, topology := range []string{"ring4", "mesh3x3", "random16-d4-s2", "ft2-8x4", "torus4x4"} {
		a := ReadNetworkFrom(t, file(t, topology, "topology.ibnetdiscover"))
		b := ReadNetworkFrom(t, file(t, topology, "opensm-subnet.lst"))
		if d := cmp.Diff(describe(a), describe(b)); d != "" {
			t.Errorf("%s (-ibnetdiscover +opensm-subnet.lst):\n%s", topology, d)
		}
	}
}

// TestTwoFormsOfOneTable: the dump and the .fdbs file of one fabric give the same table. Writing
// the table gives the dump of OpenSM.
func TestTwoFormsOfOneTable(t *testing.T) {
	for _, c := range [][2]string{{"ring4", "updn"}, {"mesh3x3", "minhop"}, {"random16-d4-s2", "updn"}, {"ft2-8x4", "updn"}} {
		n := ReadNetworkFrom(t, file(t, c[0], "topology.ibnetdiscover"))
		dump := ReadFrom(t, file(t, c[0], c[1], "opensm-lfts.dump"), n)
		fdbs := ReadFrom(t, file(t, c[0], c[1], "opensm.fdbs"), n)
		for d := range model.DestID(dump.AllDestinations()) {
			if diff := cmp.Diff(dump.Row(d), fdbs.Row(d)); diff != "" {
				t.Errorf("%v: destination %d (-dump +fdbs):\n%s", c, d, diff)
			}
		}
		var b bytes.Buffer
		if err := lft.Write(&b, dump); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(text(t, c[0], c[1], "opensm-lfts.dump"), b.String()); d != "" {
			t.Errorf("%v: (-OpenSM +ours):\n%s", c, d)
		}
	}
}

func TestServiceLevelsRoundTrip(t *testing.T) {
	for _, c := range [][3]string{{"mesh3x3", "torus-2QoS", "path-sl.txt"}, {"random16-d4-s2", "dfsssp", "path-slset.txt"}, {"ring4", "lash", "path-sl.txt"}} {
		n := ReadNetworkFrom(t, file(t, c[0], "topology.ibnetdiscover"))
		tab := ReadFrom(t, file(t, c[0], c[1], "opensm-lfts.dump"), n)
		sets, err := levels.ReadServiceLevels(file(t, c[0], c[1], c[2]), tab, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := levels.ReadSL2VL(file(t, c[0], c[1], "opensm-sl2vl.dump"), n, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tab.SetClasses(sets, m)
		var stated, slvl bytes.Buffer
		if err := errors.Join(levels.WriteServiceLevels(&stated, tab), levels.WriteSL2VL(&slvl, tab)); err != nil {
			t.Fatal(err)
		}
		again, err := levels.ReadServiceLevels(formattest.Save(t, stated.String()), tab, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(sets, again); d != "" {
			t.Errorf("%v: service levels:\n%s", c, d)
		}
		back, err := levels.ReadSL2VL(formattest.Save(t, slvl.String()), n, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(m.Rows(), back.Rows()); d != "" {
			t.Errorf("%v: SL-to-VL:\n%s", c, d)
		}
	}
}

// TestRandomRoundTrip: writing and reading a random network gives the same network.
func TestRandomRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6)
		tab := modeltest.Table(t, n, false)
		for _, name := range []string{"ibnetdiscover", "subnet", "json", "yaml"} { // the other formats have no LIDs
			path := filepath.Join(dir, "net")
			var b bytes.Buffer
			if err := errors.Join(format.WriteNetwork(&b, n, name), os.WriteFile(path, b.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
			again, _, err := format.ReadNetwork(path, format.Options{})
			if err != nil {
				if name == "subnet" && !allCabled(n) {
					continue // a list of links does not contain a switch without links
				}
				t.Fatalf("%v\n%s", err, b.String())
			}
			if name == "subnet" && again.NumSwitches() < n.NumSwitches() {
				continue
			}
			if d := cmp.Diff(sortedCables(n), sortedCables(again)); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
			path = filepath.Join(dir, "table")
			b.Reset()
			if err := errors.Join(lft.Write(&b, tab), os.WriteFile(path, b.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
			back, _, err := lft.Read(path, again, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(formattest.Ports(tab), formattest.Ports(back)); d != "" {
				t.Fatalf("%s: table: %s", name, d)
			}
		}
	})
}

func allCabled(n *model.Network) bool {
	for u := range model.SwitchID(n.NumSwitches()) {
		if len(n.Out(u)) < 2 { // the channel to the management endpoint is always there
			return false
		}
	}
	return true
}

// sortedCables lists the cables in an order that does not depend on the numbers of links.
func sortedCables(n *model.Network) []string {
	var list []string
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) {
			far := fmt.Sprint(n.Head(c), n.HeadPort(c))
			if h := n.HostOf(c); h != model.NoHost {
				far = fmt.Sprint(n.Host(h).PortGUID, n.Host(h).LID, n.Host(h).Management)
			}
			list = append(list, fmt.Sprint(u, n.Switch(u).Name, n.TailPort(c), " to ", far))
		}
	}
	return list
}

// TestCutOff: every file that is truncated at any byte is rejected, unless only blanks and
// comments are missing.
func TestCutOff(t *testing.T) {
	n := ReadNetworkFrom(t, file(t, "mesh3x3", "topology.ibnetdiscover"))
	tab := ReadFrom(t, file(t, "mesh3x3", "torus-2QoS", "opensm-lfts.dump"), n)
	cases := []struct {
		name string
		text string
		read func(path string) error
	}{
		{"ibnetdiscover", text(t, "mesh3x3", "topology.ibnetdiscover"), func(p string) error {
			_, _, err := format.ReadNetwork(p, format.Options{})
			return err
		}},
		{"subnet", text(t, "mesh3x3", "opensm-subnet.lst"), func(p string) error {
			_, _, err := format.ReadNetwork(p, format.Options{})
			return err
		}},
		{"lfts", text(t, "mesh3x3", "torus-2QoS", "opensm-lfts.dump"), func(p string) error {
			_, _, err := lft.Read(p, n, format.Options{})
			return err
		}},
		{"fdbs", text(t, "mesh3x3", "torus-2QoS", "opensm.fdbs"), func(p string) error {
			_, _, err := lft.Read(p, n, format.Options{})
			return err
		}},
		{"path-sl", text(t, "mesh3x3", "torus-2QoS", "path-sl.txt"), func(p string) error {
			_, err := levels.ReadServiceLevels(p, tab, format.Options{})
			return err
		}},
		{"sl2vl", text(t, "mesh3x3", "torus-2QoS", "opensm-sl2vl.dump"), func(p string) error {
			_, err := levels.ReadSL2VL(p, n, format.Options{})
			return err
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "cut")
			step := 1 + len(c.text)/300
			if os.Getenv("TURNPROOF_LONG") == "" {
				step *= 3
			}
			for cut := 0; cut < len(c.text); cut += step {
				if essential(c.text[cut:]) == "" {
					continue
				}
				if err := os.WriteFile(path, []byte(c.text[:cut]), 0o644); err != nil {
					t.Fatal(err)
				}
				err := c.read(path)
				var e *textfile.Error
				if !errors.As(err, &e) {
					t.Fatalf("cut at byte %d of %d, behind %q: %v", cut, len(c.text), c.text[max(0, cut-40):cut], err)
				}
				if !strings.Contains(e.Error(), path) {
					t.Fatalf("%v does not name the file", e)
				}
			}
		})
	}
}

// essential removes text that no reader needs: blanks, comments, and blocks of adapters at the end
// of an SL-to-VL dump.
func essential(rest string) string {
	if i := strings.LastIndex(rest, "Channel Adapter 0x"); i >= 0 && !strings.Contains(rest, "Switch 0x") && strings.Contains(rest, "0   0   :") {
		return ""
	}
	return strings.TrimSpace(rest)
}

func TestGzipCutOff(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text(t, "ring4", "topology.ibnetdiscover")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{2, 12, b.Len() / 2, b.Len() - 9, b.Len() - 1} {
		if _, _, err := format.ReadNetwork(formattest.Save(t, b.String()[:cut]), format.Options{}); err == nil {
			t.Errorf("gzip file cut at byte %d of %d was read", cut, b.Len())
		}
	}
	ReadNetworkFrom(t, formattest.Save(t, b.String()))
}
