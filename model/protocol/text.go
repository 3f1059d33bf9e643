package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model"
)

// This file reads protocols from YAML.

// Text is a protocol whose roles are not bound to hosts yet.
type Text struct {
	Name        string
	Outstanding int
	roles       map[string]string // by name: the hosts, as written
	classes     []class
	at          func(line int, format string, a ...any) error
}

// class is a class as written.
type class struct {
	name, vn, from, to string
	after              [][]string
	rule               model.ClassRule
	line               int
}

// mostClasses bounds the classes of a protocol.
const mostClasses = 32

// Parse reads a protocol from YAML. Errors name the file and the line.
func Parse(file string, text []byte) (*Text, error) {
	t := &Text{roles: map[string]string{}, at: func(line int, format string, a ...any) error {
		return fmt.Errorf("cannot read %s:%d: %s", file, line, fmt.Sprintf(format, a...))
	}}
	docs, err := yamldoc.Parse(bytes.TrimPrefix(text, []byte("\ufeff")))
	if e := (*yamldoc.Error)(nil); errors.As(err, &e) {
		return nil, t.at(max(e.Line, 1), "%s", e.Msg)
	} else if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, t.at(1, "%d documents; want one protocol", len(docs))
	}
	pairs, ok := docs[0].Pairs()
	if !ok {
		return nil, t.at(1, "want keys such as classes")
	}
	for _, p := range pairs {
		if err := t.key(p); err != nil {
			return nil, err
		}
	}
	return t, t.check()
}

// keys are the keys of a protocol, and classKeys those of a class.
var (
	keys      = []string{"classes", "name", "outstanding", "roles"}
	classKeys = []string{"after", "consumed", "copies", "from", "multicast", "queue", "table", "to", "vn"}
)

// key reads one key of the protocol.
func (t *Text) key(p yamldoc.Pair) error {
	switch p.Key {
	case "name":
		name, ok := p.Value.Scalar()
		if !ok {
			return t.at(p.Line, "name: want a word")
		}
		t.Name = name
	case "outstanding":
		n, err := t.number(p, 1<<20)
		t.Outstanding = n
		return err
	case "roles":
		pairs, ok := p.Value.Pairs()
		if !ok {
			return t.at(p.Line, "roles: want names of roles with their hosts, such as home: 0-3")
		}
		for _, r := range pairs {
			hosts, ok := r.Value.Scalar()
			if !ok || r.Key == "initiator" || r.Key == "sender" || r.Key == "none" {
				return t.at(r.Line, "role %s: want another name than initiator, sender, none, and hosts such as 0-3", r.Key)
			}
			t.roles[r.Key] = hosts
		}
	case "classes":
		pairs, ok := p.Value.Pairs()
		if !ok || len(pairs) > mostClasses {
			return t.at(p.Line, "classes: want 1 to %d names of classes with their keys", mostClasses)
		}
		for _, c := range pairs {
			if err := t.class(c); err != nil {
				return err
			}
		}
	default:
		return t.at(p.Line, "unknown key %s%s; want %s", p.Key, spelling.Suggest(p.Key, keys), strings.Join(keys, ", "))
	}
	return nil
}

// number reads a number from 1 to most.
func (t *Text) number(p yamldoc.Pair, most int) (int, error) {
	text, _ := p.Value.Number()
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, t.at(p.Line, "%s: want a number from 1 to %d", p.Key, most)
	}
	return n, nil
}

// class reads a class.
func (t *Text) class(p yamldoc.Pair) error {
	c := class{name: p.Key, vn: p.Key, line: p.Line, rule: model.ClassRule{Copies: 1, Queue: model.Room{Entries: 1}, Table: model.Room{Entries: 1}}}
	if !isName(c.name) || slices.ContainsFunc(t.classes, func(o class) bool { return o.name == c.name }) {
		return t.at(p.Line, "class %q: want different names of letters, digits, - and _", c.name)
	}
	pairs, ok := p.Value.Pairs()
	if !ok && !p.Value.Null() {
		return t.at(p.Line, "class %s: want keys such as from: and to:", c.name)
	}
	for _, k := range pairs {
		if err := t.classKey(&c, k); err != nil {
			return err
		}
	}
	t.classes = append(t.classes, c)
	return nil
}

// isName reports whether a text may be the name of a class.
func isName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// classKey reads one key of class c.
func (t *Text) classKey(c *class, p yamldoc.Pair) (err error) {
	word, isWord := p.Value.Scalar()
	switch p.Key {
	case "vn", "from", "to":
		if !isWord || word == "" {
			return t.at(p.Line, "%s of class %s: want a word", p.Key, c.name)
		}
		*map[string]*string{"vn": &c.vn, "from": &c.from, "to": &c.to}[p.Key] = word
	case "after":
		words := []string{word}
		if list, ok := p.Value.List(); ok {
			words = nil
			for _, v := range list {
				one, _ := v.Scalar()
				words = append(words, one)
			}
		}
		for _, w := range words {
			c.after = append(c.after, fieldsOf(w, "&"))
		}
	case "copies":
		c.rule.Copies, err = t.number(p, 64)
	case "queue", "table":
		room := map[string]*model.Room{"queue": &c.rule.Queue, "table": &c.rule.Table}[p.Key]
		switch word {
		case "infinite":
			*room = model.Room{}
		case "reserved":
			*room = model.Room{Reserved: true}
		default:
			if room.Entries, err = t.number(p, 1<<20); err != nil {
				return t.at(p.Line, "%s of class %s: want a number from 1 to %d, infinite or reserved", p.Key, c.name, 1<<20)
			}
		}
	case "consumed", "multicast":
		if word != "true" && word != "false" {
			return t.at(p.Line, "%s of class %s: want true or false", p.Key, c.name)
		}
		*map[string]*bool{"consumed": &c.rule.Consumed, "multicast": &c.rule.Multicast}[p.Key] = word == "true"
	default:
		return t.at(p.Line, "unknown key %s of class %s%s; want %s", p.Key, c.name, spelling.Suggest(p.Key, classKeys), strings.Join(classKeys, ", "))
	}
	return err
}

// fieldsOf splits a text and trims the pieces.
func fieldsOf(text, separator string) []string {
	list := strings.Split(text, separator)
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
