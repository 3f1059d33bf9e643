package kinds

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// key returns the name of a kind in messages of these tests.
func key(claim, verdict, evidence string) string {
	return claim + " " + verdict + " by " + evidence
}

// TestRegistered checks that each kind of evidence in the format has a registered judge.
func TestRegistered(t *testing.T) {
	for _, name := range unregistered(t, cert.Kinds()) {
		t.Errorf("the format names the evidence %s, and no judge is registered for it; "+
			"add a cert.Kind to verify/cert/corekinds.go if it is about tables and relations, else to Kinds of its judge's package and the package to kinds.go", name)
	}
	kinds := cert.Kinds()
	without := slices.DeleteFunc(kinds, func(k cert.Kind) bool { return k.Evidence == cert.EvidenceTurnTree })
	if got := unregistered(t, without); !slices.Equal(got, []string{cert.EvidenceTurnTree}) {
		t.Errorf("without turn-tree: %q", got)
	}
}

// TestFieldsAreUsed checks that each field of Claim belongs to a kind of evidence.
func TestFieldsAreUsed(t *testing.T) {
	used := map[string]bool{"claim": true, "verdict": true, "evidence": true}
	for _, k := range cert.Kinds() {
		for _, f := range k.Fields {
			used[f] = true
		}
		used["chosen"] = used["chosen"] || k.Chosen
	}
	claim := reflect.TypeFor[cert.Claim]()
	for i := range claim.NumField() {
		name, _, _ := strings.Cut(claim.Field(i).Tag.Get("json"), ",")
		if !used[name] {
			t.Errorf("no kind of evidence has the field %q of cert.Claim; add it to Fields of its kind, or remove it from verify/cert/format.go", name)
		}
	}
}

// unregistered returns the kinds of evidence that the format names and no entry of list has.
func unregistered(t *testing.T, list []cert.Kind) (names []string) {
	t.Helper()
	for _, name := range []string{"../format.go", "../otherformats.go", "../turnsformat.go", "../streamsformat.go", "../transitionformat.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 && strings.HasPrefix(v.Names[0].Name, "Evidence") {
				evidence, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(list, func(k cert.Kind) bool { return k.Evidence == evidence }) {
					names = append(names, evidence)
				}
			}
			return true
		})
	}
	return names
}

var ocamlKind = regexp.MustCompile(`\("([a-z-]+)", "([a-z]+)", "([a-z-]+)", \[([^\]]*)\]\)`)

// TestProvedChecker checks that verify/proved knows the same kinds with the same fields.
func TestProvedChecker(t *testing.T) {
	text, err := os.ReadFile("../../proved/kinds.ml")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, m := range ocamlKind.FindAllStringSubmatch(string(text), -1) {
		listed[key(m[1], m[2], m[3])] = strings.Join(strings.Fields(strings.NewReplacer(`"`, "", ";", "").Replace(m[4])), " ")
	}
	for _, k := range cert.Kinds() {
		name := key(k.Claim, k.Verdict, k.Evidence)
		fields, ok := listed[name]
		if want := strings.Join(k.Fields, " "); !ok || fields != want {
			t.Errorf("verify/proved/kinds.ml has %s with the fields %q; want %q (a new field goes into verify/proved/form.ml as well)", name, fields, want)
		}
	}
	for _, k := range cert.Kinds() {
		delete(listed, key(k.Claim, k.Verdict, k.Evidence))
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		t.Errorf("verify/proved/kinds.ml has %s, and no judge is registered for it", name)
	}
}

// TestRegister checks that Register panics on an incomplete or contradictory kind, and says why.
func TestRegister(t *testing.T) {
	judge := cert.JudgeBy(func(any, *cert.Claim) error { return nil })
	good := cert.Kind{Subjects: []string{"table"}, Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: "new", Judge: judge}
	for want, change := range map[string]func(k *cert.Kind){
		"no such claim":        func(k *cert.Kind) { k.Claim = "fast" },
		"no such verdict":      func(k *cert.Kind) { k.Verdict = "undecided" },
		"no judge":             func(k *cert.Kind) { k.Judge = nil },
		"no field \"speed\"":   func(k *cert.Kind) { k.Fields = []string{"speed"} },
		"no subject \"cloud\"": func(k *cert.Kind) { k.Subjects = []string{"cloud"} },
		"registered twice":     func(k *cert.Kind) { k.Evidence, k.Fields = cert.EvidenceWalk, []string{"pairs"} },
		"has other fields":     func(k *cert.Kind) { k.Subjects, k.Evidence = []string{"turns"}, cert.EvidenceWalk },
	} {
		k := good
		change(&k)
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, want) {
					t.Errorf("%q; want %q", said, want)
				}
			}()
			cert.Register(nil, []cert.Kind{k})
		}()
	}
}
