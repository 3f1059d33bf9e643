(* This file finds the paths of a program from its syntax tree: the alternatives of its runs, with the conditions under which a
   packet takes them.

   An alternative is left out if a proof shows that no packet takes it. Such proofs are in the list of numbers of the
   certificate: 1 for an alternative that is kept, or 0 and a proof. The order is that of verify/cert/everysize/run.go: depth first.

   Promise (explore_sound): at each point of the domain, the paths that a packet takes have the result of the run there, and
   there is such a path. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Refute Sizes Networks Language Meaning Invariants.
Import ListNotations.
Open Scope Z_scope.

Inductive found (A : Type) := Found (a : A) | Wrong_proof | Not_covered.
Arguments Found {A}. Arguments Wrong_proof {A}. Arguments Not_covered {A}.

(* What a run has read of the packet. *)
Record seen := { saw_direction : option (option direction); saw_vc : option Z; saw_header : option Z }.
Definition nothing_seen : seen := {| saw_direction := None; saw_vc := None; saw_header := None |}.

(* A path with a result. none: the run ended by a mistake. *)
Record track (A : Type) := { when_ : list formula; saw : seen; gives : option A }.
Arguments when_ {A}. Arguments saw {A}. Arguments gives {A}.

Lemma nth_error_Some_lt {A} (l : list A) i x : nth_error l i = Some x -> (i < length l)%nat.
Proof. intro e. apply nth_error_Some. congruence. Qed.

Fixpoint rests (f : form) (m : Z) (k : nat) (i : Z) : list formula :=
  match k with O => [] | S k => divides m (shift f (- i)) :: rests f m k (i + 1) end.

Section Paths.
  Variable w : world.
  Notation p := (base w).

  (* The conditions of the answers to a question. *)
  Definition ways (q : question) : list formula :=
    match q with
    | Holds f => [f; neg f]
    | Sign f => [equal f (number 0); at_least (shift f (-1)); at_least (plus [-1] f (-1))]
    | Rest f k => rests f (Z.of_nat (S k)) (S k) 0
    | Wrapped x => [is_head p x false; is_head p x true]
    end.

  Definition is_fine (q : question) : bool := match q with Wrapped x => negb (has_axes p || complete p) &&
    Nat.ltb (fst x) (dims p) | Holds f => is_plain f | _ => true end.

  Definition variables_of : nat := all_variables p.

  (* Reads which ways are possible, together with what is known. *)
  Fixpoint possible (known : formula -> formula) (l : list formula) (t : list Z) : option (list bool * list Z) :=
    match l with
    | [] => Some ([], t)
    | x :: l =>
        let f := known x in
        let this :=
          if is_false f then Some (false, t) else if is_true x then Some (true, t) else
          match t with
          | 0 :: t => match refute variables_of f t with Some t => Some (false, t) | None => None end
          | 1 :: t => Some (true, t)
          | _ => None
          end in
        match this with
        | Some (b, t) => match possible known l t with Some (r, t) => Some (b :: r, t) | None => None end
        | None => None
        end
    end.

  Definition opened (l : list bool) : list nat := map snd (filter fst (combine l (seq 0 (length l)))).

  (* What is known of packets beside the domain: the place of a packet that came over a channel without wraparound. *)
  Definition facts (n : seen) : formula :=
    match saw_direction n with Some (Some x) => if ring p (fst x) || complete p then always else is_head p x false | _ => always end.
  Definition known (n : seen) (g : list formula) (x : formula) : formula := conj [domain p; facts n; conj g; x].

  Section Explore.
    Context {A : Type}.

    (* Calls f for each element of a list, and joins the paths. *)
    Definition each_of {B} (f : B -> list Z -> found (list (track A) * list Z)) : list B -> list Z -> found (list (track A) * list Z) :=
      fix go l t :=
        match l with
        | [] => Found ([], t)
        | x :: l =>
            match f x t with
            | Found (a, t) => match go l t with Found (b, t) => Found (a ++ b, t) | o => o end
            | o => o
            end
        end.

    Definition see_direction (n : seen) x : seen := {| saw_direction := Some x; saw_vc := saw_vc n; saw_header := saw_header n |}.
    Definition see_vc (n : seen) k : seen := {| saw_direction := saw_direction n; saw_vc := Some k; saw_header := saw_header n |}.
    Definition see_header (n : seen) k : seen := {| saw_direction := saw_direction n; saw_vc := saw_vc n; saw_header := Some k |}.
    Definition lists_directions (n : seen) : list (option direction) :=
      (match saw_vc n with Some k => if 0 <? k then [] else [None] | None => [None] end) ++ map Some (directions p).

    Fixpoint explore (r : run A) (n : seen) (g : list formula) (t : list Z) : found (list (track A) * list Z) :=
      match r with
      | Done a => Found ([{| when_ := g; saw := n; gives := Some a |}], t)
      | Mistake => Found ([{| when_ := g; saw := n; gives := None |}], t)
      | Beyond => Not_covered
      | Ask q next =>
          if negb (is_fine q) then Not_covered else
          match possible (known n g) (ways q) t with
          | Some (l, t) =>
              let l := opened l in
              each_of (fun i => explore (next i) n (match l with [_] => g | _ => g ++ [nth i (ways q) always] end)) l t
          | None => Wrong_proof
          end
      | Ask_direction next =>
          match saw_direction n with
          | Some x => explore (next x) n g t
          | None => if is_false (known n g always) then Found ([], t) else each_of (fun x => explore (next x) (see_direction n x) g) (lists_directions n) t
          end
      | Ask_vc next =>
          match saw_vc n with
          | Some k => explore (next k) n g t
          | None =>
              if (lanes p =? 1) || match saw_direction n with Some None => true | _ => false end then explore (next 0) n g t
              else if is_false (known n g always) then Found ([], t)
              else each_of (fun k => explore (next k) (see_vc n k) g) (range (lanes p)) t
          end
      | Ask_header next =>
          match saw_header n with
          | Some k => explore (next k) n g t
          | None => if is_false (known n g always) then Found ([], t)
              else each_of (fun k => explore (next k) (see_header n k) g) (range (Z.of_nat (header_states w))) t
          end
      end.
  End Explore.

  (* The lemmas. *)

  Lemma rests_nth f m k : forall i j x, nth_error (rests f m k i) j = Some x -> x = divides m (shift f (- (i + Z.of_nat j))).
  Proof.
    induction k as [|k IH]; intros i [|j] x e; cbn [rests nth_error] in e; try discriminate.
    - injection e as <-. do 2 f_equal. lia.
    - apply IH in e. subst x. do 2 f_equal. lia.
  Qed.

  Lemma rests_length f m k : forall i, length (rests f m k i) = k.
  Proof. induction k as [|k IH]; intro i; simpl; auto. Qed.

  Lemma near_multiple m a j : 0 <= j < m -> (m | a + - j) <-> a mod m = j.
  Proof.
    intro r. split.
    - intros [q e]. symmetry. apply Z.mod_unique with q; lia.
    - intros <-. exists (a / m). pose proof (Z.div_mod a m ltac:(lia)). lia.
  Qed.

  Lemma domain_grid x d : holds x (domain p) -> (d < dims p)%nat -> 0 <= value (here d) x < value (side_of p d) x.
  Proof.
    intros dom lt. unfold domain in dom. rewrite conj_spec in dom.
    assert (holds x (on_grid p here)) as g by (apply dom; simpl; auto). unfold on_grid in g. rewrite conj_spec in g.
    assert (holds x (at_least (here d)) /\ holds x (less_than (here d) (side_of p d))) as [a b].
    { split; apply g, in_flat_map; exists d; (split; [apply in_seq; lia|]); simpl; auto. }
    rewrite at_least_spec in a. rewrite less_than_spec in b. lia.
  Qed.

  (* The condition of an answer holds where it is the answer. *)
  Lemma ways_spec x q : holds x (domain p) -> is_fine q = true ->
    (answer w x q < length (ways q))%nat /\
    forall i way_, nth_error (ways q) i = Some way_ -> (holds x way_ <-> i = answer w x q).
  Proof.
    intros dom fine. destruct q as [f|f|f k|y]; cbn [ways answer].
    - split; [destruct (test x f); simpl; lia|]. pose proof (test_spec x f) as ts.
      intros [|[|[|i]]] g e; try discriminate; injection e as <-.
      + rewrite <- ts. destruct (test x f); split; intros; easy.
      + destruct (test x f) eqn:yes.
        * split; [|discriminate]. intro no. exfalso. apply (neg_never x f fine); [now apply ts|exact no].
        * split; [trivial|]. intros _. destruct (neg_spec x f) as [h|h]; trivial. apply ts in h. discriminate.
    - split; [destruct (value f x =? 0); [|destruct (0 <? value f x)]; simpl; lia|].
      intros [|[|[|[|i]]]] g e; try discriminate; injection e as <-.
      + rewrite equal_spec, number_spec. destruct (Z.eqb_spec (value f x) 0); [|destruct (0 <? value f x)]; split; intros; lia.
      + rewrite at_least_spec, shift_spec. destruct (Z.eqb_spec (value f x) 0); [|destruct (Z.ltb_spec 0 (value f x))]; split; intros; lia.
      + rewrite at_least_spec, plus_spec. change [-1] with (number (-1)). rewrite number_spec.
        destruct (Z.eqb_spec (value f x) 0); [|destruct (Z.ltb_spec 0 (value f x))]; split; intros; lia.
    - rewrite rests_length. pose proof (Z.mod_pos_bound (value f x) (Z.of_nat (S k)) ltac:(lia)) as b. split; [lia|].
      intros i g e. assert (i < S k)%nat as lt.
      { apply nth_error_Some_lt in e. now rewrite rests_length in e. }
      apply rests_nth in e. subst g. rewrite divides_spec, shift_spec.
      replace (- (0 + Z.of_nat i)) with (- Z.of_nat i) by lia. rewrite near_multiple by lia. lia.
    - simpl in fine. apply andb_true_iff in fine. destruct fine as [ax fine]. apply negb_true_iff, orb_false_iff in ax. destruct ax as [ax cp].
      apply Nat.ltb_lt in fine. pose proof (domain_grid x (fst y) dom fine) as g.
      split; [destruct (test x (is_head p y true)); simpl; lia|].
      assert (holds x (is_head p y false) <-> ~ holds x (is_head p y true)) as swap.
      { destruct y as [d b]. unfold is_head, is_tail, back. rewrite cp, ax. cbn [fst snd] in *. destruct b; cbn [negb];
          rewrite ?less_than_spec, ?equal_spec, ?shift_spec, ?number_spec; lia. }
      pose proof (test_spec x (is_head p y true)) as ts.
      intros [|[|[|i]]] h e; try discriminate; injection e as <-.
      + rewrite swap, <- ts. destruct (test x (is_head p y true)); split; intros; try easy; try congruence.
      + rewrite <- ts. destruct (test x (is_head p y true)); split; intros; easy.
  Qed.

  Lemma possible_spec known_ l : forall t r u, possible known_ l t = Some (r, u) -> length r = length l /\
    forall i y, nth_error l i = Some y -> nth_error r i = Some false -> forall x, ~ holds x (known_ y).
  Proof.
    induction l as [|y l IH]; intros t r u e.
    - injection e as <- _. split; [trivial|]. intros [|i] g h; discriminate.
    - cbn [possible] in e.
      match type of e with match ?m with _ => _ end = _ => set (this := m) in e end.
      assert (forall b v, this = Some (b, v) -> b = false -> forall x, ~ holds x (known_ y)) as sound.
      { unfold this. intros b v eb -> x. destruct (is_false (known_ y)) eqn:no; [now apply is_false_spec|].
        destruct (is_true y); [discriminate|]. destruct t as [|[|[k|k|]|k] t]; try discriminate.
        destruct (refute variables_of (known_ y) t) as [t'|] eqn:rf; [|discriminate]. eapply refute_sound; eauto. }
      destruct this as [[b v]|]; [|discriminate]. destruct (possible known_ l v) as [[r' v']|] eqn:e'; [|discriminate].
      injection e as <- _. destruct (IH _ _ _ e') as [len all]. split; [simpl; congruence|].
      intros [|i] g h no; [|eapply all; eauto]. injection h as <-. injection no as ->. now apply (sound false v).
  Qed.

  Lemma opened_spec l i : In i (opened l) <-> nth_error l i = Some true.
  Proof.
    unfold opened. transitivity (exists j, i = (0 + j)%nat /\ nth_error l j = Some true).
    - generalize O as from. induction l as [|b l IH]; intro from.
      + simpl. split; [easy|]. intros ([|j] & _ & e); discriminate.
      + simpl length. cbn [seq combine filter fst]. split.
        * intro h. assert (b = true /\ i = from \/ In i (map snd (filter fst (combine l (seq (S from) (length l)))))) as c.
          { destruct b; [destruct h as [<-|h]; auto|auto]. }
          destruct c as [[-> ->]|c]; [exists O; split; [lia|trivial]|].
          apply IH in c. destruct c as (j & -> & e). exists (S j). split; [lia|exact e].
        * intros ([|j] & -> & e).
          -- injection e as ->. left. simpl. lia.
          -- assert (In (from + S j)%nat (map snd (filter fst (combine l (seq (S from) (length l)))))) as c.
             { apply IH. exists j. split; [lia|exact e]. }
             destruct b; [now right|exact c].
    - split; [intros (j & -> & e); exact e|]. intro e. now exists i.
  Qed.

  Lemma each_of_spec {A B} (f : B -> list Z -> found (list (track A) * list Z)) l : forall t r u, each_of f l t = Found (r, u) ->
    (forall q, In q r -> exists y v ps z, In y l /\ f y v = Found (ps, z) /\ In q ps) /\
    (forall y, In y l -> exists v ps z, f y v = Found (ps, z) /\ forall q, In q ps -> In q r).
  Proof.
    induction l as [|y l IH]; intros t r u e; cbn [each_of] in e.
    - injection e as <- _. split; [intros q []|intros y []].
    - destruct (f y t) as [[a v]| |] eqn:ef; try discriminate. fold (each_of f) in e. destruct (each_of f l v) as [[b z]| |] eqn:el; try discriminate.
      injection e as <- _. destruct (IH _ _ _ el) as [one two]. split.
      + intros q i. apply in_app_or in i. destruct i as [i|i].
        * exists y, t, a, v. split; [now left|]. now split.
        * destruct (one q i) as (y' & v' & ps & z' & iy & ey & iq). exists y', v', ps, z'. split; [now right|]. now split.
      + intros y' [<-|iy].
        * exists t, a, v. split; [exact ef|]. intros. apply in_or_app. now left.
        * destruct (two y' iy) as (v' & ps & z' & ey & all). exists v', ps, z'. split; [exact ey|]. intros. apply in_or_app. right. auto.
  Qed.

  (* A packet at a point. *)
  Section Point.
    Variable x : point.
    Variable from : origin.
    Variable k : Z.
    Hypothesis dom : holds x (domain p).
    Hypothesis some_vc : 1 <= lanes p.
    Hypothesis from_fine : forall y c, from = Some (y, c) -> In y (directions p) /\ 0 <= c < lanes p /\ (ring p (fst y) = false -> complete p = false ->
      holds x (is_head p y false)).
    Hypothesis k_fine : 0 <= k < Z.of_nat (header_states w).

    Definition agrees (n : seen) : Prop :=
      (forall d, saw_direction n = Some d -> d = option_map fst from) /\
      (forall c, saw_vc n = Some c -> c = vc_of from) /\
      (forall j, saw_header n = Some j -> j = k).

    Definition all_hold (g : list formula) : Prop := forall f, In f g -> holds x f.

    Lemma known_holds n g y : agrees n -> all_hold g -> holds x y -> holds x (known n g y).
    Proof.
      intros (a & _) hg hy. unfold known. apply conj_spec. intros f [<-|[<-|[<-|[<-|[]]]]]; trivial.
      - unfold facts. destruct (saw_direction n) as [[d|]|]; try (simpl; easy). specialize (a _ eq_refl).
        destruct from as [[y' c]|] eqn:ef; [|discriminate]. simpl in a. injection a as ->.
        destruct (from_fine y' c eq_refl) as (_ & _ & h). destruct (ring p (fst y')); [simpl; easy|]. destruct (complete p); [simpl; easy|auto].
      - now apply conj_spec.
    Qed.

    Lemma agrees_direction n y : saw_direction n = None -> agrees (see_direction n y) <-> agrees n /\ y = option_map fst from.
    Proof.
      intro no. unfold agrees. simpl. split.
      - intros (a & b & c). repeat split; auto. intros d e. congruence.
      - intros ((a & b & c) & ->). repeat split; auto. intros d e. congruence.
    Qed.

    Lemma agrees_vc n y : saw_vc n = None -> agrees (see_vc n y) <-> agrees n /\ y = vc_of from.
    Proof.
      intro no. unfold agrees. simpl. split.
      - intros (a & b & c). repeat split; auto. intros d e. congruence.
      - intros ((a & b & c) & ->). repeat split; auto. intros d e. congruence.
    Qed.

    Lemma agrees_header n y : saw_header n = None -> agrees (see_header n y) <-> agrees n /\ y = k.
    Proof.
      intro no. unfold agrees. simpl. split.
      - intros (a & b & c). repeat split; auto. intros d e. congruence.
      - intros ((a & b & c) & ->). repeat split; auto. intros d e. congruence.
    Qed.

    Lemma vc_range : 0 <= vc_of from < lanes p.
    Proof. destruct from as [[y c]|] eqn:ef; simpl; [|lia]. now destruct (from_fine y c eq_refl) as (_ & r & _). Qed.

    Lemma known_not_false n g : agrees n -> all_hold g -> is_false (known n g always) = true -> False.
    Proof. intros a h no. apply (is_false_spec x _ no). apply known_holds; trivial. simpl. trivial. Qed.

    (* What exploring a run shows: a path that the packet takes has the result of the run; and there is such a path. *)
    Definition explored_well {A} (r : run A) (n : seen) (g : list formula) (l : list (track A)) : Prop :=
      (forall q, In q l -> agrees (saw q) -> all_hold (when_ q) -> agrees n /\ all_hold g /\ gives q = result_at w x from k r) /\
      (agrees n -> all_hold g -> exists q, In q l /\ agrees (saw q) /\ all_hold (when_ q)).

    Theorem explore_sound {A} (r : run A) : forall n g t l u, explore r n g t = Found (l, u) -> explored_well r n g l.
    Proof.
      induction r as [a| | |q next IH|next IH|next IH|next IH]; intros n g t l u e; cbn [explore] in e.
      - injection e as <- _. split.
        + intros q [<-|[]] ag hg. simpl in *. auto.
        + intros ag hg. eexists. split; [now left|]. now split.
      - injection e as <- _. split.
        + intros q [<-|[]] ag hg. simpl in *. auto.
        + intros ag hg. eexists. split; [now left|]. now split.
      - discriminate.
      - destruct (is_fine q) eqn:fine; [cbn [negb] in e|discriminate].
        destruct (possible (known n g) (ways q) t) as [[bs v]|] eqn:ep; [|discriminate].
        destruct (possible_spec _ _ _ _ _ ep) as [len refuted]. destruct (ways_spec x q dom fine) as [lt sp].
        set (g' i := match opened bs with [_] => g | _ => g ++ [nth i (ways q) always] end).
        assert (each_of (fun i => explore (next i) n (g' i)) (opened bs) v = Found (l, u)) as e' by exact e.
        destruct (each_of_spec _ _ _ _ _ e') as [one two].
        (* The answer is possible. *)
        assert (agrees n -> all_hold g -> In (answer w x q) (opened bs)) as open_.
        { intros ag hg. apply opened_spec. destruct (nth_error (ways q) (answer w x q)) as [y|] eqn:ey; [|apply nth_error_None in ey; lia].
          destruct (nth_error bs (answer w x q)) as [[|]|] eqn:eb; trivial; [|apply nth_error_None in eb; lia].
          exfalso. apply (refuted _ _ ey eb x). apply known_holds; trivial. now apply (sp _ _ ey). }
        assert (forall i, In i (opened bs) -> all_hold (g' i) -> agrees n -> all_hold g /\ i = answer w x q) as right_.
        { intros i io h ag. destruct (opened bs) as [|i0 [|i1 o]] eqn:eo; [destruct io| |].
          - destruct io as [<-|[]]. unfold g' in h. rewrite ?eo in h. split; [exact h|]. destruct (open_ ag h) as [<-|[]]. trivial.
          - assert (all_hold g /\ holds x (nth i (ways q) always)) as [hg hw].
            { unfold g' in h. rewrite ?eo in h. split; [intros f j; apply h, in_or_app; now left|apply h, in_or_app; right; now left]. }
            split; [exact hg|]. rewrite <- eo in io. apply opened_spec in io.
            assert (i < length (ways q))%nat as li by (rewrite <- len; now apply nth_error_Some_lt in io).
            apply (sp i (nth i (ways q) always)); [now apply nth_error_nth'|exact hw]. }
        split.
        + intros q' i ag hg. destruct (one q' i) as (y & v' & ps & z & iy & ey & iq).
          destruct (IH y _ _ _ _ _ ey) as [back_ _]. destruct (back_ q' iq ag hg) as (an & hg' & eg).
          destruct (right_ y iy hg' an) as [hg0 ->]. auto.
        + intros ag hg. destruct (two _ (open_ ag hg)) as (v' & ps & z & ey & all).
          destruct (IH _ _ _ _ _ _ ey) as [_ there_]. destruct there_ as (q' & iq & aq & hq); trivial.
          * unfold g'. destruct (opened bs) as [|i0 [|i1 o]] eqn:eo; trivial.
            -- elim (open_ ag hg).
            -- intros f j. apply in_app_or in j. destruct j as [j|[<-|[]]]; auto.
               apply (sp (answer w x q) (nth (answer w x q) (ways q) always)); [now apply nth_error_nth'|trivial].
          * exists q'. auto.
      - destruct (saw_direction n) as [d|] eqn:ed.
        + destruct (IH d _ _ _ _ _ e) as [one two]. split; [|exact two]. intros q i ag hg. destruct (one q i ag hg) as (an & h & eg).
          pose proof an as (a & _). rewrite (a d ed) in eg. auto.
        + destruct (is_false (known n g always)) eqn:no.
          { injection e as <- _. split; [intros q []|]. intros ag hg. elim (known_not_false n g ag hg no). }
          destruct (each_of_spec _ _ _ _ _ e) as [one two]. split.
          * intros q i ag hg. destruct (one q i) as (y & v' & ps & z & iy & ey & iq). destruct (IH y _ _ _ _ _ ey) as [back_ _].
            destruct (back_ q iq ag hg) as (an & h & eg). apply agrees_direction in an; trivial. destruct an as [an ->]. auto.
          * intros ag hg. destruct (two (option_map fst from)) as (v' & ps & z & ey & all).
            { unfold lists_directions. apply in_or_app. destruct from as [[y c]|] eqn:ef.
              - right. simpl. apply in_map. now apply (from_fine y c).
              - left. destruct ag as (_ & b & _). destruct (saw_vc n) as [c|]; [|now left]. specialize (b c eq_refl). rewrite ef in b.
                simpl in b. subst c. simpl. now left. }
            destruct (IH _ _ _ _ _ _ ey) as [_ there_]. destruct there_ as (q' & iq & aq & hq); trivial.
            { now apply agrees_direction. }
            exists q'. auto.
      - destruct (saw_vc n) as [c|] eqn:ec.
        + destruct (IH c _ _ _ _ _ e) as [one two]. split; [|exact two]. intros q i ag hg. destruct (one q i ag hg) as (an & h & eg).
          pose proof an as (_ & b & _). rewrite (b c ec) in eg. auto.
        + destruct ((lanes p =? 1) || match saw_direction n with Some None => true | _ => false end) eqn:only.
          { assert (agrees n -> vc_of from = 0) as zero.
            { intros (a & _). apply orb_true_iff in only. destruct only as [only|only].
              - apply Z.eqb_eq in only. pose proof vc_range. lia.
              - destruct (saw_direction n) as [[d|]|]; try discriminate. specialize (a None eq_refl). destruct from; [discriminate|trivial]. }
            destruct (IH 0 _ _ _ _ _ e) as [one two]. split; [|exact two]. intros q i ag hg. destruct (one q i ag hg) as (an & h & eg).
            rewrite <- (zero an) in eg. auto. }
          destruct (is_false (known n g always)) eqn:no.
          { injection e as <- _. split; [intros q []|]. intros ag hg. elim (known_not_false n g ag hg no). }
          destruct (each_of_spec _ _ _ _ _ e) as [one two]. split.
          * intros q i ag hg. destruct (one q i) as (y & v' & ps & z & iy & ey & iq). destruct (IH y _ _ _ _ _ ey) as [back_ _].
            destruct (back_ q iq ag hg) as (an & h & eg). apply agrees_vc in an; trivial. destruct an as [an ->]. auto.
          * intros ag hg. destruct (two (vc_of from)) as (v' & ps & z & ey & all); [apply range_spec, vc_range|].
            destruct (IH _ _ _ _ _ _ ey) as [_ there_]. destruct there_ as (q' & iq & aq & hq); trivial.
            { now apply agrees_vc. }
            exists q'. auto.
      - destruct (saw_header n) as [j|] eqn:ej.
        + destruct (IH j _ _ _ _ _ e) as [one two]. split; [|exact two]. intros q i ag hg. destruct (one q i ag hg) as (an & h & eg).
          pose proof an as (_ & _ & c). rewrite (c j ej) in eg. auto.
        + destruct (is_false (known n g always)) eqn:no.
          { injection e as <- _. split; [intros q []|]. intros ag hg. elim (known_not_false n g ag hg no). }
          destruct (each_of_spec _ _ _ _ _ e) as [one two]. split.
          * intros q i ag hg. destruct (one q i) as (y & v' & ps & z & iy & ey & iq). destruct (IH y _ _ _ _ _ ey) as [back_ _].
            destruct (back_ q iq ag hg) as (an & h & eg). apply agrees_header in an; trivial. destruct an as [an ->]. auto.
          * intros ag hg. destruct (two k) as (v' & ps & z & ey & all); [now apply range_spec|].
            destruct (IH _ _ _ _ _ _ ey) as [_ there_]. destruct there_ as (q' & iq & aq & hq); trivial.
            { now apply agrees_header. }
            exists q'. auto.
    Qed.
  End Point.
End Paths.
