package cert_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// This file changes the fields of certificates and puts the digest right, so that what is
// judged is what they say and not their form.

// someWords are all that stands for something in a certificate.
var someWords = []string{
	"", "vct", "saf", "wormhole", Proved, Refuted, "own", "any", "all", WaitingOne, WaitingMixed, "mesh", "torus", "hv", "updown", "given", "reset", "keep", "stop", "nf+1", "coordinates", "canonical",
	ClaimAcyclic, ClaimDeadlockFree, ClaimConnected, ClaimLivelockFree, ClaimMessages, ClaimUnroutable, ClaimLowerBound,
	EvidenceNumbering, EvidenceCycle, EvidenceAcyclic, EvidenceLines, EvidenceElimination, EvidenceEscape, EvidenceNoWorms, EvidenceConfiguration, EvidenceWorms, EvidenceGatedOrder, EvidenceGatedConfiguration, EvidenceWalk,
	EvidenceLostPacket, EvidenceLongest, EvidenceLoop, EvidenceNetworks, EvidenceSharedNetwork, EvidenceDeadlocked, EvidenceTurnCycle, EvidenceTurnTree, EvidenceTurnSearch, EvidenceTurnUnreached,
	EvidencePacking, EvidenceGossip, EvidenceRefutation, EvidenceNoSet, EvidencePackingBoth, EvidenceGossipBoth, EvidenceRefutationBoth, EvidenceFamilyRanks, EvidenceFamilyCycle, EvidenceFamilyMembers, EvidenceFamilyUnreached,
	EndDropped, EndWrongHost, EndLooping, EndNoClass, EndNoPath, "E>N", "\x1b[31m\n",
}

// edgeNumbers are some that are at an edge.
var edgeNumbers = []int64{0, 1, -1, 2, math.MaxInt32, math.MinInt32, math.MaxInt32 - 1, 1 << 32, math.MaxInt64, math.MinInt64, 15, 16, 255, 1 << 28, 1 << 40}

// changeable lists what can be changed in v: numbers, words, truths, lists, and what may be absent.
func changeable(v reflect.Value, all []reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			all = changeable(v.Field(i), all)
		}
		return all
	case reflect.Slice:
		all = append(all, v)
		for i := range v.Len() {
			all = changeable(v.Index(i), all)
		}
		return all
	case reflect.Pointer:
		if all = append(all, v); !v.IsNil() {
			all = changeable(v.Elem(), all)
		}
		return all
	case reflect.Interface: // blocks
		return all
	}
	return append(all, v)
}

// change changes one leaf: which, how, and to what.
func change(c *Certificate, which uint16, how byte, to byte) {
	all := changeable(reflect.ValueOf(c).Elem(), nil)
	v := all[int(which)%len(all)]
	switch v.Kind() {
	case reflect.String:
		v.SetString(someWords[int(to)%len(someWords)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v.SetZero()
		}
	case reflect.Slice:
		changeList(v, how, int(to))
	default: // a number
		x := edgeNumbers[int(to)%len(edgeNumbers)]
		if how%2 == 0 {
			x = v.Int() + int64(int8(to))
		}
		if v.OverflowInt(x) {
			x = int64(int32(x))
		}
		v.SetInt(x)
	}
}

// changeList shortens, lengthens, empties, turns round or repeats a list.
func changeList(v reflect.Value, how byte, to int) {
	n := v.Len()
	switch how % 5 {
	case 0:
		v.SetLen(to % (n + 1))
	case 1:
		v.Set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
	case 2:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, 2*n), v.Slice(to%(n+1), n)))
	case 3:
		if n > 1 {
			swap := reflect.Swapper(v.Interface())
			swap(to%n, (to+1)%n)
		}
	case 4:
		if n > 0 && n < 1000 {
			v.Set(reflect.Append(v, v.Index(to%n)))
		}
	}
}

// keptFiles are the certificates that are kept, by name.
func keptFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range keptNames(t) {
		files[name] = keptFile(t, name)
	}
	return files
}

func keptFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "kept", name+".cert"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// long reports whether the tests may take minutes (make test-long).
func long() bool { return longtest.On() }

// TestEveryField changes the fields of each kept certificate, one at a time, and judges the
// result. The full run makes twenty changes to each field. Other runs take about 30 fields of a certificate that has
// more, evenly spread, and of the two-dimensional tori, which take long to judge, every twelfth. The long run makes
// five changes to these fields, the short run one.
func TestEveryField(t *testing.T) {
	t.Parallel()
	for i, name := range keptNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := keptFile(t, name)
			var c Certificate
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			fields := len(changeable(reflect.ValueOf(&c).Elem(), nil))
			step := 1 + fields/30
			if strings.HasPrefix(name, "torus-2-") {
				step = 12
			}
			for which := range fields {
				if !longtest.IsFull() && (which+i)%step != 0 {
					continue
				}
				for how := range byte(5) {
					for k, to := range []byte{0, 1, 4, 255} {
						if longtest.IsFull() || k == which%4 && (long() || int(how) == which%5) {
							judgeChanged(t, name, clone(&c), []byte{byte(which), byte(which >> 8), how, to})
						}
					}
				}
			}
		})
	}
}

// judgeChanged changes a certificate, four bytes a change, and holds that it is written and
// read as it is, and judged without failing, soon.
func judgeChanged(t *testing.T, name string, c *Certificate, changes []byte) {
	t.Helper()
	for len(changes) >= 4 {
		change(c, uint16(changes[0])|uint16(changes[1])<<8, changes[2], changes[3])
		changes = changes[4:]
	}
	if c.Schema != Schema {
		return
	}
	var file bytes.Buffer
	if err := Write(&file, c); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatalf("%s: what was written is not read: %v\n%s", name, err, file.Bytes())
	}
	began := time.Now()
	err = Check(again)
	if spent := time.Since(began); spent > 20*time.Second {
		t.Fatalf("%s: judged for %v: %v\n%s", name, spent, err, file.Bytes())
	}
	if err != nil && err.Error() == "" {
		t.Fatalf("%s: no reason\n%s", name, file.Bytes())
	}
	_ = summary.Text(again)
}

// FuzzFields checks that Check accepts or rejects every well-formed certificate without a panic.
func FuzzFields(f *testing.F) {
	for _, text := range keptFiles(f) {
		f.Add(text, []byte{0, 0, 0, 0})
	}
	for i := range stories {
		f.Add(file(f, certify(stories[i].subject())), []byte{1, 0, 1, 1, 40, 0, 1, 2})
	}
	f.Fuzz(func(t *testing.T, text, changes []byte) {
		if len(text) < 1<<16 {
			c := new(Certificate)
			if json.Unmarshal(text, c) == nil {
				judgeChanged(t, "fuzz", c, changes[:min(len(changes), 64)])
			}
		}
	})
}

// textsOf lists the texts of a certificate.
func textsOf(c *Certificate) (list []*string) {
	for _, v := range changeable(reflect.ValueOf(c).Elem(), nil) {
		if v.Kind() == reflect.String {
			list = append(list, v.Addr().Interface().(*string))
		}
	}
	return list
}
