package cert_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

func file(t testing.TB, c *Certificate) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, c); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCanonical holds what Write gives against encoding/json, with every
// field of every type set, so that none is forgotten.
func TestCanonical(t *testing.T) {
	c := new(Certificate)
	fill(reflect.ValueOf(c).Elem())
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []*Certificate{c, certify(randomTable(rng, true)), certify(randomRelation(rng, true)), certify(randomTurns(rng)), mesh(3, 2)} {
		got := file(t, c)
		end := bytes.LastIndex(got, []byte(",\n \"digest\""))
		sum := sha256.Sum256(got[:end])
		as := *c
		as.Digest = hex.EncodeToString(sum[:])
		if as.Subject.Inputs == nil {
			as.Subject.Inputs = []Input{}
		}
		want, err := json.MarshalIndent(&as, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want)+"\n" {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// fill sets everything in v to something, each list to one entry.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("<a & \"b\"> \u2028")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface: // blocks, which are in no file of version 1
	default:
		v.SetInt(-7)
	}
}

func TestReadEmptyLists(t *testing.T) {
	text := file(t, &Certificate{Schema: Schema})
	if bytes.Contains(text, []byte("null")) {
		t.Errorf("null in %s", text)
	}
	if _, err := Read(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
}

// redigest puts the digest right after a change of the text.
func redigest(text string) string {
	end := strings.LastIndex(text, ",\n \"digest\"")
	sum := sha256.Sum256([]byte(text[:end]))
	return text[:end] + ",\n \"digest\": \"" + hex.EncodeToString(sum[:]) + "\"\n}\n"
}

func TestReadRejects(t *testing.T) {
	good := string(file(t, certify(stories[0].subject())))
	change := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("no %q in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for _, bad := range []struct {
		name, text, why string
		unreadable      bool
	}{
		{"empty", "", "not JSON", true},
		{"text", "switches 4\n", "not JSON", true},
		{"cut off", good[:len(good)/2], "not JSON", true},
		{"trailing data", good + "{}", "after top-level value", true},
		{"trailing line", good + "\n", "file", false},
		{"no newline", strings.TrimSpace(good), "file", false},
		{"a list", "[]", "not a certificate", true},
		{"null", "null", "no schema", true},
		{"another object", "{\"a\": 1}", "no schema", true},
		{"another schema", change(Schema, "turnproof.check/1"), "turnproof.check/1", true},
		{"another version", change(Schema, "turnproof.certificate/3"), "certificate/3", true},
		{"schema a number", "{\"schema\": 1}", "not a certificate", true},
		{"unknown field", redigest(change(" \"subject\": {", " \"subject\": {\n  \"colour\": 1,")), "unknown field \"colour\"", false},
		{"duplicate key", redigest(change("   \"vcs\": 1,", "   \"vcs\": 1,\n   \"vcs\": 1,")), "line 7", false},
		{"capital key", redigest(change("\"vcs\"", "\"VCs\"")), "VCs", false},
		{"spacing", redigest(change("\"vcs\": 1", "\"vcs\":  1")), "line 6", false},
		{"carriage return", redigest(change("\n", "\r\n")), "line 1", false},
		{"float", redigest(change("\"vcs\": 1", "\"vcs\": 1.0")), "1.0", false},
		{"great number", redigest(change("\"vcs\": 1", "\"vcs\": 99999999999999999999")), "99999999999999999999", false},
		{"null list", redigest(change("\"inputs\": []", "\"inputs\": null")), "null", false},
		{"escaped letter", redigest(change("\"s0\"", "\"\\u0073\\u0030\"")), "u0073", false},
		{"not UTF-8", redigest(change("\"s0\"", "\"\xff\"")), "file", false},
		{"string for packed", redigest(change("\"ports\": \"", "\"ports\": \"!")), "packed integers", false},
		{"numbers for packed", redigest(change("\"lids\": \"", "\"lids\": [1], \"x\": \"")), "packed integers", false},
		{"digest", change("\"digest\": \"", "\"digest\": \"0"), "digest", false},
		{"digest of another file", change("\"s0\"", "\"s1\""), "the digest is not that of the file", false},
	} {
		t.Run(bad.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(bad.text))
			var unreadable *Unreadable
			var rejection *Rejection
			if errors.As(err, &unreadable) != bad.unreadable || errors.As(err, &rejection) == bad.unreadable {
				t.Fatalf("error %v of type %T", err, err)
			}
			if !strings.Contains(err.Error(), bad.why) {
				t.Errorf("error %q, want %q in it", err, bad.why)
			}
		})
	}
}

