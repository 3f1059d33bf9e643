package paper

import (
	"fmt"
	"slices"
	"strings"
)

// This file judges claims under several readings side by side, and puts the outcomes into words.

// Under is the outcome of a claim under a reading of what the paper leaves open.
type Under struct {
	Reading string  `json:"reading"`
	Verdict Verdict `json:"verdict"`
	Ours    string  `json:"ours"`
	letter  string  // stands for the reading in sentences
}

// beside returns the readings of Item.Beside that the result has.
func (r *Result) beside() (list []string) {
	has := Readings(r.Rows)
	for _, reading := range r.Item.Beside {
		if slices.Contains(has, reading) {
			list = append(list, reading)
		}
	}
	return list
}

// under returns the result as if the given reading were the default one.
func (r *Result) under(reading string) *Result {
	own := *r
	own.Rows = slices.DeleteFunc(slices.Clone(r.Rows), func(x Row) bool { return x.Reading != "" && x.Reading != reading })
	return &own
}

// judgeBeside adds the outcomes under several readings to that under the first one. If they differ, the claim is open. Readings
// that lack a row are left out.
func (c *Claim) judgeBeside(r *Result, f Finding) Finding {
	for i, reading := range r.beside() {
		under := c.Judge(r.under(reading))
		if under.lacks {
			continue
		}
		f.Under = append(f.Under, Under{reading, under.Verdict, under.Ours, letter(i)})
		f.differ = f.differ || under.Verdict != f.Under[0].Verdict
	}
	if f.differ && c.Settled == "" {
		f.Verdict = Open
	}
	return f
}

// readingsDiffer is the reason of an open claim if nothing else is. Sentences leave it out, because they have the verdicts.
const readingsDiffer = "The readings differ"

func letter(i int) string { return string(rune('a' + i)) }

// Letter returns the letter of a reading that is judged side by side with others, as "(a) ", or "".
func (r *Result) Letter(reading string) string {
	beside := r.beside()
	if i := slices.Index(beside, reading); i >= 0 && len(beside) > 1 {
		return "(" + letter(i) + ") "
	}
	return ""
}

// ReadingLine names the default reading, or those that are judged side by side with a letter for each. It is "" without
// readings.
func (r *Result) ReadingLine() string {
	beside := r.beside()
	switch first := r.Default(); {
	case len(beside) > 1:
		for i, reading := range beside {
			beside[i] = "(" + letter(i) + ") " + reading
		}
		return "Readings: " + strings.Join(beside, "; ")
	case first != "":
		return "Reading: " + first
	}
	return ""
}

// TableOf has the rows of a reading.
type TableOf struct {
	Title string // "" if there is one table only
	Rows  []Row
}

// Tables returns the rows of the default reading, or of each reading that is judged side by side.
func (r *Result) Tables() (list []TableOf) {
	beside := r.beside()
	if len(beside) < 2 {
		return []TableOf{{"", r.DefaultRows()}}
	}
	for i, reading := range beside {
		list = append(list, TableOf{"(" + letter(i) + ") " + reading, r.under(reading).Rows})
	}
	return list
}

// Shown returns the rows of the default reading, or those of all readings that are judged side by side, with the letter of its reading
// before each item.
func (r *Result) Shown() (rows []Row) {
	beside := r.beside()
	if len(beside) < 2 {
		return r.DefaultRows()
	}
	for _, x := range r.Rows {
		switch i := slices.Index(beside, x.Reading); {
		case x.Reading == "":
			rows = append(rows, x)
		case i >= 0:
			x.Item = "(" + letter(i) + ") " + x.Item
			rows = append(rows, x)
		}
	}
	return rows
}

// groups joins the readings that have the same outcome.
func (f *Finding) groups() (list []Under) {
	for _, u := range f.Under {
		i := slices.IndexFunc(list, func(v Under) bool { return v.Verdict == u.Verdict && v.Ours == u.Ours })
		if i < 0 {
			list = append(list, u)
		} else {
			list[i].letter += u.letter
		}
	}
	return list
}

// text returns our number, or those of the readings if they differ: their letters, their verdicts if they differ, and the numbers.
func (f *Finding) text() string {
	list := f.groups()
	if len(list) < 2 {
		return f.Ours
	}
	var parts []string
	for _, u := range list {
		verdict := ""
		if f.differ {
			verdict = " " + string(u.Verdict) + ":"
		}
		parts = append(parts, fmt.Sprintf("(%s)%s %s", strings.Join(strings.Split(u.letter, ""), ", "), verdict, u.Ours))
	}
	return strings.Join(parts, "; ")
}

// Short returns our numbers under all readings without saying which reading is which. If their verdicts differ, it has the numbers
// of each verdict.
func (f *Finding) Short() string {
	numbers := map[Verdict][]string{}
	var verdicts []Verdict
	for _, u := range f.groups() {
		v := u.Verdict
		if !slices.Contains(verdicts, v) {
			verdicts = append(verdicts, v)
		}
		if !slices.Contains(numbers[v], u.Ours) {
			numbers[v] = append(numbers[v], u.Ours)
		}
	}
	var parts []string
	for _, v := range verdicts {
		text := strings.Join(numbers[v], " or ")
		if len(verdicts) > 1 {
			text = string(v) + ": " + text
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 || len(verdicts) == 1 && len(numbers[verdicts[0]]) == 1 {
		return f.Ours
	}
	return strings.Join(parts, "; ") + " (by reading)"
}
