package textfile

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
)

// This file has what formats recognise their files by, in the first kilobytes.

// HasSchema reports whether the first bytes of a file contain the name of a schema, in any version.
func HasSchema(head []byte, schema string) bool {
	return bytes.Contains(head, []byte(`"`+schema[:len(schema)-1]))
}

// Begins reports whether the first character of a text is c.
func Begins(head []byte, c byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == c
}

// HasLine reports whether some line of text begins with prefix.
func HasLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// HasColumns reports whether all names are columns.
func HasColumns(columns []string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(columns, name) })
}

// ColumnName brings the name of a column into one form.
func ColumnName(text string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "-", "_")
}

// CSVColumns returns the columns of a CSV header, or nil if the first line is none.
func CSVColumns(head []byte) []string {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.IndexByte(line, ',') < 0 {
		return nil
	}
	fields, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	for i := range fields {
		fields[i] = ColumnName(fields[i])
	}
	return fields
}

// NamesLinkFile reports whether a line of YAML has the key links with the name of a file. Experiments have that; the links of a
// network are a list.
func NamesLinkFile(line []byte) bool {
	value, ok := bytes.CutPrefix(line, []byte("links:"))
	value = bytes.TrimSpace(value)
	return ok && len(value) > 0 && !bytes.ContainsAny(value[:1], "[{#&!")
}

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