func TestReadFails(t *testing.T) {
	broken := errors.New("disk on fire")
	var unreadable *Unreadable
	if _, err := Read(failing{broken}); !errors.As(err, &unreadable) || !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestEveryByte changes, takes off and doubles each byte of some files.
func TestEveryByte(t *testing.T) {
	t.Parallel()
	for _, i := range []int{0, 5, 10, 12} {
		good := file(t, certify(stories[i].subject()))
		bad := func(at int, text []byte) {
			if c, err := Read(bytes.NewReader(text)); err == nil {
				if err = Check(c); err == nil {
					t.Fatalf("%s: accepted with byte %d changed", stories[i].name, at)
				}
			}
		}
		for at, was := range good {
			for k, b := range []byte{was ^ 1, was ^ 0x20, was ^ 0x80, '0', '"', ' '} {
				if b != was && (long() || k == at%24) {
					text := bytes.Clone(good)
					text[at] = b
					bad(at, text)
				}
			}
			if long() || at%8 == 0 {
				bad(at, append(bytes.Clone(good[:at]), good[at+1:]...))
			}
			if long() || at%8 == 4 {
				bad(at, append(bytes.Clone(good[:at+1]), good[at:]...))
			}
		}
	}
}

func TestPackedRejects(t *testing.T) {
	for text, why := range map[string]string{
		`"gAA="`:     "shortest form",       // 0x80 0x00: zero in two bytes
		`"gA=="`:     "cut off",             // 0x80
		`"/////x8="`: "longer than 32 bits", // 33 bits
		`"gICAgIAB"`: "longer than 32 bits", // six bytes
		`"AB=="`:     "base64",              // bits behind the last byte
		`[1]`:        "are a string",
		`null`:       "are a string",
	} {
		var x Ints
		if err := x.UnmarshalJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: error %v, want %q in it", text, err, why)
		}
	}
	for _, x := range []Ints{nil, {0}, {-1, 1, 1<<31 - 1, -1 << 31}, {63, 64, -64, -65}} {
		text, err := x.MarshalJSON()
		var y Ints
		if err == nil {
			err = y.UnmarshalJSON(text)
		}
		if err != nil || len(x) != len(y) || len(x) > 0 && !reflect.DeepEqual(x, y) {
			t.Errorf("%v comes back as %v, error %v", x, y, err)
		}
	}
}

func seeds(f *testing.F) {
	for i, story := range stories {
		if i%2 == 0 {
			f.Add(file(f, certify(story.subject())))
		}
	}
	for seed := range uint64(4) {
		f.Add(file(f, certify(randomTable(rand.New(rand.NewPCG(seed, 2)), true))))
		f.Add(file(f, certify(randomRelation(rand.New(rand.NewPCG(seed, 3)), true))))
		f.Add(file(f, certify(randomTurns(rand.New(rand.NewPCG(seed, 4))))))
	}
}

// FuzzRead checks that a certificate which can be read is written as the same bytes.
func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := Read(bytes.NewReader(text)); err == nil {
			if !bytes.Equal(file(t, c), text) {
				t.Fatal("written otherwise than read")
			}
			_ = Check(c)
			_ = summary.Text(c)
		} else if err.Error() == "" {
			t.Fatal("no reason")
		}
	})
}

// FuzzCheck passes the digest by: Check does not panic, and what it accepts
// is written and read back, and accepted again.
func FuzzCheck(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		c := new(Certificate)
		if json.Unmarshal(text, c) != nil {
			return
		}
		_ = summary.Text(c)
		if err := Check(c); err != nil {
			if err.Error() == "" {
				t.Fatal("no reason")
			}
			return
		}
		accepted(t, c)
	})
}
