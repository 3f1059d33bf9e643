(* This file judges refutations: it follows packets hop by hop.

   A packet of the evidence is sent from its source, and its path has the states that it passes. So its last
   state is reachable. Each packet of a cycle shows a dependency. Other packets return to a state, or are
   lost. Deadlocks.v judges deadlocks. *)

From Coq Require Import ZArith List Bool Lia Relations.
From Proved Require Import Arrays Certificate Network Routing Explore.
Import ListNotations.
Open Scope Z_scope.

Section Witness.
  Variable r : routing.
  Hypothesis ends : forall d s, ejection r (fst s) = true -> hops r d s = [].

  Definition among (s : state) (l : list state) : bool := existsb (same s) l.

  Lemma among_spec s l : among s l = true -> In s l.
  Proof.
    unfold among. intro h. apply existsb_exists in h. destruct h as (t & i & e). now destruct (same_spec s t); subst.
  Qed.

  Fixpoint chain (d : Z) (s : state) (l : list state) : bool :=
    match l with [] => true | t :: l => among t (hops r d s) && chain d t l end.

  (* The states of a packet's path, or None if the path is not valid. *)
  Definition follow (p : shown) : option (list state) :=
    match twos (path p) with
    | [] => None
    | s :: l =>
        if (Zlength (path p) mod 2 =? 0) && same s (entry r (source p), class p) &&
           among (source p, class p) (sends r (destination p)) && chain (destination p) s l
        then Some (s :: l) else None
    end.

  Lemma chain_walk d l : forall s, chain d s l = true -> walk r d (s :: l).
  Proof.
    induction l as [|t l IH]; simpl; intros s h; constructor; apply andb_true_iff in h; destruct h as [h c].
    - now apply among_spec.
    - auto.
  Qed.

  Lemma follow_spec p l : follow p = Some l ->
    walk r (destination p) l /\ hd_error l = Some (entry r (source p), class p) /\
    In (source p, class p) (sends r (destination p)).
  Proof.
    unfold follow. destruct (twos (path p)) as [|s m]; [discriminate|].
    destruct (_ && _ && _ && _) eqn:h; [|discriminate]. intro e. injection e as <-. rewrite !andb_true_iff in h.
    destruct h as (((_ & b) & i) & c). destruct (same_spec s (entry r (source p), class p)); [subst|discriminate].
    split; [now apply chain_walk|split; [trivial|now apply among_spec]].
  Qed.

  Lemma walk_way d l : forall s, walk r d (s :: l) -> forall a t b, s :: l = a ++ t :: b -> way r d s t /\ walk r d (t :: b).
  Proof.
    intros s w a. revert s l w. induction a as [|x a IH]; simpl; intros s l w t b e; injection e as -> e.
    - subst. split; [apply here|trivial].
    - destruct l as [|y l]; [now destruct a|]. inversion w as [|? ? ? i w']; subst.
      destruct (IH y l w' t b e) as [v w2]. split; trivial.
      eapply way_trans; [|exact v]. eapply onward; [apply here|trivial].
  Qed.

  (* Each state of a path is reachable, and the next one is a next hop. *)
  Lemma follow_reachable p l a t b : follow p = Some l -> l = a ++ t :: b ->
    reachable r (destination p) t /\ walk r (destination p) (t :: b).
  Proof.
    intros f e. destruct (follow_spec p l f) as (w & hd & i). destruct l as [|s l]; [discriminate|].
    injection hd as ->. destruct (walk_way _ l _ w a t b e) as [v w']. split; trivial. eapply way_reachable; eauto.
  Qed.

  (* The last state of a path and the one before it. *)
  Definition last_two (l : list state) : option (state * state) :=
    match rev l with t :: s :: _ => Some (s, t) | _ => None end.
  Definition last_one (l : list state) : option state := match rev l with t :: _ => Some t | _ => None end.

  Lemma last_two_app l s t : last_two l = Some (s, t) -> exists a, l = a ++ [s; t].
  Proof.
    unfold last_two. destruct (rev l) as [|y [|x m]] eqn:e; try discriminate. intro h. injection h as <- <-.
    exists (rev m). rewrite <- (rev_involutive l), e. simpl. now rewrite <- app_assoc.
  Qed.

  Lemma last_one_app l t : last_one l = Some t -> exists a, l = a ++ [t].
  Proof.
    unfold last_one. destruct (rev l) as [|y m] eqn:e; try discriminate. intro h. injection h as <-.
    exists (rev m). now rewrite <- (rev_involutive l), e.
  Qed.

  (* A cycle: the last two VCs of each packet are a dependency, and each dependency begins where the one
     before ends. *)
  Definition dependency (p : shown) : option (Z * Z) :=
    match follow p with
    | None => None
    | Some l => match last_two l with
        | Some (s, t) => if link r (fst s) && link r (fst t) then Some (fst s, fst t) else None
        | None => None
        end
    end.

  Lemma dependency_spec p a b : dependency p = Some (a, b) -> depends r a b.
  Proof.
    unfold dependency. destruct (follow p) as [l|] eqn:f; [|discriminate].
    destruct (last_two l) as [[s t]|] eqn:e; [|discriminate]. destruct (_ && _) eqn:k; [|discriminate].
    intro h. injection h as <- <-. apply andb_true_iff in k. destruct k as [k1 k2].
    destruct (last_two_app _ _ _ e) as [m ->].
    destruct (follow_reachable p _ m s [t] f eq_refl) as [rs w]. inversion w; subst.
    split; [trivial|split; [trivial|]]. destruct s as [v k], t as [u j]. now exists (destination p), k, j.
  Qed.

  (* The VCs that the packets lead to. The first dependency begins at a, and the last ends at b. *)
  Fixpoint leads (a : Z) (ps : list shown) : option (list Z) :=
    match ps with
    | [] => Some []
    | p :: ps => match dependency p with
        | Some (x, y) => if x =? a then match leads y ps with Some l => Some (y :: l) | None => None end else None
        | None => None
        end
    end.

  Fixpoint all_differ (l : list Z) (seen : zmap unit) : bool :=
    match l with [] => true | x :: l => negb (has seen x) && all_differ l (set seen x tt) end.

  Definition cycle_ok (ps : list shown) : bool :=
    match ps with
    | [] => false
    | p :: _ => match dependency p with
        | None => false
        | Some (a, _) => match leads a ps with
            | None => false
            | Some l => (List.last l (-1) =? a) && all_differ l empty && forallb (fun v => a <=? v) l
            end
        end
    end.

  Lemma leads_spec ps : forall a l, leads a ps = Some l -> l <> [] -> clos_trans Z (depends r) a (List.last l (-1)).
  Proof.
    induction ps as [|p ps IH]; simpl; intros a l h some; [destruct some; congruence|].
    destruct (dependency p) as [[x y]|] eqn:d; [|discriminate]. destruct (Z.eqb_spec x a); [subst|discriminate].
    destruct (leads y ps) as [m|] eqn:e; [|discriminate]. injection h as <-. apply dependency_spec in d.
    destruct m as [|z m]; [apply t_step; exact d|]. eapply t_trans; [apply t_step; exact d|]. apply (IH y (z :: m)); trivial. easy.
  Qed.

  Theorem cycle_sound ps : cycle_ok ps = true -> ~ acyclic r.
  Proof.
    unfold cycle_ok. destruct ps as [|p ps]; [discriminate|]. destruct (dependency p) as [[a b]|] eqn:d; [|discriminate].
    destruct (leads a (p :: ps)) as [l|] eqn:e; [|discriminate]. intro h. rewrite !andb_true_iff in h.
    destruct h as ((h & _) & _). apply Z.eqb_eq in h. intro none. apply (none a).
    rewrite <- h at 2. apply leads_spec with (p :: ps); trivial. simpl in e. rewrite d, Z.eqb_refl in e.
    destruct (leads b ps); [|discriminate]. injection e as <-. easy.
  Qed.

  (* A packet whose last state, and no other, repeats an earlier state of its path. *)
  Definition loop_ok (p : shown) : bool :=
    match follow p with
    | None => false
    | Some l => match rev l with
        | [] => false
        | t :: before => among t before &&
            snd (fold_left (fun a s => (set2 (fst a) s tt, snd a && negb (has2 (fst a) s))) before (empty, true))
        end
    end.

  Theorem loop_sound p : loop_ok p = true -> goes_round r.
  Proof.
    unfold loop_ok. destruct (follow p) as [l|] eqn:f; [|discriminate]. destruct (rev l) as [|t before] eqn:e; [discriminate|].
    intro h. apply andb_true_iff in h. destruct h as [h _]. apply among_spec in h.
    apply in_rev, in_split in h. destruct h as (a & b & h).
    assert (l = a ++ t :: (b ++ [t])) as el.
    { rewrite <- (rev_involutive l), e. simpl. now rewrite h, <- app_assoc. }
    destruct (follow_reachable p l a t (b ++ [t]) f el) as [rt w].
    destruct b as [|u b]; simpl in w; inversion w as [|? ? ? i w']; subst.
    - exists (destination p), t, t. repeat split; trivial. apply here.
    - exists (destination p), t, u. repeat split; trivial.
      apply (walk_way _ (b ++ [t]) u w' (u :: b) t []). reflexivity.
  Qed.

  (* A packet that is lost. 0: it is dropped. 1: it is at a wrong endpoint. 2: no path leads on to its
     destination. 3: the pair has no class. *)
  Definition lost_ok (p : shown) (how : Z) : bool :=
    let d := destination p in
    existsb (Z.eqb d) (destinations r) && existsb (Z.eqb (source p)) (sources r d) &&
    if how =? 3 then
      (class p =? -1) && match path p with [] => true | _ => false end &&
      forallb (fun ek => negb (fst ek =? source p)) (sends r d)
    else
      match follow p with
      | None => false
      | Some l => match last_one l with
          | None => false
          | Some s => negb (target r d (fst s)) &&
              if ejection r (fst s) then how =? 1
              else match hops r d s with
                | [] => how =? 0
                | _ => (how =? 2) && match explore r d [s] with
                    | None => false
                    | Some rows => forallb (fun e => forallb (fun t => negb (target r d (fst t))) (snd e)) rows
                    end
                end
          end
      end.

  Theorem lost_sound p how : lost_ok p how = true ->
    In (source p, destination p) (pairs r) /\ ~ pair_connected r (source p) (destination p).
  Proof.
    unfold lost_ok. cbv zeta. intro h. rewrite !andb_true_iff in h. destruct h as ((h1 & h2) & h).
    apply existsb_exists in h1. destruct h1 as (d & id & e). apply Z.eqb_eq in e. subst d.
    apply existsb_exists in h2. destruct h2 as (x & ix & e). apply Z.eqb_eq in e. subst x.
    split; [apply in_flat_map; exists (destination p); split; trivial; apply in_map_iff; now exists (source p)|].
    intros [[k ik] all]. destruct (how =? 3).
    - rewrite !andb_true_iff, forallb_forall in h. destruct h as (_ & h). specialize (h _ ik). simpl in h.
      now rewrite Z.eqb_refl in h.
    - destruct (follow p) as [l|] eqn:f; [|discriminate]. destruct (last_one l) as [s|] eqn:e; [|discriminate].
      apply andb_true_iff in h. destruct h as [off h]. apply negb_true_iff in off.
      destruct (last_one_app _ _ e) as [a el]. destruct (follow_spec p l f) as (w & hd & i).
      assert (way r (destination p) (entry r (source p), class p) s) as v.
      { destruct l as [|x m]; [discriminate|]. injection hd as ->. exact (proj1 (walk_way _ m _ w a s [] el)). }
      destruct (all (class p) s i v) as (t & v' & on).
      assert (hops r (destination p) s = [] -> False) as stops.
      { intro none. enough (t = s) by congruence. clear on. induction v' as [|x y _ IH j]; trivial. subst. now rewrite none in j. }
      destruct (ejection r (fst s)) eqn:out; [now apply stops, ends|].
      destruct (hops r (destination p) s) as [|y hs] eqn:eh; [now apply stops|].
      apply andb_true_iff in h. destruct h as [_ h]. destruct (explore r (destination p) [s]) as [rows|] eqn:ex; [|discriminate].
      destruct (explore_spec _ _ _ _ ex) as [closed_ begun]. rewrite forallb_forall in h.
      assert (target r (destination p) (fst t) = false /\
        (ejection r (fst t) = true \/ In (t, hops r (destination p) t) rows)) as [no _]; [|congruence].
      clear on. induction v' as [|x z v1 IH j]; [split; trivial; right; apply begun; now left|].
      destruct IH as [_ [o|there]]; [now rewrite ends in j|]. assert (g := h _ there). simpl in g.
      rewrite forallb_forall in g. specialize (g z j). apply negb_true_iff in g. split; trivial.
      destruct (closed_ _ _ there) as (_ & _ & next). destruct (next z j) as [|[_ q]]; auto.
  Qed.
End Witness.
