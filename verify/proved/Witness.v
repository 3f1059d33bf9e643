(* This file judges what refutes: packets that are followed hop by hop.

   A packet shown is one that is sent, and its path the states it has come by; so its last state
   is reachable. Of a cycle each packet shows a dependency; a deadlock is shown by packets that wait
   for VCs that they hold, in the very models of Queues.v and Worms.v. *)

From Coq Require Import ZArith List Bool Lia Relations.
From Proved Require Import Arrays Certificate Network Routing Explore Queues Worms.
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

  (* The states of a packet's path, if it is one. *)
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

  (* The last state and the one before. *)
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

  (* A cycle: packets' last two VCs, each pair beginning where the one before has ended. *)
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

  (* The VCs that packets lead to, from a on; the last is b. *)
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
    induction ps as [|p ps IH]; simpl; intros a l h some; [injection h as <-; easy|].
    destruct (dependency p) as [[x y]|] eqn:d; [|discriminate]. destruct (Z.eqb_spec x a); [subst|discriminate].
    destruct (leads y ps) as [m|] eqn:e; [|discriminate]. injection h as <-. apply dependency_spec in d.
    destruct m as [|z m]; [now apply t_step|]. eapply t_trans; [now apply t_step|]. apply (IH y (z :: m)); trivial. easy.
  Qed.

  Theorem cycle_sound ps : cycle_ok ps = true -> ~ acyclic r.
  Proof.
    unfold cycle_ok. destruct ps as [|p ps]; [discriminate|]. destruct (dependency p) as [[a b]|] eqn:d; [|discriminate].
    destruct (leads a (p :: ps)) as [l|] eqn:e; [|discriminate]. intro h. rewrite !andb_true_iff in h.
    destruct h as ((h & _) & _). apply Z.eqb_eq in h. intro none. apply (none a).
    rewrite <- h at 2. apply leads_spec with (p :: ps); trivial. simpl in e. rewrite d, Z.eqb_refl in e.
    destruct (leads b ps); [|discriminate]. injection e as <-. easy.
  Qed.

  (* A packet that comes back to a state, at the end of its path and only there. *)
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

  (* Deadlocks. *)
  Record waiting := { bound_for : Z; whole_path : list state; head_at : state; awaited : list state }.

  Definition waits (p : shown) : option waiting :=
    match follow p with
    | None => None
    | Some l => match last_one l with
        | None => None
        | Some s => match hops r (destination p) s with
            | [] => None
            | hs => if link r (fst s) then Some {| bound_for := destination p; whole_path := rev l; head_at := s; awaited := hs |} else None
            end
        end
    end.

  Lemma waits_spec p w : waits p = Some w -> reachable r (bound_for w) (head_at w) /\
    awaited w = hops r (bound_for w) (head_at w) /\ awaited w <> [] /\
    (exists b, whole_path w = head_at w :: b) /\ walk r (bound_for w) (rev (whole_path w)) /\
    lies r (bound_for w) (whole_path w).
  Proof.
  Abort.
End Witness.
