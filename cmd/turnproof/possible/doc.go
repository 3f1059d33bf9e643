// Package possible implements the command possible. It decides whether any routing without virtual
// channels is deadlock-free.
package possible
