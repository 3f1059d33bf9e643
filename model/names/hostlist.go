package names

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file reads lists of hosts: roles, initiators and targets.

// HostList returns the hosts of a list, ascending. Its items are separated by commas: all, a name of a host or of a switch (which
// stands for its hosts), a pattern in which * is any text and ? is one character, or a range FROM-TO/STEP. A range has the hosts
// that its numbers name: positions, LIDs, or names that are numerals. TO may be missing, and so may /STEP.
func (x *Index) HostList(text string) ([]model.HostID, error) {
	words, err := x.Split(text, List, func(word string) error { _, err := x.hostsOfItem(word); return err })
	if err != nil {
		return nil, err
	}
	var list []model.HostID
	for _, w := range words {
		hosts, _ := x.hostsOfItem(w.Text)
		list = append(list, hosts...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// hostsOfItem returns the hosts of an item of a list.
func (x *Index) hostsOfItem(word string) ([]model.HostID, error) {
	word = strings.TrimSpace(word)
	if h, u := x.hostOf(word); h.count+u.count > 0 {
		return x.hostsOfWord(word)
	}
	if word == "all" {
		word = "*"
	}
	if strings.ContainsAny(word, "*?") {
		return x.matching(word)
	}
	if r, ok := x.rangeOf(word); ok {
		return r.hosts(x)
	}
	return nil, x.unknown("host", word)
}

// matching returns the hosts whose name matches a pattern.
func (x *Index) matching(glob string) (list []model.HostID, err error) {
	pattern, err := Glob(glob)
	if err != nil {
		return nil, err
	}
	for h := range model.HostID(x.hosts.count) {
		if pattern.MatchString(x.net.HostLabel(h)) {
			list = append(list, h)
		}
	}
	if list == nil {
		return nil, fmt.Errorf("no host matches %q", clip(glob))
	}
	return list, nil
}

// Glob returns a pattern in which * is any text and ? is one character.
func Glob(glob string) (*regexp.Regexp, error) {
	return regexp.Compile("(?s)^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(glob)) + "$")
}

// numberRange is a range FROM-TO/STEP.
type numberRange struct {
	from, to, step int
	open           bool   // whether TO is missing
	mark           string // # for positions
}

// rangeOf reads a range.
func (x *Index) rangeOf(word string) (r numberRange, ok bool) {
	bounds, step, stepped := strings.Cut(word, "/")
	from, to, ranged := strings.Cut(bounds, "-")
	if strings.HasPrefix(from, "#") {
		r.mark = "#"
	}
	r.from, r.to, r.step, r.open = number(strings.TrimPrefix(from, r.mark)), number(strings.TrimPrefix(to, r.mark)), 1, to == ""
	if stepped {
		r.step = number(step)
	}
	return r, ranged && r.from >= 0 && (r.open || r.to >= 0) && r.step > 0
}

// hosts returns the hosts of a range. Its ends must be hosts.
func (r numberRange) hosts(x *Index) (list []model.HostID, err error) {
	ends := []int{r.from, r.to}
	if r.open {
		ends = ends[:1]
	}
	for _, k := range ends {
		if _, err := x.hostsOfWord(r.mark + strconv.Itoa(k)); err != nil {
			return nil, err
		}
	}
	for h := range model.HostID(x.hosts.count) {
		if k := r.numberOf(x, h); k >= r.from && (r.open || k <= r.to) && (k-r.from)%r.step == 0 {
			list = append(list, h)
		}
	}
	if list == nil {
		return nil, fmt.Errorf("no host is in the range from %s%d to %[1]s%d", r.mark, r.from, r.to)
	}
	return list, nil
}

// numberOf returns the number of a host in a range: its position, its name or that of its switch, or its LID.
func (r numberRange) numberOf(x *Index, h model.HostID) int {
	e := x.net.Host(h)
	switch {
	case r.mark != "" || x.HasPositions():
		return int(h)
	case !x.numerals:
		return int(e.LID)
	case isNumeral(e.Name):
		return number(e.Name)
	}
	return number(x.net.SwitchLabel(e.Switch))
}
