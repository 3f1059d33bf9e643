(* This file makes the program, and tells what the theorem rests on. Of OCaml's types only bool,
   option, list, pairs, sums and unit are used; numbers stay what they are in Coq, binary and without a
   greatest one. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Proved Require Import Certificate Decide Sound Waiting.

Extraction Language OCaml.
Extraction "judge.ml" decide_waiting.
Definition theorems := (decide_sound, decide_waiting_sound, never_both).
Print Assumptions theorems.
