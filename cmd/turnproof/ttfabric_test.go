package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/verify/ttfabric"
)

// fabricTruth is the answer of a case of TURNPROOF_ACCELERATORS.
type fabricTruth struct {
	Verdict     string
	CycleLength int `json:"cycle_length"`
	VCs         []string
	Rings       map[string]ttfabric.RingCount
	Starving    []ttfabric.StarvingCable `json:"starving_cables"`
}

// TestFabricCases checks the cases of TURNPROOF_ACCELERATORS with the command line, as a user does.
func TestFabricCases(t *testing.T) {
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
			Answer   *fabricTruth
			Variants map[string]struct {
				Change map[string]any
				Answer *fabricTruth
			}
		}
		base := map[string]any{}
		readJSONFile(t, path, &truth)
		readJSONFile(t, filepath.Join(filepath.Dir(path), "options.json"), &base)
		if truth.Answer != nil {
			checkFabricCase(t, filepath.Dir(path), "answer", base, truth.Answer)
		}
		for name, v := range truth.Variants {
			if v.Answer != nil {
				all := maps.Clone(base)
				maps.Copy(all, v.Change)
				checkFabricCase(t, filepath.Dir(path), name, all, v.Answer)
			}
		}
	}
}

func readJSONFile(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkFabricCase compares one run with the truth. The exit status follows the verdict.
func checkFabricCase(t *testing.T, dir, name string, options map[string]any, want *fabricTruth) {
	t.Run(filepath.Base(dir)+"/"+name, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "options.json")
		text, _ := json.Marshal(options)
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		args := []string{"turnproof", "check", filepath.Join(dir, "descriptor.textproto"), "--fabric-options", file, "--json"}
		status := run(context.Background(), args, &out, &errs)
		wanted, ok := map[string]int{"free": 0, "refused": 2}[want.Verdict]
		if !ok {
			wanted = 1
		}
		if status != wanted {
			t.Fatalf("status %d, want %d for %s: %s", status, wanted, want.Verdict, &errs)
		}
		if status == 2 {
			return
		}
		var got struct {
			Fabric  ttfabric.Answer
			Verdict string
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		a := got.Fabric
		if string(a.Verdict) != want.Verdict || a.CycleLength != want.CycleLength || len(a.Cycle) != want.CycleLength {
			t.Errorf("%s, cycle of %d; want %s, %d", a.Verdict, a.CycleLength, want.Verdict, want.CycleLength)
		}
		if !slices.Equal(a.VCs, want.VCs) || !reflect.DeepEqual(a.Starving, want.Starving) {
			t.Errorf("VCs %v, starving %v; want %v, %v", a.VCs, a.Starving, want.VCs, want.Starving)
		}
		if want.Verdict == "deadlock" || want.Verdict == "free" { // packets that stop early leave rings without packets
			for ring, w := range want.Rings {
				if a.Rings[ring] != w {
					t.Errorf("%s: %+v, want %+v", ring, a.Rings[ring], w)
				}
			}
		}
	})
}

// TestRecipeCases checks recipes of TURNPROOF_ACCELERATORS.
func TestRecipeCases(t *testing.T) {
	folder := os.Getenv("TURNPROOF_ACCELERATORS")
	if folder == "" {
		t.Skip("TURNPROOF_ACCELERATORS names no folder of cases")
	}
	cases, err := filepath.Glob(filepath.Join(folder, "*", "recipes.json"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no recipes in %s: %v", folder, err)
	}
	for _, path := range cases {
		var truth struct {
			Recipes []struct {
				Cycle    bool
				Shortest int `json:"shortest_cycle"`
				Fewest   int `json:"fewest_pairs_to_drop"`
			}
		}
		dir := filepath.Dir(path)
		readJSONFile(t, filepath.Join(dir, "truth.json"), &truth)
		var out, errs bytes.Buffer
		args := []string{"turnproof", "check", filepath.Join(dir, "descriptor.textproto"), "--fabric-options", filepath.Join(dir, "options.json"),
			"--flows", path, "--json"}
		if status := run(context.Background(), args, &out, &errs); status != 1 {
			t.Fatalf("status %d: %s", status, &errs)
		}
		var got struct {
			Recipes []struct {
				Verdict string
				Cycle   []string
				Drop    [][2]string
				Least   int `json:"at_least"`
			}
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Recipes) != len(truth.Recipes) {
			t.Fatalf("%d recipes, want %d: %v", len(got.Recipes), len(truth.Recipes), err)
		}
		for i, want := range truth.Recipes {
			a := got.Recipes[i]
			if (a.Verdict == "refuted") != want.Cycle || len(a.Cycle) != want.Shortest || len(a.Drop) != want.Fewest || a.Least != want.Fewest {
				t.Errorf("recipe %d: %+v, want %+v", i, a, want)
			}
		}
	}
}
