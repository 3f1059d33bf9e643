package sweep

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
)

// This file writes results to files. The columns are those of result.go, in that order. Every row
// repeats the settings, so that a file is complete without the experiment.

// WriteCSV writes a line of column names and a row for each result. Figures that are NaN are
// empty.
func WriteCSV(w io.Writer, results []Result) error {
	out := csv.NewWriter(w)
	lasting := columnsOf(results)
	row := make([]string, len(lasting))
	for i := range lasting {
		row[i] = lasting[i].Name
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for _, r := range results {
		r.normal()
		for i := range lasting {
			v, err := lasting[i].json(&r)
			if err != nil {
				return err
			}
			switch row[i] = string(v); {
			case row[i] == "null":
				row[i] = ""
			case v[0] == '"':
				if err := json.Unmarshal(v, &row[i]); err != nil {
					return err
				}
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ColumnNames returns the names of the columns of WriteCSV, without those of messages, which depend on the results.
func ColumnNames() (names []string) {
	for _, c := range lasting {
		if c.Name != "messages" {
			names = append(names, c.Name)
		}
	}
	return names
}

// Values returns the column of WriteCSV with this name: for each result a string, a bool, an int64, a float64, or nil for a missing figure.
// It returns false if the results have no such column.
func Values(results []Result, name string) (values []any, ok bool, err error) {
	columns := columnsOf(results)
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return nil, false, nil
	}
	for _, r := range results {
		r.normal()
		text, err := columns[at].json(&r)
		if err != nil {
			return nil, true, err
		}
		var v any
		if i, wrong := strconv.ParseInt(string(text), 10, 64); wrong == nil {
			v = i
		} else if err := json.Unmarshal(text, &v); err != nil {
			return nil, true, err
		}
		values = append(values, v)
	}
	return values, true, nil
}

// columnsOf returns the columns of lasting that at least one result has.
func columnsOf(results []Result) (list []Column) {
	for _, c := range lasting {
		first := slices.IndexFunc(results, func(r Result) bool { return !c.isLeftOut(&r) })
		switch {
		case first < 0 && c.lacks != nil:
		case c.Name == "messages":
			list = append(list, results[first].Messages.columns()...)
		default:
			list = append(list, c)
		}
	}
	return list
}

// WriteJSONL writes each result as a JSON object on its own line. Figures that are NaN are null.
func WriteJSONL(w io.Writer, results []Result) error {
	out := bufio.NewWriter(w)
	for i := range results {
		line, err := results[i].object(lasting)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
