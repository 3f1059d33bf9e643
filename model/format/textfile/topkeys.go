package textfile

import (
	"bytes"
	"strings"
)

// This file lists the keys at the top of the first kilobytes of a YAML or JSON file, by which formats recognise their files. The
// reader of a format parses the file itself.

// TopKeys returns the keys of the outermost mapping, as far as the text goes.
func TopKeys(head []byte) map[string]bool {
	if Begins(head, '{') {
		return jsonKeys(head)
	}
	keys := map[string]bool{}
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if key := yamlKey(string(bytes.TrimRight(line, "\r"))); key != "" {
			keys[key] = true
		}
	}
	return keys
}

// yamlKey returns the key of a line that begins with one: a word, quoted or not, and a colon. Blanks may stand between. It returns "" for
// other lines.
func yamlKey(line string) string {
	key, rest, found := strings.Cut(line, ":")
	key = strings.TrimRight(key, " \t")
	if k := len(key); k > 2 && (key[0] == '"' || key[0] == '\'') && key[k-1] == key[0] {
		key = key[1 : k-1]
	}
	if !found || strings.ContainsAny(key, " \t#{}[]\"'") || strings.TrimLeft(rest, " \t") == rest && rest != "" {
		return ""
	}
	return key
}

// jsonKeys returns the keys of the outermost object of a JSON text.
func jsonKeys(text []byte) map[string]bool {
	keys, depth := map[string]bool{}, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return keys
			}
			if depth == 1 && Begins(text[end+1:], ':') {
				keys[string(text[i+1:end])] = true
			}
			i = end
		}
	}
	return keys
}

// CountKeys counts how many of the words are keys.
func CountKeys(keys map[string]bool, words ...string) (count int) {
	for _, word := range words {
		if keys[word] {
			count++
		}
	}
	return count
}
