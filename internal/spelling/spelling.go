// Package spelling suggests a known name for a misspelt word.
package spelling

import "strings"

// Suggest returns " (did you mean NAME?)" if a name is similar to word, else "".
func Suggest(word string, names []string) string {
	if s := Nearest(word, names); s != "" {
		return " (did you mean " + s + "?)"
	}
	return ""
}

// Nearest returns the name most similar to word, or "". It allows one typing error in short
// names and two in long names. word may also be the beginning of a name.
func Nearest(word string, names []string) string {
	best, least := "", 3
	word = strings.ToLower(word)
	if len(word) < 2 || len(word) > 40 {
		return ""
	}
	for _, name := range names {
		allowed := 1
		if len(name) >= 5 && len(word) >= 4 {
			allowed = 2
		}
		k := slips(word, strings.ToLower(name))
		if len(word) >= 4 && strings.HasPrefix(strings.ToLower(name), word) {
			k = min(k, 2)
		}
		if k <= allowed && k < least {
			best, least = name, k
		}
	}
	return best
}

// slips returns the number of inserted, missing, wrong or swapped letters (optimal string
// alignment distance).
func slips(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
