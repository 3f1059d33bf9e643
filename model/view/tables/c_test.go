package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model/view/tables"
)

// program compares every entry of a header with bits.txt, a line an entry.
func program(l *tables.Lookup, prefix string) string {
	caps := strings.ToUpper(prefix)
	loops, args, out := []string{"a SWITCHES"}, "a", []string{"p PORTS"}
	outArgs := "p"
	function := map[tables.Form]string{tables.Turns: "allowed_turns", tables.Next: "next_port", tables.InputNext: "next_outputs"}[l.Form]
	if l.Form != tables.Next {
		loops, args = append(loops, "b PORTS", "c VCS"), args+", b, c"
	}
	if l.Form != tables.Next || l.VCs > 1 {
		out, outArgs = append(out, "v VCS"), outArgs+", v"
	}
	if l.Classes > 1 {
		loops, args = append(loops, "k CLASSES"), args+", k"
		out, outArgs = append([]string{"o CLASSES"}, out...), outArgs+", o"
	}
	if l.Form != tables.Turns {
		loops, args = append(loops, "d DESTINATIONS"), args+", d"
	}
	declare, each := "", ""
	for _, x := range append(append([]string(nil), loops...), out...) {
		declare += "unsigned " + x[:1] + "; "
	}
	forAll := func(list []string) (text string) {
		for _, x := range list {
			text += fmt.Sprintf("for (%s = 0; %s < %s_%s; %s++) ", x[:1], x[:1], caps, x[2:], x[:1])
		}
		return text
	}
	each = forAll(loops)
	empty := strings.Replace(args, "a", caps+"_SWITCHES", 1)
	return fmt.Sprintf(`#include <stdio.h>
#include "table.h"
static char line[%s_OUTPUTS + 2];
int main(void)
{
  FILE *f = fopen("bits.txt", "r");
  long n = 0, bad = 0;
  %s
  if (!f)
    return 2;
  %s {
    const %s_word *got = %s_%s(%s);
    unsigned i = 0;
    if (!fgets(line, sizeof line, f))
      return 3;
    %s {
      if (%s_permits(got, %s) != (line[i] == '1')) {
        if (bad++ < 5)
          printf("entry %%ld: bit %%u is not %%c\n", n, i, line[i]);
      }
      i++;
    }
    n++;
  }
  %s
    if (%s_permits(%s_%s(%s), %s))
      bad++;
  printf("%%ld entries, %%ld bad\n", n, bad);
  return bad != 0;
}
`, caps, declare, each, prefix, prefix, function, args, forAll(out), prefix, outArgs,
		strings.ReplaceAll(each, "a = 0; a < "+caps+"_SWITCHES", "a = 0; a < 1"), prefix, prefix, function, empty, outArgsZero(outArgs))
}

func outArgsZero(args string) string {
	return strings.NewReplacer("p", "0", "v", "0", "o", "0").Replace(args)
}

func bitsFile(s subject) string {
	var b strings.Builder
	for _, in := range inputs(s.lookup) {
		for _, o := range outputs(s.lookup) {
			if s.want[in][o] {
				b.WriteByte('1')
			} else {
				b.WriteByte('0')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// compiled compiles and runs the program over a header.
func compiled(t *testing.T, s subject, text, name string, flags ...string) (string, error) {
	dir := t.TempDir()
	_, rest, _ := strings.Cut(text, "\n#ifndef ")
	caps, _, _ := strings.Cut(rest, "_H\n")
	save(t, dir, "table.h", text)
	save(t, dir, "main.c", program(s.lookup, strings.ToLower(caps)))
	save(t, dir, "bits.txt", bitsFile(s))
	mustRun(t, dir, modeltest.Tool(t, name), append(flags, "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "main", "main.c")...)
	return run(t, dir, "./main")
}

// TestCEntries compiles each table in C and in C++ and compares every entry with the model. A
// table with one changed digit is detected.
func TestCEntries(t *testing.T) {
	modeltest.Tool(t, "cc")
	for i, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			text := written(t, s.lookup, tables.WriteC)
			want := fmt.Sprintf("%d entries, 0 bad\n", s.lookup.Entries())
			if got, err := compiled(t, s, text, "cc", "-std=c99"); got != want {
				t.Errorf("%s, want %s (%v)", got, want, err)
			}
			if i > 0 {
				return
			}
			for _, mutant := range mutants(text, "\n  {0x", "0x", cDigits(s.lookup)) {
				if got, err := compiled(t, s, mutant, "cc", "-std=c99"); err == nil || !strings.Contains(got, "is not") {
					t.Errorf("a changed table is not found out: %s", got)
				}
			}
		})
	}
}

func TestCPlusPlus(t *testing.T) {
	modeltest.Tool(t, "c++")
	for i, s := range subjects(t) {
		if i%3 != 0 {
			continue // TestCEntries compiles all tables, as C
		}
		text := written(t, s.lookup, tables.WriteC)
		if got, err := compiled(t, s, text, "c++", "-std=c++11", "-x", "c++"); err != nil {
			t.Errorf("%s: %s (%v)", s.name, got, err)
		}
	}
}

// cDigits is the number of hexadecimal digits of a word.
func cDigits(l *tables.Lookup) int {
	for _, digits := range []int{2, 4, 8} {
		if l.Outputs() <= 4*digits {
			return digits
		}
	}
	return 16
}
