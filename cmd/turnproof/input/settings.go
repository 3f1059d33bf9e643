package input

import (
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/format"
)

// This file has the flags for what a network's file leaves open. The formats say which there are.

func settingFlags() (list []cli.Flag) {
	for _, s := range format.Settings() {
		flag := network(s.Name, s.Usage)
		switch {
		case s.IsFile:
			list = append(list, &cli.Input{StringFlag: flag})
		case s.Words != nil:
			list = append(list, &cli.Words{StringFlag: flag, List: s.Words, Open: true})
		default:
			list = append(list, &cli.Text{StringFlag: flag})
		}
	}
	return list
}

// Settings returns the settings that flags give, or nil.
func Settings(c *cli.Context) (given map[string]string) {
	for _, s := range format.Settings() {
		if !c.IsSet(s.Name) {
			continue
		}
		if given == nil {
			given = map[string]string{}
		}
		if given[s.Name] = c.String(s.Name); s.IsFile {
			cli.Reads(c, c.String(s.Name))
		}
	}
	return given
}
