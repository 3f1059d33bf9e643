(* This file defines a routing that corrects one dimension after another on a network of any number of dimensions, from a routing program
   on networks of one dimension. Ordered.v proves that it is right if the program is.

   A packet looks for the first dimension in which it is not aligned with its destination. There it makes the hops that the program
   permits in one dimension, at the two coordinates. Its input is that of the last hop if this was in the same dimension. Otherwise it is that of
   a created packet. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Sizes Networks Language Meaning.
Import ListNotations.
Open Scope Z_scope.

(* A program in one dimension without header states, inject, EJECT, failures and further links. *)
Definition is_line (w : world) : bool :=
  let p := base w in
  Nat.eqb (dims p) 1 && negb (has_axes p) && match broken p with Nothing => true | _ => false end && negb (passes p) && Nat.eqb (header_states w) 1 &&
  negb (has_inject w).

(* Ports of one dimension as those of dimension i, and the reverse. *)
Definition widen (i : nat) (x : port) : port := {| toward := (i, snd (toward x)); goal := goal x |}.
Definition narrow (x : port) : port := {| toward := (0%nat, snd (toward x)); goal := goal x |}.

Section Dimensions.
  Variable w : world.
  Variable n : nat.            (* the number of dimensions *)
  Variable z : nat -> Z.       (* by dimension: its size *)
  Notation b := (base w).

  Definition line_sizes (i : nat) : nat -> Z := fun _ => z i.
  (* The network of n dimensions. *)
  Definition wide : program := {|
    axes := []; complete := complete b; rings := repeat (ring b 0) n;
    sides := map (fun i => match side_at b 0 with Size _ => Size i | Length k => Length k end) (seq 0 n);
    sizes := n; broken := Nothing; sizes_when := []; lanes := lanes b; passes := false; injects := []; paths := [] |}.

  Definition first_off (h t : place) : option nat := find (fun i => negb (coordinate h i =? coordinate t i)) (seq 0 n).
  (* What a packet in dimension i sees of its last hop. *)
  Definition view (i : nat) (from : origin) : origin :=
    match from with Some (x, c) => if Nat.eqb (fst x) i then Some ((0%nat, snd x), c) else None | None => None end.
  (* Its header state, which is that of a created packet in another dimension. *)
  Definition header_in (i : nat) (from : origin) (k : Z) : Z := match view i from with Some _ => k | None => 0 end.
  Definition line_place (i : nat) (h : place) : place := [coordinate h i].

  (* The hops of a packet at h in dimension i, and whether the program delivers it. *)
  Definition line_result (i : nat) (h t : place) (from : origin) (k : Z) : option result :=
    permitted w (line_sizes i) (line_place i h) (line_place i t) (view i from) (header_in i from k).
  Definition line_hops (i : nat) (h t : place) (r : result) : list state :=
    flat_map (fun o => map (fun x => (number_of wide z (Link h (widen i x) (to_vc o)), to_header o))
      (ports_of b (line_sizes i) (line_place i h) (line_place i t) o)) (hops_to r) ++
    if delivers r then [home wide z h] else [].
  Definition out_ordered (h t : place) (from : origin) (k : Z) : list state :=
    if delivered wide h t then [home wide z h] else
    match first_off h t with
    | Some i => match line_result i h t from k with Some r => line_hops i h t r | None => [] end
    | None => []
    end.

  Definition hops_ordered (d : Z) (a : state) : list state :=
    match place_at wide z d, vc_at wide z (fst a) with
    | Some t, Some v => match standing wide z v with Some (h, from) => out_ordered h t from (snd a) | None => [] end
    | _, _ => []
    end.
  Definition sends_ordered (d : Z) : list (Z * Z) :=
    match place_at wide z d with
    | Some t => flat_map (fun k => match place_at wide z k with
        | Some h => if delivered wide h t then [] else [(k, 0)]
        | None => []
        end) (endpoints wide z)
    | None => []
    end.

  Definition ordered : routing :=
    let r := routing_of wide z in
    {| link := link r; ejection := ejection r; Routing.entry := Routing.entry r; destinations := destinations r;
       Routing.sources := Routing.sources r; target := target r; sends := sends_ordered; hops := hops_ordered |}.

  (* No packet takes a run that ends by a mistake. *)
  Definition ordered_never_wrong : Prop :=
    forall d a t v h from i, reachable ordered d a -> place_at wide z d = Some t -> vc_at wide z (fst a) = Some v ->
      standing wide z v = Some (h, from) -> delivered wide h t = false -> first_off h t = Some i -> line_result i h t from (snd a) <> None.

  (* Each side is one of the family in one dimension. *)
  Definition each_allowed : Prop := forall i, (i < n)%nat -> allowed b (line_sizes i).
End Dimensions.
