package engine

import "slices"

// This file has the queues of hosts.

// fifo is a queue.
type fifo[T any] struct {
	list []T
	head int
}

func (f *fifo[T]) len() int  { return len(f.list) - f.head }
func (f *fifo[T]) first() *T { return &f.list[f.head] }
func (f *fifo[T]) push(x T)  { f.list = append(f.list, x) }

// all returns the elements in order.
func (f *fifo[T]) all() []T { return f.list[f.head:] }

// pop removes the first element. The memory of removed elements is reused when they are half of
// the list.
func (f *fifo[T]) pop() T {
	x := f.list[f.head]
	if f.head++; 2*f.head >= len(f.list) {
		f.list, f.head = f.list[:copy(f.list, f.list[f.head:])], 0
	}
	return x
}

func (f *fifo[T]) clone() fifo[T] { return fifo[T]{list: slices.Clone(f.all())} }

func cloneLists[T any](lists [][]T) [][]T {
	c := make([][]T, len(lists))
	for i := range lists {
		if len(lists[i]) > 0 {
			c[i] = slices.Clone(lists[i])
		}
	}
	return c
}
