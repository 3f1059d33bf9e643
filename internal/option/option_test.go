package option_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/option"
)

type inner struct{ Rule string }

type settings struct {
	Inner inner
	Many  int
	On    bool
	Code  *int
	Lost  string
}

var (
	rule = option.NewWord("rule", "which rule", []string{"plain", "strict"}, func(o *settings) *string { return &o.Inner.Rule })
	many = option.NewCount("many", "how many", func(o *settings) *int { return &o.Many })
	on   = option.NewBool("on", "whether", func(o *settings) *bool { return &o.On })
	code = option.NewValue("code", "for programs", func(o *settings) **int { return &o.Code })
	all  = []option.Option[settings]{rule, many, on, code}
)

func TestParse(t *testing.T) {
	var o settings
	if err := option.Parse("name,rule=strict,many=3,on=true", all, &o); err != nil || o != (settings{Inner: inner{"strict"}, Many: 3, On: true}) {
		t.Errorf("got %+v, %v", o, err)
	}
	for spec, want := range map[string]string{
		"name,rule=other":   "known are plain, strict",
		"name,many=-1":      "a number was expected",
		"name,on=maybe":     "true or false was expected",
		"name,code=1":       "with the keys rule, many, on",
		"name,mani=1":       "did you mean many?",
		"name,many":         "come KEY=VALUE",
		"name,":             "come KEY=VALUE",
		"name,on=1,on=true": "on is given twice",
	} {
		if err := option.Parse(spec, all, &o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", spec, err, want)
		}
	}
	if err := option.Parse("name,many=1", nil, &o); err == nil || !strings.Contains(err.Error(), "has no keys") {
		t.Errorf("no keys: got error %v", err)
	}
}

func TestDefaults(t *testing.T) {
	o := settings{Inner: inner{"plain"}}
	if rule.IsSet(&o) {
		t.Error("the default word counts as set")
	}
	o.Inner.Rule, o.Many = "strict", 2
	if got := option.Foreign(&o, []option.Option[settings]{many}, all); got != "rule" {
		t.Errorf("got foreign option %q, want rule", got)
	}
	rule.Clear(&o)
	if got := option.Foreign(&o, []option.Option[settings]{many}, all); got != "" || o.Inner.Rule != "" {
		t.Errorf("cleared: got foreign option %q, %+v", got, o)
	}
}

func TestMissing(t *testing.T) {
	if got := option.Missing(all); !slices.Equal(got, []string{"Lost"}) {
		t.Errorf("got %v, want [Lost]", got)
	}
	if got := option.Missing(all[1:], "Lost"); !slices.Equal(got, []string{"Inner.Rule"}) {
		t.Errorf("got %v, want [Inner.Rule]", got)
	}
}

func TestWithin(t *testing.T) {
	type outer struct{ S settings }
	var o outer
	list := option.Within(all, func(o *outer) *settings { return &o.S })
	if err := option.Parse("name,rule=strict", list, &o); err != nil || o.S.Inner.Rule != "strict" {
		t.Errorf("got %+v, %v", o, err)
	}
	if got := option.Foreign(&o, list[1:], list); got != "rule" {
		t.Errorf("got foreign option %q, want rule", got)
	}
}
