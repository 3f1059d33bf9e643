package explain

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// ClaimNote says in a few words why a claim has its verdict.
func ClaimNote(c verify.Claim, rep *verify.Report) string {
	switch {
	case c.Verdict != verify.Proved:
		return c.Reason
	case c.Note != "":
		return c.Note
	case c.Name == cert.ClaimDeadlockFree && rep.Acyclic.Verdict == verify.Proved:
		return "the channel dependency graph has no cycle"
	case c.ByNoWorms():
		return "the dependency graph has a cycle, but no packets of any lengths can block each other"
	case c.ByUnreachable():
		return "packets that block each other exist, but they cannot come together from the empty network"
	case c.Name == cert.ClaimDeadlockFree && rep.Switching == model.Wormhole && !c.ByElimination():
		return "the dependency graph has a cycle, but every packet has an escape, whose extended dependencies have none"
	case c.Name == cert.ClaimDeadlockFree:
		return "the dependency graph has a cycle, but no set of packets can block itself"
	case c.Name == cert.ClaimMessages:
		m := model.ClassesOf(rep.Conditions)
		return fmt.Sprintf("%s: %d virtual networks, %s in all", strings.Join(m.Names, ", "), m.Networks(),
			wording.Count(m.Networks()*rep.Relation.Network().VCs(), wording.VC(rep.Relation.Network()), "s"))
	case c.Name == cert.ClaimConnected:
		ends := "hosts"
		if model.ManagementOf(rep.Relation) != model.NoManagement {
			ends = "hosts and switches"
		}
		return fmt.Sprintf("%s pairs of %s", wording.Thousands(rep.Routes.Pairs), ends)
	case c.Name == cert.ClaimLivelockFree:
		return fmt.Sprintf("no packet passes more than %s", wording.Count(rep.Routes.Longest, "switch", "es"))
	}
	return ""
}

// DisciplineWords names switching disciplines for readers.
func DisciplineWords(list []model.Switching) string {
	if len(list) == len(model.Switchings()) {
		return "any switching"
	}
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// DisciplineNote says in a few words why deadlock-free has its verdict under a discipline.
func DisciplineNote(d verify.Discipline, rep *verify.Report) string {
	of := *rep
	of.Switching = d.Switching[0]
	return ClaimNote(d.Claim, &of)
}
