package explain

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file puts the verdict on all claims into words.

// WorseTraffic are the kinds of management traffic with which the verdict is worse. A kind is
// left out if less traffic has the same verdict.
func WorseTraffic(rep *verify.Report) (list []verify.Traffic) {
	for _, x := range rep.Management {
		if x.Verdict != verify.Proved && x.Verdict != rep.Verdict() && (list == nil || list[0].Verdict != x.Verdict) {
			list = append(list, x)
		}
	}
	return list
}

// Overall is the verdict in capitals. Where management traffic makes it worse, it says so.
func Overall(rep *verify.Report) string {
	text := strings.ToUpper(string(rep.Verdict()))
	worse := WorseTraffic(rep)
	if len(worse) == 0 {
		return text
	}
	text += " for packets between hosts"
	for _, x := range worse {
		text += fmt.Sprintf(", %s with management traffic %s", strings.ToUpper(string(x.Verdict)), TrafficText(x.Management))
	}
	return text
}

// TrafficText names a kind of management traffic in a sentence.
func TrafficText(m model.Management) string {
	if m == model.AllManagement {
		return "among all hosts and switches"
	}
	return "between hosts and switches"
}
