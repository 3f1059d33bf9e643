package aie

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/streams"
)

func join(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "streams", "join.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRoutes checks the routes of a design, and that the neutral format can say all of it.
func TestRoutes(t *testing.T) {
	p, err := Read(join(t), "join.mlir", Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, r := range p.Routes {
		var list []string
		for _, n := range r.Nodes {
			list = append(list, p.Resources[n.Resource].Name)
		}
		names[r.Name] = strings.Join(list, ", ")
	}
	want := map[string]string{
		"(0, 1) MM2S 0 id 3": "(0, 1) MM2S 0, arbiter 0 of (0, 1), North:0 of (0, 1), arbiter 2 of (0, 2), (0, 2) S2MM 0",
		"(0, 1) MM2S 1 id 4": "(0, 1) MM2S 1, arbiter 1 of (0, 1), North:1 of (0, 1), arbiter 2 of (0, 2), (0, 2) S2MM 1",
		"(0, 2) MM2S 0":      "(0, 2) MM2S 0, South:0 of (0, 2), South:0 of (0, 1), South:2 of (0, 0), (0, 0) S2MM 0",
	}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("routes: %q", names)
	}
	var b bytes.Buffer
	if err := streams.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	again, err := streams.Read(b.String(), "join.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if !reflect.DeepEqual(p, again) {
		t.Errorf("the neutral format says something else:\n%s", b.String())
	}
}

// TestErrors checks that errors name the line and what is wrong.
func TestErrors(t *testing.T) {
	text := join(t)
	for change, want := range map[string]string{
		"aie.rule(31, 3, %0)=aie.rule(31, 5, %0)":                        "packets of id 3 that the routing leads nowhere",
		"aie.switchbox=aie.switchbot":                                    "join.mlir:90: aie.switchbot is not read",
		"AcquireGreaterEqual, %1)=Acquire, %1)":                          "only AcquireGreaterEqual and Release",
		"%blocks = arith=%block = arith":                                 "only scf.for with constant bounds",
		"metadata = @result=metadata = @other":                           "needs an allocation of a shim DMA",
		"%memory = aie.tile(0, 1)=%mem = aie.tile(0, 1)":                 "there is no tile %memory",
		"North : 2, DMA : 0=North : 3, DMA : 0":                          "leaves (0, 0) by South:2, which leads nowhere",
		"aie.next_bd ^sum=aie.next_bd ^som":                              "there is no block ^som",
		"len = 64)=len = 0)":                                             "not a whole number of words",
		"aie.end\n    }\n    %takes=aie.end\n    %takes":                 "a region without an end",
		"%sum_full = aie.lock=%wl_full = aie.lock":                       "there are two locks %wl_full",
		"module {=module { \"":                                           "a string without an end",
		"aie.connect<DMA : 0, South : 0>=aie.connect<DMA : 0, Core : 0>": "only DMA channels are read",
	} {
		old, now, _ := strings.Cut(change, "=")
		if parts := strings.Split(change, "="); len(parts) > 2 { // the texts have an equals sign themselves
			old, now = strings.Join(parts[:len(parts)/2], "="), strings.Join(parts[len(parts)/2:], "=")
		}
		changed := strings.Replace(text, old, now, -1)
		if changed == text {
			t.Fatalf("the design has no %q", old)
		}
		if _, err := Read(changed, "join.mlir", Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "join.mlir") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// FuzzRead checks that the reader ends with a valid problem or an error.
func FuzzRead(f *testing.F) {
	f.Add(join(f))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read(text, "x", Options{})
		if err == nil && p.Validate() != nil {
			t.Fatal(p.Validate())
		}
	})
}
