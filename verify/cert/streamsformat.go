package cert

// This file specifies the parts of a certificate that concern finite lists of packets that hold resources. The judge is in package streams.

// Streams is a finite list of packets that hold resources, and the programs that send and receive them.
// Subject.Network is empty, and Subject.Switching has no effect. One claim is possible. deadlock-free: no
// run hangs. streams/run.go states what happens in a run.
type Streams struct {
	Resources []string `json:"resources"` // names
	Words     Ints     `json:"words"`     // by resource: 0 for an arbiter or a link, else the words that the buffer has room for
	Counters  []string `json:"counters"`  // names
	Values    Ints     `json:"values"`    // by counter: its first value
	Routes    []Stream `json:"routes"`
	Agents    []Agent  `json:"agents"` // at least one is required
}

// Stream is a tree of resources. Nodes holds three numbers for each node: its resource, the number of the node
// before it, or -1 for node 0, and how many first words of each packet it drops, which is 0 except at
// leaves, and less than the words of each packet. The node before a node has a smaller number. Node 0 and the leaves are buffers.
// No stage (streams/run.go) has a resource twice.
type Stream struct {
	Name  string `json:"name"`
	Nodes Ints   `json:"nodes"`
}

// Agent is a program. It holds four numbers for each action: its kind (0 send, 1 take, 2 acquire,
// 3 release, 4 repeat), its object (a route, a buffer, a counter, or for repeat the number of following actions),
// its amount, and -1 or, for take, the only route whose words are taken. A loop lies within the loop around it. The amount of a
// loop without end is 0. A required agent has none. No two agents take words of the same buffer and route.
type Agent struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Program  Ints   `json:"program"`
}

// The kinds of evidence for streams.
const (
	// EvidenceSchedules: deadlock-free proved, no field. The checker searches all schedules.
	EvidenceSchedules = "all-schedules"
	// EvidenceSchedule: deadlock-free refuted. Steps has two numbers for each choice: a resource, or the number of resources
	// plus a counter; and who gets it: the buffer that the packet comes from, or the number of resources plus the agent
	// that sends the packet or acquires the counter. After the choices nothing can happen, and a required agent has not ended.
	EvidenceSchedule = "schedule"
)
