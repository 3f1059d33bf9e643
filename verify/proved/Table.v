(* This file compiles a forwarding table into a routing relation.

   A packet to d with class k enters switch u by cable a. Its port is entry (d, u). Without an entry, or
   without a cable at this port, no next hop exists. Otherwise let b be the cable at the port. The VC index is
   k if there are no rows, else entry k of the row of (u, a, b). Index 15 means no next hop. The next VC has
   this index on b's channel out of u, or index 0 if the channel leads into an endpoint. The class does not
   change. If the channel does not have the index, the VC is -1, and Explore.v rejects it. *)

From Coq Require Import ZArith List Bool.
From Proved Require Import Arrays Certificate Network Routing.
Import ListNotations.
Open Scope Z_scope.

Record table_view := {
  from : Z; to : zmap Z; host_ends : Z; entries : zmap Z;
  sets : option (zmap Z); rows : option (zmap Z * zmap Z)
}.

Definition count {A} (f : A -> bool) (l : list A) : Z := fold_left (fun n x => if f x then n + 1 else n) l 0.

Definition look_table (v : view) (t : table) : table_view :=
  {| from := t_sources t; to := of_list (t_destinations t);
     host_ends := count (fun e => e <? computers v) (t_destinations t);
     entries := of_list (ports t);
     sets := match classes t with Some l => Some (of_list l) | None => None end;
     rows := match vc_rows t, vc_row_of t with Some r, Some o => Some (of_list r, of_list o) | _, _ => None end |}.

Definition no_vc : Z := 15.

Definition index_on (v : view) (t : table_view) (u a b k : Z) : option Z :=
  match rows t with
  | None => if k =? no_vc then None else Some k
  | Some (r, o) =>
      match get (corner v) u with
      | None => None
      | Some (first, degree) =>
          match get o (first + a * degree + b) with
          | None => None
          | Some row => match get r (row * 16 + k) with
              | None => None
              | Some i => if i =? no_vc then None else Some i
              end
          end
      end
  end.

Definition vc_of (v : view) (b i : Z) : Z :=
  if b <? between v then (if i <? per_channel v then b * per_channel v + i else -1) else b * per_channel v.

Definition table_hops (v : view) (t : table_view) (d : Z) (s : state) : list state :=
  if is_ejection v (fst s) then [] else
  match get (enters v) (fst s / per_channel v) with
  | None => []
  | Some (u, a) =>
      match get (entries t) (d * nodes v + u) with
      | None => []
      | Some p =>
          match get2 (plugged v) (u, p) with
          | None => []
          | Some (b, place) =>
              match index_on v t u a place (snd s) with
              | None => []
              | Some i => [(vc_of v b i, snd s)]
              end
          end
      end
  end.

(* The classes that a bit set contains. *)
Definition bits (s : Z) : list Z := if s =? 1 then [0] else filter (Z.testbit s) (range 16).

Definition set_of (v : view) (t : table_view) (e d : Z) : Z :=
  match sets t with
  | Some l => if (e <? computers v) && (d <? host_ends t)
      then match get l (d * computers v + e) with Some s => s | None => 0 end else 1
  | None => 1
  end.

Definition others (all : Z) (own : option Z) : list Z :=
  match own with Some own => filter (fun e => negb (e =? own)) (range all) | None => [] end.

Definition table_routing (v : view) (t : table_view) (n : Z) : routing :=
  {| link := is_link v; ejection := is_ejection v; entry := injection v;
     destinations := range n;
     sources := fun d => others (from t) (get (to t) d);
     target := fun d vc => match get (to t) d with Some e => ejects_to v e vc | None => false end;
     sends := fun d => flat_map (fun e => map (fun k => (e, k)) (bits (set_of v t e d))) (others (from t) (get (to t) d));
     hops := table_hops v t |}.

(* A valid table. *)
Definition all_in (n : Z) (l : list Z) : bool := forallb (in_range n) l.

(* Hosts come first. *)
Definition hosts_first (hosts : Z) (l : list Z) : bool :=
  snd (fold_left (fun a e => let host := e <? hosts in (fst a && host, snd a && (negb host || fst a))) l (true, true)).

Definition distinct_lids (l : list Z) : bool :=
  snd (fold_left (fun a i => (set (fst a) i tt, snd a && (0 <=? i) && ((i =? 0) || negb (has (fst a) i)))) l (empty, true)).

Fixpoint less (a b : list Z) : bool :=
  match a, b with
  | x :: a, y :: b => (x <? y) || ((x =? y) && less a b)
  | _, _ => false
  end.

(* Rows have 16 entries. Their keys ascend. *)
Fixpoint rows_of (l : list Z) (row : list Z) (todo : nat) (before : option (list Z)) : bool :=
  match l with
  | [] => Nat.eqb todo 16
  | x :: l =>
      let row := x :: row in
      match todo with
      | O => false
      | 1%nat => let row := rev row in
          match before with Some b => less b row | None => true end && rows_of l [] 16 (Some row)
      | S todo => rows_of l row todo before
      end
  end.

Definition rows_ok (v : view) (r o : list Z) : bool :=
  let size := fold_left (fun n u => match get (corner v) u with Some (_, degree) => n + degree * degree | None => n end) (range (nodes v)) 0 in
  let used := fold_left (fun m i => set m i tt) o empty in
  let number := Zlength r / 16 in
  all_in 16 r && rows_of r [] 16 None && (Zlength o =? size) && all_in number o && forallb (has used) (range number).

Definition table_ok (v : view) (t : table) : bool :=
  let many := Zlength (t_destinations t) in
  let host_ends := count (fun e => e <? computers v) (t_destinations t) in
  (per_channel v <=? 16) && (0 <=? t_sources t) && (t_sources t <=? ends v) &&
  all_in (ends v) (t_destinations t) && hosts_first (computers v) (t_destinations t) &&
  (Zlength (lids t) =? many) && distinct_lids (lids t) &&
  (Zlength (ports t) =? many * nodes v) && forallb (fun p => -1 <=? p) (ports t) &&
  match classes t with
  | Some l => (Zlength l =? host_ends * computers v) && all_in 65536 l
  | None => true
  end &&
  match vc_rows t, vc_row_of t with
  | Some r, Some o => rows_ok v r o
  | None, None => true
  | _, _ => false
  end.
