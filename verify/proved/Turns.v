(* This file decides whether a program is a turn model of two phases (Phases.v, docs/theorems/every-dimension.md). Its function route is

     first = [minus(d) for d in range(len(cur)) if dst[d] < cur[d]]
     if first:
         return first
     return productive(cur, dst)

   or the same with plus, with range(len(cur) - 1), and with VCs. The last line can be the list of the other direction.

   The rules are those of verify/cert/everysize/phases.go. *)

From Coq Require Import ZArith List Bool Arith String.
From Proved Require Import Sizes Language Uniform.
Import ListNotations.
Open Scope Z_scope.

Section Turns.
  Variable w : world.
  Variables (any : string) (is_number : bool).
  Variables cur dst inp : string.
  Variable local : list string.

  (* x compares coordinates of dimension d: that of the first place is less. *)
  Definition compares (x : expr) (less more d : string) : bool :=
    let is_ y place := match y with Item u i => is_name u place && is_name i d | _ => false end in
    match x with Operate Less y z => is_ y less && is_ z more | Operate More y z => is_ z less && is_ y more | _ => false end.

  (* The list of the hops that a packet needs in one direction: true for plus, and whether it is about all dimensions, or all but the last. *)
  Definition signed_list (x : expr) : option (bool * bool) :=
    match x with
    | Each hop [(Some (To_name d), Call (Name f) [over]); (None, condition)] =>
        let all := is_dimensions any is_number cur local over in
        let fewer := match over with Operate Minus y (Number 1) => is_dimensions any is_number cur local y | _ => false end in
        let hop := match hop with Tuple_of [y; Number k] => if (0 <=? k) && (k <? lanes (base w)) then y else hop | _ => hop end in
        if distinct_names [cur; dst; inp; d] && negb (String.eqb d any) && String.eqb f "range" && (all || fewer) then
          match hop with
          | Call (Name g) [y] =>
              if String.eqb g "plus" && is_name y d && compares condition cur dst d then Some (true, all)
              else if String.eqb g "minus" && is_name y d && compares condition dst cur d then Some (false, all)
              else None
          | _ => None
          end
        else None
    | _ => None
    end.

  Definition is_productive (x : expr) : bool :=
    match x with Call (Name f) [y; z] => String.eqb f "productive" && is_name y cur && is_name z dst | _ => false end.

  (* All hops that a packet needs, with VCs. *)
  Definition is_needed_list (x : expr) : bool :=
    match x with
    | Each hop [(Some (To_name a), from)] =>
        is_productive from && distinct_names [cur; dst; inp; a] && negb (among any [a; cur; dst; inp]) &&
        uniform cur dst "" "" a [] false hop &&
        match hop with Name y => String.eqb y a | Tuple_of [Name y; _] => String.eqb y a | _ => false end
    | _ => is_productive x
    end.
End Turns.

(* The direction of the first phase, and whether it is about all dimensions. *)
Definition in_phases (w : world) : option (bool * bool) :=
  if negb (fixed_outside w) || complete (base w) || has_rings w || ring (base w) 0 then None else
  match any_name w, find_route (top_level w) with
  | Some (any, is_number), Some ([cur; dst; inp] as parameters, [Assign (To_name first) x; If (Name a) [Return (Some (Name c))] []; Return (Some y)] as body) =>
      let local := parameters ++ flat_map binds body in
      let list_of := signed_list w any is_number cur dst inp local in
      if distinct_names (parameters ++ [first]) && negb (String.eqb first any) && String.eqb a first && String.eqb c first then
        match list_of x with
        | Some (sign, all) =>
            let fine := match list_of y with
              | Some (other, all_) => all && all_ && negb (Bool.eqb other sign)
              | None => is_needed_list any cur dst inp y
              end in
            if fine then Some (sign, all) else None
        | None => None
        end
      else None
  | _, _ => None
  end.
