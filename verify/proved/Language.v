(* This file defines the language of routing programs, and what a run of a program does.

   A program is a part of Starlark: functions, loops over lists, lists that can be changed, whole numbers. The coordinates of
   the switch and of the destination, and the sizes, are not known to a run. A number is a form of them, divided by a
   constant. A run is a tree: it asks about forms, and about the direction, VC and header state of the packet, and goes
   on by the answer. Meaning.v answers at a point, so that a run has one result.

   Mistake is the end of a run that the language does not permit, or that goes beyond a limit. Beyond is the end of a run that
   uses a part of the language that is not covered here. Loads, nested functions and generic lists are not covered.

   The questions are those of verify/cert/everysize, in the same order, because proofs in certificates follow that order. *)

From Coq Require Import ZArith List Bool Arith String Lia.
From Proved Require Import Formulas Sizes.
Import ListNotations.
Open Scope Z_scope.

(* The syntax. *)

Inductive pattern := To_name (x : string) | To_names (l : list pattern).

Inductive operator := Plus | Minus | Times | Quotient | Remainder | Equal | Differ | Less | More | At_most | Not_less | Inside | Outside.

Inductive expr :=
| Name (x : string)
| Number (k : Z)
| Text (x : string)
| List_of (l : list expr)
| Tuple_of (l : list expr)
| Each (x : expr) (l : list (option pattern * expr)) (* [x for target in expr if expr ...] *)
| If_else (c x y : expr)
| Both (x y : expr)
| Either (x y : expr)
| Negate (x : expr)
| Dot (x : expr) (a : string)
| Call (f : expr) (l : list expr)
| Negative (x : expr)
| Positive (x : expr)
| Operate (o : operator) (x y : expr)
| Item (x i : expr).

Inductive stmt :=
| Define (f : string) (parameters : list string) (body : list stmt)
| Return (x : option expr)
| If (c : expr) (body other : list stmt)
| For (t : pattern) (x : expr) (body : list stmt)
| Assign (t : pattern) (x : expr)
| Change (t : string) (o : operator) (x : expr) (* t o= x *)
| Set_item (l i x : expr)
| Do (x : expr)
| Pass
| Break
| Continue.

(* Runs. *)

Inductive question :=
| Holds (f : formula)              (* 0: yes; 1: no *)
| Sign (f : form)                  (* 0: f = 0; 1: f > 0; 2: f < 0 *)
| Rest (f : form) (k : nat)        (* f mod k + 1 *)
| Wrapped (x : direction).         (* whether the packet came over a wraparound channel in direction x: 0 no, 1 yes *)

Inductive run (A : Type) :=
| Done (a : A)
| Mistake
| Beyond
| Ask (q : question) (next : nat -> run A)
| Ask_direction (next : option direction -> run A) (* None: the packet has just been created *)
| Ask_vc (next : Z -> run A)
| Ask_header (next : Z -> run A).
Arguments Done {A}. Arguments Mistake {A}. Arguments Beyond {A}. Arguments Ask {A}.
Arguments Ask_direction {A}. Arguments Ask_vc {A}. Arguments Ask_header {A}.

Fixpoint bind {A B} (r : run A) (f : A -> run B) : run B :=
  match r with
  | Done a => f a
  | Mistake => Mistake
  | Beyond => Beyond
  | Ask q next => Ask q (fun i => bind (next i) f)
  | Ask_direction next => Ask_direction (fun x => bind (next x) f)
  | Ask_vc next => Ask_vc (fun k => bind (next k) f)
  | Ask_header next => Ask_header (fun k => bind (next k) f)
  end.

(* The builtin functions. *)
Inductive builtin_name :=
| F_abs | F_all | F_any | F_bool | F_enumerate | F_fail | F_len | F_list | F_max | F_min | F_range | F_reversed | F_tuple | F_zip
| F_ahead | F_crosses_dateline | F_delta | F_deroutes | F_distance | F_minus | F_others | F_plus | F_productive | F_ring
| F_side | F_to | F_towards | F_works | F_wraps.

(* Values. A number is num/den. *)
Record symbol := { num : form; den : Z }.

Inductive val :=
| V_none
| V_bool (b : bool)
| V_number (x : symbol)
| V_text (x : string)
| V_list (a : nat) (* an address *)
| V_tuple (l : list val)
| V_place (l : list val)
| V_direction (x : direction)
| V_hop (d : nat) (m : aim) (* of HyperX networks *)
| V_eject
| V_input
| V_builtin (f : builtin_name)
| V_function (f : string) (parameters names : list string) (body : list stmt).

(* A list. It cannot be changed if it is frozen, or while loops run over it. *)
Record cell := { items : list val; frozen : bool; loops : nat }.

(* The names that a scope binds, and the values of those that have one. *)
Record frame := { bound : list string; vals : list (string * val) }.

(* The scopes are innermost first; that of the top level is the last. *)
Record store := { heap : list cell; scopes : list frame; active : list string; steps : Z }.

