package batch

import "testing"

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
