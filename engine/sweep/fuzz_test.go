package sweep

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzResult: any line of a journal is rejected, or the result survives writing and reading.
func FuzzResult(f *testing.F) {
	text, err := json.Marshal(Result{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(bytes.ReplaceAll(text, []byte("0"), []byte("null")))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r, again Result
		if json.Unmarshal(text, &r) != nil {
			return
		}
		one, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(one, &again); err != nil {
			t.Fatalf("%v of %s", err, one)
		}
		if two, err := json.Marshal(again); err != nil || !bytes.Equal(one, two) {
			t.Fatalf("%s became %s, %v", one, two, err)
		}
	})
}

// FuzzShard: any text is rejected or gives a shard I of N with 1 <= I <= N.
func FuzzShard(f *testing.F) {
	for _, text := range []string{"1/2", "0/1", "2/1", "1/0", "01/2", "+1/2", "1/99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseShard(text)
		if err != nil {
			return
		}
		if s.I < 1 || s.I > s.N || s.N > MaxShards {
			t.Fatalf("%q is %+v", text, s)
		}
		if again, err := ParseShard(s.String()); err != nil || again != s {
			t.Fatalf("%q is %+v, then %+v (%v)", text, s, again, err)
		}
	})
}
