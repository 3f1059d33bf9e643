package aie

import (
	"strconv"
	"strings"
)

// This file finds values among the words of an operation.

// after returns the word behind the first occurrence of a sequence of words, or "".
func (o *op) after(sequence ...string) string {
	for i := 0; i+len(sequence) < len(o.words); i++ {
		match := true
		for k, word := range sequence {
			match = match && o.words[i+k] == word
		}
		if match {
			return o.words[i+len(sequence)]
		}
	}
	return ""
}

// number returns the value of an attribute NAME = NUMBER.
func (o *op) number(name string) (int, bool) {
	n, err := strconv.Atoi(o.after(name, "="))
	return n, err == nil
}

// has reports whether a word occurs.
func (o *op) has(word string) bool {
	for _, w := range o.words {
		if w == word {
			return true
		}
	}
	return false
}

// withPrefix returns the words that begin with a prefix.
func (o *op) withPrefix(prefix string) (list []string) {
	for _, w := range o.words {
		if strings.HasPrefix(w, prefix) {
			list = append(list, w)
		}
	}
	return list
}

// numbers returns the words that are numbers.
func (o *op) numbers() (list []int) {
	for _, w := range o.words {
		if n, err := strconv.Atoi(w); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// brackets returns the contents of the n-th pair of square brackets behind the first word with a prefix.
func (o *op) brackets(n int) (list []string) {
	depth := 0
	for _, w := range o.words {
		switch w {
		case "[":
			depth++
			if depth == 1 {
				n--
			}
			continue
		case "]":
			depth--
			continue
		}
		if depth > 0 && n == -1 && w != "," {
			list = append(list, w)
		}
	}
	return list
}

// memref returns the number of elements and the bits of an element of the first type memref.
func (o *op) memref() (elements, bits int, ok bool) {
	shape := o.after("memref", "<")
	parts := strings.Split(shape, "x")
	if shape == "" {
		return 0, 0, false
	}
	elements = 1
	for _, p := range parts[:len(parts)-1] {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || n > 1<<30 || elements > 1<<30 {
			return 0, 0, false
		}
		elements *= n
	}
	kind := parts[len(parts)-1]
	bits, err := strconv.Atoi(strings.TrimLeft(kind, "abcdefghijklmnopqrstuvwxyz"))
	return elements, bits, err == nil && bits > 0 && bits <= 64
}
