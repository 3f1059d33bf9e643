package model

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads the classes of messages that cause other messages, such as request and reply.

// Messages are classes of messages. A message causes messages of later classes. Each class
// has a virtual network: a copy of the network's VCs and of the hosts' queues.
type Messages struct {
	Names   []string
	Network []int // by class; numbered in the order of first use
}

// ParseMessages parses names of classes in order. A comma separates classes of different
// virtual networks, a plus sign classes that share one: request,reply or request+reply. It
// fails if a name is empty or occurs twice, or if there is only one class.
func ParseMessages(text string) (*Messages, error) {
	m := &Messages{}
	seen := map[string]bool{}
	for i, group := range strings.Split(text, ",") {
		for _, name := range strings.Split(group, "+") {
			name = strings.TrimSpace(name)
			if name == "" || seen[name] || strings.ContainsAny(name, ":|&") {
				return nil, fmt.Errorf("cannot read classes %q: want different names such as request,reply or, to share a virtual network, request+reply", text)
			}
			seen[name] = true
			m.Names, m.Network = append(m.Names, name), append(m.Network, i)
		}
	}
	if len(m.Names) < 2 {
		return nil, fmt.Errorf("cannot read classes %q: want at least two classes", text)
	}
	return m, nil
}

// Networks returns the number of virtual networks.
func (m *Messages) Networks() int { return slices.Max(m.Network) + 1 }

// Shared returns the names of two classes that share a virtual network, or "".
func (m *Messages) Shared() string {
	for i := range m.Names[1:] {
		if m.Network[i] == m.Network[i+1] {
			return m.Names[i] + " and " + m.Names[i+1]
		}
	}
	return ""
}
