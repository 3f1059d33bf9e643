package space

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// parseMove parses an equation or inequality. only is the coordinate that an equation
// determines, or -1.
func parseMove(text string, names []string) (list []Constraint, only int, err error) {
	for _, op := range []string{"<=", ">=", "=", "<", ">"} {
		left, right, found := strings.Cut(text, op)
		if !found {
			continue
		}
		sum := make([]int, len(names))
		bound, err := addSide(left, 1, names, sum)
		if err != nil {
			return nil, -1, err
		}
		more, err := addSide(right, -1, names, sum)
		if err != nil {
			return nil, -1, err
		}
		least := -(bound + more) // sum ≥ least, or sum ≤ least
		common := 0              // common divisor of the factors; moves are integers, so the bound can be rounded up
		for _, x := range sum {
			common = gcd(common, max(x, -x))
		}
		if common == 0 {
			return nil, -1, errors.New("it contains no coordinate")
		}
		row := func(sign, least int) {
			c := Constraint{Tail: make([]int, len(names)), Head: make([]int, len(names)), Least: ceil(least, common)}
			for i, x := range sum {
				c.Head[i], c.Tail[i] = sign*x/common, -sign*x/common
			}
			list = append(list, c)
		}
		switch op {
		case ">=":
			row(1, least)
		case ">":
			row(1, least+1)
		case "<=":
			row(-1, -least)
		case "<":
			row(-1, -least+1)
		default:
			row(1, least)
			row(-1, -least)
		}
		return list, alone(sum, op), nil
	}
	return nil, -1, errors.New("want =, <=, >=, < or >")
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// ceil returns x/by rounded up. by must be positive.
func ceil(x, by int) int {
	q := x / by
	if x%by > 0 {
		q++
	}
	return q
}

// alone returns the only coordinate in an equation, or -1 if there are several or op is not
// "=".
func alone(sum []int, op string) int {
	only := -1
	for i, x := range sum {
		if x != 0 {
			if only >= 0 {
				return -1
			}
			only = i
		}
	}
	if op != "=" {
		return -1
	}
	return only
}

// mostFactor is the largest number in a move.
const mostFactor = 1000

// addSide adds sign times the coordinates of one side to sum. It returns sign times the sum of
// the numbers of this side.
func addSide(text string, sign int, names []string, sum []int) (number int, err error) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "-", "+-")
	if text = strings.TrimPrefix(text, "+"); text == "" {
		return 0, errors.New("a side is empty")
	}
	for _, term := range strings.Split(text, "+") {
		factor := 1
		if rest, ok := strings.CutPrefix(term, "-"); ok {
			term, factor = rest, -1
		}
		digits := strings.TrimRightFunc(term, func(r rune) bool { return !unicode.IsDigit(r) })
		name := strings.TrimPrefix(term[len(digits):], "*")
		if digits != "" {
			k, err := strconv.Atoi(digits)
			if err != nil || k > mostFactor {
				return 0, fmt.Errorf("number %q is out of range; want at most %d", digits, mostFactor)
			}
			factor *= k
		}
		switch i := indexOf(names, name); {
		case name == "" && digits != "":
			number += sign * factor
		case i >= 0:
			sum[i] += sign * factor
		default:
			return 0, fmt.Errorf("no coordinate %q; want one of %s", name, strings.Join(names, ", "))
		}
	}
	return number, nil
}
