package textfile

import (
	"fmt"
	"path/filepath"
	"strings"
)

// This file writes lists, counts and excerpts for messages.

// Capped lists at most ten names and the number of the others.
func Capped(names []string, total int) string {
	if len(names) > 10 {
		names = names[:10]
	}
	list := strings.Join(names, ", ")
	if more := total - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// Counted formats a number with its noun: "1 LID", "2 LIDs".
func Counted(k int, word string) string {
	if k != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", k, word)
}

// Clip shortens a text for an error message.
func Clip[T ~string | ~[]byte](text T) T {
	if len(text) > 60 {
		return T(string(text[:60]) + "...")
	}
	return text
}

// Base returns the name of a file without its folder.
func Base(path string) string { return filepath.Base(path) }

// NameList names the first ten things of a kind, and counts all.
type NameList struct {
	names []string
	Total int
}

// Add counts a thing. It keeps the name of the first ten.
func (l *NameList) Add(format string, a ...any) {
	if l.Total++; len(l.names) < 10 {
		l.names = append(l.names, fmt.Sprintf(format, a...))
	}
}

// String returns the names and the number of the others.
func (l NameList) String() string { return Capped(l.names, l.Total) }