Definition M (A : Type) := store -> run (A * store).
Definition ret {A} (a : A) : M A := fun s => Done (a, s).
Definition mistake {A} : M A := fun _ => Mistake.
Definition beyond {A} : M A := fun _ => Beyond.
Definition then_ {A B} (m : M A) (f : A -> M B) : M B := fun s => bind (m s) (fun x => f (fst x) (snd x)).
Definition get : M store := fun s => Done (s, s).
Definition put (s : store) : M unit := fun _ => Done (tt, s).
Definition ask (q : question) : M nat := fun s => Ask q (fun i => Done (i, s)).
Definition ask_direction : M (option direction) := fun s => Ask_direction (fun x => Done (x, s)).
Definition ask_vc : M Z := fun s => Ask_vc (fun k => Done (k, s)).
Definition ask_header : M Z := fun s => Ask_header (fun k => Done (k, s)).

Declare Scope run_scope.
Delimit Scope run_scope with run.
Notation "'let*' x := m 'in' f" := (then_ m (fun x => f)) (at level 200, x name, m at level 100, f at level 200) : run_scope.
Notation "m ;; f" := (then_ m (fun _ => f)) (at level 199, right associativity) : run_scope.
Open Scope run_scope.

(* Each statement, element of a loop and expression is a step. *)
Definition most_steps : Z := 1000000.
Definition spend (k : Z) : M unit := fun s =>
  if steps s + k <=? most_steps
  then Done (tt, {| heap := heap s; scopes := scopes s; active := active s; steps := steps s + k |})
  else Mistake.

Definition with_heap (h : list cell) : M unit := fun s =>
  Done (tt, {| heap := h; scopes := scopes s; active := active s; steps := steps s |}).
Definition with_scopes (l : list frame) : M unit := fun s =>
  Done (tt, {| heap := heap s; scopes := l; active := active s; steps := steps s |}).
Definition with_active (l : list string) : M unit := fun s =>
  Done (tt, {| heap := heap s; scopes := scopes s; active := l; steps := steps s |}).

(* Lists. *)

