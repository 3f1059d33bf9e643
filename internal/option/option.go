// Package option describes the options of named routings and methods. An entry connects the word
// of an option with the field that it sets, so that a table of entries is all that help texts,
// flags, parsers and checks need.
package option

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// Kind says what the value of an option is.
type Kind int

// The kinds of values.
const (
	Text    Kind = iota
	Word         // one of Values
	Bool         // true or false
	Seconds      // a time in seconds
	Input        // the path of a file that is read
	File         // the path of a file that is written
	Value        // no word: only Go code can set it
)

// Option is an option of the struct T.
type Option[T any] struct {
	Name, About string
	Kind        Kind
	Values      []string // for a Word and a Bool, the default first
	Default     string   // a value that means the same as an empty field, or ""

	field func(*T) any // pointer to the field
	set   func(*T, string) error
}

// New returns an option whose value is stored in the field that at points to. parse converts its
// word.
func New[T, V any](name, about string, kind Kind, at func(*T) *V, parse func(word string) (V, error)) Option[T] {
	return Option[T]{Name: name, About: about, Kind: kind, field: pointer(at), set: func(o *T, word string) error {
		v, err := parse(word)
		if err == nil {
			*at(o) = v
		}
		return err
	}}
}

func pointer[T, V any](at func(*T) *V) func(*T) any { return func(o *T) any { return at(o) } }

// NewWord returns an option with a fixed set of words. The field is empty for the default.
func NewWord[T any](name, about string, values []string, at func(*T) *string) Option[T] {
	x := New(name, about, Word, at, func(word string) (string, error) {
		switch {
		case !slices.Contains(values, word):
			return "", fmt.Errorf("known are %s", strings.Join(values, ", "))
		case word == values[0]:
			return "", nil
		}
		return word, nil
	})
	x.Values, x.Default = values, values[0]
	return x
}

// NewBool returns an option that is true or false.
func NewBool[T any](name, about string, at func(*T) *bool) Option[T] {
	x := New(name, about, Bool, at, func(word string) (bool, error) {
		v, err := strconv.ParseBool(word)
		if err != nil {
			err = errors.New("true or false was expected")
		}
		return v, err
	})
	x.Values = []string{"false", "true"}
	return x
}

// NewCount returns an option that is a number from 0 to 2^30.
func NewCount[T any](name, about string, at func(*T) *int) Option[T] {
	return New(name, about, Text, at, Count)
}

// Count reads a number from 0 to 2^30.
func Count(word string) (int, error) {
	k, err := strconv.Atoi(word)
	if err != nil || k < 0 || k > 1<<30 {
		return 0, errors.New("a number was expected")
	}
	return k, nil
}

// NewValue returns an option that only Go code sets.
func NewValue[T, V any](name, about string, at func(*T) *V) Option[T] {
	return Option[T]{Name: name, About: about, Kind: Value, field: pointer(at)}
}

// Then returns the option with a step that follows when a word has set it.
func (x Option[T]) Then(next func(*T)) Option[T] {
	set := x.set
	x.set = func(o *T, word string) error {
		err := set(o, word)
		if err == nil {
			next(o)
		}
		return err
	}
	return x
}

// WithDefault returns the option with the value that means the same as an empty field.
func (x Option[T]) WithDefault(word string) Option[T] {
	x.Default = word
	return x
}

// Help returns what the option is for, with its words.
func (x Option[T]) Help() string {
	if x.Values == nil {
		return x.About
	}
	return x.About + ": " + strings.Join(x.Values, ", ")
}

// Set sets the option to a word.
func (x Option[T]) Set(o *T, word string) error {
	if err := x.set(o, word); err != nil {
		return fmt.Errorf("%s is %q: %w", x.Name, word, err)
	}
	return nil
}

// IsSet reports whether the option differs from its default.
func (x Option[T]) IsSet(o *T) bool {
	v := reflect.ValueOf(x.field(o)).Elem()
	return !v.IsZero() && (v.Kind() != reflect.String || v.String() != x.Default)
}

// Clear sets the option to its default.
func (x Option[T]) Clear(o *T) { reflect.ValueOf(x.field(o)).Elem().SetZero() }

// Within returns the options of a part of U.
func Within[U, T any](list []Option[T], part func(*U) *T) (of []Option[U]) {
	for _, x := range list {
		y := Option[U]{Name: x.Name, About: x.About, Kind: x.Kind, Values: x.Values, Default: x.Default, field: func(o *U) any { return x.field(part(o)) }}
		y.set = func(o *U, word string) error { return x.set(part(o), word) }
		of = append(of, y)
	}
	return of
}

// Has reports whether the list has an option of this name.
func Has[T any](list []Option[T], name string) bool {
	return slices.ContainsFunc(list, func(x Option[T]) bool { return x.Name == name })
}

// Words returns the names of the options that a word can set.
func Words[T any](list []Option[T]) (names []string) {
	for _, x := range list {
		if x.Kind != Value {
			names = append(names, x.Name)
		}
	}
	return names
}

// Join returns all options of the lists, each once, in the order of their first appearance.
func Join[T any](lists ...[]Option[T]) (all []Option[T]) {
	for _, list := range lists {
		for _, x := range list {
			if !Has(all, x.Name) {
				all = append(all, x)
			}
		}
	}
	return all
}

// Foreign returns the name of an option in all that is set although own does not have it, or "".
func Foreign[T any](o *T, own, all []Option[T]) string {
	for _, x := range all {
		if x.IsSet(o) && !Has(own, x.Name) {
			return x.Name
		}
	}
	return ""
}

// Parse sets options from the words of "NAME,KEY=VALUE,KEY=VALUE...". NAME is for errors only.
func Parse[T any](spec string, list []Option[T], o *T) error {
	name, rest, more := strings.Cut(spec, ",")
	keys, given := Words(list), map[string]bool{}
	for more {
		var item string
		item, rest, more = strings.Cut(rest, ",")
		key, word, isPair := strings.Cut(item, "=")
		i := slices.IndexFunc(list, func(x Option[T]) bool { return x.Name == key && x.Kind != Value })
		switch {
		case len(keys) == 0:
			return fmt.Errorf("%q, %s has no keys", item, name)
		case !isPair || i < 0:
			return fmt.Errorf("%q%s, after %s come KEY=VALUE with the keys %s", item, spelling.Suggest(key, keys), name, strings.Join(keys, ", "))
		case given[key]:
			return fmt.Errorf("%s is given twice", key)
		}
		given[key] = true
		if err := list[i].Set(o, word); err != nil {
			return err
		}
	}
	return nil
}
