(* This file defines routing programs for networks of every size, and lists what must be refuted.

   A program is its family of meshes, tori, HyperX networks or grids with other links, and its paths: conditions on the place, the
   destination and the sizes, and outputs. A certificate adds classes of packets with conditions and ranks, and an escape. obligations returns
   formulas. If none holds at any point, the claims hold for every size (Every.v).

   The variables are the coordinates of the place of a packet, of its destination and of another place, then the sizes.
   The formulas are those of verify/cert/everysize/obligations.go, ranks.go and family.go, in the same order. *)

From Coq Require Import ZArith List Bool Arith.
From Proved Require Import Arrays Formulas Refute.
Import ListNotations.
Open Scope Z_scope.

(* A direction: a dimension, and true for plus. *)
Definition direction := (nat * bool)%type.
Definition same_direction (x y : direction) : bool := Nat.eqb (fst x) (fst y) && Bool.eqb (snd x) (snd y).

(* In a HyperX network each two switches that differ in one coordinate are linked. An output names a dimension, as the direction (d, true),
   and what the hop sets the coordinate to: a value, each other value, or each other value except that of the destination. *)
Inductive aim := On_grid | To_value (f : form) | To_others | To_deroutes.
Record output := { out_dir : direction; out_aim : aim; to_vc : Z; to_header : Z }.

Record path := {
  guard : formula;
  from_dir : option (option direction);  (* None: any; Some None: packets that have just been created *)
  from_vc : option Z;                (* None: any *)
  from_header : option Z;            (* None: any *)
  outputs : list output;
  ejects : bool;
  fails : bool
}.

Inductive side := Size (i : nat) | Length (k : Z).

(* What has failed: nothing, a link of a dimension, with both of its channels, or a switch. The link is that of the channel in plus
   direction from the place of the failure. *)
Inductive failure := Nothing | A_link (d : nat) | A_switch.

(* Links of a grid beside those of a mesh. A link leads from a place x to x + shifts if both are on the grid, and modulus divides the sum of
   the coordinates times sums. With modulus 0 each place has it. *)
Record grid_axis := { shifts : list Z; sums : list Z; modulus : Z }.

Record program := {
  axes : list grid_axis;             (* by direction: the links; if none, they are those of a mesh or torus *)
  complete : bool;                   (* the family is of HyperX networks *)
  rings : list bool;                 (* by dimension: it has wraparound channels *)
  sides : list side;                 (* by dimension *)
  sizes : nat;                       (* the number of sizes; the last ones are the coordinates of a failure, if something has failed *)
  broken : failure;
  sizes_when : list formula;         (* conditions on the sizes *)
  lanes : Z;
  passes : bool;                     (* the program also routes packets that are at their destination *)
  injects : list (formula * list Z); (* conditions, and header states of packets that are created under them *)
  paths : list path
}.

Record class := { axis : nat; up : bool; lane : Z; wrap : bool; part : Z; header : Z }.
Record entry := { packets : class; kept : formula; group : Z }.
Record piece := { ranked : class; rank_when : formula; rank_forms : list form }. (* header is not used *)
Inductive escape := No_escape | Escape_set | Escape_first | Escape_last.

(* of_packets: deadlock-free is not claimed, and the groups alone show that paths are finite. finite: livelock-free is claimed.
   minimal: it is claimed that each hop decreases the distance. *)
Record evidence := {
  of_packets : bool;
  finite : bool;
  minimal : bool;
  splits : list (formula * list (direction * Z));
  reached : list entry;
  ranks : list piece;
  escape_by : escape;
  escape_set : list (direction * Z);
  detour : option (list formula)
}.

Definition same_channel (a b : class) : bool :=
  Nat.eqb (axis a) (axis b) && Bool.eqb (up a) (up b) && (lane a =? lane b) && Bool.eqb (wrap a) (wrap b) && (part a =? part b).
Definition same_class (a b : class) : bool := same_channel a b && (header a =? header b).

Definition heading (a : class) : direction := (axis a, up a).
Definition listed (x : direction * Z) (l : list (direction * Z)) : bool :=
  existsb (fun y => same_direction (fst x) (fst y) && (snd x =? snd y)) l.

