(* This file judges deadlocks: sets of packets that wait only for VCs that packets of the set hold. It proves,
   in the models of Queues.v and Worms.v, that these packets never move again. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Certificate Routing Queues Worms Witness.
Import ListNotations.
Open Scope Z_scope.

Section Deadlocks.
  Variable r : routing.

  Record waiting := { bound_for : Z; whole_path : list state; head_at : state; awaited : list state }.

  Definition waits (p : shown) : option waiting :=
    match follow r p with
    | None => None
    | Some l => match last_one l with
        | None => None
        | Some s => match hops r (destination p) s with
            | [] => None
            | hs => if link r (fst s) then Some {| bound_for := destination p; whole_path := rev l; head_at := s; awaited := hs |} else None
            end
        end
    end.

  Lemma walk_lies d l : forall s, walk r d (s :: l) -> reachable r d s -> lies r d (rev (s :: l)).
  Proof.
    enough (forall l s b, walk r d (s :: l) -> lies r d (s :: b) -> lies r d (rev l ++ s :: b)) as H.
    { intros s w rs. change (rev (s :: l)) with (rev l ++ [s]). apply H; trivial. simpl. auto. }
    clear l. induction l as [|t l IH]; intros s b w lie; simpl; trivial. inversion w; subst.
    rewrite <- app_assoc. simpl. apply IH; trivial. simpl. split; [|split]; trivial.
    eapply hop; [apply lie|trivial].
  Qed.

  Lemma lies_prefix d n : forall b, lies r d b -> lies r d (firstn n b).
  Proof.
    induction n as [|n IH]; intros [|t b] h; simpl; trivial. destruct h as (a & l & i).
    split; [trivial|]. split; [now apply IH|]. destruct n, b; simpl; trivial.
  Qed.

  Lemma waits_spec p w : waits p = Some w -> reachable r (bound_for w) (head_at w) /\
    awaited w = hops r (bound_for w) (head_at w) /\ awaited w <> [] /\
    (exists b, whole_path w = head_at w :: b) /\ lies r (bound_for w) (whole_path w) /\
    exists e k, List.last (whole_path w) (0, 0) = (entry r e, k) /\ In (e, k) (sends r (bound_for w)).
  Proof.
    unfold waits. destruct (follow r p) as [l|] eqn:f; [|discriminate]. destruct (last_one l) as [s|] eqn:e; [|discriminate].
    destruct (hops r (destination p) s) as [|t hs] eqn:h; [discriminate|]. destruct (link r (fst s)); [|discriminate].
    intro eq. injection eq as <-. cbn [bound_for head_at awaited whole_path].
    destruct (last_one_app _ _ e) as [a ->]. destruct (follow_reachable r p _ a s [] f eq_refl) as [rs _].
    destruct (follow_spec r p _ f) as (w & hd & i). rewrite h. split; [trivial|]. split; [trivial|]. split; [easy|]. split; [|split].
    - exists (rev a). now rewrite rev_app_distr.
    - destruct (a ++ [s]) as [|x m] eqn:em; [now destruct a|]. injection hd as ->. apply walk_lies; trivial.
      eapply begin; eauto.
    - exists (source p), (class p). split; trivial. destruct (a ++ [s]) as [|x m]; [discriminate|]. injection hd as ->.
      simpl. now rewrite last_last.
  Qed.

  Fixpoint all_some {A B} (f : A -> option B) (l : list A) : option (list B) :=
    match l with
    | [] => Some []
    | x :: l => match f x, all_some f l with Some y, Some m => Some (y :: m) | _, _ => None end
    end.

  Lemma all_some_spec {A B} (f : A -> option B) l : forall m, all_some f l = Some m ->
    forall y, In y m -> exists x, In x l /\ f x = Some y.
  Proof.
    induction l as [|x l IH]; simpl; intros m h y i; [injection h as <-; destruct i|].
    destruct (f x) as [z|] eqn:e; [|discriminate]. destruct (all_some f l) as [k|]; [|discriminate]. injection h as <-.
    destruct i as [<-|i]; [exists x; auto|]. destruct (IH k eq_refl y i) as (a & ia & ea). exists a. auto.
  Qed.

  (* The VCs that each packet holds: those of the given number of last states of its path. *)
  Definition held_by (wk : waiting * Z) : list state := firstn (Z.to_nat (snd wk)) (whole_path (fst wk)).
  Definition all_held (l : list (waiting * Z)) : list Z := flat_map (fun wk => map fst (held_by wk)) l.
  Definition set_of_list (l : list Z) : zmap unit := fold_left (fun m v => set m v tt) l empty.

  Lemma set_of_list_spec l v : has (set_of_list l) v = true -> In v l.
  Proof.
    unfold set_of_list. enough (forall m, has (fold_left (fun m v => set m v tt) l m) v = true -> has m v = true \/ In v l) as H.
    { intro h. destruct (H _ h) as [x|]; trivial. unfold has in x. rewrite get_empty in x. discriminate. }
    induction l as [|a l IH]; simpl; intros m h; auto. destruct (IH _ h) as [x|]; auto.
    unfold has in *. rewrite get_set in x. destruct (Z.eqb_spec a v); auto.
  Qed.

  Definition none_twice (l : list Z) : bool := all_differ l empty.

  Lemma none_twice_spec l : none_twice l = true -> NoDup l.
  Proof.
    unfold none_twice. enough (forall m, all_differ l m = true -> NoDup l /\ forall v, In v l -> has m v = false) as H by apply H.
    induction l as [|a l IH]; simpl; intros m h; [split; [constructor|easy]|]. apply andb_true_iff in h. destruct h as [h1 h2].
    apply negb_true_iff in h1. destruct (IH _ h2) as [nd no]. split.
    - constructor; trivial. intro i. specialize (no a i). unfold has in no. now rewrite get_set, Z.eqb_refl in no.
    - intros v [<-|i]; trivial. specialize (no v i). unfold has in *. rewrite get_set in no. now destruct (a =? v).
  Qed.

  (* In a path with its head first, no VC is one of the n VCs before it. *)
  Fixpoint enters (n : nat) (b : list state) : bool :=
    match b with
    | [] => true
    | t :: rest => negb (existsb (fun s => fst s =? fst t) (firstn n rest)) && enters n rest
    end.

  Lemma enters_spec n b : enters n b = true -> enterable n b.
  Proof.
    induction b as [|t b IH]; simpl; trivial. intro h. apply andb_true_iff in h. destruct h as [new h]. split; [|auto].
    intro i. apply in_map_iff in i. destruct i as (s & e & i). apply negb_true_iff in new.
    assert (existsb (fun s => fst s =? fst t) (firstn n b) = true) as yes; [|congruence].
    apply existsb_exists. exists s. split; trivial. now apply Z.eqb_eq.
  Qed.

  (* Judges worms that wait for one another. The order of the worms, and that each is waited for, belong to
     the form of a certificate. The theorem does not need them. *)
  Definition deadlocked (l : list (waiting * Z)) : bool :=
    let held := all_held l in
    let m := set_of_list held in
    negb (match l with [] => true | _ => false end) &&
    forallb (fun wk => (1 <=? snd wk) && (snd wk <=? Zlength (whole_path (fst wk))) &&
      forallb (fun s => link r (fst s)) (held_by wk) && forallb (fun t => has m (fst t)) (awaited (fst wk)) &&
      enters (Z.to_nat (snd wk)) (whole_path (fst wk))) l &&
    none_twice held &&
    (let ahead := set_of_list (flat_map (fun wk => map fst (awaited (fst wk))) l) in
     forallb (fun wk => existsb (fun s => has ahead (fst s)) (held_by wk)) l) &&
    (fix up l := match l with
      | a :: rest => match rest with b :: _ => fst (head_at (fst a)) <? fst (head_at (fst b)) | [] => true end && up rest
      | [] => true end) l.

  Definition one_each (ps : list shown) : option (list (waiting * Z)) :=
    match all_some waits ps with Some l => Some (map (fun w => (w, 1)) l) | None => None end.
  Definition so_many (ps : list shown) (ks : list Z) : option (list (waiting * Z)) :=
    match all_some waits ps with
    | Some l => if (Zlength l =? Zlength ks) && forallb (fun wk => snd wk <=? Zlength (whole_path (fst wk))) (combine l ks)
        then Some (combine l ks) else None
    | None => None
    end.

  Definition honest (wk : waiting * Z) : Prop := exists p, waits p = Some (fst wk).

  Lemma one_each_honest ps l : one_each ps = Some l -> forall wk, In wk l -> honest wk.
  Proof.
    unfold one_each. destruct (all_some waits ps) as [m|] eqn:e; [|discriminate]. intro h. injection h as <-.
    intros wk i. apply in_map_iff in i. destruct i as (w & <- & i).
    destruct (all_some_spec _ _ _ e w i) as (p & _ & q). now exists p.
  Qed.

  Lemma so_many_honest ps ks l : so_many ps ks = Some l -> forall wk, In wk l -> honest wk.
  Proof.
    unfold so_many. destruct (all_some waits ps) as [m|] eqn:e; [|discriminate]. destruct (_ && _); [|discriminate].
    intro h. injection h as <-. intros [w k] i. apply in_combine_l in i.
    destruct (all_some_spec _ _ _ e w i) as (p & _ & q). now exists p.
  Qed.

  Section Deadlock.
    Variable l : list (waiting * Z).
    Hypothesis real : forall wk, In wk l -> honest wk.
    Hypothesis dead : deadlocked l = true.

    Lemma deadlocked_spec : l <> [] /\ NoDup (all_held l) /\ forall wk, In wk l ->
      1 <= snd wk /\ forall t, In t (awaited (fst wk)) -> In (fst t) (all_held l).
    Proof.
      unfold deadlocked in dead. cbv zeta in dead. rewrite !andb_true_iff in dead.
      destruct dead as ((((some & each) & once) & _) & _). split; [now destruct l|]. split; [now apply none_twice_spec|].
      intros wk i. rewrite forallb_forall in each. specialize (each wk i). rewrite !andb_true_iff in each.
      destruct each as ((((a & _) & _) & b) & _). apply Z.leb_le in a. split; trivial.
      intros t j. rewrite forallb_forall in b. now apply set_of_list_spec, b.
    Qed.

    Lemma deadlocked_enters wk : In wk l -> enterable (Z.to_nat (snd wk)) (whole_path (fst wk)) /\
      length (held_by wk) = Z.to_nat (snd wk).
    Proof.
      intro i. unfold deadlocked in dead. cbv zeta in dead. rewrite !andb_true_iff in dead.
      destruct dead as ((((_ & each) & _) & _) & _). rewrite forallb_forall in each. specialize (each wk i).
      rewrite !andb_true_iff in each. destruct each as ((((_ & a) & _) & _) & b). split; [now apply enters_spec|].
      unfold held_by. apply firstn_length_le. apply Z.leb_le in a. rewrite Zlength_correct in a. lia.
    Qed.

    Definition as_worm (wk : waiting * Z) : worm :=
      {| goal := bound_for (fst wk); flits := length (held_by wk); body := held_by wk |}.
    Definition lying : worms := fun i => match nth_error l i with Some wk => Some (as_worm wk) | None => None end.

    Lemma held_head wk : In wk l -> exists b, held_by wk = head_at (fst wk) :: b.
    Proof.
      intro i. destruct deadlocked_spec as (_ & _ & each). destruct (each wk i) as [one _].
      destruct (real wk i) as [p w]. destruct (waits_spec p _ w) as (_ & _ & _ & (b & e) & _ & _).
      unfold held_by. rewrite e. destruct (Z.to_nat (snd wk)) as [|n] eqn:z; [lia|]. simpl. eauto.
    Qed.

    Lemma nodup_parts {A B} (f : A -> list B) (m : list A) : NoDup (flat_map f m) ->
      forall i j x y v, nth_error m i = Some x -> nth_error m j = Some y -> In v (f x) -> In v (f y) -> i = j.
    Proof.
      induction m as [|a m IH]; simpl; intros nd i j x y v ei ej ix iy; [now destruct i|].
      assert (forall k z, nth_error m k = Some z -> In v (f z) -> In v (flat_map f m)) as tl.
      { intros k z e q. apply in_flat_map. exists z. split; trivial. eapply nth_error_In; eauto. }
      assert (In v (f a) -> In v (flat_map f m) -> False) as clash.
      { intros p q. clear - nd p q. revert p nd. induction (f a) as [|b g IHg]; simpl; [easy|].
        intros [->|p] nd; inversion nd; subst; auto. apply H1. apply in_or_app. now right. }
      assert (NoDup (flat_map f m)) as nd'.
      { clear - nd. induction (f a) as [|b g IHg]; simpl in nd; trivial. inversion nd. auto. }
      destruct i as [|i], j as [|j]; simpl in *; trivial.
      - injection ei as ->. destruct clash; eauto.
      - injection ej as ->. destruct clash; eauto.
      - f_equal. eapply IH; eauto.
    Qed.

    Lemma lying_arises wk : In wk l -> arises r (as_worm wk).
    Proof.
      intro i. destruct (deadlocked_enters wk i) as [ent len]. destruct deadlocked_spec as (_ & _ & each).
      destruct (each wk i) as [one _]. destruct (real wk i) as [p w].
      destruct (waits_spec p _ w) as (_ & _ & _ & (b & e) & lie & src & k & first & is_sent).
      unfold as_worm. rewrite len. unfold held_by. destruct (Z.to_nat (snd wk)) as [|n] eqn:z; [lia|].
      eapply enterable_arises; eauto. now rewrite e.
    Qed.

    Theorem worms_dead : worms_deadlock r.
    Proof.
      destruct deadlocked_spec as (some & nd & each). exists lying. split; [split; [|split]|].
      - exists (length l). intros i far. unfold lying. now rewrite (proj2 (nth_error_None l i) far).
      - intros i w e. unfold lying in e. destruct (nth_error l i) as [wk|] eqn:n; [|discriminate]. injection e as <-.
        apply nth_error_In in n. destruct (held_head wk n) as [b h]. unfold sound, as_worm. cbn [body goal flits].
        rewrite h. split; [easy|]. split; [|simpl; lia]. rewrite <- h. unfold held_by. apply lies_prefix.
        destruct (real wk n) as [p w]. now destruct (waits_spec p _ w) as (_ & _ & _ & _ & lie & _).
      - intros i j w x v ei ej hi hj. unfold lying in *.
        destruct (nth_error l i) as [a|] eqn:na; [|discriminate]. destruct (nth_error l j) as [b|] eqn:nb; [|discriminate].
        injection ei as <-. injection ej as <-.
        eapply (nodup_parts (fun wk => map fst (held_by wk)) l); eauto.
      - assert (forall c, steps r lying c -> forall i, lying i <> None -> c i = lying i) as stay.
        { intros c s. enough (forall a c, steps r a c -> (forall i, lying i <> None -> a i = lying i) ->
            forall i, lying i <> None -> c i = lying i) as H by (apply (H lying c); auto).
          clear c s. induction 1 as [|a m b c st _ IH]; trivial. intro here_. apply IH. clear IH c.
          intros i si. rewrite <- (here_ i si).
          assert (forall j w, lying j <> None -> a j = Some w -> exists wk, In wk l /\ w = as_worm wk) as known.
          { intros j w sj e. rewrite (here_ j sj) in e. unfold lying in e.
            destruct (nth_error l j) as [wk|] eqn:n; [|discriminate]. injection e as <-.
            exists wk. split; trivial. eapply nth_error_In; eauto. }
          assert (forall j, (j = i -> False) -> forall w, give a j w i = a i) as elsewhere.
          { intros j no w. apply give_other. intros ->. now apply no. }
          destruct st as [a j n d e k no _ _|a j n d b0 s e le|a j n d s b0 t e it fr|a j n d s b0 e no];
            apply elsewhere; intros ->.
          - rewrite here_ in no; trivial. now apply si.
          - destruct (known _ _ si e) as (wk & _ & w). unfold as_worm in w. injection w as _ w1 w2.
            rewrite <- w2, app_length in w1. simpl in w1. lia.
          - destruct (known _ _ si e) as (wk & iw & w). unfold as_worm in w. injection w as w0 _ w2.
            destruct (held_head wk iw) as [b1 h]. rewrite h in w2. injection w2 as -> _.
            destruct (real wk iw) as [p wp]. destruct (waits_spec p _ wp) as (_ & aw & _).
            destruct (each wk iw) as [_ all]. specialize (all t). rewrite aw, <- w0 in all. specialize (all it).
            unfold all_held in all. apply in_flat_map in all. destruct all as (other & io & ho).
            destruct (In_nth_error l other io) as [q nq].
            assert (lying q = Some (as_worm other)) as lq by (unfold lying; now rewrite nq).
            apply (fr q (as_worm other)); [rewrite here_; congruence|]. exact ho.
          - destruct (known _ _ si e) as (wk & iw & w). unfold as_worm in w. injection w as w0 _ w2.
            destruct (held_head wk iw) as [b1 h]. rewrite h in w2. injection w2 as -> _.
            destruct (real wk iw) as [p wp]. destruct (waits_spec p _ wp) as (_ & aw & nonempty & _).
            rewrite aw, <- w0 in nonempty. now apply nonempty. }
        split.
        + exists 0%nat. unfold lying. destruct (nth_error l 0) eqn:n; [easy|]. apply nth_error_None in n.
          exfalso. apply some. destruct l; trivial. simpl in n. lia.
        + intros i w e. split.
          * unfold lying in e. destruct (nth_error l i) as [wk|] eqn:n; [|discriminate]. injection e as <-.
            apply nth_error_In in n. now apply lying_arises.
          * assert (lying i <> None) as there_ by congruence. split; trivial. intros c s. now apply stay.
    Qed.

    (* The same for whole packets that each fit one VC. Each held VC is full of copies of one packet. *)
    Definition queue_of (room : Z -> nat) : queues := fun v =>
      match List.find (fun wk => fst (head_at (fst wk)) =? v) l with
      | Some wk => repeat {| bound := bound_for (fst wk); carries := snd (head_at (fst wk)) |} (room v)
      | None => []
      end.

    Hypothesis ones : forall wk, In wk l -> snd wk = 1.

    Lemma held_full room v : In v (all_held l) -> exists wk, In wk l /\ fst (head_at (fst wk)) = v /\
      queue_of room v = repeat {| bound := bound_for (fst wk); carries := snd (head_at (fst wk)) |} (room v).
    Proof.
      intro i. unfold queue_of. destruct (List.find _ l) as [wk|] eqn:f.
      - apply find_some in f. destruct f as [j e]. exists wk. split; [trivial|split; [now apply Z.eqb_eq|trivial]].
      - exfalso. unfold all_held in i. apply in_flat_map in i. destruct i as (wk & j & h).
        destruct (held_head wk j) as [b e]. unfold held_by in *. rewrite (ones wk j) in *.
        change (Z.to_nat 1) with 1%nat in *. destruct (whole_path (fst wk)) as [|s m]; [discriminate|].
        simpl in e, h. injection e as -> <-. destruct h as [h|[]].
        assert (n := find_none _ _ f wk j). simpl in n. rewrite h, Z.eqb_refl in n. discriminate.
    Qed.

    Lemma held_configuration : configuration r.
    Proof.
      destruct deadlocked_spec as (some & _ & each). exists (fun v => In v (all_held l)). split.
      - assert (exists wk, In wk l) as [wk i] by (clear - some; destruct l as [|wk m]; [easy|]; exists wk; now left).
        exists (fst (head_at (fst wk))). unfold all_held. apply in_flat_map. exists wk. split; trivial.
        destruct (held_head wk i) as [b ->]. now left.
      - intros v i. destruct (held_full (fun _ => 0%nat) v i) as (wk & j & h & _). destruct (real wk j) as [p w].
        destruct (waits_spec p _ w) as (rs & aw & nonempty & _). exists (bound_for (fst wk)), (snd (head_at (fst wk))).
        rewrite <- h. replace (fst (head_at (fst wk)), snd (head_at (fst wk))) with (head_at (fst wk)) by now destruct (head_at (fst wk)).
        rewrite aw in *. split; [trivial|]. split; [trivial|]. destruct (each wk j) as [_ all]. rewrite aw in all. exact all.
    Qed.

    Theorem queues_dead room : (forall v, (1 <= room v)%nat) ->
      valid r room (queue_of room) /\ exists v, stuck r room (queue_of room) v.
    Proof.
      intro roomy. destruct deadlocked_spec as (some & _ & each). split.
      - intro v. unfold queue_of. destruct (List.find _ l) as [wk|] eqn:f; [|simpl; split; [lia|easy]].
        apply find_some in f. destruct f as [j e]. apply Z.eqb_eq in e. rewrite repeat_length. split; [lia|].
        intros p i. apply repeat_spec in i. subst p. cbn [bound carries]. destruct (real wk j) as [p w].
        destruct (waits_spec p _ w) as (rs & _). rewrite <- e. now destruct (head_at (fst wk)).
      - set (Q := queue_of room).
        assert (forall v, In v (all_held l) -> length (Q v) = room v) as full.
        { intros v i. destruct (held_full room v i) as (wk & _ & _ & e). unfold Q. rewrite e. apply repeat_length. }
        assert (forall v p q, In v (all_held l) -> Q v = p :: q -> hops r (bound p) (v, carries p) <> [] /\
          forall t, In t (hops r (bound p) (v, carries p)) -> In (fst t) (all_held l)) as waiting_.
        { intros v p q i e. destruct (held_full room v i) as (wk & j & h & e').
          assert (p = {| bound := bound_for (fst wk); carries := snd (head_at (fst wk)) |}) as ->.
          { apply repeat_spec with (n := room v). rewrite <- e'. fold Q. rewrite e. now left. }
          cbn [bound carries]. destruct (real wk j) as [p w]. destruct (waits_spec p _ w) as (_ & aw & nonempty & _).
          destruct (each wk j) as [_ all]. rewrite <- h. rewrite aw in *. destruct (head_at (fst wk)). now split. }
        assert (forall c m c', move r room c m c' -> (forall v, In v (all_held l) -> c v = Q v) ->
          (forall v, In v (all_held l) -> c' v = Q v) /\ forall v, m = Some v -> ~ In v (all_held l)) as still_.
        { intros c m c' mv here_. destruct mv as [c d e k i lt|c v p q w k e i lt|c v p q e no].
          - split; [|easy]. intros v h. unfold push, put. destruct (Z.eqb_spec v (entry r e)) as [->|]; [|now apply here_].
            rewrite (here_ _ h), (full _ h) in lt. lia.
          - assert (~ In w (all_held l)) as out by (intro h; rewrite (here_ _ h), (full _ h) in lt; lia).
            assert (~ In v (all_held l)) as out'.
            { intro h. apply out. rewrite (here_ _ h) in e. destruct (waiting_ v p q h e) as [_ all]. exact (all _ i). }
            split; [|intros u eq; injection eq as <-; trivial].
            intros u h. unfold push, put. destruct (Z.eqb_spec u w) as [->|]; [easy|].
            destruct (Z.eqb_spec u v) as [->|]; [easy|now apply here_].
          - assert (~ In v (all_held l)) as out.
            { intro h. rewrite (here_ _ h) in e. now destruct (waiting_ v p q h e). }
            split; [|intros u eq; injection eq as <-; trivial].
            intros u h. unfold put. destruct (Z.eqb_spec u v) as [->|]; [easy|now apply here_]. }
        assert (exists wk, In wk l) as [wk j] by (clear - some; destruct l as [|wk m]; [easy|]; exists wk; now left).
        exists (fst (head_at (fst wk))).
        assert (In (fst (head_at (fst wk))) (all_held l)) as h.
        { unfold all_held. apply in_flat_map. exists wk. split; trivial. destruct (held_head wk j) as [b ->]. now left. }
        split.
        + intro e. assert (f := full _ h). specialize (roomy (fst (head_at (fst wk)))). rewrite e in f. simpl in f. lia.
        + intros ms c' s.
          enough (forall c ns c', run r room c ns c' -> (forall v, In v (all_held l) -> c v = Q v) ->
            ~ In (Some (fst (head_at (fst wk)))) ns) as H by (apply (H Q ms c' s); trivial).
          clear ms c' s. induction 1 as [c|c m c1 ms c2 mv s IH]; intros here_ i; [destruct i|].
          destruct (still_ _ _ _ mv here_) as [on off]. destruct i as [->|i]; [now apply (off _ eq_refl)|now apply IH].
    Qed.
  End Deadlock.
End Deadlocks.
