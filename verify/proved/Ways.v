(* This file judges that every packet has a path to its destination, and how many switches a packet passes at
   most.

   Searches compute distances and depths. The theorems (all_connected, all_end) do not need correct searches,
   because the results are checked for each state and next hop. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Routing Explore Ranks.
Import ListNotations.
Open Scope Z_scope.

(* The set of the first members of pairs. *)
Definition firsts (l : list (Z * Z)) : zmap unit := fold_left (fun m ek => set m (fst ek) tt) l empty.

Lemma firsts_spec l e : has (firsts l) e = true <-> exists k, In (e, k) l.
Proof.
  unfold firsts. enough (forall m, has (fold_left (fun m (ek : Z * Z) => set m (fst ek) tt) l m) e = true <->
    has m e = true \/ exists k, In (e, k) l) as H.
  { rewrite H. unfold has. rewrite get_empty. split; [intros [h|]; [discriminate|trivial]|now right]. }
  induction l as [|[a k] l IH]; simpl; intro m.
  - split; [now left|]. intros [|[k []]]; trivial.
  - rewrite IH. unfold has. rewrite get_set. destruct (Z.eqb_spec a e) as [->|n].
    + split; [right; exists k; now left|now left].
    + split; (intros [|(j & i)]; [now left|right]).
      * exists j. now right.
      * destruct i as [i|i]; [congruence|now exists j].
Qed.

Section Ways.
  Variable r : routing.
  Hypothesis ends : forall d s, ejection r (fst s) = true -> hops r d s = [].

  (* The reverse of the hops of rows, without those into ejection. *)
  Definition reversed (rows : list row) : pmap (list state) :=
    fold_left (fun m e => fold_left (fun m t => if ejection r (fst t) then m else
      set2 m t (fst e :: match get2 m t with Some l => l | None => [] end)) (snd e) m) rows empty.

  (* One step of the search backwards. It takes a state from the queue. Each unmarked state with a hop to it
     gets a number greater by one. *)
  Definition back (before : pmap (list state)) (w : pmap Z * list (state * Z)) : (pmap Z * list (state * Z)) + pmap Z :=
    match w with
    | (far, []) => inr far
    | (far, (s, k) :: queue) =>
        inl (fold_left (fun (w : pmap Z * list (state * Z)) x => if has2 (fst w) x then w
          else (set2 (fst w) x (k + 1), (x, k + 1) :: snd w)) (match get2 before s with Some l => l | None => [] end) (far, queue))
    end.

  Definition all_before (before : pmap (list state)) (from : list state) : pmap Z :=
    let begun := fold_left (fun m s => set2 m s 0) from empty in
    match loop (back before) enough (begun, map (fun s => (s, 0)) from) with inr far => far | inl (far, _) => far end.

  Definition distances (d : Z) (rows : list row) : pmap Z :=
    all_before (reversed rows) (map fst (filter (fun e => existsb (fun t => target r d (fst t)) (snd e)) rows)).

  (* Each state has a hop to a smaller distance, no hop leads to another endpoint, and each source has a
     class. *)
  Definition arrive (d : Z) (rows : list row) : bool :=
    let far := distances d rows in
    let senders := firsts (sends r d) in
    forallb (fun e => match get2 far (fst e) with
      | None => false
      | Some k => (0 <=? k) && forallb (fun t => negb (ejection r (fst t)) || target r d (fst t)) (snd e) &&
          existsb (fun t => target r d (fst t) || negb (ejection r (fst t)) &&
            match get2 far t with Some j => j <? k | None => false end) (snd e)
      end) rows &&
    forallb (has senders) (sources r d).

  Theorem all_connected : (forall d, In d (destinations r) -> exists rows, explored r d = Some rows /\ arrive d rows = true) ->
    connected r.
  Proof.
    intros h e d i. unfold pairs in i. apply in_flat_map in i. destruct i as (d' & id & i).
    apply in_map_iff in i. destruct i as (e' & eq & ie). injection eq as -> ->.
    destruct (h d id) as (rows & found & ok). apply andb_true_iff in ok. destruct ok as [near send].
    destruct (explored_spec r d (ends d) rows found) as (all & back_ & begun).
    rewrite forallb_forall in near, send. split; [now apply firsts_spec, send|].
    assert (forall n s k, In (s, hops r d s) rows -> get2 (distances d rows) s = Some k -> k <= Z.of_nat n ->
      exists t, way r d s t /\ target r d (fst t) = true) as go.
    { induction n as [n IH] using lt_wf_ind. intros s k there far le. assert (H := near _ there). cbn [fst snd] in H.
      rewrite far in H. apply andb_true_iff in H. destruct H as [H some]. apply andb_true_iff in H. destruct H as [pos _].
      apply existsb_exists in some. destruct some as (t & j & some). destruct (target r d (fst t)) eqn:tar.
      - exists t. split; trivial. eapply onward; eauto using way.
      - simpl in some. apply andb_true_iff in some. destruct some as [inside lt].
        destruct (get2 (distances d rows) t) as [l|] eqn:el; [|discriminate].
        destruct (back_ _ _ there) as (_ & _ & next). destruct (next t j) as [out|[_ it]]; [now rewrite out in inside|].
        assert (H := near _ it). cbn [fst snd] in H. rewrite el in H. apply andb_true_iff in H. destruct H as [H _].
        apply andb_true_iff in H. destruct H as [posl _].
        destruct (IH (Z.to_nat l)) with (s := t) (k := l) as (u & w & tu); trivial; [lia|lia|].
        exists u. split; trivial. eapply way_trans; [|eauto]. eapply onward; eauto using way. }
    intros k s ik w. assert (reachable r d s) as rs by (eapply way_reachable; eauto).
    destruct (all s rs) as [out|there].
    - inversion w as [eq|t u w' j]; subst.
      + (* the injection itself *)
        assert (there := begun _ _ ik). assert (H := near _ there). cbn [fst snd] in H.
        destruct (get2 (distances d rows) (entry r e, k)) as [l|] eqn:el; [|discriminate].
        apply (go (Z.to_nat l) _ l); trivial. apply andb_true_iff in H. destruct H as [H _].
        apply andb_true_iff in H. lia.
      + destruct (all t) as [out'|there]; [eapply way_reachable; eauto|now rewrite ends in j|].
        assert (H := near _ there). cbn [fst snd] in H. destruct (get2 (distances d rows) t); [|discriminate].
        apply andb_true_iff in H. destruct H as [H _]. apply andb_true_iff in H. destruct H as [_ H].
        rewrite forallb_forall in H. specialize (H _ j). rewrite out in H. exists s. split; [apply here|exact H].
    - assert (H := near _ there). cbn [fst snd] in H.
      destruct (get2 (distances d rows) s) as [l|] eqn:el; [|discriminate].
      apply (go (Z.to_nat l) _ l); trivial. apply andb_true_iff in H. destruct H as [H _].
      apply andb_true_iff in H. lia.
  Qed.

  (* Depths: one step of a topological sort. It takes a state after all states before it (Kahn 1962). *)
  Definition peel (next : pmap (list state)) (w : pmap Z * pmap Z * list state) : (pmap Z * pmap Z * list state) + pmap Z :=
    match w with
    | (deep, _, []) => inr deep
    | (deep, waits, s :: queue) =>
        let k := match get2 deep s with Some k => k | None => 0 end in
        inl (fold_left (fun (w : pmap Z * pmap Z * list state) t => match w with (deep, waits, queue) =>
          if ejection r (fst t) then w else
          let n := match get2 waits t with Some n => n - 1 | None => 0 end in
          let l := match get2 deep t with Some l => l | None => 0 end in
          (set2 deep t (Z.max l (k + 1)), set2 waits t n, if n =? 0 then t :: queue else queue) end)
          (match get2 next s with Some l => l | None => [] end) (deep, waits, queue))
    end.

  Definition depths (rows : list row) : pmap Z :=
    let before := reversed rows in
    let next := fold_left (fun m e => set2 m (fst e) (snd e)) rows empty in
    let waits := fold_left (fun m e => set2 m (fst e) (match get2 before (fst e) with Some l => Zlength l | None => 0 end)) rows empty in
    let free := filter (fun s => negb (has2 before s)) (map fst rows) in
    match loop (peel next) enough (fold_left (fun m s => set2 m s 0) free empty, waits, free) with inr deep => deep | inl (deep, _, _) => deep end.

  Definition depth (deep : pmap Z) (t : state) : Z := match get2 deep t with Some k => k | None => -1 end.

  (* Each hop leads to a greater depth, every depth is less than n, and each depth is that of some path. *)
  Definition ending (n : Z) (d : Z) (rows : list row) : bool :=
    let deep := depths rows in
    let depth := depth deep in
    let begun := members (injected r d) in
    let later := members (flat_map (fun e => filter (fun t => depth t =? depth (fst e) + 1) (snd e)) rows) in
    forallb (fun e => let k := depth (fst e) in
      negb (ejection r (fst (fst e))) && (0 <=? k) && (k <? n) && (if k =? 0 then has2 begun (fst e) else has2 later (fst e)) &&
      forallb (fun t => ejection r (fst t) || (k <? depth t)) (snd e)) rows.

  (* The most switches that a packet to d passes. *)
  Definition longest (d : Z) (rows : list row) : Z :=
    let deep := depths rows in
    fold_left (fun m e => Z.max m (match get2 deep (fst e) with Some k => k + 1 | None => 0 end)) rows 0.

  Lemma walk_reachable d l : forall s, walk r d (s :: l) -> reachable r d s -> Forall (reachable r d) (s :: l).
  Proof.
    induction l as [|t l IH]; intros s w rs; constructor; trivial. inversion w; subst. apply IH; eauto using reachable.
  Qed.

  Theorem bounded_walks n d rows : explored r d = Some rows -> ending n d rows = true ->
    forall l, passes r d l -> Z.of_nat (length l) <= n.
  Proof.
    intros found ok l (w & inside & e & k & hd & ik).
    destruct l as [|s l]; [discriminate|]. injection hd as ->.
    destruct (explored_spec r d (ends d) rows found) as (all & _ & _).
    unfold ending in ok. cbv zeta in ok. rewrite forallb_forall in ok.
    set (deep := depth (depths rows)) in *.
    assert (forall l s, walk r d (s :: l) -> reachable r d s -> Forall (fun s => ejection r (fst s) = false) (s :: l) ->
      0 <= deep s /\ deep s + Z.of_nat (length (s :: l)) <= n) as H.
    { clear w inside l. induction l as [|t l IH]; intros s w rs inside.
      - inversion inside; subst. destruct (all s rs) as [out|there]; [congruence|]. specialize (ok _ there).
        cbn [fst snd] in ok. rewrite !andb_true_iff in ok. destruct ok as ((((o & a) & b) & _) & _).
        apply Z.leb_le in a. apply Z.ltb_lt in b. simpl length. lia.
      - inversion inside as [|? ? is inside']; subst. destruct (all s rs) as [out|there]; [congruence|].
        specialize (ok _ there). cbn [fst snd] in ok. rewrite !andb_true_iff in ok. destruct ok as ((((o & a) & b) & _) & c).
        apply Z.leb_le in a. apply Z.ltb_lt in b.
        inversion w; subst. rewrite forallb_forall in c. specialize (c t H1).
        destruct (IH t) as [p q]; eauto using reachable. inversion inside' as [|? ? it _]; subst.
        rewrite it in c. simpl in c. apply Z.ltb_lt in c. change (length (s :: t :: l)) with (S (length (t :: l))). lia. }
    destruct (H l _ w) as [p q]; trivial; [now constructor|lia].
  Qed.

  Lemma walk_snoc d l s t : walk r d (l ++ [s]) -> In t (hops r d s) -> walk r d (l ++ [s; t]).
  Proof.
    intros w i. induction l as [|x l IH]; simpl in *; [constructor; [trivial|constructor]|].
    destruct l as [|y l]; simpl in *; inversion w; subst; constructor; auto.
  Qed.

  (* Some packet passes as many switches as the depth of a state says. *)
  Theorem attained n d rows : explored r d = Some rows -> ending n d rows = true ->
    forall s hs, In (s, hs) rows -> exists l, passes r d (l ++ [s]) /\
      get2 (depths rows) s = Some (Z.of_nat (length l)).
  Proof.
    intros found ok. destruct (explored_spec r d (ends d) rows found) as (_ & back_ & _).
    unfold ending in ok. cbv zeta in ok. rewrite forallb_forall in ok.
    set (deep := depth (depths rows)) in *.
    assert (forall s k, 0 <= k -> deep s = k -> get2 (depths rows) s = Some k) as found_depth.
    { intros s k pos. unfold deep, depth. destruct (get2 (depths rows) s); [congruence|lia]. }
    assert (forall n s hs, In (s, hs) rows -> deep s = Z.of_nat n -> ejection r (fst s) = false ->
      exists l, passes r d (l ++ [s]) /\ Z.of_nat (length l) = deep s) as H.
    { induction n0 as [|m IH]; intros s hs there e inside; assert (H := ok _ there); cbn [fst snd] in H;
        rewrite !andb_true_iff in H; destruct H as (((_ & _) & c) & _); rewrite e in c.
      - simpl in c. apply members_spec in c. unfold injected in c. apply in_map_iff in c.
        destruct c as ([a k] & <- & i). exists []. cbn [fst snd] in *. split; [|simpl; lia]. simpl. split; [constructor|].
        split; [constructor; trivial; constructor|]. now exists a, k.
      - destruct (Z.eqb_spec (Z.of_nat (S m)) 0) as [|_]; [lia|]. apply members_spec, in_flat_map in c.
        destruct c as ([x xs] & ix & c). apply filter_In in c. cbn [fst snd] in c. destruct c as [j eq].
        apply Z.eqb_eq in eq. destruct (back_ _ _ ix) as (-> & rx & next).
        assert (ejection r (fst x) = false) as ox.
        { destruct (ejection r (fst x)) eqn:o; trivial. now rewrite ends in j. }
        destruct (IH x _ ix) as (l & (w & all & a & k & hd & ia) & len); trivial; [lia|].
        exists (l ++ [x]). rewrite <- app_assoc. simpl. split.
        + split; [now apply walk_snoc|]. split.
          * apply Forall_app in all. destruct all as [all _]. apply Forall_app. split; trivial.
            repeat constructor; trivial.
          * exists a, k. split; trivial. destruct l; simpl in *; trivial.
        + rewrite app_length. simpl length. lia. }
    intros s hs there. assert (G := ok _ there). cbn [fst snd] in G. rewrite !andb_true_iff in G.
    destruct G as ((((o & a) & _) & _) & _). apply Z.leb_le in a.
    destruct (H (Z.to_nat (deep s)) s hs there) as (l & p & len); [lia| |].
    - now destruct (ejection r (fst s)).
    - exists l. split; trivial. apply found_depth; lia.
  Qed.
End Ways.
