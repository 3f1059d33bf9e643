// Package turns implements the command turns. It makes turn sets, proves them and measures them.
package turns
