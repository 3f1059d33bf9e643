(* This file defines the data structures of the checker: maps from integers, maps from pairs of integers,
   lists as arrays, ranges, and bounded loops.

   Promise: an array of a list has the members of the list (get_of_list). At run time no number is in unary.
   Cost: a look-up takes one step for each binary digit of its key. *)

From Coq Require Import ZArith List FMapPositive Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(* The key of an integer in the tries of the standard library. Negative integers have keys too. *)
Definition key (z : Z) : positive :=
  match z with Z0 => xH | Zpos p => xO p | Zneg p => xI p end.

Lemma key_inj a b : key a = key b -> a = b.
Proof. destruct a, b; simpl; congruence. Qed.

Definition zmap A := PositiveMap.t A.
Definition empty {A} : zmap A := PositiveMap.empty A.
Definition get {A} (m : zmap A) (i : Z) : option A := PositiveMap.find (key i) m.
Definition set {A} (m : zmap A) (i : Z) (x : A) : zmap A := PositiveMap.add (key i) x m.

Lemma get_empty {A} i : get (@empty A) i = None.
Proof. apply PositiveMap.gempty. Qed.

Lemma get_set {A} (m : zmap A) i x j : get (set m i x) j = if i =? j then Some x else get m j.
Proof.
  unfold get, set. destruct (Z.eqb_spec i j) as [->|n].
  - apply PositiveMap.gss.
  - apply PositiveMap.gso. intro e. apply n. symmetry. now apply key_inj.
Qed.

(* Pairs of integers as keys. *)
Definition pair := (Z * Z)%type.
Definition same (s t : pair) : bool := (fst s =? fst t) && (snd s =? snd t).

Lemma same_spec s t : reflect (s = t) (same s t).
Proof.
  destruct s as [a b], t as [c d]. unfold same; simpl.
  destruct (Z.eqb_spec a c), (Z.eqb_spec b d); simpl; constructor; congruence.
Qed.

Definition pmap A := zmap (zmap A).
Definition get2 {A} (m : pmap A) (s : pair) : option A :=
  match get m (fst s) with None => None | Some n => get n (snd s) end.
Definition set2 {A} (m : pmap A) (s : pair) (x : A) : pmap A :=
  set m (fst s) (set (match get m (fst s) with None => empty | Some n => n end) (snd s) x).

Lemma get2_empty {A} s : get2 (@empty (zmap A)) s = None.
Proof. unfold get2. now rewrite get_empty. Qed.

Lemma get2_set2 {A} (m : pmap A) s x t : get2 (set2 m s x) t = if same s t then Some x else get2 m t.
Proof.
  destruct s as [a b], t as [c d]. unfold get2, set2, same; simpl. rewrite get_set.
  destruct (Z.eqb_spec a c) as [->|]; simpl; trivial. rewrite get_set.
  destruct (b =? d); trivial. destruct (get m c); trivial. apply get_empty.
Qed.

Definition has {A} (m : zmap A) i : bool := match get m i with None => false | Some _ => true end.
Definition has2 {A} (m : pmap A) s : bool := match get2 m s with None => false | Some _ => true end.

(* The set of the members of a list. *)
Definition members (l : list pair) : pmap unit := fold_left (fun m s => set2 m s tt) l empty.

Lemma members_spec l s : has2 (members l) s = true -> In s l.
Proof.
  unfold members.
  enough (forall m, has2 (fold_left (fun m s => set2 m s tt) l m) s = true -> has2 m s = true \/ In s l) as H.
  { intro h. destruct (H _ h) as [e|e]; trivial. unfold has2 in e. rewrite get2_empty in e. discriminate. }
  induction l as [|t l IH]; simpl; intros m h; auto.
  destruct (IH _ h) as [e|e]; auto. unfold has2 in *. rewrite get2_set2 in e.
  destruct (same_spec t s); auto.
Qed.

(* Lists as arrays. *)
Fixpoint fill {A} (l : list A) (i : Z) (m : zmap A) : zmap A :=
  match l with [] => m | x :: l => fill l (i + 1) (set m i x) end.
Definition of_list {A} (l : list A) : zmap A := fill l 0 empty.

Lemma get_fill {A} (l : list A) : forall i m j,
  get (fill l i m) j =
  match (if j <? i then None else nth_error l (Z.to_nat (j - i))) with Some x => Some x | None => get m j end.
Proof.
  induction l as [|x l IH]; simpl; intros i m j.
  - destruct (j <? i); trivial. now destruct (Z.to_nat (j - i)).
  - rewrite IH, get_set.
    destruct (Z.ltb_spec j (i + 1)), (Z.ltb_spec j i), (Z.eqb_spec i j); try lia; trivial.
    + subst. now rewrite Z.sub_diag.
    + replace (Z.to_nat (j - i)) with (S (Z.to_nat (j - (i + 1)))) by lia. reflexivity.
Qed.

Theorem get_of_list {A} (l : list A) i : get (of_list l) i = if i <? 0 then None else nth_error l (Z.to_nat i).
Proof.
  unfold of_list. rewrite get_fill, get_empty, Z.sub_0_r. destruct (i <? 0); trivial. now destruct nth_error.
Qed.

(* 0, 1, ..., n-1 *)
Definition down (p : Z * list Z) : Z * list Z := (fst p - 1, (fst p - 1) :: snd p).
Definition range (n : Z) : list Z := snd (Z.iter n down (n, [])).

Lemma in_down p n l :
  fst (Pos.iter down (n, l) p) = n - Zpos p /\
  forall i, In i (snd (Pos.iter down (n, l) p)) <-> In i l \/ n - Zpos p <= i < n.
Proof.
  induction p as [|p [IH1 IH2]] using Pos.peano_ind.
  - simpl. split; trivial. intro i. split; [intros [<-|]|intros [|]]; auto; try lia; left; lia.
  - rewrite Pos.iter_succ. simpl. rewrite IH1. split; [lia|]. intro i. rewrite IH2.
    split; [intros [<-|[|]]|intros [|]]; auto; try lia.
Qed.

Theorem range_spec n i : In i (range n) <-> 0 <= i < n.
Proof.
  unfold range. destruct n as [|p|p]; cbn; try (split; [easy|lia]).
  rewrite (proj2 (in_down p (Zpos p) [])), Z.sub_diag. simpl In. tauto.
Qed.

(* Repeats a step until it returns a result (inr), but at most 2^n times. *)
Section Loop.
  Context {A B : Type} (step : A -> A + B).
  Fixpoint loop (n : nat) (a : A) : A + B :=
    match n with
    | O => step a
    | S n => match loop n a with inl a => loop n a | inr b => inr b end
    end.
End Loop.
