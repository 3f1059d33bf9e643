package names

import "strings"

// This file puts words into quotes, for texts in which separators end words.

// Quote returns a word, in double quotes if it is empty, begins with a quote, or has one of the separators. A quote in the word is
// doubled then. Blanks at its ends count as separators.
func Quote(word, separators string) string {
	if word != "" && word[0] != '"' && !strings.ContainsAny(word, separators) && strings.TrimSpace(word) == word {
		return word
	}
	return `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
}

// unquote returns the word in quotes at the beginning of a text, and where the text goes on behind it and blanks.
func unquote(text string) (word string, end int, ok bool) {
	rest := strings.TrimLeft(text, " \t")
	rest, ok = strings.CutPrefix(rest, `"`)
	for ok {
		i := strings.IndexByte(rest, '"')
		if i < 0 {
			return "", 0, false
		}
		word, rest = word+rest[:i], rest[i+1:]
		if !strings.HasPrefix(rest, `"`) {
			return word, len(text) - len(strings.TrimLeft(rest, " \t")), true
		}
		word, rest = word+`"`, rest[1:]
	}
	return "", 0, false
}

// Blanks are the separators in lines of words.
const Blanks = " \t\r\n#"

// Fields splits a line at blanks outside double quotes. A # begins a comment at the beginning or the end of a word.
func Fields(line string) (list []string) {
	for {
		line = strings.TrimLeft(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			return list
		}
		if word, end, ok := unquote(line); ok && (end == len(line) || strings.ContainsAny(line[end-1:end+1], Blanks)) {
			list, line = append(list, word), line[end:]
			continue
		}
		end := strings.IndexAny(line, " \t\r\n")
		if end < 0 {
			end = len(line)
		}
		word := strings.TrimRight(line[:end], "#")
		list, line = append(list, word), line[len(word):]
	}
}
