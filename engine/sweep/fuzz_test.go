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
