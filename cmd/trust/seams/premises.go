package seams

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file compares the premises of a verdict with the line, with those of the certificate, and with each other.

// statement is a form of words in premises that states a size. Its pattern has one group, the number.
type statement struct {
	what    string // packet or buffer
	pattern *regexp.Regexp
}

var statements = []statement{
	{"packet", regexp.MustCompile(`packets have up to (\d+) flit`)},
	{"packet", regexp.MustCompile(`all packets have (\d+) flit`)},
	{"packet", regexp.MustCompile(`packets of (\d+) flit`)},
	{"buffer", regexp.MustCompile(`buffer of a VC holds (\d+)`)},
	{"buffer", regexp.MustCompile(`buffers of (\d+) flit`)},
	{"buffer", regexp.MustCompile(`a buffer has room for (\d+)`)},
}

// contradictions returns the contradictions between the premises of an answer, its certificate and the stated sizes.
func contradictions(s sizes, a *answer, c *cert.Certificate) (list []string) {
	texts := append(premisesOf(a), certificatePremises(c)...)
	said := map[string]int{"packet": s.packet, "buffer": s.buffer}
	where := map[string]string{"packet": "the line", "buffer": "the line"}
	for _, text := range texts {
		for _, x := range statements {
			m := x.pattern.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			switch k := number(m[1]); {
			case said[x.what] == 0:
				said[x.what], where[x.what] = k, text
			case said[x.what] != k:
				list = append(list, fmt.Sprintf("%s of %d flits (%s), but %q", x.what, said[x.what], where[x.what], text))
			}
		}
	}
	all := strings.Join(texts, "\n")
	for _, x := range []struct {
		is   bool
		text string
		says string
	}{
		{s.packet > 0, "packets may be of any length", fmt.Sprintf("packets have %d flits", s.packet)},
		{s.isUneven, "between switches have the same size", "the buffers of channels differ"},
		{s.buffer > 1, "the buffer of a VC holds one flit", fmt.Sprintf("buffers hold %d flits", s.buffer)},
		{s.isShared && s.packet > 1, "a VC holds flits of one packet at a time", "VCs are not atomic"},
	} {
		if x.is && strings.Contains(all, x.text) {
			list = append(list, fmt.Sprintf("%s, but a premise says %q", x.says, x.text))
		}
	}
	return append(list, differences(a, c)...)
}

// premisesOf returns the texts of the premises of an answer.
func premisesOf(a *answer) (list []string) {
	for _, p := range a.Premises {
		list = append(list, p.Name+": "+p.Value+" ("+p.Source+")")
	}
	for _, c := range a.Claims {
		list = append(list, c.Premises...)
	}
	for _, d := range a.Disciplines {
		list = append(list, d.Premises...)
	}
	return list
}

func certificatePremises(c *cert.Certificate) (list []string) {
	for _, p := range c.Subject.Premises {
		list = append(list, p.Name+": "+p.Value+" ("+p.Source+")")
	}
	return list
}

// differences returns the premises that the answer and the certificate do not share. The certificate is about one
// discipline, the answer about several.
func differences(a *answer, c *cert.Certificate) (list []string) {
	said := map[string]string{}
	for _, p := range a.Premises {
		said[p.Name] = p.Value
	}
	for _, p := range c.Subject.Premises {
		v, ok := said[p.Name]
		if p.Name == "switching" || p.Name == "packet and buffer" && strings.Contains(v, ";") {
			continue
		}
		if !ok || v != p.Value {
			list = append(list, fmt.Sprintf("the certificate has the premise %s: %s, the answer %q", p.Name, p.Value, v))
		}
	}
	return list
}
