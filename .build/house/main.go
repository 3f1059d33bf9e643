// Command house measures how the source hangs together: the lines that a package links, the packages that a change
// rebuilds, circles of files, and the largest types and functions. Each measure has a budget in budgets.txt.
//
//	go run ./.build/house            print all measures, with the largest of each kind
//	go run ./.build/house -check     print the measures above their budgets; the exit status is 1 if there are any
package main

import (
	"bufio"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

//go:embed budgets.txt
var budgetText string

// A budget limits one measure.
type budget struct {
	kind, of string
	limit    int
	others   []string // of "any": what has a budget of its own
}

// budgets reads lines "KIND NAME LIMIT". Text behind # is a remark.
func budgets(text string) ([]budget, error) {
	var list []budget
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("budgets.txt: %q is not KIND NAME LIMIT", line)
		}
		limit, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, fmt.Errorf("budgets.txt: %q: %w", line, err)
		}
		list = append(list, budget{kind: fields[0], of: fields[1], limit: limit})
	}
	for i := range list {
		for _, b := range list {
			if list[i].of == "any" && b.kind == list[i].kind && b.of != "any" {
				list[i].others = append(list[i].others, b.of)
			}
		}
	}
	return list, nil
}

func main() {
	check := flag.Bool("check", false, "print only what is above its budget")
	circle := flag.String("circle", "", "print which names bind the files of the largest circle of this package, and no measures")
	flag.Parse()
	if *circle != "" {
		if err := printCircle(os.Stdout, *circle); err != nil {
			fmt.Fprintln(os.Stderr, "house:", err)
			os.Exit(2)
		}
		return
	}
	above, err := run(*check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(2)
	}
	if above && *check {
		os.Exit(1)
	}
}

// run measures and prints. It returns whether a measure is above its budget.
func run(check bool) (bool, error) {
	limits, err := budgets(budgetText)
	if err != nil {
		return false, err
	}
	house, err := load()
	if err != nil {
		return false, err
	}
	if !check {
		house.print(os.Stdout, limits)
	}
	above := false
	for _, b := range limits {
		got, what, err := house.measure(b)
		switch {
		case err != nil:
			return false, err
		case got > b.limit:
			above = true
			fmt.Printf("%s of %s: %d, and its budget is %d%s\n", b.kind, b.of, got, b.limit, what)
		}
	}
	if above {
		fmt.Println("If the lines are those of a new feature, raise the budget in .build/house/budgets.txt by them, and say so in the commit.")
	}
	return above, nil
}
