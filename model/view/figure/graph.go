package figure

// Layout says how a graph is laid out.
type Layout uint8

// The layouts.
const (
	Spread   Layout = iota // springs, lines led around nodes; nodes with a position stay there
	Straight               // the same with straight lines, for rows and for very many lines
	Flow                   // along the arrows, from top to bottom
)

// Shape is the outline of a node.
type Shape uint8

// The shapes.
const (
	Box     Shape = iota // a switch
	Ellipse              // a host
	Plain                // text without an outline
	Dot                  // a switch where there is no room for its name; Lines are left out
	Octagon              // where something ends that should not
	Point                // an end of a line, itself not drawn; Lines are left out
	Cross                // a cross over what may not be; Lines are left out
)

// Style is the pattern of a line.
type Style uint8

// The line patterns.
const (
	Solid Style = iota
	Dashed
	Dotted
	Hidden // not drawn, but has a say in the layout
)

// Node is a vertex of a Graph.
type Node struct {
	Name    string   // its identifier in DOT, unique in the graph
	Lines   []string // its label, line by line; the first one is bold if Strong
	Tooltip string
	Shape   Shape
	Fill    Color // of the area; empty: white
	Stroke  Color // of the outline; empty: grey
	Strong  bool  // thick outline
	Small   bool  // small text and a tight outline
	Pinned  bool  // X, Y hold: its place in inches, y upwards
	X, Y    float64
	Level   int // of a Flow layout: nodes of one level stand side by side; 0: anywhere

	size float64 // of the text, in points; 0: as usual
}

// Edge joins two nodes, given by their index in Graph.Nodes.
type Edge struct {
	From, To int
	Label    string // at the middle
	Badge    bool   // draw Label as a filled badge in the edge's colour
	AtFrom   string // small text at the ends (ports)
	AtTo     string
	Color    Color
	Width    float64 // in points; 0: 1
	Style    Style
	Arrow    bool // points at To; otherwise a cable
	Short    bool // keeps its ends close together (host cables)
	Loose    bool // has no say in the layout
	Tooltip  string
	Key      string // what Inline marks the line with, words apart by a space
}

// Tie is a thin arrow from the badge of one edge to that of another, given by
// their index in Graph.Edges. DOT text has no ties.
type Tie struct {
	From, To int
	Color    Color
	Tooltip  string
	Key      string // as of an Edge
}

// Arc is a turn at a node: a small arc around it from where edge In meets it to
// where edge Out does, with a head there. Both have that node at one end. DOT
// text has no arcs, but their words.
type Arc struct {
	At      int  // index in Graph.Nodes
	In, Out int  // indices in Graph.Edges
	Both    bool // a head at In too
	Color   Color
	Style   Style
	Width   float64 // in points; 0: 1.5
	Tooltip string
}

// Rule is a thin line behind the drawing, with a text before its beginning.
// Its ends are in inches, as are the places of pinned nodes, and it is drawn
// only where all nodes are pinned. DOT text has no rules.
type Rule struct {
	X1, Y1, X2, Y2 float64
	Text           string
}

// Row is a line of a legend.
type Row struct {
	Mark  string // the number or letter used in the drawing; empty: no badge
	Color Color
	Cells []string
}

// Legend is a table above the drawing. Head names the columns after the mark.
type Legend struct {
	Head []string
	Rows []Row
}

// Graph is a neutral labelled graph. Everything is drawn in the order given,
// later edges on top of earlier ones. Labels may hold any text: they are
// cleaned and escaped when the graph is written.
type Graph struct {
	Title  string
	Notes  []string
	Legend Legend
	Layout Layout
	Length float64 // distance aimed at between neighbours, in inches; 0: 1
	Nodes  []Node
	Edges  []Edge
	Ties   []Tie
	Arcs   []Arc
	Rules  []Rule
	// Width is how wide the drawing is to be on paper, in points: the column of a paper
	// is some 240. 0: as wide as it comes, which a screen has room for. DOT text has none.
	Width float64
	// OwnLabels puts every label on its own line, also where many lines run
	// side by side; otherwise their labels stand in a strip beside them.
	OwnLabels bool

	panels []frame
	inRow  int     // panels side by side
	nested bool    // lines along a row bend the more the longer they are
	air    float64 // points left free around nodes by the layout, besides the usual
}

// add appends a node and returns its index.
func (g *Graph) add(n Node) int {
	g.Nodes = append(g.Nodes, n)
	return len(g.Nodes) - 1
}

// join appends an edge and returns its index.
func (g *Graph) join(e Edge) int {
	g.Edges = append(g.Edges, e)
	return len(g.Edges) - 1
}

// rule appends a rule.
func (g *Graph) rule(x1, y1, x2, y2 float64, text string) {
	g.Rules = append(g.Rules, Rule{x1, y1, x2, y2, text})
}

// pinned reports whether every node has a position.
func (g *Graph) pinned() bool {
	for i := range g.Nodes {
		if !g.Nodes[i].Pinned {
			return false
		}
	}
	return len(g.Nodes) > 0
}

func (g *Graph) anyPinned() bool {
	for i := range g.Nodes {
		if g.Nodes[i].Pinned {
			return true
		}
	}
	return false
}
