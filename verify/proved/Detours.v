(* This file proves that an escape with detours is an escape as Worms.v defines it: the level rises from a channel of the
   escape to the next one, after any number of hops outside of the escape. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Queues Worms Formulas Refute Sizes Networks Invariants Rising.
Import ListNotations.
Open Scope Z_scope.

Section Detours.
  Variable p : program.
  Variable s : nat -> Z.
  Variable e : evidence.
  Hypothesis wf : well_formed p e = true.
  Hypothesis none : forall f, In f (obligations p e) -> forall x, ~ holds x f.
  Hypothesis big : allowed p s.
  Hypothesis ranked : of_packets e = false.
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
  Notation level := (level p s e).
  Notation level_of := (level_of p s e).
  Notation escapes := (escapes p s e).

  (* Each class is in a group of classes whose packets take the same paths. *)
  Lemma put_group_spec k a l : (exists g, In g (put_group k a l) /\ fst g = k /\ In a (snd g)) /\
    forall g, In g l -> exists g', In g' (put_group k a l) /\ fst g' = fst g /\ incl (snd g) (snd g').
  Proof.
    induction l as [|x l [IH1 IH2]]; cbn [put_group].
    - split; [|intros g []]. exists (k, [a]). split; [now left|]. split; [trivial|now left].
    - unfold same_marks. destruct (list_eq_dec bool_dec k (fst x)) as [->|no].
      + split.
        * exists (fst x, snd x ++ [a]). split; [now left|]. split; [trivial|]. apply in_or_app. right. now left.
        * intros g [<-|i]; [|exists g; split; [now right|split; [trivial|apply incl_refl]]].
          exists (fst x, snd x ++ [a]). split; [now left|]. split; [trivial|]. now apply incl_appl, incl_refl.
      + split.
        * destruct IH1 as (g & i & h). exists g. split; [now right|exact h].
        * intros g [<-|i]; [exists x; split; [now left|split; [trivial|apply incl_refl]]|].
          destruct (IH2 g i) as (g' & i' & h). exists g'. split; [now right|exact h].
  Qed.

  Lemma groups_spec a : In a (reached e) -> exists g, In g (groups p e) /\ fst g = marks p (Some (packets a)) /\ In a (snd g).
  Proof.
    unfold groups. intro i.
    enough (forall l m, (In a l \/ exists g, In g m /\ fst g = marks p (Some (packets a)) /\ In a (snd g)) ->
      exists g, In g (fold_left (fun m b => put_group (marks p (Some (packets b))) b m) l m) /\ fst g = marks p (Some (packets a)) /\ In a (snd g)) as all.
    { apply all. now left. }
    clear i. induction l as [|b l IH]; intros m h.
    - destruct h as [[]|h]. exact h.
    - simpl. apply IH. destruct (put_group_spec (marks p (Some (packets b))) b m) as [new old].
      destruct h as [[->|h]|(g & i & f & j)].
      + right. exact new.
      + now left.
      + right. destruct (old g i) as (g' & i' & f' & sub). exists g'. split; [exact i'|]. split; [congruence|now apply sub].
  Qed.

  Section Hop.
    Variables (t h0 : place) (x0 : port) (k0 : Z) (j : Z) (q : path) (o : output) (x : port).
    Let v := Link h0 x0 k0.
    Let h := forward h0 x0.
    Hypothesis it : In t places.
    Hypothesis gd : good t v j.
    Hypothesis no : delivered h t = false.
    Hypothesis run : In q (runs p s h t (Some (toward x0, k0)) j).
    Hypothesis io : In o (outputs q).
    Hypothesis ix : In x (ports_of p s h t o).

    Lemma hop_to_holds z y : v_old z = coordinate h0 (fst (toward x0)) -> v_onto z = goal x ->
      holds (at_hop z h t y) (hop_to p e (class_at h x (to_vc o) (to_header o))).
    Proof.
      intros old on. pose proof gd as (i0 & lt & rg & tl & d0 & a & fa & _). destruct (find_entry_spec _ _ _ fa) as [ia ea].
      destruct (groups_spec a ia) as (g & ig & eg & ag).
      unfold hop_to. apply disj_spec. eexists. split; [apply in_map_iff; exists g; split; [reflexivity|exact ig]|].
      apply conj_two. split.
      - rewrite eg. pose proof (output_step p s e wf none big t v j h _ q it gd eq_refl no run o x io ix z y outputs on io) as step.
        unfold target_class in step. simpl Invariants.entry_of in step. rewrite fa in step. exact step.
      - apply disj_spec. exists (invariant p e (Some a)). split; [apply in_map_iff; exists a; now split|].
        destruct (good_invariant p s e wf t v j h _ it gd eq_refl no) as (_ & inv & _).
        simpl Invariants.entry_of in inv. rewrite fa in inv. now apply inv.
    Qed.
  End Hop.

  Variable cl : list formula.
  Hypothesis some_detour : detour e = Some cl.

  Lemma set_escape : escape_by e = Escape_set.
  Proof.
    unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as [_ [[a _] _]]. rewrite some_detour in a.
    destruct (escape_by e); trivial; discriminate.
  Qed.

  Lemma clauses_are : clauses e = cl.
  Proof. unfold clauses. now rewrite some_detour. Qed.

  Lemma clause_same c y y' h t o : In c cl -> holds (at_hop y h t o) c <-> holds (at_hop y' h t o) c.
  Proof.
    intro i. apply no_hop_same. unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as [_ [[_ a] _]].
    rewrite forallb_forall in a. apply a. now rewrite clauses_are.
  Qed.

  Lemma detour_obligation f : In f (detour_obligations p e) -> forall x, ~ holds x f.
  Proof.
    intro i. apply none. unfold obligations, route_obligations. rewrite some_detour. apply in_or_app. right. apply in_or_app. right. apply in_or_app. now left.
  Qed.

  (* The clauses hold before the first hop. *)
  Lemma clauses_start h t : In h places -> In t places -> delivered h t = false -> forall c, In c cl -> holds (at_places h t h) c.
  Proof.
    intros ih it no. apply conj_spec.
    destruct (neg_spec (at_places h t h) (move (other_here p) (conj cl))) as [yes|bad].
    - apply move_spec in yes. revert yes. apply holds_ext. intro v. unfold moved, other_here.
      destruct (Nat.leb_spec (2 * n) v), (Nat.ltb_spec v (3 * n)); cbn [andb]; try now rewrite variable_spec.
      unfold Networks.at_places. rewrite value_here by lia. unfold Networks.env.
      destruct (Nat.ltb_spec v n), (Nat.ltb_spec v (2 * n)), (Nat.ltb_spec v (3 * n)); try lia.
    - exfalso. apply (detour_obligation (conj [domain p; neg (move (other_here p) (conj (clauses e)))])) with (x := at_places h t h).
      + now left.
      + rewrite clauses_are. apply conj_two. split; [now apply (domain_holds p s e wf big)|exact bad].
  Qed.

  (* A hop outside of the escape keeps them. *)
  Lemma clauses_hop t h0 x0 k0 j q o x y : let h := forward h0 x0 in In t places -> good t (Link h0 x0 k0) j -> delivered h t = false ->
    In q (runs p s h t (Some (toward x0, k0)) j) -> In o (outputs q) -> In x (ports_of p s h t o) -> in_set e (out_dir o) (to_vc o) = false -> In y places ->
    delivered (forward h x) t = false -> (forall c, In c cl -> holds (at_places h t y) c) ->
    forall c, In c cl -> holds (at_places (forward h x) t y) c.
  Proof.
    intros h it gd no run io ix out iy no' all c ic.
    pose proof (output_good p s e wf none big t _ j h _ q it gd eq_refl no run o x io ix) as g'.
    destruct (output_tail p s e wf none big t _ j h _ q it gd eq_refl no run o x io ix) as (ip & rg & tl).
    pose proof (port_axis p s x ip) as lt. pose proof (ports_way p s h t o x ix) as wx.
    set (z := {| v_old := coordinate h0 (fst (toward x0)); v_onto := goal x; v_far := 0 |}).
    assert (In h places) as ih by now apply (standing_in p s e t (Link h0 x0 k0) j h (Some (toward x0, k0))).
    pose proof g' as (_ & _ & _ & _ & _ & b & fb & _). destruct (find_entry_spec _ _ _ fb) as [ib eb].
    assert (heading (packets b) = toward x) as hd by (rewrite eb; apply heading_at).
    assert (wrap (packets b) = wraps h x) as wr by now rewrite eb.
    assert (lane (packets b) = to_vc o) as ln by now rewrite eb.
    assert (forall v, moved (to_head p (toward x) (wraps h x)) (at_hop z h t y) v = at_hop (after z (coordinate h) x) (forward h x) t y v) as mv.
    { intro v. now apply moved_forward with (e := e). }
    apply (clause_same c no_values (after z (coordinate h) x) (forward h x) t y ic).
    destruct (neg_spec (at_hop z h t y) (move (to_head p (heading (packets b)) (wrap (packets b))) c)) as [yes|bad].
    - apply move_spec in yes. revert yes. rewrite hd, wr. now apply holds_ext.
    - exfalso. apply (detour_obligation (conj [domain p; on_grid p (other p); conj (clauses e);
        conj [hop_to p e (packets b); move (to_head p (heading (packets b)) (wrap (packets b))) (undelivered p)];
        neg (move (to_head p (heading (packets b)) (wrap (packets b))) c)])) with (x := at_hop z h t y).
      + unfold detour_obligations. right. apply in_flat_map. exists b. split; [exact ib|].
        unfold is_ranked. rewrite set_escape, hd, wx, ln, out. apply in_map_iff. exists c. split; [reflexivity|]. now rewrite clauses_are.
      + rewrite clauses_are. apply conj_holds. intros f [<-|[<-|[<-|[<-|[<-|[]]]]]].
        * now apply (domain_holds p s e wf big).
        * now apply on_grid_other.
        * apply conj_spec. intros g ig. apply (clause_same g z no_values h t y ig). now apply all.
        * apply conj_two. split.
          -- rewrite eb. now apply (hop_to_holds t h0 x0 k0 j q o x it gd no run io ix).
          -- apply move_spec. rewrite hd, wr. apply (holds_ext _ _ _ mv).
             apply undelivered_holds; trivial; apply (place_length p s); trivial. now apply forward_in.
        * exact bad.
  Qed.

  (* The channel of the escape that is requested first. *)
  Section From.
    Variables (t hs : place) (xs : port) (ks js : Z).
    Let y := forward hs xs.
    Hypothesis it : In t places.
    Hypothesis gs : good t (Link hs xs ks) js.
    Hypothesis ranked_ : is_ranked e (class_at hs xs ks 0) = true.
    Hypothesis nos : delivered y t = false.

    Lemma detour_rises h0 x0 k0 j q o x : let h := forward h0 x0 in good t (Link h0 x0 k0) j -> delivered h t = false ->
      In q (runs p s h t (Some (toward x0, k0)) j) -> In o (escape_of e q) -> In x (ports_of p s h t o) ->
      (forall c, In c cl -> holds (at_places h t y) c) ->
      level_of (Link hs xs ks) < level_of (Link h x (to_vc o)).
    Proof.
      intros h gd no run esc ix all. pose proof (escape_output e q o esc) as io.
      pose proof (output_good p s e wf none big t _ j h _ q it gd eq_refl no run o x io ix) as g'.
      pose proof (ports_way p s h t o x ix) as wx.
      assert (In h places) as ih by now apply (standing_in p s e t (Link h0 x0 k0) j h (Some (toward x0, k0))).
      assert (In y places) as iy by now apply (standing_in p s e t (Link hs xs ks) js y (Some (toward xs, ks))).
      pose proof g' as (_ & _ & _ & _ & _ & b & fb & _). destruct (find_entry_spec _ _ _ fb) as [ib eb].
      pose proof gs as (is_ & ips & rgs & tls & ds & a & fa & _). destruct (find_entry_spec _ _ _ fa) as [ia ea].
      pose proof (port_axis p s xs ips) as lts.
      set (z := {| v_old := coordinate h0 (fst (toward x0)); v_onto := goal x; v_far := coordinate hs (fst (toward xs)) |}).
      set (zo := {| v_old := v_far z; v_onto := v_onto z; v_far := v_far z |}).
      set (zs := {| v_old := v_old z; v_onto := goal xs; v_far := v_far z |}).
      set (sub := fun v => if Nat.ltb v n || (complete p && Nat.eqb v (S (hop_variable p)))
        then move_form (to_other p) (to_tail p (heading (packets a)) (wrap (packets a)) v) else variable v).
      assert (forall v, moved (to_other p) (at_hop z h t y) v = at_hop zo y t y v) as mo.
      { intro v. unfold moved, to_other. unfold Networks.at_hop. destruct (Nat.ltb_spec v n) as [l|l].
        - now rewrite value_other, env_here.
        - destruct (complete p) eqn:cp; cbn [andb].
          + destruct (Nat.eqb_spec v (hop_variable p)) as [->|ne].
            * rewrite value_far by exact cp. rewrite <- (Nat.add_0_r (hop_variable p)). now rewrite env_hop.
            * rewrite variable_spec. rewrite (env_values p s z zo); [|intros _ [|[|[|i]]] ->; trivial; lia].
              unfold Networks.env. now destruct (Nat.ltb_spec v n); [lia|].
          + rewrite variable_spec. rewrite (env_values p s z zo) by (intro bad; congruence).
            unfold Networks.env. now destruct (Nat.ltb_spec v n); [lia|]. }
      assert (forall v, moved sub (at_hop z h t y) v = at_hop zs hs t y v) as ms.
      { assert (forall v, value (move_form (to_other p) (to_tail p (heading (packets a)) (wrap (packets a)) v)) (at_hop z h t y) =
          at_hop (before zo xs) hs t y v) as back_.
        { intro v. rewrite move_form_spec, (value_ext _ _ _ (fun v _ => mo v)). rewrite ea, heading_at.
          exact (moved_back p s e wf zo hs (coordinate t) (coordinate y) xs v lts tls eq_refl). }
        intro v. unfold moved, sub. destruct (Nat.ltb_spec v n) as [l|l]; cbn [orb].
        - rewrite back_. unfold Networks.at_hop. now rewrite !env_here.
        - destruct (complete p) eqn:cp; cbn [andb].
          + destruct (Nat.eqb_spec v (S (hop_variable p))) as [->|ne].
            * rewrite back_. unfold Networks.at_hop. rewrite <- Nat.add_1_r. now rewrite !env_hop.
            * rewrite variable_spec. unfold Networks.at_hop. rewrite (env_values p s z zs); [|intros _ [|[|[|i]]] ->; trivial; lia].
              unfold Networks.env. now destruct (Nat.ltb_spec v n); [lia|].
          + rewrite variable_spec. unfold Networks.at_hop. rewrite (env_values p s z zs) by (intro bad; congruence).
            unfold Networks.env. now destruct (Nat.ltb_spec v n); [lia|]. }
      destruct (not_rising_spec p s e wf (packets a) (packets b) sub (at_hop z h t y) zs z hs h t t y y ms (fun v => eq_refl)) as (u & w & eu & ew & lss).
      - intro bad. apply (rank_obligation p e none ranked a b (conj [domain p; move (to_other p) (domain p); move (to_other p) (invariant p e (Some a));
          conj (clauses e); hop_to p e (packets b); not_rising e (packets a) (packets b) sub]) ia ib) with (x := at_hop z h t y).
        + unfold rise. rewrite some_detour. rewrite ea, eb. change (is_ranked e (class_at hs xs ks js)) with (is_ranked e (class_at hs xs ks 0)).
          rewrite ranked_. rewrite (escape_ranked p s e q o x h _ esc wx). cbn [negb]. left. unfold sub. now rewrite ea.
        + rewrite clauses_are. apply conj_holds. intros f [<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]].
          * now apply (domain_holds p s e wf big).
          * apply move_spec. apply (holds_ext _ _ _ mo). now apply (domain_holds p s e wf big).
          * apply move_spec. apply (holds_ext _ _ _ mo).
            destruct (good_invariant p s e wf t _ js y _ it gs eq_refl nos) as (_ & inv & _).
            simpl Invariants.entry_of in inv. rewrite fa in inv. now apply inv.
          * apply conj_spec. intros g ig. apply (clause_same g z no_values h t y ig). now apply all.
          * rewrite eb. now apply (hop_to_holds t h0 x0 k0 j q o x it gd no run io ix).
          * exact bad.
      - cbn [v_onto zs z] in eu, ew. apply level_rises with u w; trivial.
        + now apply (link_listed p s e t hs xs ks js).
        + unfold rank_of. rewrite ranked_. rewrite ea in eu. exact eu.
        + unfold rank_of. rewrite (escape_ranked p s e q o x _ 0 esc wx). rewrite eb in ew. exact ew.
    Qed.

    Lemma home_escapes d a h from v : place_at p s d = Some t -> vc_at p s (fst a) = Some v -> standing p s v = Some (h, from) ->
      In (home p s h) (hops r d a) -> escapes d a (home p s h) \/ exists q o x, In q (runs p s h t from (snd a)) /\ In o (outputs q) /\
        In x (ports_of p s h t o) /\ home p s h = onto p s h o x.
    Proof.
      intros et ev st i. destruct (hops_inv p s d a t v _ et ev i) as (h' & from' & st' & c).
      rewrite st in st'. injection st' as <- <-. unfold Rising.escapes, hops_by. rewrite et, ev, st.
      destruct c as [[yes _]|(no & q & run & [[ej _]|(o & x & io & ix & eo)])].
      - left. unfold out_of. rewrite yes. now left.
      - left. apply out_of_in with q; trivial. now left.
      - right. now exists q, o, x.
    Qed.

    Lemma level_end h : In h places -> level_of (Link hs xs ks) < level (fst (home p s h)).
    Proof. intro i. rewrite level_home_of by trivial. now apply (level_standing p s e t (Link hs xs ks) js y (Some (toward xs, ks))). Qed.

    Lemma asks_rise d a c : asks r escapes d a c -> place_at p s d = Some t ->
      forall h0 x0 k0, vc_at p s (fst a) = Some (Link h0 x0 k0) -> good t (Link h0 x0 k0) (snd a) ->
      (delivered (forward h0 x0) t = false -> forall f, In f cl -> holds (at_places (forward h0 x0) t y) f) ->
      level_of (Link hs xs ks) < level (fst c).
    Proof.
      intro ask. induction ask as [a c i esc|a b c i nesc ask IH]; intros et h0 x0 k0 ev gd all;
        assert (In (forward h0 x0) places) as ih by now apply (standing_in p s e t (Link h0 x0 k0) (snd a) _ (Some (toward x0, k0))).
      - destruct (escapes_inv p s e d a t _ c et ev esc) as (h & from & st & cs). simpl in st. injection st as <- <-.
        destruct cs as [[_ ->]|(no & q & run & [[_ ->]|(o & x & io & ix & ->)])]; try now apply level_end.
        pose proof (escape_output e q o io) as io'.
        destruct (output_tail p s e wf none big t _ (snd a) (forward h0 x0) _ q it gd eq_refl no run o x io' ix) as (lt & rg & _).
        rewrite level_onto by trivial. now apply (detour_rises h0 x0 k0 (snd a) q o x gd no run io ix (all no)).
      - destruct (hops_inv p s d a t _ b et ev i) as (h & from & st & cs). simpl in st. injection st as <- <-.
        destruct cs as [[yes ->]|(no & q & run & [[ej ->]|(o & x & io & ix & ->)])].
        + elim nesc. unfold Rising.escapes, hops_by. rewrite et, ev. cbn [standing]. unfold out_of. rewrite yes. now left.
        + elim nesc. unfold Rising.escapes, hops_by. rewrite et, ev. cbn [standing]. apply out_of_in with q; trivial. now left.
        + destruct (output_tail p s e wf none big t _ (snd a) (forward h0 x0) _ q it gd eq_refl no run o x io ix) as (lt & rg & _).
          apply (IH et (forward h0 x0) x (to_vc o)).
          * now apply link_vc.
          * now apply (output_good p s e wf none big t _ (snd a) (forward h0 x0) _ q it gd eq_refl no run o x io ix).
          * intros no' f jf. apply (clauses_hop t h0 x0 k0 (snd a) q o x y); trivial.
            -- destruct (in_set e (out_dir o) (to_vc o)) eqn:ins; trivial. elim nesc.
               unfold Rising.escapes, hops_by. rewrite et, ev. cbn [standing]. apply out_of_in with q; trivial. right. exists o, x.
               split; [|now split]. unfold escape_of. rewrite set_escape. apply filter_In. now split.
            -- now apply (standing_in p s e t (Link hs xs ks) js y (Some (toward xs, ks))).
            -- now apply all.
    Qed.
  End From.

  Theorem detour_order : escape_order r escapes level.
  Proof.
    split; [|split; [|split]].
    - intros d a b. unfold Rising.escapes. destruct (in_dec state_dec b (hops_by p s (escape_of e) d a)); auto.
    - intros d a rs more. now apply escape_exists.
    - intros d a b rs i esc. now apply (escape_level p s e wf none big d a b).
    - intros d a c rs pos ask. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
      assert (In t places) as it by now apply (place_at_in p s d).
      rewrite (level_at p s e a v ev) in *. destruct v as [h0|h0 x0 k0|h0].
      + simpl in pos. lia.
      + assert (In (forward h0 x0) places) as ih by now apply (standing_in p s e t (Link h0 x0 k0) (snd a) _ (Some (toward x0, k0))).
        destruct (delivered (forward h0 x0) t) eqn:yes.
        * assert (forall b, In b (hops r d a) -> b = home p s (forward h0 x0)) as only.
          { intros b i. destruct (hops_inv p s d a t _ b et ev i) as (h & from & st & cs). simpl in st. injection st as <- <-.
            destruct cs as [[_ ->]|(no & _)]; [trivial|congruence]. }
          assert (level (fst c) = top p s); [|rewrite H; now apply (level_standing p s e t _ (snd a) (forward h0 x0) (Some (toward x0, k0)))].
          destruct ask as [c i esc|b c i nesc ask].
          -- rewrite (only _ i). now apply level_home_of.
          -- elim nesc. rewrite (only _ i). unfold Rising.escapes, hops_by. rewrite et, ev. cbn [standing]. unfold out_of. rewrite yes. now left.
        * apply (asks_rise t h0 x0 k0 (snd a)) with (d := d) (a := a) (h0 := h0) (x0 := x0) (k0 := k0); trivial.
          -- unfold Rising.level_of in pos. destruct (is_ranked e (class_at h0 x0 k0 0)) eqn:rk; trivial. exfalso.
             unfold rank_of in pos. rewrite rk in pos. lia.
          -- intros _. now apply clauses_start.
      + exfalso. assert (hops r d a = []) as no. { cbn. unfold hops_by. now rewrite et, ev. }
        destruct ask as [c i|b c i]; rewrite no in i; destruct i.
  Qed.
End Detours.
