package cli

import (
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"
)

// FuzzConfigFile checks that any text either gives a one-line error or sets only known flags.
func FuzzConfigFile(f *testing.F) {
	for _, text := range []string{"quiet: true\n", "check:\n  switching: wormhole\nsweep:\n  routing: [dor, updown]\n", "check: {lmc: 1}",
		"check:\n  routing: &a [*a]\n", "a: &a\n  <<: *a\n", "check: !!x\n  lmc: !!int 1\n", "? check\n: x\n", "---\n---\n", "check:\n  routing: |\n    x\n"} {
		f.Add([]byte(text))
	}
	app := Program{Commands: []*urfave.Command{
		{Name: "check", Flags: []urfave.Flag{&Words{StringFlag: StringFlag{Name: "switching"}}, &Input{StringFlag: StringFlag{Name: "routing"}},
			&urfave.UintFlag{Name: "lmc"}}},
		{Name: "sweep", Flags: []urfave.Flag{&Inputs{StringSliceFlag: StringSliceFlag{Name: "routing"}}, &urfave.Float64Flag{Name: "load"},
			&urfave.BoolFlag{Name: "json"}}},
	}}.App()
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxConfig { // parse never sees such a text
			return
		}
		c := &configFile{path: "c", values: map[[2]string]setting{}}
		if err := c.parse(app, text); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		for key, s := range c.values {
			flags := app.Flags
			if cmd := app.Command(key[0]); key[0] != "" {
				flags = cmd.Flags
			}
			if x := FlagCalled(flags, key[1]); x == nil || len(s.values) == 0 && !IsList(x) {
				t.Fatalf("%v is %+v", key, s)
			}
		}
	})
}
