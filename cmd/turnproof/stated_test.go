package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStatedRanks draws the numbers of the NF+1 paper, which increase on the 4x4 torus and not on 5x5.
func TestStatedRanks(t *testing.T) {
	program := filepath.Join("..", "..", "examples", "routing-programs", "published", "nf+1-as-printed.torus.star")
	for spec, want := range map[string]string{
		"torus:4x4,vcs=2": "The numbers increase on all 116 dependencies.",
		"torus:5x5,vcs=2": "The numbers do not increase on 5 of 240 dependencies",
	} {
		file := filepath.Join(t.TempDir(), "ranks.svg")
		if _, stderr, code := turnproof(t, "draw", "ranks", spec, "-r", program, "--stated", "-o", file); code != 0 {
			t.Fatalf("%s: exit status %d, %s", spec, code, stderr)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) || !strings.Contains(string(text), "0,2,0") {
			t.Errorf("%s: the drawing does not contain %q and 0,2,0", spec, want)
		}
	}
	if _, stderr, code := turnproof(t, "draw", "ranks", "torus:4x4,vcs=2", "-r", "nf+1", "--stated", "-o", filepath.Join(t.TempDir(), "x.svg")); code != 2 || !strings.Contains(stderr, "function rank") {
		t.Errorf("nf+1: exit status %d, %s", code, stderr)
	}
}
