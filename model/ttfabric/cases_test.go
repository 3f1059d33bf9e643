package ttfabric

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// answer is what a case says.
type answer struct {
	Verdict      string
	Channels     int
	Dependencies int
	Notes        []string
	Assumed      bool `json:"assumed_cables"`
	Cables       int
	Starving     int `json:"starving_count"`
}

// eachCase calls f for each case and variant of the folder of cases.
func eachCase(t *testing.T, f func(t *testing.T, d *meshgraph.Descriptor, o Options, want answer)) {
	folder := os.Getenv("TURNPROOF_ACCELERATORS")
	if folder == "" {
		t.Skip("TURNPROOF_ACCELERATORS names no folder of cases")
	}
	cases, err := filepath.Glob(filepath.Join(folder, "*", "truth.json"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	for _, path := range cases {
		var truth struct {
			Answer   *answer
			Variants map[string]struct {
				Change map[string]json.RawMessage
				Answer *answer
			}
		}
		options := map[string]json.RawMessage{}
		read(t, path, &truth)
		read(t, filepath.Join(filepath.Dir(path), "options.json"), &options)
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "descriptor.textproto"))
		if err != nil {
			t.Fatal(err)
		}
		run := func(name string, change map[string]json.RawMessage, want *answer) {
			if want == nil {
				return
			}
			t.Run(filepath.Base(filepath.Dir(path))+"/"+name, func(t *testing.T) {
				all := map[string]json.RawMessage{}
				for _, m := range []map[string]json.RawMessage{options, change} {
					for k, v := range m {
						all[k] = v
					}
				}
				raw, _ := json.Marshal(all)
				o, err := ParseOptions("options.json", raw)
				if err != nil {
					t.Fatal(err)
				}
				d, err := meshgraph.Parse("descriptor.textproto", text)
				if err != nil {
					t.Fatal(err)
				}
				f(t, d, o, *want)
			})
		}
		run("answer", nil, truth.Answer)
		for name, v := range truth.Variants {
			run(name, v.Change, v.Answer)
		}
	}
}

func read(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestCases compares networks and dependencies with the cases. The verdicts are compared where they are decided.
func TestCases(t *testing.T) {
	eachCase(t, func(t *testing.T, d *meshgraph.Descriptor, o Options, want answer) {
		f, err := Build(d, o)
		if (err != nil) != (want.Verdict == "refused") {
			t.Fatalf("want %s, got %v", want.Verdict, err)
		}
		if err != nil {
			return
		}
		if f.Assumed != want.Assumed || len(f.Cables) != want.Cables || len(f.Findings.Starving) != want.Starving {
			t.Errorf("assumed %v, %d cables, %d starving; want %+v", f.Assumed, len(f.Cables), len(f.Findings.Starving), want)
		}
		for c := range f.kinds {
			f.kinds[c].bad, f.kinds[c].guarded = "", false // the cases count what the routes ask for
		}
		used, deps := map[model.VCID]bool{}, map[model.Turn]bool{}
		x := cdg.NewExplorer(f.Relation)
		for d := range model.DestID(f.Relation.Destinations()) {
			s := x.Explore(d)
			for i, st := range s.States {
				hops, _ := s.HopsOf(i)
				if f.Net.IsLinkVC(st.VC) {
					used[st.VC] = true
				}
				for _, h := range hops {
					if f.Net.IsLinkVC(st.VC) && f.Net.IsLinkVC(h.VC) {
						deps[model.Turn{In: st.VC, Out: h.VC}] = true
					}
				}
			}
		}
		if !f.Assumed && (len(used) != want.Channels || len(deps) != want.Dependencies) { // where the cables are depends on the placement
			t.Errorf("%d channels, %d dependencies; want %d, %d", len(used), len(deps), want.Channels, want.Dependencies)
		}
	})
}
