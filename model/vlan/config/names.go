package config

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/turnproof/turnproof/model"
)

// This file makes names safe: those of switches and hosts can hold anything.
// They come into comments and the names of files, and nowhere else.

// comment returns a name on one line, without control characters, cut at 60.
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

// fileName returns a name that no other switch or host has: its number is in it.
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