Section Obligations.
  Variable p : program.
  Variable e : evidence.

  Definition dims : nat := length (sides p).
  (* The variables of HyperX networks after the sizes: the coordinate that the last hop replaced, the value that the next hop sets, and the first
     of these for the other place. *)
  Definition hop_variable : nat := 3 * dims + sizes p.
  Definition hop_old : form := variable hop_variable.
  Definition hop_onto : form := variable (S hop_variable).
  Definition hop_far : form := variable (S (S hop_variable)).
  Definition all_variables : nat := hop_variable + if complete p then 3 else 0.
  Definition ring (d : nat) : bool := nth d (rings p) false.

  (* Directions name axes. Those of a mesh or torus are the dimensions. *)
  Definition has_axes : bool := match axes p with [] => false | _ => true end.
  Definition axis_count : nat := match axes p with [] => dims | l => length l end.
  Definition axis_at (x : direction) : grid_axis := nth (fst x) (axes p) {| shifts := []; sums := []; modulus := 0 |}.
  (* What a hop in a direction adds to coordinate d. *)
  Definition step_of (x : direction) (d : nat) : Z := let k := nth d (shifts (axis_at x)) 0 in if snd x then k else - k.

  Definition here (d : nat) : form := variable d.
  Definition there (d : nat) : form := variable (dims + d).
  Definition other (d : nat) : form := variable (2 * dims + d).
  Definition side_at (d : nat) : side :=
    match nth d (sides p) (Length 0) with Size i => if Nat.ltb i (sizes p) then Size i else Length 0 | l => l end.
  Definition side_of (d : nat) : form :=
    match side_at d with Size i => variable (3 * dims + i) | Length k => number k end.

  Definition on_grid (at_ : nat -> form) : formula :=
    conj (flat_map (fun d => [at_least (at_ d); less_than (at_ d) (side_of d)]) (seq 0 dims)).
  Definition away : formula := disj (map (fun d => differ (here d) (there d)) (seq 0 dims)).
  Definition undelivered : formula := if passes p then always else away.

  (* The place of a failure. *)
  Definition failed (d : nat) : form := variable (3 * dims + (sizes p - dims + d)).
  Definition is_failed (at_ : nat -> form) : formula := conj (map (fun d => equal (at_ d) (failed d)) (seq 0 dims)).
  Definition failure_place : formula :=
    match broken p with
    | Nothing => always
    | A_switch => on_grid failed
    | A_link d => if ring d then on_grid failed else conj [on_grid failed; less_than (failed d) (shift (side_of d) (-1))]
    end.
  (* Neither the place nor the destination has failed. *)
  Definition failure_domain : formula :=
    match broken p with A_switch => conj [on_grid failed; neg (is_failed here); neg (is_failed there)] | _ => failure_place end.

  Definition domain : formula := conj [conj (sizes_when p); on_grid here; on_grid there; failure_domain; undelivered].

  (* Coordinate d of the place to which a channel in a direction leads, and the condition that the channel leaves the place. *)
  Definition along (x : direction) (d : nat) : form := shift (here d) (step_of x d).
  Definition axis_tail (x : direction) : formula :=
    let a := axis_at x in
    conj (flat_map (fun d => if step_of x d =? 0 then [] else [at_least (along x d); less_than (along x d) (side_of d)]) (seq 0 dims) ++
      if modulus a =? 0 then []
      else [divides (modulus a) (fold_left (fun f d => plus f (if snd x then here d else along x d) (nth d (sums a) 0)) (seq 0 dims) (number 0))]).

  (* A form is a coordinate of a dimension. *)
  Definition in_line (f : form) (d : nat) : formula := conj [at_least f; less_than f (side_of d)].

  (* A channel of this direction leaves the place, or enters it. *)
  Definition is_tail (x : direction) (w : bool) : formula :=
    let d := fst x in
    if complete p then in_line hop_onto d else
    if has_axes then axis_tail x else
    match w, snd x with
    | true, true => equal (here d) (shift (side_of d) (-1))
    | true, false => equal (here d) (number 0)
    | false, true => less_than (here d) (shift (side_of d) (-1))
    | false, false => less_than (number 0) (here d)
    end.
  Definition back (x : direction) : direction := (fst x, negb (snd x)).
  Definition is_head (x : direction) (w : bool) : formula := if complete p then in_line hop_old (fst x) else is_tail (back x) w.

  (* An output permits the hop to the value; it permits none; it names a value that no hop leads to. *)
  Definition reaches (o : output) : formula :=
    let d := fst (out_dir o) in
    match out_aim o with
    | On_grid => always
    | To_value f => equal hop_onto f
    | To_others => differ hop_onto (here d)
    | To_deroutes => conj [differ hop_onto (here d); differ hop_onto (there d)]
    end.
  Definition barren (o : output) : formula :=
    let d := fst (out_dir o) in
    match out_aim o with
    | To_others => at_most (side_of d) (number 1)
    | To_deroutes => disj [at_most (side_of d) (number 1); conj [at_most (side_of d) (number 2); differ (here d) (there d)]]
    | _ => never
    end.
  Definition missing (o : output) : formula :=
    let d := fst (out_dir o) in
    match out_aim o with
    | To_value f => disj [less_than f (number 0); at_most (side_of d) f; equal f (here d)]
    | _ => never
    end.

  (* The places one hop from a place: over an inner channel, and over a wraparound channel. *)
  Definition beyond (at_ : nat -> form) (x : direction) : list (formula * (nat -> form)) :=
    let d := fst x in
    let last := shift (side_of d) (-1) in
    let with_ y c := if Nat.eqb c d then y else at_ c in
    let edge := if snd x then last else number 0 in
    (differ (at_ d) edge, with_ (shift (at_ d) (if snd x then 1 else -1))) ::
    if ring d then [(equal (at_ d) edge, with_ (if snd x then number 0 else last))] else [].

  (* A channel of this direction leaves a place, and has not failed. *)
  Definition is_working (at_ : nat -> form) (x : direction) : formula :=
    let fine (next : nat -> form) :=
      match broken p with
      | Nothing => always
      | A_switch => conj [neg (is_failed at_); neg (is_failed next)]
      | A_link d => if Nat.eqb d (fst x) then neg (is_failed (if snd x then at_ else next)) else always
      end in
    conj [on_grid at_; disj (map (fun b => conj [fst b; fine (snd b)]) (beyond at_ x))].
  Definition may_leave (x : direction) : formula :=
    match broken p with
    | Nothing => if ring (fst x) then always else is_tail x false
    | _ => is_working here x
    end.

  (* Replacements of the place: by the place one hop further, one hop back, and the other place. *)
  Definition next (x : direction) (w : bool) : form :=
    let d := fst x in
    match w, snd x with
    | true, true => number 0
    | true, false => shift (side_of d) (-1)
    | false, true => shift (here d) 1
    | false, false => shift (here d) (-1)
    end.
  Definition to_head (x : direction) (w : bool) (v : nat) : form :=
    if complete p then (if Nat.eqb v (fst x) then hop_onto else if Nat.eqb v hop_variable then here (fst x) else variable v)
    else if has_axes then (if Nat.ltb v dims && negb (step_of x v =? 0) then along x v else variable v)
    else if Nat.eqb v (fst x) then next x w else variable v.
  Definition to_tail (x : direction) (w : bool) (v : nat) : form :=
    if complete p then (if Nat.eqb v (fst x) then hop_old else if Nat.eqb v (S hop_variable) then here (fst x) else variable v)
    else to_head (back x) w v.
  Definition to_other (v : nat) : form :=
    if Nat.ltb v dims then other v else if complete p && Nat.eqb v hop_variable then hop_far else variable v.
  Definition other_here (v : nat) : form :=
    if Nat.leb (2 * dims) v && Nat.ltb v (3 * dims) then here (v - 2 * dims) else variable v.

  (* The distance to the destination in a dimension: conditions, with the hops under them. *)
  Definition distances (d : nat) : list (formula * form) :=
    flat_map (fun ahead : bool =>
      let hops := if ahead then plus (there d) (here d) (-1) else plus (here d) (there d) (-1) in
      let when := if ahead then at_most (here d) (there d) else less_than (there d) (here d) in
      if ring d then
        let twice := plus hops hops 1 in
        [(conj [when; at_most twice (side_of d)], hops);
         (conj [when; less_than (side_of d) twice], plus (side_of d) hops (-1))]
      else [(when, hops)]) [true; false].
  (* On axes a hop changes several distances. *)
  Fixpoint axis_farther (x : direction) (l : list nat) (when : formula) (before after : form) : list formula :=
    match l with
    | [] => [conj [when; at_most before after]]
    | d :: l =>
        if step_of x d =? 0 then axis_farther x l when before after else
        flat_map (fun a => flat_map (fun b =>
          axis_farther x l (conj [when; fst a; move (to_head x false) (fst b)]) (plus before (snd a) 1) (plus after (move_form (to_head x false) (snd b)) 1))
          (distances d)) (distances d)
    end.
  Definition farther (x : direction) (w : bool) : formula :=
    if complete p then disj [equal (here (fst x)) (there (fst x)); differ hop_onto (there (fst x))] else
    if has_axes then disj (axis_farther x (seq 0 dims) always (number 0) (number 0)) else
    disj (flat_map (fun a => map (fun b =>
      conj [fst a; move (to_head x w) (fst b); at_most (snd a) (move_form (to_head x w) (snd b))])
      (distances (fst x))) (distances (fst x))).

  (* Packets: None has just been created. *)
  Definition starts : list Z := flat_map snd (injects p).
  Definition accepts (q : path) (a : option class) : bool :=
    match from_dir q, a with None, _ => true | Some None, None => true | Some (Some x), Some a => same_direction x (heading a) | _, _ => false end &&
    match from_vc q with None => true | Some k => k =? match a with None => 0 | Some a => lane a end end &&
    match from_header q, a with
    | None, None => match starts with [] => false | _ => true end
    | Some k, None => existsb (Z.eqb k) starts
    | None, Some _ => true
    | Some k, Some a => k =? header a
    end.
  Definition leads_to (b : class) (o : output) : bool :=
    same_direction (out_dir o) (heading b) && (to_vc o =? lane b) && (to_header o =? header b).
  Definition leads (l : list output) (b : class) : bool := existsb (leads_to b) l.
  (* Some of the outputs permits the hop to class b; none permits a hop. *)
  Definition hop_by (l : list output) (b : class) : formula := disj (map reaches (filter (leads_to b) l)).
  Definition bare (l : list output) : formula := conj (map barren l).

  (* A packet that takes the paths with a mark takes one that fits. *)
  Definition taken_by (marks : list bool) (fits : path -> bool) : formula :=
    disj (flat_map (fun x : bool * path => if fst x && fits (snd x) then [guard (snd x)] else []) (combine marks (paths p))).
  Definition marks (a : option class) : list bool := map (fun q => accepts q a) (paths p).
  Definition taken (a : option class) (fits : path -> bool) : formula := taken_by (marks a) fits.

  (* A packet takes a path with a mark, under the condition that holds gives for it. *)
  Definition chosen (marks : list bool) (under : path -> option formula) : formula :=
    disj (flat_map (fun x : bool * path =>
      if fst x then match under (snd x) with Some f => [conj [guard (snd x); f]] | None => [] end else []) (combine marks (paths p))).

  (* The place, the tail of a channel, is in a part. *)
  Fixpoint in_part_of (l : list (formula * list (direction * Z))) (x : direction * Z) (k : Z) : list formula :=
    match l with
    | [] => []
    | s :: l =>
        (if listed x (snd s) then [if Z.odd k then fst s else neg (fst s)] else []) ++ in_part_of l x (Z.div2 k)
    end.
  Definition in_part (b : class) : formula := conj (in_part_of (splits e) (heading b, lane b) (part b)).
  Definition at_tail (b : class) : formula := conj [is_tail (heading b) (wrap b); in_part b].

  Definition step_by (marks : list bool) (b : class) (some : path -> list output) : formula :=
    conj [chosen marks (fun q => if leads (some q) b then Some (hop_by (some q) b) else None); at_tail b].

  Definition sources : list (option class) := None :: map (fun a => Some (packets a)) (reached e).

  Definition invariant (a : option entry) : formula :=
    match a with
    | None => always
    | Some a =>
        let c := packets a in
        let before := disj (flat_map (fun q =>
          if leads (outputs q) c && existsb (accepts q) sources then [conj [guard q; hop_by (outputs q) c]] else []) (paths p)) in
        conj [is_head (heading c) (wrap c); kept a;
              move (to_tail (heading c) (wrap c)) (conj [in_part c; undelivered; before])]
    end.
  Definition class_of (a : option entry) : option class := option_map packets a.
  Definition known_of (a : option entry) : formula := conj [domain; invariant a].

  Definition is_none {A} (l : list A) : bool := match l with [] => true | _ => false end.
  Definition directions : list direction := flat_map (fun d => if complete p then [(d, true)] else [(d, true); (d, false)]) (seq 0 axis_count).

  (* A packet takes a path that permits no hop by the outputs that some selects, and does not deliver the packet. *)
  Definition without (a : option class) (some : path -> list output) : formula :=
    chosen (marks a) (fun q => if negb (fails q) && negb (ejects q) then Some (bare (some q)) else None).
  (* A packet takes a path that sends it to a value that no hop leads to. *)
  Definition astray (a : option class) : formula :=
    disj (flat_map (fun x : bool * path => if fst x then map (fun o => conj [guard (snd x); missing o]) (outputs (snd x)) else [])
      (combine (marks a) (paths p))).

  (* The outputs of a path that belong to the escape. *)
  Definition in_set (x : direction) (k : Z) : bool := listed (x, k) (escape_set e).
  Definition escape_of (q : path) : list output :=
    match escape_by e with
    | No_escape => outputs q
    | Escape_set => filter (fun o => in_set (out_dir o) (to_vc o)) (outputs q)
    | Escape_first => firstn 1 (outputs q)
    | Escape_last => match rev (outputs q) with [] => [] | o :: _ => [o] end
    end.
  Definition is_ranked (a : class) : bool :=
    match escape_by e with Escape_set => in_set (heading a) (lane a) | _ => true end.
  Definition with_escape : bool := match escape_by e with No_escape => false | _ => true end.

  (* Groups and distances show that paths are finite. *)
  Definition needs_distance : bool := of_packets e || (with_escape && finite e).
  (* Paths are shown to be finite. *)
  Definition shows_finite : bool := of_packets e || negb with_escape || finite e.

  (* The classes that an output can lead to. *)
  Fixpoint parts (l : list (formula * list (direction * Z))) (x : direction * Z) : list Z :=
    match l with
    | [] => [0]
    | s :: l =>
        let r := map (fun k => 2 * k) (parts l x) in
        if listed x (snd s) then r ++ map (fun k => k + 1) r else r
    end.
  Definition classes_of (o : output) : list class :=
    flat_map (fun k => map (fun w =>
      {| axis := fst (out_dir o); up := snd (out_dir o); lane := to_vc o; wrap := w; part := k; header := to_header o |})
      (if ring (fst (out_dir o)) then [false; true] else [false])) (parts (splits e) (out_dir o, to_vc o)).

  Definition sort_key (a : class) : list Z :=
    [2 * Z.of_nat (axis a) + (if up a then 0 else 1); lane a; if wrap a then 1 else 0; part a; header a].
  Fixpoint compare_keys (a b : list Z) : comparison :=
    match a, b with
    | x :: a, y :: b => match Z.compare x y with Eq => compare_keys a b | c => c end
    | _, _ => Eq
    end.
  Fixpoint insert (a : class) (l : list class) : list class :=
    match l with
    | [] => [a]
    | b :: r =>
        if same_class a b then l
        else match compare_keys (sort_key a) (sort_key b) with Gt => b :: insert a r | _ => a :: l end
    end.
  Definition targets (a : option class) : list class :=
    fold_right insert [] (flat_map (fun q => if accepts q a then flat_map classes_of (outputs q) else []) (paths p)).

  Definition find_entry (b : class) : option entry := find (fun x => same_class (packets x) b) (reached e).

  (* The obligations about hops from class a to class b. *)
  Definition moves (a : option entry) (b : class) : list formula :=
    let known := known_of a in
    let step := step_by (marks (class_of a)) b outputs in
    match find_entry b with
    | None => [conj [known; step]]
    | Some x =>
        let forward := to_head (heading b) (wrap b) in
        conj [known; step; move forward undelivered; move forward (neg (kept x))] ::
        (if minimal e then [conj [known; step; farther (heading b) (wrap b)]] else []) ++
        match a with
        | Some a =>
            if negb needs_distance then []
            else if group x <? group a then [conj [known; step]]
            else if group x =? group a then [conj [known; step; farther (heading b) (wrap b)]]
            else []
        | None => []
        end
    end.

  (* The obligations about the hops of packets of class a, except those of ranks. *)
  Definition hop_obligations (a : option entry) : list formula :=
    let known := known_of a in
    let c := class_of a in
    let stuck := disj [taken c fails; without c outputs] in
    let wrong := conj [taken c ejects; away] in
    [conj [known; disj [stuck; wrong]]] ++
    (if complete p then [conj [known; astray c]] else map (fun x =>
      conj [known; taken c (fun q => existsb (fun o => same_direction (out_dir o) x) (outputs q)); neg (may_leave x)]) directions) ++
    (if with_escape then [conj [known; without c escape_of]] else []) ++
    flat_map (moves a) (targets c).

  (* a is not less than b in lexicographic order. *)
  Fixpoint not_less (a b : list form) : formula :=
    match a, b with
    | x :: a, y :: b => disj [less_than y x; conj [equal x y; not_less a b]]
    | _, _ => always
    end.

  Definition ranks_of (a : class) : list piece := filter (fun x => same_channel (ranked x) a) (ranks e).
  Definition not_rising (a b : class) (sub : nat -> form) : formula :=
    disj [disj (flat_map (fun x => map (fun y =>
            conj [move sub (rank_when x); rank_when y; not_less (map (move_form sub) (rank_forms x)) (rank_forms y)]) (ranks_of b)) (ranks_of a));
          neg (disj (map (fun x => move sub (rank_when x)) (ranks_of a)));
          neg (disj (map rank_when (ranks_of b)))].

  (* A packet at the place, on some class, moves to class b. Classes whose packets take the same paths share steps. *)
  Definition same_marks (a b : list bool) : bool :=
    if list_eq_dec Bool.bool_dec a b then true else false.
  Fixpoint put_group (k : list bool) (a : entry) (l : list (list bool * list entry)) : list (list bool * list entry) :=
    match l with
    | [] => [(k, [a])]
    | x :: l => if same_marks k (fst x) then (fst x, snd x ++ [a]) :: l else x :: put_group k a l
    end.
  Definition groups : list (list bool * list entry) :=
    fold_left (fun l a => put_group (marks (Some (packets a))) a l) (reached e) [].
  Definition hop_to (b : class) : formula :=
    disj (map (fun x => conj [step_by (fst x) b outputs; disj (map (fun a => invariant (Some a)) (snd x))]) groups).

  Definition clauses : list formula := match detour e with Some l => l | None => [] end.
  Definition detour_obligations : list formula :=
    conj [domain; neg (move other_here (conj clauses))] ::
    flat_map (fun x => let b := packets x in
      if is_ranked b then [] else
      let forward := to_head (heading b) (wrap b) in
      let hop := conj [hop_to b; move forward undelivered] in
      map (fun c => conj [domain; on_grid other; conj clauses; hop; neg (move forward c)]) clauses) (reached e).

  Definition rise (x y : entry) : list formula :=
    let a := packets x in
    let b := packets y in
    if negb (is_ranked a) then []
    else match detour e with
    | Some _ =>
        if negb (is_ranked b) then [] else
        let sub v := if Nat.ltb v dims || (complete p && Nat.eqb v (S hop_variable)) then move_form to_other (to_tail (heading a) (wrap a) v) else variable v in
        [conj [domain; move to_other domain; move to_other (invariant (Some x)); conj clauses; hop_to b; not_rising a b sub]]
    | None => [conj [known_of (Some x); step_by (marks (Some a)) b escape_of; not_rising a b (to_tail (heading a) (wrap a))]]
    end.

  Definition inject_obligations : list formula :=
    flat_map (fun x => match snd x with [] => [conj [domain; fst x]] | _ => [] end) (injects p).
  Definition route_obligations : list formula :=
    flat_map hop_obligations (None :: map Some (reached e)) ++
    match detour e with Some _ => detour_obligations | None => [] end ++
    (if of_packets e then [] else flat_map (fun x => flat_map (rise x) (reached e)) (reached e)).
  Definition obligations : list formula := inject_obligations ++ route_obligations.

  (* Which variables conditions and ranks may use. *)
  Definition avoids_form (from_ to_ : nat) (f : form) : bool :=
    forallb (fun v => nth (S v) f 0 =? 0) (seq from_ (to_ - from_)).
  Fixpoint avoids (from_ to_ : nat) (f : formula) : bool :=
    match f with
    | All l => forallb (avoids from_ to_) l
    | Any l => forallb (avoids from_ to_) l
    | At_least f => avoids_form from_ to_ f
    | Divides _ f => avoids_form from_ to_ f
    end.
  Definition no_hop (f : formula) : bool := avoids hop_variable (3 + hop_variable) f.
  Definition of_place (f : formula) : bool := avoids dims (3 * dims) f && no_hop f.
  Definition of_packet (f : formula) : bool := avoids (2 * dims) (3 * dims) f && no_hop f.
  (* Ranks may use the value that a hop sets. *)
  Definition of_channel (f : formula) : bool :=
    avoids dims (3 * dims) f && avoids hop_variable (S hop_variable) f && avoids (2 + hop_variable) (3 + hop_variable) f.
  Definition form_of_channel (f : form) : bool :=
    avoids_form dims (3 * dims) f && avoids_form hop_variable (S hop_variable) f && avoids_form (2 + hop_variable) (3 + hop_variable) f.

  (* HyperX networks and those with axes have neither rings nor failures. *)
  Definition axes_fine : bool :=
    negb (has_axes && complete p) &&
    (negb (has_axes || complete p) || forallb negb (rings p) && match broken p with Nothing => true | _ => false end).

  Definition aim_fine (o : output) : bool :=
    if complete p then
      snd (out_dir o) && match out_aim o with
        | On_grid => false
        | To_value f => avoids_form (2 * dims) (3 * dims) f && avoids_form hop_variable (3 + hop_variable) f
        | _ => true
        end
    else match out_aim o with On_grid => true | _ => false end.

  Definition well_formed : bool :=
    (axes_fine && forallb (fun q => of_packet (guard q) &&
      forallb (fun o => Nat.ltb (fst (out_dir o)) axis_count && (0 <=? to_vc o) && (to_vc o <? lanes p) && aim_fine o) (outputs q)) (paths p)) &&
    forallb (fun x => of_packet (fst x)) (injects p) && forallb (fun f => avoids 0 (3 * dims) f && no_hop f) (failure_place :: sizes_when p) &&
    forallb (fun s => of_place (fst s)) (splits e) &&
    forallb (fun x => of_packet (kept x)) (reached e) &&
    forallb (fun x => of_channel (rank_when x) && forallb form_of_channel (rank_forms x)) (ranks e) &&
    (match detour e, escape_by e with None, _ => true | Some _, Escape_set => true | _, _ => false end &&
      forallb no_hop clauses && (negb (of_packets e) || negb with_escape && is_none (ranks e))).
End Obligations.

(* Checks the proofs of formulas, one after the other, and returns the numbers after them. *)
Fixpoint refute_all (n : nat) (l : list formula) (t : list Z) : option (list Z) :=
  match l with
  | [] => Some t
  | f :: l => if is_false f then refute_all n l t else match refute n f t with Some t => refute_all n l t | None => None end
  end.

(* Under wormhole switching an escape needs detours. *)
Definition covers (wormhole : bool) (e : evidence) : bool :=
  negb wormhole || negb (with_escape e) || match detour e with Some _ => true | None => false end.
