package names

import (
	"fmt"
	"strings"
)

// This file splits text into words where the words may contain the separators: (0,0):(1,1) has the words (0,0) and (1,1).
//
// A word ends at a separator, and the text between must be known. If several ways to split remain, the text is refused. A word
// in double quotes ends at the second one; "" is a quote in it.

// Grammar says which separators may follow a word. Separator 0 is the end of the text.
type Grammar struct {
	Want string         // the form of the text, for errors
	Next []map[byte]int // by state: the state after each separator; state 0 begins
}

// The grammars of texts with names.
var (
	// List is A,B,C.
	List = Grammar{"NAME,NAME,...", []map[byte]int{{',': 0, 0: 0}}}
	// Sum is A+B+C.
	Sum = Grammar{"NAME+NAME+...", []map[byte]int{{'+': 0, 0: 0}}}
	// Pairs is A:B,C:D.
	Pairs = Grammar{"HOST:HOST", []map[byte]int{{':': 1}, {',': 0, 0: 0}}}
	// Places is A+B>C+D.
	Places = Grammar{"SWITCH or SWITCH>SWITCH, joined by +", []map[byte]int{{'>': 1, '+': 0, 0: 0}, {'+': 0, 0: 0}}}
)

// Word is a word of a text.
type Word struct {
	Text string
	End  byte // the separator after it, or 0
}

// Split splits a text. know returns nil for a word that is known, or else the error about it.
func (x *Index) Split(text string, g Grammar, know func(word string) error) ([]Word, error) {
	return Split(text, g, x.longest, know)
}

// Split splits a text into words of which those with separators in them have at most longest bytes.
func Split(text string, g Grammar, longest int, know func(word string) error) ([]Word, error) {
	s := &splitter{text: text, g: g, longest: longest, know: know, seen: map[splitState]*splitWays{}, heard: map[string]error{}}
	all := s.from(splitState{0, 0})
	switch {
	case all.count == 0:
		return nil, s.fault()
	case all.count > 1:
		return nil, fmt.Errorf("%q can be split into names in several ways; put names into double quotes", clip(text))
	}
	var words []Word
	for at := all; at != nil; at = at.then {
		words = append(words, at.word)
	}
	return words, nil
}

// splitState is a place in a text and the state of the grammar there.
type splitState struct{ at, state int }

// splitWays is in how many ways the rest of a text can be split, at most 2, and one of them.
type splitWays struct {
	count int
	word  Word
	then  *splitWays // nil at the end
}

type splitter struct {
	text    string
	g       Grammar
	longest int
	know    func(word string) error
	seen    map[splitState]*splitWays
	heard   map[string]error // by word: the answer of know
	far     splitState       // the furthest state that was reached
}

// ask returns the answer of know.
func (s *splitter) ask(word string) error {
	err, ok := s.heard[word]
	if !ok {
		err = s.know(word)
		s.heard[word] = err
	}
	return err
}

// from returns the ways to split the text from a state on.
func (s *splitter) from(at splitState) *splitWays {
	if w := s.seen[at]; w != nil {
		return w
	}
	if at.at > s.far.at {
		s.far = at
	}
	w := &splitWays{}
	for _, word := range s.words(at) {
		rest := &splitWays{count: 1}
		if word.End != 0 {
			rest = s.from(splitState{word.end + 1, s.g.Next[at.state][word.End]})
		}
		if rest.count > 0 && w.count == 0 {
			if w.word = word.Word; word.End != 0 {
				w.then = rest
			}
		}
		w.count = min(w.count+rest.count, 2)
	}
	s.seen[at] = w
	return w
}

// placedWord is a word, and the place of the separator after it.
type placedWord struct {
	Word
	end int
}

// words returns the known words that begin at a state.
func (s *splitter) words(at splitState) (list []placedWord) {
	next := s.g.Next[at.state]
	if word, end, ok := unquote(s.text[at.at:]); ok {
		w := placedWord{Word{Text: word}, at.at + end}
		if w.end < len(s.text) {
			w.End = s.text[w.end]
		}
		if _, follows := next[w.End]; follows {
			if s.ask(word) == nil {
				list = append(list, w)
			}
			return list
		}
	}
	for from := at.at; ; {
		w := s.upTo(at.at, from, next)
		if from > at.at && len(strings.TrimSpace(w.Text)) > s.longest {
			return list
		}
		if _, follows := next[w.End]; follows && s.ask(w.Text) == nil {
			list = append(list, w)
		}
		if w.End == 0 {
			return list
		}
		from = w.end + 1
	}
}

// upTo returns the text from begin to the first separator behind from.
func (s *splitter) upTo(begin, from int, separators map[byte]int) placedWord {
	for end := from; end < len(s.text); end++ {
		if _, ok := separators[s.text[end]]; ok && s.text[end] != 0 {
			return placedWord{Word{s.text[begin:end], s.text[end]}, end}
		}
	}
	return placedWord{Word{Text: s.text[begin:]}, len(s.text)}
}

// fault returns the error about the furthest place that was reached.
func (s *splitter) fault() error {
	if err := s.ask(s.piece(s.text[s.far.at:])); err != nil {
		return err
	}
	return fmt.Errorf("%q; want %s", clip(s.text[s.far.at:]), s.g.Want)
}

// piece returns the text up to the first separator of the grammar outside parentheses.
func (s *splitter) piece(text string) string {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			open++
		case ')':
			open--
		}
		for _, next := range s.g.Next {
			if _, ok := next[text[i]]; ok && open <= 0 && text[i] != 0 {
				return text[:i]
			}
		}
	}
	return text
}
