package layers_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/layers"
)

// TestWrittenPaths: the paths that a file holds lead over the channels of the routes, on the VC that
// is the layer of each.
func TestWrittenPaths(t *testing.T) {
	for _, spec := range []string{"torus:4x4", "complete:4", "random:switches=12,degree=4,hosts=2,seed=2"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		relations := []model.Relation{shortest(t, spec)}
		if spec == "torus:4x4" {
			dor, err := route.New("dor", n, route.Options{})
			if err != nil {
				t.Fatal(err)
			}
			relations = append(relations, dor)
		}
		for _, rel := range relations {
			r, err := layers.Collect(t.Context(), rel)
			if err != nil {
				t.Fatal(err)
			}
			found, err := layers.Find(t.Context(), r, layers.Options{Time: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			layered, err := layers.Layered(rel, r, found.Of)
			if err != nil {
				t.Fatal(err)
			}
			again := rewritten(t, n, layered)
			count := int64(0)
			for p, err := range route.WalkPaths(again) {
				if err != nil {
					t.Fatal(err)
				}
				count++
				path := r.Path(p.Source, model.DestID(p.Dest))
				var channels []model.ChannelID
				for _, v := range p.VCs {
					c, vc := again.Network().Channel(v)
					channels = append(channels, c)
					if path != layers.None && vc != int(found.Of[path]) {
						t.Fatalf("%s: from %d to %d on VC %d, layer %d", spec, p.Source, p.Dest, vc, found.Of[path])
					}
				}
				if path != layers.None && !slices.Equal(channels, r.Paths[path]) {
					t.Fatalf("%s: from %d to %d over %v, not %v", spec, p.Source, p.Dest, channels, r.Paths[path])
				}
			}
			if count != r.Pairs {
				t.Errorf("%s: %d paths for %d pairs", spec, count, r.Pairs)
			}
		}
	}
}

// rewritten writes the paths of a relation and reads them for network n.
func rewritten(t *testing.T, n *model.Network, rel model.Relation) model.Relation {
	t.Helper()
	var b bytes.Buffer
	if err := native.WritePaths(&b, rel.Network(), route.WalkPaths(rel)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "paths.json")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	read, _, err := format.ReadRouting(file, n, format.Options{})
	if err != nil || read.Paths == nil {
		t.Fatal(err)
	}
	return read.Paths
}
