package seams

import (
	"encoding/json"
	"fmt"
)

// This file reads the answer of check.

// answer is the JSON object that check prints, as far as judges need it.
type answer struct {
	Verdict      string
	DeadlockFree *bool `json:"deadlock_free"`
	Acyclic      *bool `json:"cdg_acyclic"`
	Reached      *bool
	Switching    string
	Method       string
	Disciplines  []discipline
	Premises     []premise
	Claims       []claim
	Warnings     []string
}

type premise struct{ Name, Value, Source string }

// discipline is the verdict under some switching disciplines.
type discipline struct {
	Switching []string
	claim
}

// claim is a claim with its verdict.
type claim struct {
	Claim, Verdict, Theorem, Reason string
	Premises                        []string
}

// readAnswer reads the output of check --json.
func readAnswer(text string) (*answer, error) {
	a := &answer{}
	if err := json.Unmarshal([]byte(text), a); err != nil {
		return nil, fmt.Errorf("output of check: %w", err)
	}
	return a, nil
}

// claim returns a claim by its name, or nil.
func (a *answer) claim(name string) *claim {
	for i := range a.Claims {
		if a.Claims[i].Claim == name {
			return &a.Claims[i]
		}
	}
	return nil
}

// isAcyclic reports whether check says that the dependency graph has no cycle, or nothing about it.
func (a *answer) isAcyclic() bool { return a.Acyclic == nil || *a.Acyclic }
