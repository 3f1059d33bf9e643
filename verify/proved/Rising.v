(* This file turns the ranks of a certificate into levels of the VCs of one network, and proves that hops of the escape
   increase them. The level of a channel counts the channels of smaller rank. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Queues Worms Formulas Refute Sizes Networks Invariants.
Import ListNotations.
Open Scope Z_scope.

(* The lexicographic order. *)
Fixpoint less (a b : list Z) : bool :=
  match a, b with x :: a, y :: b => (x <? y) || ((x =? y) && less a b) | _, _ => false end.

Lemma less_trans a : forall b c, less a b = true -> less b c = true -> less a c = true.
Proof.
  induction a as [|x a IH]; intros [|y b] [|z c]; cbn [less]; try discriminate. intros h g.
  apply orb_true_iff in h, g. rewrite !andb_true_iff in *. apply orb_true_iff. rewrite andb_true_iff.
  destruct h as [h|[h h']], g as [g|[g g']]; try (left; lia). right. split; [lia|eauto].
Qed.

Lemma less_irreflexive a : less a a = false.
Proof. induction a as [|x a IH]; trivial. cbn [less]. rewrite IH, Z.ltb_irrefl. now rewrite andb_false_r. Qed.

Lemma not_less_spec x a : forall b, holds x (not_less a b) \/ less (map (fun f => value f x) a) (map (fun f => value f x) b) = true.
Proof.
  induction a as [|f a IH]; intros [|g b]; cbn [not_less map less]; try (left; simpl; trivial; fail).
  rewrite disj_two, less_than_spec, conj_two, equal_spec, orb_true_iff, andb_true_iff, Z.ltb_lt, Z.eqb_eq.
  destruct (IH b); [|]; destruct (Z.lt_trichotomy (value f x) (value g x)) as [|[|]]; intuition lia.
Qed.

Lemma filter_le {A} (P Q : A -> bool) l : (forall x, P x = true -> Q x = true) -> (length (filter P l) <= length (filter Q l))%nat.
Proof.
  intro h. induction l as [|x l IH]; simpl; trivial. destruct (P x) eqn:a; [rewrite (h x a); simpl; lia|].
  destruct (Q x); simpl; lia.
Qed.

Lemma filter_less {A} (P Q : A -> bool) l y : (forall x, P x = true -> Q x = true) -> In y l -> P y = false -> Q y = true ->
  (length (filter P l) < length (filter Q l))%nat.
Proof.
  intros h i a b. induction l as [|x l IH]; [destruct i|]. simpl. pose proof (filter_le P Q l h). destruct i as [->|i].
  - rewrite a, b. simpl. lia.
  - specialize (IH i). destruct (P x) eqn:c; [rewrite (h x c); simpl; lia|]. destruct (Q x); simpl; lia.
Qed.

Lemma filter_all {A} (P : A -> bool) l : (length (filter P l) <= length l)%nat.
Proof. induction l as [|x l IH]; simpl; trivial. destruct (P x); simpl; lia. Qed.

Section Rising.
  Variable p : program.
  Variable s : nat -> Z.
  Variable e : evidence.
  Hypothesis wf : well_formed p e = true.
  Hypothesis none : forall f, In f (obligations p e) -> forall x, ~ holds x f.
  Hypothesis big : allowed p s.
  Notation n := (dims p).
  Notation env := (env p s).
  Notation at_places := (at_places p s).
  Notation at_hop := (at_hop p s).
  Notation places := (places p s).
  Notation wraps := (wraps p s).
  Notation forward := (forward p s).
  Notation delivered := (delivered p).
  Notation class_at := (class_at p s e).
  Notation good := (good p s e).
  Notation r := (routing_of p s).
  Notation entry_of := (entry_of p s e).

  (* The rank of a channel of class c from h; g is the value that the hop sets. *)
  Definition hop_to_value (g : Z) : hop_values := {| v_old := 0; v_onto := g; v_far := 0 |}.
  Definition rank_at (g : Z) (h : place) (c : class) : option (list Z) :=
    let x := at_hop (hop_to_value g) h h h in
    option_map (fun y => map (fun f => value f x) (rank_forms y)) (find (fun y => test x (rank_when y)) (ranks_of e c)).
  Definition rank_of (v : vc) : option (list Z) :=
    match v with
    | Link h x k => let c := class_at h x k 0 in if is_ranked e c then rank_at (goal x) h c else None
    | _ => None
    end.

  Definition below (a : list Z) (v : vc) : bool := match rank_of v with Some b => less b a | None => false end.
  Definition top : Z := 1 + Z.of_nat (length (links p s)).
  Definition level_of (v : vc) : Z :=
    match v with
    | Link h x k =>
        match rank_of v with
        | Some a => 1 + Z.of_nat (length (filter (below a) (links p s)))
        | None => if is_ranked e (class_at h x k 0) then 0 else -1
        end
    | Inject _ => -1
    | Eject _ => top
    end.
  Definition level (k : Z) : Z := match vc_at p s k with Some v => level_of v | None => -1 end.

  Lemma level_top k : level k <= top.
  Proof.
    unfold level, top. destruct (vc_at p s k) as [v|]; [|lia]. destruct v as [h|h x c|h]; unfold level_of; unfold top; try lia.
    destruct (rank_of (Link h x c)) as [a|].
    - pose proof (filter_all (below a) (links p s)). lia.
    - destruct (is_ranked e _); lia.
  Qed.

  Lemma level_rises v w a b : In v (links p s) -> rank_of v = Some a -> rank_of w = Some b -> less a b = true -> level_of v < level_of w.
  Proof.
    intros i ea eb lt. destruct v as [|h x k|]; try discriminate. destruct w as [|h' x' k'|]; try discriminate.
    unfold level_of. rewrite ea, eb. enough (length (filter (below a) (links p s)) < length (filter (below b) (links p s)))%nat by lia.
    apply filter_less with (Link h x k); trivial.
    - intros u l. unfold below in *. destruct (rank_of u); [|discriminate]. now apply less_trans with a.
    - unfold below. rewrite ea. apply less_irreflexive.
    - unfold below. now rewrite ea.
  Qed.

  Lemma level_home v : In v (links p s) -> level_of v < top.
  Proof.
    intro i. destruct v as [|h x k|h]; [simpl; unfold top; lia| |exfalso].
    - unfold level_of. destruct (rank_of (Link h x k)) as [a|] eqn:ea.
      + enough (length (filter (below a) (links p s)) < length (filter (fun _ => true) (links p s)))%nat as lt.
        { pose proof (filter_all (fun _ : vc => true) (links p s)). unfold top. lia. }
        apply filter_less with (Link h x k); trivial. unfold below. rewrite ea. apply less_irreflexive.
      + unfold top. destruct (is_ranked e _); lia.
    - unfold links in i. apply in_flat_map in i. destruct i as (y & _ & i). apply in_flat_map in i.
      destruct i as (x & _ & i). apply in_map_iff in i. destruct i as (k & i & _). discriminate.
  Qed.

  Lemma place_value f y h t o y' h' t' o' : form_of_channel p f = true -> v_onto y = v_onto y' -> (forall d, (d < n)%nat -> h d = h' d) ->
    value f (env y h t o) = value f (env y' h' t' o').
  Proof.
    intros a on same. unfold form_of_channel in a. rewrite !andb_true_iff in a. destruct a as [[a b] c].
    transitivity (value f (env y h' t' o')).
    { apply (avoids_form_value _ _ _ _ _ a). intros v q. apply env_ext; trivial; lia. }
    set (z := {| v_old := v_old y'; v_onto := v_onto y; v_far := v_far y |}). transitivity (value f (env z h' t' o')).
    - apply (avoids_form_value _ _ _ _ _ b). intros v q. apply env_values. intros _ [|[|[|i]]] ->; trivial; lia.
    - apply (avoids_form_value _ _ _ _ _ c). intros v q. apply env_values. intros _ [|[|[|i]]] ->; trivial; lia.
  Qed.

  Lemma channel_same f y h t o y' h' t' o' : of_channel p f = true -> v_onto y = v_onto y' -> (forall d, (d < n)%nat -> h d = h' d) ->
    holds (env y h t o) f <-> holds (env y' h' t' o') f.
  Proof.
    intros a on same. unfold of_channel in a. rewrite !andb_true_iff in a. destruct a as [[a b] c].
    transitivity (holds (env y h' t' o') f).
    { apply (avoids_holds _ _ _ _ _ a). intros v q. apply env_ext; trivial; lia. }
    set (z := {| v_old := v_old y'; v_onto := v_onto y; v_far := v_far y |}). transitivity (holds (env z h' t' o') f).
    - apply (avoids_holds _ _ _ _ _ b). intros v q. apply env_values. intros _ [|[|[|i]]] ->; trivial; lia.
    - apply (avoids_holds _ _ _ _ _ c). intros v q. apply env_values. intros _ [|[|[|i]]] ->; trivial; lia.
  Qed.

  Lemma ranks_of_in c y : In y (ranks_of e c) -> In y (ranks e).
  Proof. unfold ranks_of. intro i. now apply filter_In in i. Qed.

  (* If the formula not_rising does not hold, both channels have ranks, and that of the second is greater. *)
  Lemma not_rising_spec a b sub x y0 y1 h0 h t t' o o' : (forall v, moved sub x v = at_hop y0 h0 t o v) -> (forall v, x v = at_hop y1 h t' o' v) ->
    ~ holds x (not_rising e a b sub) ->
    exists u w, rank_at (v_onto y0) h0 a = Some u /\ rank_at (v_onto y1) h b = Some w /\ less u w = true.
  Proof.
    intros from to no. unfold not_rising in no. rewrite disj_spec in no.
    set (x0 := at_hop (hop_to_value (v_onto y0)) h0 h0 h0). set (x1 := at_hop (hop_to_value (v_onto y1)) h h h).
    assert (forall y, In y (ranks e) -> holds x (move sub (rank_when y)) <-> holds x0 (rank_when y)) as whena.
    { intros y i. rewrite move_spec, (holds_ext _ _ _ from). apply channel_same; trivial. now apply (ranks_fine p e wf y). }
    assert (forall y, In y (ranks e) -> holds x (rank_when y) <-> holds x1 (rank_when y)) as whenb.
    { intros y i. rewrite (holds_ext _ _ _ to). apply channel_same; trivial. now apply (ranks_fine p e wf y). }
    destruct (find (fun y => test x0 (rank_when y)) (ranks_of e a)) as [y|] eqn:fa.
    2:{ elim no. eexists. split; [right; left; reflexivity|].
        destruct (neg_spec x (disj (map (fun y => move sub (rank_when y)) (ranks_of e a)))) as [yes|]; trivial. exfalso.
        apply disj_spec in yes. destruct yes as (f & i & yes). apply in_map_iff in i. destruct i as (y & <- & i).
        apply whena in yes; [|now apply ranks_of_in with a]. apply (find_none _ _ fa) in i.
        apply test_spec in yes. congruence. }
    destruct (find (fun y => test x1 (rank_when y)) (ranks_of e b)) as [z|] eqn:fb.
    2:{ elim no. eexists. split; [right; right; left; reflexivity|].
        destruct (neg_spec x (disj (map rank_when (ranks_of e b)))) as [yes|]; trivial. exfalso.
        apply disj_spec in yes. destruct yes as (f & i & yes). apply in_map_iff in i. destruct i as (z & <- & i).
        apply whenb in yes; [|now apply ranks_of_in with b]. apply (find_none _ _ fb) in i.
        apply test_spec in yes. congruence. }
    unfold rank_at. fold x0 x1. cbv zeta. rewrite fa, fb. simpl. eexists. eexists. split; [reflexivity|]. split; [reflexivity|].
    apply find_some in fa, fb. destruct fa as [ia ta], fb as [ib tb]. apply test_spec in ta, tb.
    pose proof (ranks_of_in _ _ ia) as ia'. pose proof (ranks_of_in _ _ ib) as ib'.
    destruct (ranks_fine p e wf y ia') as [_ finea]. destruct (ranks_fine p e wf z ib') as [_ fineb].
    destruct (not_less_spec x (map (move_form sub) (rank_forms y)) (rank_forms z)) as [bad|lt].
    - exfalso. apply no. eexists. split; [left; reflexivity|]. apply disj_spec. eexists. split.
      + apply in_flat_map. exists y. split; [exact ia|]. apply in_map_iff. exists z. split; [reflexivity|exact ib].
      + apply conj_spec. intros f [<-|[<-|[<-|[]]]]; [now apply whena|now apply whenb|exact bad].
    - rewrite map_map in lt.
      rewrite (map_ext_in _ (fun f => value f x0)) in lt.
      + rewrite (map_ext_in (fun f => value f x) (fun f => value f x1)) in lt; [exact lt|].
        intros f i. rewrite (value_ext f x _ (fun v _ => to v)). apply place_value; trivial. now apply fineb.
      + intros f i. rewrite move_form_spec, (value_ext f _ _ (fun v _ => from v)). apply place_value; trivial. now apply finea.
  Qed.

  Lemma escape_output q o : In o (escape_of e q) -> In o (outputs q).
  Proof.
    unfold escape_of. destruct (escape_by e); trivial.
    - intro i. now apply filter_In in i.
    - destruct (outputs q); [trivial|]. simpl. intros [<-|[]]. now left.
    - destruct (rev (outputs q)) as [|y l] eqn:re; [intros []|]. intros [<-|[]]. apply in_rev. rewrite re. now left.
  Qed.

  Lemma escape_ranked q o x h j : In o (escape_of e q) -> toward x = out_dir o -> is_ranked e (class_at h x (to_vc o) j) = true.
  Proof.
    unfold escape_of, is_ranked. intros i wx. destruct (escape_by e); trivial. apply filter_In in i. destruct i as [_ i].
    rewrite heading_at, wx. exact i.
  Qed.

  Lemma link_listed t h x k j : good t (Link h x k) j -> In (Link h x k) (links p s).
  Proof. intros (i & ix & rg & _). now apply link_in. Qed.

  (* The ranks are those of channels, and rise. *)
  Hypothesis ranked : of_packets e = false.

  Lemma rank_obligation a b f : In a (reached e) -> In b (reached e) -> In f (rise p e a b) -> forall x, ~ holds x f.
  Proof.
    intros ia ib i. apply none. unfold obligations, route_obligations. do 3 (apply in_or_app; right). rewrite ranked.
    apply in_flat_map. exists a. split; [exact ia|]. apply in_flat_map. now exists b.
  Qed.

  (* Without detours: a hop of the escape from a channel that is ranked increases the rank. *)
  Lemma rank_rises t h0 x k j h from q o z : detour e = None -> In t places -> good t (Link h0 x k) j ->
    standing p s (Link h0 x k) = Some (h, from) -> delivered h t = false -> In q (runs p s h t from j) -> In o (escape_of e q) ->
    In z (ports_of p s h t o) ->
    is_ranked e (class_at h0 x k 0) = true -> level_of (Link h0 x k) < level_of (Link h z (to_vc o)).
  Proof.
    intros nd it g st no run io iz rk. pose proof (escape_output q o io) as io'.
    set (y := {| v_old := coordinate h0 (fst (toward x)); v_onto := goal z; v_far := 0 |}).
    pose proof (output_good p s e wf none big t _ j h from q it g st no run o z io' iz) as g'.
    pose proof (output_step p s e wf none big t _ j h from q it g st no run o z io' iz y h (escape_of e) eq_refl io) as step.
    pose proof (good_known p s e wf big t _ j h from it g st no y h eq_refl) as kn.
    pose proof (ports_way p s h t o z iz) as wz.
    pose proof g as (i0 & ix & rg & tl & d0 & a & fa & _). destruct g' as (_ & _ & _ & _ & _ & b & fb & _).
    pose proof (port_axis p s x ix) as lt.
    unfold target_class in step. simpl Invariants.entry_of in kn, step. rewrite fa in kn, step. simpl class_of in step.
    destruct (find_entry_spec _ _ _ fa) as [ia ea]. destruct (find_entry_spec _ _ _ fb) as [ib eb].
    simpl in st. injection st as <- <-.
    destruct (not_rising_spec (packets a) (packets b) (to_tail p (heading (packets a)) (wrap (packets a))) (at_hop y (forward h0 x) t (forward h0 x))
      (before y x) y h0 (forward h0 x) t t (forward h0 x) (forward h0 x)) as (u & w & eu & ew & lss).
    - intro v. rewrite ea, heading_at. now apply moved_back with (e := e).
    - reflexivity.
    - intro bad. apply (rank_obligation a b (conj [known_of p e (Some a); step_by p e (marks p (Some (packets a))) (packets b) (escape_of e);
        not_rising e (packets a) (packets b) (to_tail p (heading (packets a)) (wrap (packets a)))]) ia ib) with (x := at_hop y (forward h0 x) t (forward h0 x)).
      + unfold rise. rewrite ea. change (is_ranked e (class_at h0 x k j)) with (is_ranked e (class_at h0 x k 0)). rewrite rk, nd.
        now left.
      + apply conj_holds. intros f [<-|[<-|[<-|[]]]]; trivial. now rewrite eb.
    - cbn [before v_onto y] in eu, ew. apply level_rises with u w; trivial.
      + now apply (link_listed t h0 x k j).
      + unfold rank_of. rewrite rk. rewrite ea in eu. exact eu.
      + unfold rank_of. rewrite (escape_ranked q o z _ 0 io wz). rewrite eb in ew. exact ew.
  Qed.

  Definition escapes (d : Z) (a b : state) : Prop := In b (hops_by p s (escape_of e) d a).

  Definition state_dec (a b : state) : {a = b} + {a <> b}.
  Proof. decide equality; apply Z.eq_dec. Defined.

  Lemma escapes_inv d a t v b : place_at p s d = Some t -> vc_at p s (fst a) = Some v -> escapes d a b ->
    exists h from, standing p s v = Some (h, from) /\
      ((delivered h t = true /\ b = home p s h) \/
       (delivered h t = false /\ exists q, In q (runs p s h t from (snd a)) /\
         ((ejects q = true /\ b = home p s h) \/ exists o x, In o (escape_of e q) /\ In x (ports_of p s h t o) /\ b = onto p s h o x))).
  Proof.
    intros et ev i. unfold escapes, hops_by in i. rewrite et, ev in i. destruct (standing p s v) as [[h from]|]; [|destruct i].
    exists h, from. split; trivial. unfold out_of in i. destruct (delivered h t).
    - left. split; trivial. destruct i as [<-|[]]. trivial.
    - right. split; trivial. apply in_flat_map in i. destruct i as (q & iq & i). exists q. split; [exact iq|].
      apply in_app_or in i. destruct i as [i|i].
      + right. now apply in_all_onto in i.
      + left. destruct (ejects q); [|destruct i]. destruct i as [<-|[]]. auto.
  Qed.

  Lemma out_of_in some h t from k q b : delivered h t = false -> In q (runs p s h t from k) ->
    (ejects q = true /\ b = home p s h) \/ (exists o x, In o (some q) /\ In x (ports_of p s h t o) /\ b = onto p s h o x) -> In b (out_of p s some h t from k).
  Proof.
    intros no run c. unfold out_of. rewrite no. apply in_flat_map. exists q. split; [exact run|]. apply in_or_app.
    destruct c as [[ej ->]|c].
    - right. rewrite ej. now left.
    - left. now apply in_all_onto.
  Qed.

  Lemma escapes_hop d a b : escapes d a b -> In b (hops r d a).
  Proof.
    intro i. cbn. unfold escapes, hops_by in *. destruct (place_at p s d) as [t|]; trivial. destruct (vc_at p s (fst a)) as [v|]; trivial.
    destruct (standing p s v) as [[h from]|]; trivial. unfold out_of in *. destruct (delivered h t); trivial.
    apply in_flat_map in i. destruct i as (q & iq & i). apply in_flat_map. exists q. split; [exact iq|].
    apply in_app_or in i. apply in_or_app. destruct i as [i|i]; [left|now right].
    apply in_all_onto in i. destruct i as (o & x & io & ix & ->). apply in_all_onto. exists o, x. split; [now apply escape_output|now split].
  Qed.

  (* Each packet with next hops has one of the escape. *)
  Lemma escape_exists d a : reachable r d a -> hops r d a <> [] -> exists b, In b (hops r d a) /\ escapes d a b.
  Proof.
    intros rs more. enough (exists b, escapes d a b) as [b h] by (exists b; split; [now apply escapes_hop|exact h]).
    destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
    destruct (hops r d a) as [|b l] eqn:eh; [easy|]. assert (In b (hops r d a)) as i by (rewrite eh; now left).
    destruct (hops_inv p s d a t v b et ev i) as (h & from & st & [[yes _]|(no & q & run & c)]).
    - exists (home p s h). unfold escapes, hops_by, out_of. rewrite et, ev, st, yes. now left.
    - assert (In t places) as it by now apply (place_at_in p s d).
      assert (forall b, (ejects q = true /\ b = home p s h) \/ (exists o x, In o (escape_of e q) /\ In x (ports_of p s h t o) /\ b = onto p s h o x) ->
        escapes d a b) as ok.
      { intros b' c'. unfold escapes, hops_by. rewrite et, ev, st. now apply out_of_in with q. }
      destruct (with_escape e) eqn:we.
      + destruct (run_escape p s e wf none big t v (snd a) h from q it g st no run (escape_output q) we) as [ej|(o & x & io & ix)].
        * exists (home p s h). apply ok. now left.
        * exists (onto p s h o x). apply ok. right. now exists o, x.
      + exists b. apply ok. destruct c as [c|(o & x & io & ix & ->)]; [now left|]. right. exists o, x. split; [|now split].
        unfold with_escape in we. unfold escape_of. destruct (escape_by e); trivial; discriminate.
  Qed.

  Lemma level_home_of h : In h places -> level (fst (home p s h)) = top.
  Proof. intro i. unfold level. cbn [home fst]. now rewrite eject_vc. Qed.

  Lemma level_onto h o x : In h places -> In x (ports p s) -> 0 <= to_vc o < lanes p ->
    level (fst (onto p s h o x)) = level_of (Link h x (to_vc o)).
  Proof. intros i lt rg. unfold level. cbn [onto fst]. now rewrite link_vc. Qed.

  Lemma level_ranked h o x q : In o (escape_of e q) -> toward x = out_dir o -> 0 <= level_of (Link h x (to_vc o)).
  Proof.
    intros io wx. unfold level_of. destruct (rank_of (Link h x (to_vc o))); [lia|]. now rewrite (escape_ranked q o x h 0 io wx).
  Qed.

  (* Hops of the escape lead to channels with a level. *)
  Lemma escape_level d (a b : state) : reachable r d a -> escapes d a b -> 0 <= level (fst b).
  Proof.
    intros rs i. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
    destruct (escapes_inv d a t v b et ev i) as (h & from & st & c).
    assert (In t places) as it by now apply (place_at_in p s d).
    assert (In h places) as ih by now apply (standing_in p s e t v (snd a) h from).
    assert (0 <= top) as up by (unfold top; lia).
    destruct c as [[_ ->]|(no & q & run & [[_ ->]|(o & x & io & ix & ->)])]; try (now rewrite level_home_of).
    destruct (output_tail p s e wf none big t v (snd a) h from q it g st no run o x (escape_output q o io) ix) as (lt & rg & _).
    rewrite level_onto by trivial. apply level_ranked with q; trivial. now apply ports_way in ix.
  Qed.

  Lemma level_inject h : level_of (Inject h) = -1.
  Proof. reflexivity. Qed.

  (* A VC that is not an ejection VC has a level below that of ejection. *)
  Lemma level_standing t v j h from : good t v j -> standing p s v = Some (h, from) -> level_of v < top.
  Proof.
    intros g st. destruct v as [h0|h0 x k|h0]; [simpl; unfold top; lia| |discriminate]. apply level_home. now apply (link_listed t h0 x k j).
  Qed.

  Lemma level_at (a : state) v : vc_at p s (fst a) = Some v -> level (fst a) = level_of v.
  Proof. unfold level. now intros ->. Qed.

  (* Without detours: each hop of the escape increases the level. *)
  Lemma escape_rises_level d (a b : state) : detour e = None -> reachable r d a -> escapes d a b -> level (fst a) < level (fst b).
  Proof.
    intros nd rs i. pose proof (escape_level d a b rs i) as pos.
    destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g). rewrite (level_at a v ev).
    destruct (escapes_inv d a t v b et ev i) as (h & from & st & c).
    assert (In t places) as it by now apply (place_at_in p s d).
    assert (In h places) as ih by now apply (standing_in p s e t v (snd a) h from).
    pose proof (level_standing t v (snd a) h from g st) as lt_top.
    destruct c as [[_ ->]|(no & q & run & [[_ ->]|(o & x & io & ix & ->)])]; try (now rewrite level_home_of).
    destruct (output_tail p s e wf none big t v (snd a) h from q it g st no run o x (escape_output q o io) ix) as (lt & rg & _).
    rewrite level_onto in * by trivial. destruct v as [h0|h0 z k|]; [rewrite level_inject; lia| |discriminate].
    destruct (is_ranked e (class_at h0 z k 0)) eqn:rk.
    - now apply (rank_rises t h0 z k (snd a) h from q o).
    - unfold level_of at 1. unfold rank_of. rewrite rk. lia.
  Qed.

  Theorem levels_rise : detour e = None -> rises r level.
  Proof.
    intros nd d a rs more. destruct (escape_exists d a rs more) as (b & i & esc). exists b. split; [exact i|].
    now apply (escape_rises_level d).
  Qed.

  (* Without an escape every hop is one of the escape. *)
  Theorem all_rise d (a b : state) : with_escape e = false -> detour e = None -> reachable r d a -> In b (hops r d a) -> level (fst a) < level (fst b).
  Proof.
    intros we nd rs i. apply (escape_rises_level d a b nd rs). unfold escapes. cbn in i.
    replace (hops_by p s (escape_of e) d a) with (hops_by p s outputs d a); [exact i|].
    unfold hops_by, out_of. destruct (place_at p s d); trivial. destruct (vc_at p s (fst a)) as [v|]; trivial.
    destruct (standing p s v) as [[h from]|]; trivial. destruct (delivered h p0); trivial.
    apply flat_map_ext. intro q. unfold escape_of. unfold with_escape in we. destruct (escape_by e); trivial; discriminate.
  Qed.
End Rising.
