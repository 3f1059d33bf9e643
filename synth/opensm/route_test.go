package opensm_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/base"
	"github.com/turnproof/turnproof/synth/opensm"
)

const fabrics = "../../examples/fabrics/"

// stored returns the lines of a stored file in order, which may be compressed.
func stored(t *testing.T, file string) []string {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		file += ".gz"
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, _, err := unpack.Reader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	return lines
}

// TestRoute routes stored fabrics again. Tables and service levels are the stored ones, which saquery has asked for.
func TestRoute(t *testing.T) {
	longtest.Only(t, "what OpenSM writes and answers is tested with stored text")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	modeltest.Tool(t, "opensm")
	modeltest.Tool(t, "ibsim")
	tools, err := opensm.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ fabric, engine, levels string }{
		{"ring4", "lash", "path-sl.txt"},
		{"ring4", "dfsssp", "path-slset.txt"},
		{"ring4", "dor", ""},
		{"random16-d4-s2", "lash", "path-sl.txt"},
		{"random16-d4-s2", "dfsssp", "path-slset.txt"},
	} {
		n, _, err := format.ReadNetwork(filepath.Join(fabrics, c.fabric, "topology.ibnetdiscover"), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(t.TempDir(), "dumps")
		routed, err := tools.Route(t.Context(), n, folder, opensm.Options{Engine: c.engine})
		if err != nil || routed.Engine != c.engine || routed.Reason != "" {
			t.Fatal(c, routed, err)
		}
		for _, file := range []string{"opensm-lfts.dump", c.levels} {
			if file == "" {
				continue
			}
			ours := filepath.Join(folder, strings.Replace(file, "slset", "sl", 1))
			if !slices.Equal(stored(t, ours), stored(t, filepath.Join(fabrics, c.fabric, c.engine, file))) {
				t.Errorf("%s/%s: %s differs from the stored one", c.fabric, c.engine, file)
			}
		}
	}
}

// TestRouteFails: a network without hosts at an end, and an engine that takes another one's place.
func TestRouteFails(t *testing.T) {
	longtest.Only(t, "TestLog has the log of such a run")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	modeltest.Tool(t, "opensm")
	tools, err := opensm.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := format.ReadNetwork(fabrics+"ring4/topology.ibnetdiscover", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	routed, err := tools.Route(t.Context(), n, t.TempDir(), opensm.Options{Engine: "updn"})
	if err != nil || routed.Engine != "minhop" || !strings.Contains(routed.Reason, "updn: cannot") {
		t.Errorf("%+v, %v", routed, err)
	}
	_, err = tools.Route(t.Context(), n, t.TempDir(), opensm.Options{Engine: "lash", Limit: 1})
	if failed := (*opensm.Failed)(nil); !errors.As(err, &failed) || !strings.Contains(failed.Reason, "was not ready after") {
		t.Error(err)
	}
	for wait := range 20 { // an interruption at any moment is no failure of the network
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(wait)*20*time.Millisecond, cancel)
		if _, err := tools.Route(ctx, n, t.TempDir(), opensm.Options{Engine: "lash"}); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted after %d ms: %v", wait*20, err)
		}
		cancel()
	}
}

// TestFileEngine: after a failure the engine file loads the same tables again, with entries that lead to a dead port.
func TestFileEngine(t *testing.T) {
	tables := fabrics + "ring4/dor/opensm-lfts.dump"
	longtest.Only(t, "the documentation says what OpenSM does")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	modeltest.Tool(t, "opensm")
	tools, err := opensm.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := format.ReadNetwork(fabrics+"ring4/topology.ibnetdiscover", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err = n.Without([]model.LinkID{0}, nil); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	routed, err := tools.Route(t.Context(), n, folder, opensm.Options{Engine: "file", Tables: tables})
	if err != nil || routed.Engine != "file" {
		t.Fatalf("%+v, %v", routed, err)
	}
	if !slices.Equal(stored(t, filepath.Join(folder, "opensm-lfts.dump")), stored(t, tables)) {
		t.Error("the tables differ from the file")
	}
}
