(* This file extracts the program and prints the assumptions of its theorems. Extraction maps only bool,
   option, lists, pairs, sums and unit to OCaml types. Numbers remain Coq's binary numbers, which have no
   greatest one. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Proved Require Import Certificate Decide Sound Waiting Refute Sizes Language Programs Numbers EveryDimension.

Extraction Language OCaml.
Extraction "judge.ml" decide_waiting judge_program judge_every axis_count binds integer.
Definition theorems := (decide_sound, decide_waiting_sound, never_both, refute_sound, judge_program_sound, judge_every_sound,
  less_right, same_right, arithmetic_right).
Print Assumptions theorems.
