package wording

import "fmt"

// Count writes "1 switch", "16 switches", "1 entry", "1,280 entries". It appends plural to word,
// or singular if k is 1.
func Count[T int | int64](k T, word, plural string, singular ...string) string {
	if k != 1 {
		return Thousands(int64(k)) + " " + word + plural
	}
	if len(singular) > 0 {
		word += singular[0]
	}
	return "1 " + word
}

// Thousands writes 1347840 as 1,347,840.
func Thousands(k int64) string {
	s := fmt.Sprint(k)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
