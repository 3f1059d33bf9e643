package cert_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/kinds"
)

// This file compares the judge with kept certificates, at least one for each kind of evidence. The
// judge accepts them. testdata/kept.txt has its answers if a single value of a certificate is
// changed. A judge that becomes more lax or more strict anywhere near says
// something else. The changes that are accepted leave what is claimed as true as before: a rank
// with a gap above it, another cycle of the same turns, a packet by another way.

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// kept reads a certificate of testdata/kept.
func kept(t testing.TB, name string) *Certificate {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "kept", name+".cert"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

func keptNames(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "kept", "*.cert"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".cert"))
	}
	return names
}

// TestKeptKinds checks that each kind of evidence has a kept certificate or a story.
func TestKeptKinds(t *testing.T) {
	there := map[string]bool{}
	note := func(c *Certificate) {
		for _, claim := range c.Claims {
			there[claim.Claim+" "+claim.Verdict+" "+claim.Evidence] = true
		}
	}
	for _, name := range keptNames(t) {
		c := kept(t, name)
		note(c)
		if c.Subject.Product != nil {
			for _, l := range c.Subject.Product.Lines {
				note(&Certificate{Claims: l.Claims})
			}
		}
	}
	for _, s := range stories {
		note(certify(s.subject()))
	}
	for _, k := range Kinds() {
		if name := k.Claim + " " + k.Verdict + " " + k.Evidence; !there[name] {
			t.Errorf("no kept certificate has %s; add one to testdata/kept, and run the tests with -update", name)
		}
	}
}

// TestKept changes each thing of each certificate, of long lists some, one certificate after the
// other, and ends with the first of which something else is said than before.
func TestKept(t *testing.T) {
	golden := filepath.Join("testdata", "kept.txt")
	if *update {
		var said strings.Builder
		for _, name := range keptNames(t) {
			fmt.Fprintf(&said, "== %s\n%s", name, answers(t, name))
		}
		if err := os.WriteFile(golden, []byte(said.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, part := range strings.Split(string(text), "== ")[1:] {
		name, answers, _ := strings.Cut(part, "\n")
		want[name] = answers
	}
	names := keptNames(t)
	for _, name := range names {
		got, want := strings.Split(answers(t, name), "\n"), strings.Split(want[name], "\n")
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%s: of %s the judge says %q, not %q; if that is meant, -update rewrites the file", golden, name, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
	}
	if len(want) != len(names) {
		t.Errorf("%s tells of %d certificates, there are %d", golden, len(want), len(names))
	}
}

// answers checks a certificate, and lists how often which reason was given against changes, and
// which changes were accepted.
func answers(t *testing.T, name string) string {
	c := kept(t, name)
	accepted(t, c)
	says, most := map[string]int{}, 40
	switch { // which take long
	case strings.HasPrefix(name, "torus-2-"):
		most = 16
	case name == "every-network":
		most = 4
	}
	changes(reflect.ValueOf(&c.Subject).Elem(), "subject", 10, func(where string) { note(t, c, where, says) })
	changes(reflect.ValueOf(&c.Claims).Elem(), "claims", most, func(where string) { note(t, c, where, says) })
	if err := Check(c); err != nil {
		t.Fatalf("%s: the changes were not taken back: %v", name, err)
	}
	var list strings.Builder
	for _, what := range slices.Sorted(maps.Keys(says)) {
		fmt.Fprintf(&list, "%4d %s\n", says[what], what)
	}
	return list.String()
}

var (
	numbers = regexp.MustCompile(`-?\d+`)
	quoted  = regexp.MustCompile(`"[^"]*"`)
)

// note notes what is said of a changed certificate. Numbers and names are left out, since which
// of several things is found wrong first is of no account.
func note(t *testing.T, c *Certificate, where string, says map[string]int) {
	t.Helper()
	err := Check(c)
	var no *Rejection
	switch {
	case err == nil:
		says["accepted: "+numbers.ReplaceAllString(where, "#")]++
	case errors.As(err, &no):
		says[no.Claim+": "+numbers.ReplaceAllString(quoted.ReplaceAllString(no.Reason, `"…"`), "#")]++
	default:
		t.Fatalf("%s: %v", where, err)
	}
}

// words has what else the text of a field may be.
var words = map[string][]string{
	"switching": {"vct", "saf", "wormhole"}, "verdict": {Proved, Refuted}, "vcs": {"own", "any", "all"},
	"kind": {"mesh", "torus", "hv", "updown", "given"}, "rule": {"reset", "keep", "stop", "nf+1"}, "tree": {"any", "coordinates", "canonical"},
	"end": {EndDropped, EndWrongHost, EndLooping, EndNoClass, EndNoPath},
}

// changes changes one value after the other, and restores it. In a list it changes a number of
// entries that are spread evenly.
func changes(v reflect.Value, where string, most int, try func(where string)) {
	as := func(what string, x reflect.Value) {
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		v.Set(x)
		try(where + " " + what)
		v.Set(was)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Switches" && name != "Endpoints" && name != "Inputs" {
				changes(v.Field(i), where+"."+strings.ToLower(name), most, try)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			as("left out", reflect.Zero(v.Type()))
			changes(v.Elem(), where, most, try)
		}
	case reflect.Slice:
		n := v.Len()
		for k := range min(n, most) {
			i := k * n / min(n, most)
			as(fmt.Sprintf("without %d", i), reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+1, n)))
			as(fmt.Sprintf("%d twice", i), reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n+1), v.Slice(0, i+1)), v.Slice(i, n)))
			if i+1 < n && !reflect.DeepEqual(v.Index(i).Interface(), v.Index(i+1).Interface()) {
				swapped := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n), v)
				x := reflect.ValueOf(v.Index(i + 1).Interface())
				swapped.Index(i + 1).Set(v.Index(i))
				swapped.Index(i).Set(x)
				as(fmt.Sprintf("%d and %d exchanged", i, i+1), swapped)
			}
			changes(v.Index(i), fmt.Sprintf("%s[%d]", where, i), most, try)
		}
	case reflect.Bool:
		as("flipped", reflect.ValueOf(!v.Bool()))
	case reflect.String:
		for _, x := range append([]string{"", "x", v.String() + ">"}, words[where[strings.LastIndexByte(where, '.')+1:]]...) {
			if x != v.String() {
				as("= "+x, reflect.ValueOf(x))
			}
		}
	default:
		for _, d := range []int64{-1, 1} {
			x := reflect.New(v.Type()).Elem()
			x.SetInt(v.Int() + d)
			as(fmt.Sprintf("%+d", d), x)
		}
	}
}
