// Package prove is the command prove: a routing program, decided for every size of its family.
package prove
