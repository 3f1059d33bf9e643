// Package turns is the command turns: it makes turn sets, proves them and measures them.
package turns
