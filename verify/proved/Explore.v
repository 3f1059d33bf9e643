(* This file finds the reachable states for one destination.

   Promise (explored_spec): the result has exactly the reachable states except those on ejection VCs, each
   with its next hops. Each next hop is on a VC between switches or on an ejection VC. Cost: one look-up and a
   step or two for each next hop. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Routing.
Import ListNotations.
Open Scope Z_scope.

(* If each step preserves a property, the loop preserves it. *)
Lemma loop_keeps {A B} (step : A -> A + B) (P : A -> Prop) (Q : B -> Prop) :
  (forall a, P a -> match step a with inl a => P a | inr b => Q b end) ->
  forall n a, P a -> match loop step n a with inl a => P a | inr b => Q b end.
Proof.
  intros keep. induction n as [|n IH]; simpl; intros a h; [now apply keep|].
  assert (H := IH a h). destruct (loop step n a) as [a'|b]; trivial. now apply IH.
Qed.

(* An exponent for loop: 2^64 steps, more than any run takes. *)
Definition enough : nat := 64.
Global Opaque enough. (* proofs never compute this number *)

Definition row := (state * list state)%type. (* a state and its next hops *)

Section Explore.
  Variable r : routing.
  Variable d : Z.

  Definition work := (pmap unit * list state * list row)%type. (* states seen, states to visit, states visited *)

  Definition see (w : pmap unit * list state) (t : state) : pmap unit * list state :=
    if ejection r (fst t) || has2 (fst w) t then w else (set2 (fst w) t tt, t :: snd w).

  Definition visit (w : work) : work + list row :=
    match w with
    | (_, [], done) => inr done
    | (seen, s :: queue, done) =>
        let hs := hops r d s in
        let w := fold_left see hs (seen, queue) in
        inl (fst w, snd w, (s, hs) :: done)
    end.

  Definition search (begun : list state) : option (list row) :=
    match loop visit enough (fold_left see begun (empty, []), []) with inr rows => Some rows | inl _ => None end.

  (* The result contains every state that can follow. *)
  Definition closed (begun : list state) (rows : list row) : bool :=
    let all := members (map fst rows) in
    forallb (fun s => has2 all s) begun &&
    forallb (fun e => forallb (fun t => if ejection r (fst t) then true else link r (fst t) && has2 all t) (snd e)) rows.

  Definition explore (begun : list state) : option (list row) :=
    match search begun with
    | Some rows => if closed begun rows then Some rows else None
    | None => None
    end.

  Definition injected : list state := map (fun ek => (entry r (fst ek), snd ek)) (sends r d).
  Definition explored : option (list row) := explore injected.

  Lemma see_all (P : state -> Prop) hs : forall w, Forall P hs -> Forall P (snd w) -> Forall P (snd (fold_left see hs w)).
  Proof.
    induction hs as [|t hs IH]; simpl; trivial. intros w h q. inversion h; subst. apply IH; trivial.
    unfold see. destruct (_ || _); trivial. simpl. now constructor.
  Qed.

  Lemma search_spec begun rows : search begun = Some rows -> forall s hs, In (s, hs) rows ->
    hs = hops r d s /\ exists b, In b begun /\ way r d b s.
  Proof.
    set (from := fun s => exists b, In b begun /\ way r d b s).
    unfold search. intro found.
    assert (match loop visit enough (fold_left see begun (empty, []), []) with
      | inl w => Forall from (snd (fst w)) /\ Forall (fun e => snd e = hops r d (fst e) /\ from (fst e)) (snd w)
      | inr rows => Forall (fun e => snd e = hops r d (fst e) /\ from (fst e)) rows end) as H.
    { apply loop_keeps with
        (P := fun w => Forall from (snd (fst w)) /\ Forall (fun e => snd e = hops r d (fst e) /\ from (fst e)) (snd w)).
      - intros [[seen queue] done] [h1 h2]. simpl in *. destruct queue as [|s queue]; simpl; trivial.
        inversion h1 as [|? ? hs hq]; subst. split; [|constructor; simpl; auto]. apply see_all; trivial.
        apply Forall_forall. intros t i. destruct hs as (b & ib & wb). exists b. eauto using way.
      - simpl. split; [|constructor]. apply see_all; [|constructor].
        apply Forall_forall. intros b i. exists b. eauto using way. }
    destruct (loop visit enough _) as [|rows']; [discriminate|]. injection found as ->.
    intros s hs i. rewrite Forall_forall in H. exact (H _ i).
  Qed.

  Lemma explore_spec begun rows : explore begun = Some rows ->
    (forall s hs, In (s, hs) rows -> hs = hops r d s /\ (exists b, In b begun /\ way r d b s) /\
      forall t, In t hs -> ejection r (fst t) = true \/ link r (fst t) = true /\ In (t, hops r d t) rows) /\
    (forall b, In b begun -> In (b, hops r d b) rows).
  Proof.
    unfold explore. destruct (search begun) as [l|] eqn:found; [|discriminate].
    destruct (closed begun l) eqn:c; [|discriminate]. intro e. injection e as ->.
    unfold closed in c. apply andb_true_iff in c. destruct c as [c1 c2].
    rewrite forallb_forall in c1, c2.
    assert (forall s, has2 (members (map fst rows)) s = true -> In (s, hops r d s) rows) as there.
    { intros s h. apply members_spec, in_map_iff in h. destruct h as ([s' hs] & <- & i).
      destruct (search_spec _ _ found _ _ i) as [-> _]. exact i. }
    split; [|auto]. intros s hs i. destruct (search_spec _ _ found _ _ i) as [e from]. repeat split; trivial.
    intros t j. specialize (c2 _ i). rewrite forallb_forall in c2. specialize (c2 _ j).
    destruct (ejection r (fst t)); [now left|right]. apply andb_true_iff in c2. split; [tauto|apply there; tauto].
  Qed.

  Hypothesis ends : forall s, ejection r (fst s) = true -> hops r d s = [].

  Theorem explored_spec rows : explored = Some rows ->
    (forall s, reachable r d s -> ejection r (fst s) = true \/ In (s, hops r d s) rows) /\
    (forall s hs, In (s, hs) rows -> hs = hops r d s /\ reachable r d s /\
      forall t, In t hs -> ejection r (fst t) = true \/ link r (fst t) = true /\ In (t, hops r d t) rows) /\
    (forall e k, In (e, k) (sends r d) -> In ((entry r e, k), hops r d (entry r e, k)) rows).
  Proof.
    intro found. apply explore_spec in found. destruct found as [all begun].
    assert (forall e k, In (e, k) (sends r d) -> In (entry r e, k) injected) as inj.
    { intros e k i. unfold injected. apply in_map_iff. now exists (e, k). }
    repeat split.
    - intros s h. induction h as [e k i|s t _ IH i]; [right; auto|].
      destruct IH as [out|there]; [now rewrite ends in i|].
      destruct (all _ _ there) as (_ & _ & next). destruct (next t i) as [|[_ here]]; auto.
    - now apply all.
    - destruct (all _ _ H) as (_ & (b & ib & wb) & _). unfold injected in ib. apply in_map_iff in ib.
      destruct ib as ([e k] & <- & i). eapply way_reachable; eauto.
    - intros t i. now apply (all s hs H).
    - auto.
  Qed.
End Explore.
