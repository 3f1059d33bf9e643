package figure

// Layout says how a graph is laid out.
type Layout uint8

// Values of Layout.
const (
	Spread   Layout = iota // spring layout with lines routed around nodes; nodes with a position stay there
	Straight               // as Spread, but with straight lines; for rows and for very many lines
	Flow                   // layers along the arrows, from top to bottom
)

// Shape is the outline of a node.
type Shape uint8

// Values of Shape.
const (
	Box     Shape = iota // a switch
	Ellipse              // a host
	Plain                // text without an outline
	Dot                  // a switch in a crowded drawing; Lines are not drawn
	Octagon              // a place at which a path ends unexpectedly
	Point                // an invisible end of a line; Lines are not drawn
	Cross                // a cross that marks something prohibited; Lines are not drawn
)

// Style is the pattern of a line.
type Style uint8

// Values of Style.
const (
	Solid Style = iota
	Dashed
	Dotted
	Hidden // invisible, but part of the layout
)

// Node is a vertex of a Graph.
type Node struct {
	Name    string   // its identifier in DOT, unique in the graph
	Lines   []string // its label, line by line; the first one is bold if Strong
	Tooltip string
	Shape   Shape
	Fill    Color // colour of the area; defaults to white
	Stroke  Color // colour of the outline; defaults to grey
	Strong  bool  // thick outline
	Small   bool  // small text and a tight outline
	Pinned  bool  // X and Y are its position in inches, y upwards
	X, Y    float64
	Level   int // in a Flow layout, nodes of one level are side by side; 0 means any level

	size  float64 // size of the text in points; 0 means the default
	group int     // number of its group in a plan; 0 is none
	guest bool    // whether it is a host beside its switch, where another place would do as well
}

// Edge joins two nodes, given by their index in Graph.Nodes.
type Edge struct {
	From, To int
	Label    string // text at the middle
	Badge    bool   // draw Label as a filled badge in the edge's colour
	AtFrom   string // small text at the ends (ports)
	AtTo     string
	Color    Color
	Width    float64 // in points; defaults to 1
	Style    Style
	Arrow    bool // whether it has an arrowhead at To; otherwise the edge is a cable
	Short    bool // whether its ends stay close together (cables of hosts)
	Loose    bool // whether the layout ignores it
	Tooltip  string
	Key      string // keys that Inline marks the line with, separated by spaces
}

// Arc is a turn at a node: a small arc around the node from edge In to edge Out, with an
// arrowhead at Out. Both edges have the node at one end. DOT text contains the words of arcs
// only.
type Arc struct {
	At      int  // index in Graph.Nodes
	In, Out int  // indices in Graph.Edges
	Both    bool // also an arrowhead at In
	Color   Color
	Style   Style
	Width   float64 // in points; defaults to 1.5
	Tooltip string
}

// Rule is a thin line behind the drawing, with a text at its start. Its ends are in inches,
// like positions of pinned nodes. Rules are drawn only if all nodes are pinned. DOT text has no
// rules.
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

// Graph is a labelled graph. Everything is drawn in the given order, later edges on top of
// earlier ones. Labels may contain any text; they are cleaned and escaped when the graph is
// written.
type Graph struct {
	Title  string
	Notes  []string
	Legend Legend
	Layout Layout
	Length float64 // target distance between neighbours in inches; 0 means 1
	Nodes  []Node
	Edges  []Edge
	Arcs   []Arc
	Rules  []Rule
	// Width is the width of the drawing on paper in points; a column of a paper has about 240.
	// If 0, the drawing has its natural width. DOT text ignores Width.
	Width float64
	// OwnLabels puts every label on its own line. Otherwise the labels of many lines side by
	// side are in a strip beside the lines.
	OwnLabels bool

	panels  []frame
	inRow   int     // number of panels in a row
	round   bool    // whether nodes are on ellipses: lines within a group bend away from the centre
	aligned bool    // whether lines along a row bend below it, those along a column to its left
	nested  bool    // whether lines along a row bend more if they are longer
	air     float64 // additional points that the layout leaves free around nodes
	base    *Graph  // whose layout gives the nodes of the same names their positions, or nil
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
