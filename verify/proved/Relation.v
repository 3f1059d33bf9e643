(* This file reads a routing relation that lists its states: destination, VC, class, number of next hops, then
   VC and class of each next hop. The states ascend. *)

From Coq Require Import ZArith List Bool.
From Proved Require Import Arrays Certificate Network Table Routing.
Import ListNotations.
Open Scope Z_scope.

Record entry_of := { toward : Z; held : state; next : list state; first : Z }. (* first: the number of next hops of earlier entries *)

(* Reads the states. opened is the state whose next hops are being read, and todo is how many of them are
   left. The result has the last state first. *)
Fixpoint read (l : list Z) (opened : option (Z * state * Z * list state)) (before : Z) (done : list entry_of)
  : option (list entry_of) :=
  match opened with
  | None =>
      match l with
      | [] => Some done
      | d :: v :: k :: n :: l =>
          if n <? 0 then None
          else if n =? 0 then read l None before ({| toward := d; held := (v, k); next := []; first := before |} :: done)
          else read l (Some (d, (v, k), n, [])) before done
      | _ => None
      end
  | Some (d, s, todo, hs) =>
      match l with
      | v :: k :: l =>
          let hs := (v, k) :: hs in
          if todo =? 1 then read l None (before + Zlength hs)
            ({| toward := d; held := s; next := rev hs; first := before |} :: done)
          else read l (Some (d, s, todo - 1, hs)) before done
      | _ => None
      end
  end.

Record relation_view := {
  all_from : Z; ends_at : zmap Z; (* number of sources; endpoint by destination *)
  starts : zmap (list (Z * Z));   (* by destination: endpoint and class *)
  listed : zmap (pmap entry_of);  (* by destination and state *)
  how_many : zmap Z               (* by destination: number of states *)
}.

Definition at_ {A} (m : zmap A) (none : A) i : A := match get m i with Some x => x | None => none end.

Fixpoint threes (l : list Z) : list (Z * Z * Z) :=
  match l with a :: b :: c :: l => (a, b, c) :: threes l | _ => [] end.

Definition look_relation (r : relation) (es : list entry_of) : relation_view :=
  {| all_from := r_sources r; ends_at := of_list (r_destinations r);
     starts := fold_left (fun m t => match t with (e, d, k) => set m d ((e, k) :: at_ m [] d) end) (threes (inject r)) empty;
     listed := fold_left (fun m e => set m (toward e) (set2 (at_ m empty (toward e)) (held e) e)) es empty;
     how_many := fold_left (fun m e => set m (toward e) (1 + at_ m 0 (toward e))) es empty |}.

Definition find (r : relation_view) (d : Z) (s : state) : option entry_of :=
  match get (listed r) d with None => None | Some m => get2 m s end.

Definition relation_hops (v : view) (r : relation_view) (d : Z) (s : state) : list state :=
  if is_ejection v (fst s) then [] else
  match find r d s with None => [] | Some e => next e end.

Definition relation_routing (v : view) (r : relation_view) (n : Z) : routing :=
  {| link := is_link v; ejection := is_ejection v; entry := injection v;
     destinations := range n;
     sources := fun d => others (all_from r) (get (ends_at r) d);
     target := fun d vc => match get (ends_at r) d with Some e => ejects_to v e vc | None => false end;
     sends := fun d => match get (ends_at r) d with Some _ => at_ (starts r) [] d | None => [] end;
     hops := relation_hops v r |}.

(* The states that packets to d reach are exactly the listed ones. *)
Definition as_listed (r : relation_view) (d : Z) (reached : list state) : bool :=
  forallb (fun s => match find r d s with Some _ => true | None => false end) reached &&
  (Zlength reached =? at_ (how_many r) 0 d).

(* A valid relation. *)
Definition triple_less (a b : Z * Z * Z) : bool :=
  match a, b with (x, y, z), (x', y', z') =>
    (x <? x') || ((x =? x') && ((y <? y') || ((y =? y') && (z <? z')))) end.
Definition state_less (s t : state) : bool := (fst s <? fst t) || ((fst s =? fst t) && (snd s <? snd t)).

Fixpoint ascending {A} (lt : A -> A -> bool) (l : list A) : bool :=
  match l with
  | a :: rest => match rest with b :: _ => lt a b | [] => true end && ascending lt rest
  | [] => true
  end.

Definition inject_ok (v : view) (r : relation) : bool :=
  let to := of_list (r_destinations r) in
  let l := threes (inject r) in
  (Zlength (inject r) mod 3 =? 0) && ascending triple_less l &&
  forallb (fun t => match t with (e, d, k) =>
    in_range (r_sources r) e && in_range (r_classes r) k &&
    match get to d with Some own => negb (own =? e) | None => false end end) l.

Definition entry_ok (v : view) (r : relation) (many : Z) (e : entry_of) : bool :=
  in_range many (toward e) && (0 <=? fst (held e)) && in_range (r_classes r) (snd (held e)) &&
  ascending state_less (next e) &&
  match get (enters v) (fst (held e) / per_channel v) with
  | None => false
  | Some (u, _) => forallb (fun t => (0 <=? fst t) && in_range (r_classes r) (snd t) &&
      match get (leaves v) (fst t / per_channel v) with Some w => w =? u | None => false end) (next e)
  end.

(* es: the entries, last one first. *)
Definition relation_ok (v : view) (r : relation) (es : list entry_of) : bool :=
  (1 <=? r_classes r) && (0 <=? r_sources r) && (r_sources r <=? ends v) &&
  all_in (ends v) (r_destinations r) && inject_ok v r &&
  ascending (fun a b => triple_less (toward b, fst (held b), snd (held b)) (toward a, fst (held a), snd (held a))) es &&
  forallb (entry_ok v r (Zlength (r_destinations r))) es.

(* A state that is found is listed for this destination. *)
Theorem find_spec r es d s e : find (look_relation r es) d s = Some e -> In e es /\ toward e = d /\ held e = s.
Proof.
  unfold find, look_relation. cbn [listed].
  enough (forall m, match get (fold_left (fun m e => set m (toward e) (set2 (at_ m empty (toward e)) (held e) e)) es m) d with
      | None => None | Some n => get2 n s end = Some e ->
    match get m d with None => None | Some n => get2 n s end = Some e \/ In e es /\ toward e = d /\ held e = s) as H.
  { intro h. destruct (H _ h) as [x|]; trivial. now rewrite get_empty in x. }
  induction es as [|a es IH]; simpl; intros m h; auto. destruct (IH _ h) as [x|]; [|tauto].
  rewrite get_set in x. destruct (Z.eqb_spec (toward a) d) as [<-|]; [|now left].
  rewrite get2_set2 in x. destruct (same_spec (held a) s) as [<-|].
  - injection x as <-. right. auto.
  - unfold at_ in x. destruct (get m (toward a)); [now left|]. now rewrite get2_empty in x.
Qed.
