package config

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/turnproof/turnproof/model"
)

// This file makes names safe, because names of switches and hosts can contain anything. They
// are used in comments and file names only.

// comment returns a name on one line, without control characters, of at most 60 characters.
func comment(name string) string {
	clean := []rune(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) || c == unicode.ReplacementChar {
			return '?'
		}
		return c
	}, name))
	if len(clean) > 60 {
		clean = append(clean[:57], []rune("...")...)
	}
	return string(clean)
}

// fileName returns a unique file name that contains the number of the switch or host.
func fileName(kind string, number int, name, suffix string) string {
	clean := strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-') {
			return c
		}
		return '_'
	}, name)
	clean = strings.Trim(clean, "_")
	if len(clean) > 40 {
		clean = clean[:40]
	}
	if clean != "" {
		clean = "-" + clean
	}
	return fmt.Sprintf("%s%d%s%s", kind, number, clean, suffix)
}

func switchFile(n *model.Network, u model.SwitchID, suffix string) string {
	return fileName("switch", int(u), n.Switch(u).Name, suffix)
}

func hostFile(n *model.Network, h model.HostID, suffix string) string {
	return fileName("host", int(h), n.Host(h).Name, suffix)
}