Fixpoint replace {A} (l : list A) (i : nat) (x : A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: l, O => x :: l
  | y :: l, S i => y :: replace l i x
  end.

Definition cell_at (a : nat) : M cell :=
  let* s := get in match nth_error (heap s) a with Some c => ret c | None => mistake end.
Definition new_list (l : list val) : M val :=
  let* s := get in with_heap (heap s ++ [{| items := l; frozen := false; loops := 0 |}]);; ret (V_list (List.length (heap s))).
Definition update (a : nat) (f : cell -> cell) : M unit :=
  let* s := get in let* c := cell_at a in with_heap (replace (heap s) a (f c)).
Definition put_items (a : nat) (l : list val) : M unit :=
  let* c := cell_at a in
  if frozen c || negb (Nat.eqb (loops c) 0) then mistake
  else update a (fun c => {| items := l; frozen := frozen c; loops := loops c |}).

(* The elements of a list, tuple or place. *)
Definition elements (v : val) : M (option (list val)) :=
  match v with
  | V_list a => let* c := cell_at a in ret (Some (items c))
  | V_tuple l | V_place l => ret (Some l)
  | _ => ret None
  end.
Definition need {A} (o : option A) : M A := match o with Some a => ret a | None => mistake end.
Definition elements_of (v : val) : M (list val) := let* o := elements v in need o.

Fixpoint each_item {R} (l : list val) (visit : R -> val -> M (R * bool)) (r : R) : M R :=
  match l with
  | [] => ret r
  | v :: l => spend 1;; let* x := visit r v in if snd x then each_item l visit (fst x) else ret (fst x)
  end.

(* Visits the elements of v, until visit returns false. *)
Definition iterate {R} (v : val) (visit : R -> val -> M (R * bool)) (r : R) : M R :=
  let* l := elements_of v in
  match v with
  | V_list a =>
      let loop k := update a (fun c => {| items := items c; frozen := frozen c; loops := k (loops c) |}) in
      loop S;; let* r := each_item l visit r in loop pred;; ret r
  | _ => each_item l visit r
  end.

Fixpoint map_all {A B} (f : A -> M B) (l : list A) : M (list B) :=
  match l with [] => ret [] | x :: l => let* y := f x in let* r := map_all f l in ret (y :: r) end.

(* Numbers. *)

Definition most_number : Z := 2 ^ 40.
Definition most_coefficient : Z := 2 ^ 30.
Definition beyond_limit (most k : Z) : bool := (k >? most) || (k <? - most).

Definition as_number (v : val) : option symbol := match v with V_number x => Some x | _ => None end.
Definition known_number (x : symbol) : option Z := if is_constant (num x) && (den x =? 1) then Some (hd 0 (num x)) else None.
Definition as_known (v : val) : option Z := match v with V_number x => known_number x | _ => None end.
Definition integer (k : Z) : val := V_number {| num := [k]; den := 1 |}.

(* f/d, with a positive d *)
Definition quotient_of (f : form) (d : Z) : M val :=
  let g := fold_left Z.gcd f d in
  let x := {| num := map (fun c => c / g) f; den := d / g |} in
  match known_number x with
  | Some k => if beyond_limit most_number k then mistake else ret (integer k)
  | None => if existsb (beyond_limit most_coefficient) (den x :: num x) then mistake else ret (V_number x)
  end.

Definition add_numbers (sign : Z) (a b : symbol) : M val :=
  quotient_of (plus (plus [0] (num a) (den b)) (num b) (sign * den a)) (den a * den b).

(* The order of a and b: y - x times a positive unit, and the unit. *)
Definition difference (x y : val) : M (form * Z) :=
  match as_number x, as_number y with
  | Some a, Some b => ret (plus (plus [0] (num b) (den a)) (num a) (- den b), den a * den b)
  | _, _ => mistake
  end.

Definition less (x y : val) : M bool :=
  let* d := difference x y in
  let f := shift (fst d) (- snd d) in
  if is_constant f then ret (0 <=? hd 0 f) else let* i := ask (Holds (at_least f)) in ret (Nat.eqb i 0).
Definition no_more (x y : val) : M bool := let* b := less y x in ret (negb b).

Definition concat (o : operator) (x y : val) : M val :=
  match o, x, y with
  | Plus, V_list a, V_list b => let* l := elements_of x in let* m := elements_of y in new_list (l ++ m)
  | Plus, V_tuple l, V_tuple m => ret (V_tuple (l ++ m))
  | Plus, V_text a, V_text b => ret (V_text (a ++ b)%string)
  | _, _, _ => mistake
  end.

(* a // k or a % k for a constant k *)
Definition divide (o : operator) (a : symbol) (k : Z) : M val :=
  match known_number a with
  | Some c =>
      if k =? 0 then mistake else
      match o with
      | Quotient => let q := c / k in if beyond_limit most_number q then mistake else ret (integer q)
      | _ => ret (integer (c mod k))
      end
  | None =>
      if (k <? 1) || (64 <? k) then mistake
      else if negb (den a =? 1) then beyond
      else
        let* i := if k =? 1 then ret O else ask (Rest (num a) (Z.to_nat (k - 1))) in
        let rest := Z.of_nat i in
        match o with Quotient => quotient_of (shift (num a) (- rest)) k | _ => ret (integer rest) end
  end.

Definition plain_arithmetic (o : operator) (x y : val) : M val :=
  match as_number x, as_number y with
  | Some a, Some b =>
      match o with
      | Plus => add_numbers 1 a b
      | Minus => add_numbers (-1) a b
      | Times =>
          match known_number b, known_number a with
          | Some k, None => quotient_of (plus [0] (num a) k) (den a)
          | _, Some k => quotient_of (plus [0] (num b) k) (den b)
          | None, None => mistake
          end
      | _ => mistake
      end
  | _, _ => concat o x y
  end.

(* x // y or x % y for an unknown y, by at most n additions or subtractions of y *)
Fixpoint divide_unknown (n : nat) (o : operator) (x y : val) (q : Z) : M val :=
  match n with
  | O => mistake
  | S n =>
      let* below := less x (integer 0) in
      if (below : bool) then let* x := plain_arithmetic Plus x y in divide_unknown n o x y (q - 1)
      else
        let* inside := less x y in
        if (inside : bool) then ret match o with Remainder => x | _ => integer q end
        else let* x := plain_arithmetic Minus x y in divide_unknown n o x y (q + 1)
  end.

Definition arithmetic (o : operator) (x y : val) : M val :=
  match o, as_number x, as_number y with
  | Quotient, Some a, Some b | Remainder, Some a, Some b =>
      match known_number b with
      | Some k => divide o a k
      | None => let* up := less (integer 0) y in if (up : bool) then divide_unknown 8 o x y 0 else mistake
      end
  | _, _, _ => plain_arithmetic o x y
  end.

(* Comparisons. *)

Definition is_simple (v : val) : bool := match v with V_none | V_bool _ | V_text _ | V_direction _ => true | _ => false end.
Definition same_simple (x y : val) : bool :=
  match x, y with
  | V_none, V_none => true
  | V_bool a, V_bool b => Bool.eqb a b
  | V_text a, V_text b => String.eqb a b
  | V_direction a, V_direction b => same_direction a b
  | _, _ => false
  end.
Definition is_list (v : val) : bool := match v with V_list _ => true | _ => false end.

Fixpoint all_same (same : val -> val -> M bool) (l m : list val) : M bool :=
  match l, m with
  | x :: l, y :: m => let* b := same x y in if (b : bool) then all_same same l m else ret false
  | _, _ => ret true
  end.

Fixpoint same_to (depth : nat) (x y : val) : M bool :=
  match depth with
  | O => mistake
  | S depth =>
      spend 1;;
      match x, y with
      | V_number _, V_number _ =>
          let* d := difference x y in
          if is_constant (fst d) then ret (hd 0 (fst d) =? 0) else let* i := ask (Sign (fst d)) in ret (Nat.eqb i 0)
      | (V_list _ | V_tuple _ | V_place _), _ =>
          let* a := elements_of x in
          let* b := elements y in
          match b with
          | Some b => if Bool.eqb (is_list x) (is_list y) && Nat.eqb (List.length a) (List.length b) then all_same (same_to depth) a b else ret false
          | None => ret false
          end
      | (V_none | V_bool _ | V_text _ | V_direction _ | V_number _), (V_input | V_function _ _ _ _ | V_builtin _ | V_eject) => mistake
      | (V_none | V_bool _ | V_text _ | V_direction _ | V_number _), _ => ret (same_simple x y)
      | V_hop _ _, (V_none | V_bool _ | V_text _ | V_number _ | V_list _ | V_tuple _ | V_place _) => ret false
      | _, _ => mistake
      end
  end.
Definition same : val -> val -> M bool := same_to 101.

Definition truth_of (v : val) : M bool :=
  match v with
  | V_none => ret false
  | V_bool b => ret b
  | V_text x => ret (negb (String.eqb x EmptyString))
  | V_number _ => let* b := same v (integer 0) in ret (negb b)
  | V_list _ | V_tuple _ => let* l := elements_of v in ret match l with [] => false | _ => true end
  | _ => ret true
  end.

(* The index that v names in a list of n. *)
Definition index_of (v : val) (n : nat) : M nat :=
  match as_known v with
  | Some i =>
      let i := if i <? 0 then i + Z.of_nat n else i in
      if (0 <=? i) && (i <? Z.of_nat n) then ret (Z.to_nat i) else mistake
  | None => mistake
  end.

Definition item (x i : val) : M val :=
  let* l := elements_of x in let* k := index_of i (List.length l) in need (nth_error l k).

Definition inside (x l : val) : M bool :=
  iterate l (fun _ v => let* b := same v x in ret (b, negb b)) false.

(* The network, as a program sees it. *)
Record world := {
  base : Sizes.program;            (* without paths *)
  has_rings : bool;                   (* the family is of tori or rings *)
  size_names : list (string * val);   (* names that the family declares *)
  header_states : nat;
  top_level : list stmt
}.

Section Functions.
  Variable w : world.
  Notation p := (base w).

  Definition dimension (v : val) : M nat :=
    match as_known v with
    | Some d => if (0 <=? d) && (d <? Z.of_nat (dims p)) then ret (Z.to_nat d) else mistake
    | None => mistake
    end.
  Definition axis_number (v : val) : M nat :=
    match as_known v with
    | Some d => if (0 <=? d) && (d <? Z.of_nat (axis_count p)) then ret (Z.to_nat d) else mistake
    | None => mistake
    end.
  Definition side_val (d : nat) : M val := quotient_of (plus [0] (side_of p d) 1) 1.
  Definition integer_nat (d : nat) : val := integer (Z.of_nat d).

  (* A coordinate, as a form. *)
  Definition form_of (v : val) : M form :=
    match v with V_number x => if den x =? 1 then ret (num x) else mistake | _ => mistake end.
  (* Hops of HyperX networks. *)
  Definition hop_of (dim : val) (m : M aim) : M val :=
    if complete p then let* d := dimension dim in let* m := m in ret (V_hop d m) else mistake.

  (* The hops in plus direction of a ring. *)
  Definition ahead (cur dst dim : val) : M val :=
    let* y := item dst dim in let* x := item cur dim in let* hops := arithmetic Minus y x in
    let* d := dimension dim in let* side := side_val d in arithmetic Remainder hops side.

  (* The hops on the shorter path, negative in minus direction. *)
  Definition delta (cur dst dim : val) : M val :=
    let* d := dimension dim in
    if complete p then
      let* x := item cur dim in let* y := item dst dim in let* aligned := same x y in ret (integer (if aligned : bool then 0 else 1))
    else if ring p d then
      let* hops := ahead cur dst dim in let* side := side_val d in
      let* twice := arithmetic Times (integer 2) hops in let* short := no_more twice side in
      if (short : bool) then ret hops else arithmetic Minus hops side
    else let* y := item dst dim in let* x := item cur dim in arithmetic Minus y x.

  Definition towards (cur dst dim : val) : M val :=
    let* x := item cur dim in let* y := item dst dim in
    let* done := same x y in
    if (done : bool) then ret V_none else
    if complete p then hop_of dim (let* f := form_of y in ret (To_value f)) else
    let* hops := delta cur dst dim in
    let* up := less (integer 0) hops in
    let* d := dimension dim in ret (V_direction (d, up)).

  Fixpoint productive_in (l : list nat) (cur dst : val) : M (list val) :=
    match l with
    | [] => ret []
    | d :: l =>
        let* x := towards cur dst (integer_nat d) in
        match x with
        | V_direction x =>
            let* k := dimension (integer_nat d) in let* side := side_val k in
            let* both :=
              if ring p k then
                let* hops := ahead cur dst (integer_nat d) in let* twice := arithmetic Times (integer 2) hops in same twice side
              else ret false in
            let* rest := productive_in l cur dst in
            ret (V_direction x :: (if (both : bool) then [V_direction (back x)] else []) ++ rest)
        | V_hop _ _ => let* rest := productive_in l cur dst in ret (x :: rest)
        | _ => productive_in l cur dst
        end
    end.

  Definition abs_val (v : val) : M val :=
    let* low := less v (integer 0) in if (low : bool) then arithmetic Minus (integer 0) v else ret v.

  Fixpoint distance_in (l : list nat) (cur dst total : val) : M val :=
    match l with
    | [] => ret total
    | d :: l =>
        let* hops := delta cur dst (integer_nat d) in let* hops := abs_val hops in
        let* total := arithmetic Plus total hops in distance_in l cur dst total
    end.

  Fixpoint extreme_in (least : bool) (best : val) (l : list val) : M val :=
    match l with
    | [] => ret best
    | v :: l => let* better := if least then less v best else less best v in extreme_in least (if better : bool then v else best) l
    end.
  Definition extreme (least : bool) (l : list val) : M val :=
    let* l := match l with [x] => elements_of x | _ => ret l end in
    match l with [] => mistake | v :: l => extreme_in least v l end.

  Definition range_of (l : list val) : M val :=
    let* k := map_all (fun v => need (as_known v)) l in
    let* b := match k with [b] => ret (0, b, 1) | [a; b] => ret (a, b, 1) | [a; b; c] => ret (a, b, c) | _ => mistake end in
    let '(from, to, by_) := b in
    if by_ =? 0 then mistake else
    let count := if 0 <? by_ then (to - from + by_ - 1) / by_ else (from - to - by_ - 1) / - by_ in
    if count <=? 0 then new_list [] else
    spend count;; new_list (map (fun i => integer (from + Z.of_nat i * by_)) (seq 0 (Z.to_nat count))).

  Definition direction_of (v : val) : M direction :=
    match v with V_direction x => if Nat.ltb (fst x) (dims p) then ret x else mistake | _ => mistake end.

  Definition works (at_ : val) (x : direction) : M val :=
    if complete p then mistake else
    match at_ with
    | V_tuple l | V_place l =>
        let* f := map_all form_of l in
        if Nat.eqb (List.length f) (dims p) then let* i := ask (Holds (is_working p (fun d => nth d f []) x)) in ret (V_bool (Nat.eqb i 0))
        else mistake
    | _ => mistake
    end.

  Definition pairs_of (l m : list val) : list val := map (fun x => V_tuple [fst x; snd x]) (combine l m).

  Definition builtin (f : builtin_name) (l : list val) : M val :=
    let one := match l with [x] => ret x | _ => mistake end in
    let two := match l with [x; y] => ret (x, y) | _ => mistake end in
    let three := match l with [x; y; z] => ret (x, y, z) | _ => mistake end in
    match f with
    | F_abs => let* x := one in abs_val x
    | F_any => let* x := one in let* b := iterate x (fun _ v => let* b := truth_of v in ret (b, negb b)) false in ret (V_bool b)
    | F_all => let* x := one in let* b := iterate x (fun _ v => let* b := truth_of v in ret (b, b)) true in ret (V_bool b)
    | F_bool => let* x := one in let* b := truth_of x in ret (V_bool b)
    | F_fail => mistake
    | F_min => extreme true l
    | F_max => extreme false l
    | F_range => range_of l
    | F_len =>
        let* x := one in
        match x with V_text a => ret (integer (Z.of_nat (String.length a))) | _ => let* l := elements_of x in ret (integer_nat (List.length l)) end
    | F_list => let* x := one in let* l := elements_of x in spend (Z.of_nat (List.length l));; new_list l
    | F_tuple => let* x := one in let* l := elements_of x in spend (Z.of_nat (List.length l));; ret (V_tuple l)
    | F_reversed => let* x := one in let* l := elements_of x in spend (Z.of_nat (List.length l));; new_list (rev l)
    | F_enumerate =>
        let* x := one in let* l := elements_of x in spend (Z.of_nat (List.length l));; new_list (pairs_of (map integer_nat (seq 0 (List.length l))) l)
    | F_zip =>
        let* x := two in let* l := elements_of (fst x) in let* m := elements_of (snd x) in
        spend (Z.of_nat (List.length l));; new_list (pairs_of l m)
    | F_side => let* x := one in let* d := dimension x in side_val d
    | F_ring => let* x := one in let* d := dimension x in ret (V_bool (ring p d))
    | F_plus => let* x := one in if complete p then mistake else let* d := axis_number x in ret (V_direction (d, true))
    | F_minus => let* x := one in if complete p then mistake else let* d := axis_number x in ret (V_direction (d, false))
    | F_ahead => let* x := three in let '(cur, dst, d) := x in ahead cur dst d
    | F_delta => let* x := three in let '(cur, dst, d) := x in delta cur dst d
    | F_towards => let* x := three in let '(cur, dst, d) := x in towards cur dst d
    | F_distance =>
        let* x := two in let* l := elements_of (fst x) in distance_in (seq 0 (List.length l)) (fst x) (snd x) (integer 0)
    | F_productive =>
        let* x := two in let* l := elements_of (fst x) in let* r := productive_in (seq 0 (List.length l)) (fst x) (snd x) in new_list r
    | F_works => let* x := two in let* dir := direction_of (snd x) in works (fst x) dir
    | F_wraps =>
        let* x := two in let* dir := direction_of (snd x) in let* at_ := item (fst x) (integer_nat (fst dir)) in
        if ring p (fst dir) then
          let* edge := if snd dir then quotient_of (shift (side_of p (fst dir)) (-1)) 1 else ret (integer 0) in
          let* b := same at_ edge in ret (V_bool b)
        else ret (V_bool false)
    | F_crosses_dateline =>
        let* x := three in let '(cur, dst, dir) := x in
        let* dir := direction_of dir in let* at_ := item cur (integer_nat (fst dir)) in let* end_ := item dst (integer_nat (fst dir)) in
        let* b := if snd dir then less end_ at_ else less at_ end_ in ret (V_bool b)
    | F_to => let* x := two in hop_of (fst x) (let* f := form_of (snd x) in ret (To_value f))
    | F_others => let* x := one in hop_of x (ret To_others)
    | F_deroutes => let* x := one in hop_of x (ret To_deroutes)
    end.

  Definition builtins : list (string * builtin_name) :=
    [("abs", F_abs); ("all", F_all); ("any", F_any); ("bool", F_bool); ("enumerate", F_enumerate); ("fail", F_fail);
     ("len", F_len); ("list", F_list); ("max", F_max); ("min", F_min); ("range", F_range); ("reversed", F_reversed); ("tuple", F_tuple); ("zip", F_zip);
     ("ahead", F_ahead); ("crosses_dateline", F_crosses_dateline); ("delta", F_delta); ("deroutes", F_deroutes); ("distance", F_distance);
     ("minus", F_minus); ("others", F_others); ("plus", F_plus); ("productive", F_productive); ("ring", F_ring); ("side", F_side);
     ("to", F_to); ("towards", F_towards); ("works", F_works); ("wraps", F_wraps)]%string.
  Definition letters : list (string * direction) :=
    [("E", (0, true)); ("W", (0, false)); ("N", (1, true)); ("S", (1, false)); ("U", (2, true)); ("D", (2, false))]%string%nat.

  Definition constants : list (string * val) :=
    [("None", V_none); ("True", V_bool true); ("False", V_bool false); ("EJECT", V_eject)]%string.

  Definition is_named {A} (x : string) (y : string * A) : bool := String.eqb x (fst y).
  Definition predeclared (x : string) : option val :=
    match find (is_named x) (size_names w) with
    | Some y => Some (snd y)
    | None =>
        match find (is_named x) constants, find (is_named x) letters, find (is_named x) builtins with
        | Some y, _, _ => Some (snd y)
        | None, Some y, _ => Some (V_direction (snd y))
        | None, None, Some y => Some (V_builtin (snd y))
        | None, None, None => None
        end
    end.

  Definition attribute (v : val) (a : string) : M val :=
    let is_ b := String.eqb a b%string in
    match v with
    | V_place l => if is_ "x"%string then need (nth_error l 0) else if is_ "y"%string then need (nth_error l 1) else if is_ "z"%string then need (nth_error
      l 2) else mistake
    | V_direction x => if is_ "dim"%string then ret (integer_nat (fst x)) else if is_ "sign"%string then ret (integer (if snd x then 1 else -1)) else mistake
    | V_hop d _ => if is_ "dim"%string then ret (integer_nat d) else mistake
    | V_input =>
        if is_ "dir"%string then
          let* x := ask_direction in match x with Some x => if complete p then mistake else ret (V_direction x) | None => ret V_none end
        else if is_ "dim"%string then let* x := ask_direction in ret match x with Some x => integer_nat (fst x) | None => V_none end
        else if is_ "vc"%string then let* k := ask_vc in ret (integer k)
        else if is_ "wrap"%string then
          if has_rings w then
            let* x := ask_direction in
            match x with
            | Some x => if ring p (fst x) then let* i := ask (Wrapped x) in ret (V_bool (Nat.eqb i 1)) else ret (V_bool false)
            | None => ret (V_bool false)
            end
          else ret (V_bool false)
        else mistake
    | _ => mistake
    end.

  (* Names. *)

  Fixpoint find_frame (x : string) (l : list frame) : option frame :=
    match l with [] => None | f :: l => if existsb (String.eqb x) (bound f) then Some f else find_frame x l end.
  Fixpoint put_in_frames (x : string) (v : val) (l : list frame) : list frame :=
    match l with
    | [] => []
    | f :: l =>
        if existsb (String.eqb x) (bound f) then {| bound := bound f; vals := (x, v) :: filter (fun y => negb (is_named x y)) (vals f) |} :: l
        else f :: put_in_frames x v l
    end.

  Definition lookup (x : string) : M val :=
    let* s := get in
    match find_frame x (scopes s) with
    | Some f => match find (is_named x) (vals f) with Some y => ret (snd y) | None => mistake end
    | None => need (predeclared x)
    end.
  Definition assign_name (x : string) (v : val) : M unit := let* s := get in with_scopes (put_in_frames x v (scopes s)).

  Fixpoint assign (t : pattern) (v : val) {struct t} : M unit :=
    match t with
    | To_name x => assign_name x v
    | To_names l =>
        let* vs := elements_of v in
        (fix go (l : list pattern) (vs : list val) : M unit :=
           match l, vs with
           | [], [] => ret tt
           | t :: l, v :: vs => if Nat.eqb (List.length l) (List.length vs) then assign t v;; go l vs else mistake
           | _, _ => mistake
           end) l vs
    end.

  Fixpoint names_of (t : pattern) : list string := match t with To_name x => [x] | To_names l => flat_map names_of l end.
  (* The names that statements bind. *)
  Fixpoint binds (s : stmt) : list string :=
    match s with
    | Define f _ _ => [f]
    | For t _ body => names_of t ++ flat_map binds body
    | If _ body other => flat_map binds body ++ flat_map binds other
    | Assign t _ => names_of t
    | Change x _ _ => [x]
    | _ => []
    end.

  (* How statements end. *)
  Inductive signal := Goes_on | Breaks | Continues | Returns (v : val).

  Definition operate (o : operator) (x y : val) : M val :=
    let bool_ (m : M bool) := let* b := m in ret (V_bool b) in
    match o with
    | Plus | Minus | Times | Quotient | Remainder => arithmetic o x y
    | Equal => bool_ (same x y)
    | Differ => let* b := same x y in ret (V_bool (negb b))
    | Less => bool_ (less x y)
    | More => bool_ (less y x)
    | At_most => bool_ (no_more x y)
    | Not_less => bool_ (no_more y x)
    | Inside => bool_ (inside x y)
    | Outside => let* b := inside x y in ret (V_bool (negb b))
    end.

  (* x after x o= y. A list is extended. *)
  Definition changed (o : operator) (x y : val) : M val :=
    match o, x with
    | Plus, V_list a => let* m := elements_of y in let* l := elements_of x in spend (Z.of_nat (List.length m));; put_items a (l ++ m);; ret x
    | _, _ => arithmetic o x y
    end.

  (* The list of x.append. *)
  Definition appended (f : expr) : option expr := match f with Dot x a => if String.eqb a "append"%string then Some x else None | _ => None end.
  Definition append (l v : val) : M val :=
    match l with V_list a => let* m := elements_of l in put_items a (m ++ [v]);; ret V_none | _ => mistake end.
  Definition set_item (l i v : val) : M unit :=
    match l with
    | V_list a => let* m := elements_of l in let* k := index_of i (List.length m) in put_items a (replace m k v)
    | _ => mistake
    end.

  (* Evaluates an expression, executes a list of statements, and calls a function; n levels deep. *)
  Fixpoint eval (n : nat) (x : expr) : M val :=
    match n with
    | O => mistake
    | S n =>
        spend 1;;
        match x with
        | Name x => lookup x
        | Number k => ret (integer k)
        | Text x => ret (V_text x)
        | List_of l => let* l := map_all (eval n) l in new_list l
        | Tuple_of l => let* l := map_all (eval n) l in ret (V_tuple l)
        | Each x l =>
            match l with
            | (Some t, from) :: l' =>
                let* over := eval n from in
                let* s := get in
                with_scopes ({| bound := flat_map (fun c => match fst c with Some t => names_of t | None => [] end) l; vals := [] |} :: scopes s);;
                let* made := iterate over (fun made v => assign t v;; let* made := clauses n x l' made in ret (made, true)) [] in
                let* s := get in
                with_scopes (tl (scopes s));; new_list made
            | _ => mistake
            end
        | If_else c x y => let* c := eval n c in let* b := truth_of c in if (b : bool) then eval n x else eval n y
        | Both x y => let* v := eval n x in let* b := truth_of v in if (b : bool) then eval n y else ret v
        | Either x y => let* v := eval n x in let* b := truth_of v in if (b : bool) then ret v else eval n y
        | Negate x => let* v := eval n x in let* b := truth_of v in ret (V_bool (negb b))
        | Dot x a => let* v := eval n x in attribute v a
        | Call f l =>
            match appended f with
            | Some x =>
                let* m := eval n x in
                match m, l with V_list _, [y] => let* v := eval n y in append m v | _, _ => mistake end
            | None => let* f := eval n f in let* l := map_all (eval n) l in apply n f l
            end
        | Negative x =>
            let* v := eval n x in match v with V_direction x => ret (V_direction (back x)) | _ => arithmetic Minus (integer 0) v end
        | Positive x => let* v := eval n x in arithmetic Plus (integer 0) v
        | Operate o x y => let* a := eval n x in let* b := eval n y in operate o a b
        | Item x i => let* a := eval n x in let* b := eval n i in item a b
        end
    end
  with clauses (n : nat) (x : expr) (l : list (option pattern * expr)) (made : list val) : M (list val) :=
    match n with
    | O => mistake
    | S n =>
        match l with
        | [] => let* v := eval n x in ret (made ++ [v])
        | (None, c) :: l => let* c := eval n c in let* b := truth_of c in if (b : bool) then clauses n x l made else ret made
        | (Some t, from) :: l =>
            let* over := eval n from in
            iterate over (fun made v => assign t v;; let* made := clauses n x l made in ret (made, true)) made
        end
    end
  with execute (n : nat) (l : list stmt) : M signal :=
    match n with
    | O => mistake
    | S n =>
        match l with
        | [] => ret Goes_on
        | x :: l =>
            spend 1;;
            let* how := step n x in
            match how with Goes_on => execute n l | _ => ret how end
        end
    end
  with step (n : nat) (x : stmt) : M signal :=
    match n with
    | O => mistake
    | S n =>
        match x with
        | Define _ _ _ => beyond (* within a function *)
        | Return None => ret (Returns V_none)
        | Return (Some x) => let* v := eval n x in ret (Returns v)
        | If c body other => let* c := eval n c in let* b := truth_of c in execute n (if b : bool then body else other)
        | For t x body =>
            let* over := eval n x in
            let* how := iterate over (fun _ v =>
              assign t v;;
              let* how := execute n body in
              ret (how, match how with Goes_on | Continues => true | _ => false end)) Goes_on in
            ret match how with Returns v => Returns v | _ => Goes_on end
        | Assign t x => let* v := eval n x in assign t v;; ret Goes_on
        | Change t o x => let* v := eval n x in let* old := eval n (Name t) in let* v := changed o old v in assign_name t v;; ret Goes_on
        | Set_item l i x => let* l := eval n l in let* i := eval n i in let* v := eval n x in set_item l i v;; ret Goes_on
        | Do x => eval n x;; ret Goes_on
        | Pass => ret Goes_on
        | Break => ret Breaks
        | Continue => ret Continues
        end
    end
  with apply (n : nat) (f : val) (l : list val) : M val :=
    match n with
    | O => mistake
    | S n =>
        match f with
        | V_builtin f => builtin f l
        | V_function f parameters names body =>
            let* s := get in
            if existsb (String.eqb f) (active s) || negb (Nat.eqb (List.length l) (List.length parameters)) then mistake else
            with_active (f :: active s);;
            with_scopes [{| bound := names; vals := combine parameters l |}; last (scopes s) {| bound := []; vals := [] |}];;
            let* how := execute n body in
            with_active (active s);;
            with_scopes (scopes s);;
            ret match how with Returns v => v | _ => V_none end
        | _ => mistake
        end
    end.

  Definition deepest : nat := Z.to_nat 10000.

  (* Runs the top level. Its lists are frozen at the end. *)
  Fixpoint top_statements (l : list stmt) : M unit :=
    match l with
    | [] => ret tt
    | x :: l =>
        spend 1;;
        match x with
        | Define f parameters body => assign_name f (V_function f parameters (parameters ++ flat_map binds body) body)
        | Assign _ _ | Do _ | Set_item _ _ _ | Pass => step deepest x;; ret tt
        | _ => beyond
        end;; top_statements l
    end.
  Definition load : M unit :=
    with_scopes [{| bound := flat_map binds (top_level w); vals := [] |}];;
    top_statements (top_level w);;
    let* s := get in
    with_heap (map (fun c => {| items := items c; frozen := true; loops := loops c |}) (heap s)).

  Definition coordinates (f : nat -> form) : val := V_place (map (fun d => V_number {| num := f d; den := 1 |}) (seq 0 (dims p))).

  (* What route returns: outputs, whether it delivers the packet, and whether the list has something else. *)
  Record result := { hops_to : list output; delivers : bool; is_wrong : bool }.
  Definition same_aim (a b : aim) : bool :=
    match a, b with
    | On_grid, On_grid | To_others, To_others | To_deroutes, To_deroutes => true
    | To_value f, To_value g => if list_eq_dec Z.eq_dec f g then true else false
    | _, _ => false
    end.
  Definition same_output (a b : output) : bool :=
    same_direction (out_dir a) (out_dir b) && same_aim (out_aim a) (out_aim b) && (to_vc a =? to_vc b) && (to_header a =? to_header b).
  Definition add_outputs (l : list output) (r : result) : result :=
    {| hops_to := fold_left (fun l o => if existsb (same_output o) l then l else l ++ [o]) l (hops_to r);
       delivers := delivers r; is_wrong := is_wrong r |}.
  Definition below_nat (v : val) (n : Z) : option Z :=
    match as_known v with Some k => if (0 <=? k) && (k <? n) then Some k else None | None => None end.
  (* The outputs that an element names; k is the header state of the packet. *)
  Definition outputs_of (k : Z) (v : val) : option (list output) :=
    let to (x : val) (vcs : list Z) (k : Z) :=
      let named x m := Some (map (fun c => {| out_dir := x; out_aim := m; to_vc := c; to_header := k |}) vcs) in
      match x with
      | V_direction x => if negb (complete p) && Nat.ltb (fst x) (axis_count p) then named x On_grid else None
      | V_hop d m => named (d, true) m
      | _ => None
      end in
    match v with
    | V_tuple [x; c] => match below_nat c (lanes p) with Some c => to x [c] k | None => None end
    | V_tuple [x; c; k] =>
        match below_nat c (lanes p), below_nat k (Z.of_nat (header_states w)) with Some c, Some k => to x [c] k | _, _ => None end
    | _ => to v (map Z.of_nat (seq 0 (Z.to_nat (lanes p)))) k
    end.
  Fixpoint results (k : Z) (l : list val) (r : result) : result :=
    match l with
    | [] => r
    | V_eject :: l => results k l {| hops_to := hops_to r; delivers := true; is_wrong := false |}
    | v :: l =>
        match outputs_of k v with
        | Some o => results k l (add_outputs o r)
        | None => {| hops_to := hops_to r; delivers := delivers r; is_wrong := true |}
        end
    end.

  Definition fresh : store := {| heap := []; scopes := []; active := []; steps := 0 |}.
  Definition arity (f : val) : option nat := match f with V_function _ l _ _ => Some (List.length l) | _ => None end.

  (* A run of route. *)
  Definition route_run : run result :=
    let m : M result :=
      load;;
      let* k := if Nat.ltb 1 (header_states w) then ask_header else ret 0 in
      let* f := lookup "route"%string in
      let* r := apply deepest f ([coordinates here; coordinates (there p); V_input] ++
        match arity f with Some 3%nat => [] | _ => [integer k] end) in
      if is_list r then let* l := elements_of r in ret (results k l {| hops_to := []; delivers := false; is_wrong := false |}) else mistake in
    bind (m fresh) (fun x => Done (fst x)).

  (* The header states that inject returns. *)
  Definition header_of (v : val) : option Z :=
    let v := match v with V_tuple [x; k] => if match as_known k with Some k => (1 <=? k) &&
      (k <=? 1000000) | None => false end then Some x else None | _ => Some v end in
    match v with Some v => below_nat v (Z.of_nat (header_states w)) | None => None end.
  Fixpoint headers_of (l : list val) : option (list Z) :=
    match l with
    | [] => Some []
    | v :: l => match header_of v, headers_of l with Some k, Some r => Some (k :: r) | _, _ => None end
    end.

  Definition has_inject : bool := existsb (String.eqb "inject"%string) (flat_map binds (top_level w)).
  Definition inject_run : run (option (list Z)) :=
    let m : M (option (list Z)) :=
      load;;
      let* f := lookup "inject"%string in
      let* r := apply deepest f [coordinates here; coordinates (there p)] in
      if is_list r then let* l := elements_of r in ret (headers_of l) else ret None in
    if has_inject then bind (m fresh) (fun x => Done (fst x)) else Done (Some [0]).
End Functions.
