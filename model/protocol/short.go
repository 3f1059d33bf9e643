package protocol

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file reads the short form of protocols, which fits on the command line.

// ParseShort reads a protocol in one line. Classes are separated by a comma or, if they share a
// virtual network, by a plus sign. NAME alone is caused by the class before it. NAME: begins
// transactions. NAME:A|B&C is caused by A, or by B and C together. The first class goes from
// initiators to targets, a class that causes none to the host that began the transaction, each
// other one to a target. Both may be empty, which means all hosts.
func ParseShort(text, initiators, targets string) (*Text, error) {
	t := &Text{roles: map[string]string{}, at: func(_ int, format string, a ...any) error {
		return fmt.Errorf("cannot read classes %q: %s", text, fmt.Sprintf(format, a...))
	}}
	for role, hosts := range map[string]string{"initiators": initiators, "targets": targets} {
		if t.roles[role] = hosts; hosts == "" {
			t.roles[role] = "all"
		}
	}
	before := ""
	for _, group := range strings.Split(text, ",") {
		for _, word := range strings.Split(group, "+") {
			name, after, given := strings.Cut(word, ":")
			name = strings.TrimSpace(name)
			c := class{name: name, vn: strings.TrimSpace(group), rule: model.ClassRule{Copies: 1, Queue: model.Room{Entries: 1}, Table: model.Room{Entries: 1}}}
			if !isName(name) || len(t.classes) == mostClasses {
				return nil, t.at(0, "class %q: want up to %d different names such as request,reply", name, mostClasses)
			}
			switch {
			case given && strings.TrimSpace(after) != "":
				for _, alternative := range strings.Split(after, "|") {
					c.after = append(c.after, fieldsOf(alternative, "&"))
				}
			case !given && before != "":
				c.after = [][]string{{before}}
			}
			before = name
			t.classes = append(t.classes, c)
		}
	}
	t.addRoles()
	return t, t.check()
}

// addRoles sets who sends the classes of the short form to whom.
func (t *Text) addRoles() {
	causes := map[string]bool{}
	for _, c := range t.classes {
		for _, list := range c.after {
			for _, y := range list {
				causes[y] = true
			}
		}
	}
	for i := range t.classes {
		c := &t.classes[i]
		if c.from = "targets"; len(c.after) == 0 {
			c.from = "initiators"
		}
		if c.to = "targets"; len(c.after) > 0 && !causes[c.name] {
			c.to = "initiator"
		}
	}
}
