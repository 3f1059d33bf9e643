package model

// Condition says, beside a routing, when packets may move, what they wait for or which there are: gates, flow control of
// rings, classes of messages, multicast tables. Conditions are data. Packages that decide them register with package verify.
type Condition interface {
	// Condition returns the kind of condition, as messages name it.
	Condition() string
}

// Placed is a condition that names hosts or switches by number.
type Placed interface {
	Condition
	// On returns the condition on what is left of the network. It fails if the condition has no meaning there.
	On(left *Remaining) (Condition, error)
}

// The kinds of conditions.
const (
	ConditionGates     = "gates"
	ConditionFlow      = "flow control of rings"
	ConditionClasses   = "classes of messages"
	ConditionProtocol  = "a protocol"
	ConditionMulticast = "multicast tables"
)

// Condition returns ConditionClasses for a list of classes, else ConditionProtocol.
func (p *Protocol) Condition() string {
	if p.IsList() {
		return ConditionClasses
	}
	return ConditionProtocol
}

// Condition returns ConditionMulticast.
func (m *Multicast) Condition() string { return ConditionMulticast }

// Copies reports whether there are groups.
func (m *Multicast) Copies() bool { return len(m.Groups) > 0 }

// Copies reports whether messages of the protocol are copied on their paths.
func (p *Protocol) Copies() bool {
	for i := range p.Rules {
		if p.Rules[i].Multicast {
			return true
		}
	}
	return false
}

// ConditionOf returns the first condition of type C, or the zero value.
func ConditionOf[C Condition](list []Condition) (found C) {
	for _, c := range list {
		if x, ok := c.(C); ok {
			return x
		}
	}
	return found
}

// ClassesOf returns the protocol or list of classes, or nil.
func ClassesOf(list []Condition) *Protocol { return ConditionOf[*Protocol](list) }

// RulesOf returns the protocol that has rules, or nil.
func RulesOf(list []Condition) *Protocol {
	if p := ClassesOf(list); p != nil && !p.IsList() {
		return p
	}
	return nil
}
