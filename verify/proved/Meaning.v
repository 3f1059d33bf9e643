(* This file defines the routing of a program from its syntax tree.

   result_at is the result of a run of the program at a point: each question has the answer that is true there. meaning is
   the routing: the next hops of a packet are the outputs of the run of route at its place, with its direction, VC and header
   state. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Sizes Networks Language.
Import ListNotations.
Open Scope Z_scope.

Section Meaning.
  Variable w : world.
  Notation p := (base w).

  Definition answer (x : point) (q : question) : nat :=
    match q with
    | Holds f => if test x f then 0 else 1
    | Sign f => if value f x =? 0 then 0 else if 0 <? value f x then 1 else 2
    | Rest f k => Z.to_nat (value f x mod Z.of_nat (S k))
    | Wrapped y => if test x (is_head p y true) then 1 else 0
    end.

  Definition vc_of (from : origin) : Z := match from with Some y => snd y | None => 0 end.

  (* The result of a run; none if it ends by a mistake. *)
  Fixpoint result_at {A} (x : point) (from : origin) (k : Z) (r : run A) : option A :=
    match r with
    | Done a => Some a
    | Mistake | Beyond => None
    | Ask q next => result_at x from k (next (answer x q))
    | Ask_direction next => result_at x from k (next (option_map fst from))
    | Ask_vc next => result_at x from k (next (vc_of from))
    | Ask_header next => result_at x from k (next k)
    end.

  Variable s : nat -> Z. (* the sizes *)

  (* What a packet at h with destination t is permitted. *)
  Definition permitted (h t : place) (from : origin) (k : Z) : option result :=
    match result_at (at_places p s h t h) from k (route_run w) with
    | Some r => if is_wrong r then None else Some r
    | None => None
    end.
  Definition hops_meant (d : Z) (a : state) : list state :=
    match place_at p s d, vc_at p s (fst a) with
    | Some t, Some v =>
        match standing p s v with
        | Some (h, from) =>
            if delivered p h t then [home p s h] else
            match permitted h t from (snd a) with
            | Some r => all_onto p s h t (hops_to r) ++ if delivers r then [home p s h] else []
            | None => []
            end
        | None => []
        end
    | _, _ => []
    end.

  (* The header states of packets that are created at h for t. *)
  Definition headers_meant (h t : place) : list Z :=
    match result_at (at_places p s h t h) None 0 (inject_run w) with Some (Some l) => l | _ => [] end.
  Definition sends_meant (d : Z) : list (Z * Z) :=
    match place_at p s d with
    | Some t => flat_map (fun k => match place_at p s k with
        | Some h => if delivered p h t then [] else map (fun j => (k, j)) (headers_meant h t)
        | None => []
        end) (endpoints p s)
    | None => []
    end.

  (* The VCs and endpoints are those of the network; see Networks.v. *)
  Definition meaning : routing :=
    let r := routing_of p s in
    {| link := link r; ejection := ejection r; Routing.entry := Routing.entry r; destinations := destinations r;
       Routing.sources := Routing.sources r; target := target r; sends := sends_meant; hops := hops_meant |}.

  (* Each reachable packet that is not at its destination has a result: no run ends by a mistake. *)
  Definition never_wrong : Prop :=
    (forall h t, In h (places p s) -> In t (places p s) -> delivered p h t = false -> headers_meant h t <> []) /\
    forall d a t v h from, reachable meaning d a -> place_at p s d = Some t -> vc_at p s (fst a) = Some v ->
      standing p s v = Some (h, from) -> delivered p h t = false -> permitted h t from (snd a) <> None.
End Meaning.
