package opensm

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/topo"
)

// helpText is a part of the help of OpenSM 3.3.23.
const helpText = `-------------------------------------------------
OpenSM 3.3.23
Command Line Arguments:

--routing_engine, -R <engine name>
          This option chooses routing engine(s) to use instead of default
          Min Hop algorithm.
          Supported engines: updn, dnup, file, ftree, lash, dor,
                             torus-2QoS, nue, dfsssp, sssp

--do_mesh_analysis
          This option enables additional analysis for the lash
`

func TestEngines(t *testing.T) {
	want := []string{"minhop", "updn", "dnup", "ftree", "lash", "dor", "torus-2QoS", "nue", "dfsssp", "sssp"}
	if got := enginesIn([]byte(helpText)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := enginesIn([]byte("Supported engines: updn\n\n")); !slices.Equal(got, []string{"minhop", "updn"}) {
		t.Errorf("%q", got)
	}
	if got := enginesIn(nil); !slices.Equal(got, []string{"minhop"}) {
		t.Errorf("%q", got)
	}
}

// TestJoin: sets that share levels become one set, and others stay apart.
func TestJoin(t *testing.T) {
	l := levels{{1: 1 << 0, 2: 1<<0 | 1<<1, 3: 1 << 5}, {4: 1<<1 | 1<<2, 5: 1<<5 | 1<<6, 6: 1 << 9}}
	l.join()
	for i, want := range []map[uint16]uint16{{1: 7, 2: 7, 3: 3 << 5}, {4: 7, 5: 3 << 5, 6: 1 << 9}} {
		for lid, set := range want {
			if l[i][lid] != set {
				t.Errorf("adapter %d, LID %d: levels %b, want %b", i, lid, l[i][lid], set)
			}
		}
	}
}

// TestLog reads what OpenSM's log says of the engine.
func TestLog(t *testing.T) {
	const minhop = "Nov 30 02:44:28 294235 [D606B6C0] 0x02 -> osm_ucast_mgr_process: minhop tables configured on all switches\n"
	for _, c := range []struct{ log, engine, reason, err string }{
		{minhop, "minhop", "", ""},
		{"Nov 30 02:44:28 290389 [D606B6C0] 0x01 -> ucast_mgr_route: dfsssp: cannot build fwd tables\n" + minhop, "minhop", "dfsssp: cannot build fwd tables", ""},
		{strings.Replace(minhop, "minhop", "torus-2QoS", 1), "torus-2QoS", "OpenSM took another engine", ""},
		{"nothing\n", "", "", "OpenSM configured no tables"},
	} {
		asked := "dfsssp"
		if c.reason == "" {
			asked = c.engine
		}
		file := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(file, []byte(c.log), 0o600); err != nil {
			t.Fatal(err)
		}
		var r Routed
		err := r.readLog(file, asked)
		if none := (*Failed)(nil); c.err != "" && (!errors.As(err, &none) || none.Reason != c.err) || c.err == "" && err != nil {
			t.Errorf("%q: %v, want %q", c.log, err, c.err)
		}
		if r.Engine != c.engine || r.Reason != c.reason {
			t.Errorf("%q: %+v", c.log, r)
		}
	}
}

// TestArguments checks the command line and the configuration of OpenSM.
func TestArguments(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "opensm.conf")
	if err := os.WriteFile(config, []byte("guid 0x1234\nqos TRUE"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		lmc  uint8
		want string
		asks bool
	}{
		{Options{Engine: "updn", Roots: "/r"}, 0, "-R updn -a /r", false},
		{Options{Engine: "lash"}, 0, "-R lash -Q", true},
		{Options{Engine: "torus-2QoS", Torus: "/t"}, 2, "-R torus-2QoS -Q --torus_config /t -l 2", true},
		{Options{Engine: "dor", Config: config}, 0, "-R dor", true},
	} {
		dir := t.TempDir()
		args, asks, err := c.o.args(dir, n.WithLMC(c.lmc))
		file := filepath.Join(dir, "opensm.conf")
		if want := "-F " + file + " " + c.want; err != nil || strings.Join(args, " ") != want || asks != c.asks {
			t.Errorf("%+v: %q, %v, %v; want %q", c.o, args, asks, err, want)
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasSuffix(string(text), "\nsminfo_polling_timeout 10000\n") || !strings.Contains(string(text), "\ndump_files_dir "+dir+"/\n") {
			t.Errorf("%s, %v", text, err)
		}
		if last := strings.LastIndex(string(text), "guid "); !strings.HasPrefix(string(text)[last:], "guid 0x0000000000000000\n") {
			t.Errorf("the last port is not any port:\n%s", text)
		}
	}
	if _, _, err := (&Options{Engine: "dor", Config: "/nonexistent"}).args(t.TempDir(), n); err == nil {
		t.Error("a configuration that does not exist is accepted")
	}
}
