(* This file proves that calculations on forms are those on integers.

   The amount of a number at a point is its integer there. If a run of an operation has a result at a point, its
   amount is that of the operation on the amounts of the operands (arithmetic_right), and a comparison has the truth of the
   comparison of the amounts (less_right, same_right). *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Formulas Sizes Networks Language Meaning.
Import ListNotations.
Open Scope Z_scope.

Section Numbers.
  Variable w : world.
  Variable x : point.
  Variable from : origin.
  Variable k : Z.

  Definition amount (a : symbol) : Z := value (num a) x / den a.
  Definition is_whole (a : symbol) : Prop := 0 < den a /\ value (num a) x = amount a * den a.

  (* The result of a calculation, without the store. *)
  Definition gives_ {A} (m : M A) (a : A) : Prop := exists s s', result_at w x from k (m s) = Some (a, s').

  Lemma result_bind {A B} (r : run A) (f : A -> run B) :
    result_at w x from k (bind r f) = match result_at w x from k r with Some a => result_at w x from k (f a) | None => None end.
  Proof. induction r as [a| | |q next IH|next IH|next IH|next IH]; simpl; trivial. Qed.

  Lemma gives_then {A B} (m : M A) (f : A -> M B) b : gives_ (then_ m f) b -> exists a, gives_ m a /\ gives_ (f a) b.
  Proof.
    intros (s & s' & h). unfold then_ in h. rewrite result_bind in h.
    destruct (result_at w x from k (m s)) as [[a t]|] eqn:e; [|discriminate]. exists a. split; [now exists s, t|now exists t, s'].
  Qed.

  Lemma gives_ret {A} (a b : A) : gives_ (ret a) b -> b = a.
  Proof. intros (s & s' & h). simpl in h. now injection h. Qed.

  Lemma gives_mistake {A} (b : A) : ~ gives_ mistake b.
  Proof. intros (s & s' & h). discriminate. Qed.

  Lemma gives_ask q i : gives_ (ask q) i -> i = answer w x q.
  Proof. intros (s & s' & h). simpl in h. now injection h. Qed.

  (* A form divided by the greatest common divisor. *)
  Lemma gcd_divides l : forall d, (fold_left Z.gcd l d | d) /\ forall c, In c l -> (fold_left Z.gcd l d | c).
  Proof.
    induction l as [|a l IH]; intro d; simpl; [split; [apply Z.divide_refl|intros c []]|].
    destruct (IH (Z.gcd d a)) as [one all]. split.
    - apply Z.divide_trans with (Z.gcd d a); [exact one|apply Z.gcd_divide_l].
    - intros c [<-|i]; [|auto]. apply Z.divide_trans with (Z.gcd d a); [exact one|apply Z.gcd_divide_r].
  Qed.

  Lemma gcd_positive l : forall d, 0 < d -> 0 < fold_left Z.gcd l d.
  Proof.
    induction l as [|a l IH]; intros d pos; simpl; trivial. apply IH. pose proof (Z.gcd_nonneg d a).
    destruct (Z.eq_dec (Z.gcd d a) 0) as [z|]; [apply Z.gcd_eq_0_l in z|]; lia.
  Qed.

  Lemma divided_dot g l : g <> 0 -> (forall c, In c l -> (g | c)) -> forall p, dot l p = g * dot (map (fun c => c / g) l) p.
  Proof.
    intro no. induction l as [|c l IH]; intros all p; simpl; [lia|]. rewrite IH by (intros; apply all; now right).
    assert (c = g * (c / g)) as e; [|rewrite e at 1; lia]. destruct (all c (or_introl eq_refl)) as [q ->].
    rewrite Z.div_mul by trivial. lia.
  Qed.

  Lemma quotient_right f d v n : 0 < d -> value f x = n * d -> gives_ (quotient_of f d) v ->
    exists a, v = V_number a /\ is_whole a /\ amount a = n.
  Proof.
    intros pos e h. unfold quotient_of in h. set (g := fold_left Z.gcd f d) in *.
    destruct (gcd_divides f d) as [gd gf]. fold g in gd, gf.
    pose proof (gcd_positive f d pos) as up. fold g in up. assert (g <> 0) as no by lia.
    set (a := {| num := map (fun c => c / g) f; den := d / g |}) in *.
    assert (g * value (num a) x = value f x) as va by (symmetry; now apply divided_dot).
    assert (d = g * den a) as da by (apply Z_div_exact_full_2; [exact no|now apply Z.mod_divide]).
    assert (0 < den a) as pa by nia.
    assert (value (num a) x = n * den a) as vn by nia.
    assert (is_whole a /\ amount a = n) as ok.
    { assert (amount a = n) as am by (unfold amount; rewrite vn; apply Z.div_mul; lia). split; [split; [exact pa|now rewrite am]|exact am]. }
    destruct (known_number a) as [c|] eqn:kn.
    - destruct (beyond_limit most_number c); [elim (gives_mistake _ h)|]. apply gives_ret in h. subst v.
      unfold known_number in kn. destruct (is_constant (num a)) eqn:ic; [|discriminate]. destruct (Z.eqb_spec (den a) 1) as [d1|]; [|discriminate].
      injection kn as <-. eexists. split; [reflexivity|]. rewrite (is_constant_spec _ x ic), d1 in vn.
      unfold is_whole, amount. simpl. change [hd 0 (map (fun c => c / g) f)] with (number (hd 0 (num a))). rewrite number_spec, Z.div_1_r. lia.
    - destruct (existsb _ _); [elim (gives_mistake _ h)|]. apply gives_ret in h. subst v. now exists a.
  Qed.

  Lemma add_right sign a b v : (sign = 1 \/ sign = -1) -> is_whole a -> is_whole b -> gives_ (add_numbers sign a b) v ->
    exists c, v = V_number c /\ is_whole c /\ amount c = amount a + sign * amount b.
  Proof.
    intros si [pa ea] [pb eb] h. apply (quotient_right _ _ v (amount a + sign * amount b)) in h; trivial; [nia|].
    rewrite !plus_spec. change [0] with (number 0). rewrite number_spec, ea, eb. destruct si as [-> | ->]; ring.
  Qed.

  Lemma difference_right a b d : is_whole a -> is_whole b -> gives_ (difference (V_number a) (V_number b)) d ->
    0 < snd d /\ value (fst d) x = (amount b - amount a) * snd d.
  Proof.
    intros [pa ea] [pb eb] h. apply gives_ret in h. subst d. cbn [fst snd]. split; [nia|].
    rewrite !plus_spec. change [0] with (number 0). rewrite number_spec, ea, eb. ring.
  Qed.

  Theorem less_right a b v : is_whole a -> is_whole b -> gives_ (less (V_number a) (V_number b)) v -> v = (amount a <? amount b).
  Proof.
    intros wa wb h. apply gives_then in h. destruct h as (d & hd_ & h). cbv zeta in h. destruct (difference_right a b d wa wb hd_) as [pos e].
    assert (0 <= value (shift (fst d) (- snd d)) x <-> amount a < amount b) as same by (rewrite shift_spec, e; nia).
    destruct (is_constant (shift (fst d) (- snd d))) eqn:c.
    - apply gives_ret in h. subst v. rewrite (is_constant_spec _ x c) in same. lia.
    - apply gives_then in h. destruct h as (i & hi & h). apply gives_ask in hi. apply gives_ret in h. subst v i. cbn [answer].
      pose proof (test_spec x (at_least (shift (fst d) (- snd d)))) as ts. rewrite at_least_spec, same in ts.
      destruct (test x (at_least (shift (fst d) (- snd d)))), (Z.ltb_spec (amount a) (amount b)) as [lt|ge]; trivial; exfalso.
      + apply Z.lt_irrefl with (amount a). apply Z.lt_le_trans with (amount b); [now apply ts|exact ge].
      + apply ts in lt. discriminate.
  Qed.

  Theorem same_right a b v : is_whole a -> is_whole b -> gives_ (same (V_number a) (V_number b)) v -> v = (amount a =? amount b).
  Proof.
    intros wa wb h. unfold same in h. cbn [same_to] in h. apply gives_then in h. destruct h as (u & _ & h).
    apply gives_then in h. destruct h as (d & hd_ & h). destruct (difference_right a b d wa wb hd_) as [pos e].
    assert (value (fst d) x = 0 <-> amount a = amount b) as eq by (rewrite e; nia).
    destruct (is_constant (fst d)) eqn:c.
    - apply gives_ret in h. subst v. rewrite (is_constant_spec _ x c) in eq. lia.
    - apply gives_then in h. destruct h as (i & hi & h). apply gives_ask in hi. apply gives_ret in h. subst v i. cbn [answer].
      destruct (Z.eqb_spec (value (fst d) x) 0), (Z.eqb_spec (amount a) (amount b)); simpl; trivial; try lia. destruct (0 <? _); trivial.
  Qed.

  Lemma known_right a c : known_number a = Some c -> is_whole a /\ amount a = c.
  Proof.
    unfold known_number. destruct (is_constant (num a)) eqn:ic; [|discriminate]. destruct (Z.eqb_spec (den a) 1) as [d1|]; [|discriminate].
    intro e. injection e as <-. unfold is_whole, amount. rewrite d1, Z.div_1_r, (is_constant_spec _ x ic). lia.
  Qed.

  Lemma integer_right c : exists a, integer c = V_number a /\ is_whole a /\ amount a = c.
  Proof.
    eexists. split; [reflexivity|]. unfold is_whole, amount. cbn [num den]. change [c] with (number c). rewrite number_spec, Z.div_1_r. lia.
  Qed.

  (* The operation on integers. Quotients are rounded down. *)
  Definition on_integers (o : operator) (m n : Z) : Z :=
    match o with Plus => m + n | Minus => m - n | Times => m * n | Quotient => m / n | _ => m mod n end.
  Definition is_arithmetic (o : operator) : bool := match o with Plus | Minus | Times | Quotient | Remainder => true | _ => false end.

  Lemma plain_right o a b v : match o with Plus | Minus | Times => True | _ => False end -> is_whole a -> is_whole b ->
    gives_ (plain_arithmetic o (V_number a) (V_number b)) v -> exists c, v = V_number c /\ is_whole c /\ amount c = on_integers o (amount a) (amount b).
  Proof.
    intros ok wa wb h. unfold plain_arithmetic in h. cbn [as_number] in h. destruct o; try destruct ok; cbn [on_integers].
    - apply add_right in h; [|auto|exact wa|exact wb]. destruct h as (c & -> & wc & ac). exists c. split; [trivial|]. split; [exact wc|lia].
    - apply add_right in h; [|auto|exact wa|exact wb]. destruct h as (c & -> & wc & ac). exists c. split; [trivial|]. split; [exact wc|lia].
    - assert (forall m y, is_whole y -> gives_ (quotient_of (plus [0] (num y) m) (den y)) v ->
        exists c, v = V_number c /\ is_whole c /\ amount c = amount y * m) as scaled.
      { intros m y [py ey] g. apply (quotient_right _ _ v (amount y * m)) in g; trivial. rewrite plus_spec.
        change [0] with (number 0). rewrite number_spec, ey. ring. }
      destruct (known_number b) as [n|] eqn:kb, (known_number a) as [m|] eqn:ka; try (elim (gives_mistake _ h)).
      + destruct (known_right a m ka) as [_ <-]. destruct (scaled _ b wb h) as (c & -> & wc & ac). exists c. split; [trivial|]. split;
        [exact wc|rewrite ac; ring].
      + destruct (known_right b n kb) as [_ <-]. destruct (scaled _ a wa h) as (c & -> & wc & ac). now exists c.
      + destruct (known_right a m ka) as [_ <-]. destruct (scaled _ b wb h) as (c & -> & wc & ac). exists c. split; [trivial|]. split;
        [exact wc|rewrite ac; ring].
  Qed.

  Lemma divide_right o a n v : match o with Quotient | Remainder => True | _ => False end -> is_whole a -> gives_ (divide o a n) v ->
    exists c, v = V_number c /\ is_whole c /\ amount c = on_integers o (amount a) n.
  Proof.
    intros ok wa h. unfold divide in h. destruct (known_number a) as [m|] eqn:ka.
    - destruct (known_right a m ka) as [_ <-]. destruct (n =? 0); [elim (gives_mistake _ h)|]. destruct o; try destruct ok; cbn [on_integers].
      + destruct (beyond_limit _ _); [elim (gives_mistake _ h)|]. apply gives_ret in h. subst v. apply integer_right.
      + apply gives_ret in h. subst v. apply integer_right.
    - destruct ((n <? 1) || (64 <? n)) eqn:range; [elim (gives_mistake _ h)|]. apply orb_false_iff in range. destruct range as [low _].
      apply Z.ltb_ge in low. destruct (Z.eqb_spec (den a) 1) as [d1|]; cbn [negb] in h; [|destruct h as (s & s' & h); discriminate].
      apply gives_then in h. destruct h as (i & hi & h).
      assert (Z.of_nat i = amount a mod n) as rest.
      { unfold amount. rewrite d1, Z.div_1_r. destruct (Z.eqb_spec n 1) as [->|].
        - apply gives_ret in hi. subst i. now rewrite Z.mod_1_r.
        - apply gives_ask in hi. subst i. cbn [answer]. replace (Z.of_nat (S (Z.to_nat (n - 1)))) with n by lia.
          pose proof (Z.mod_pos_bound (value (num a) x) n). lia. }
      destruct o; try destruct ok; cbn [on_integers].
      + apply (quotient_right _ _ v (amount a / n)) in h; trivial; [lia|]. rewrite shift_spec, rest. destruct wa as [_ ->].
        rewrite d1. pose proof (Z.div_mod (amount a) n). lia.
      + apply gives_ret in h. subst v. rewrite rest. apply integer_right.
  Qed.

  Lemma divide_unknown_right o b : match o with Quotient | Remainder => True | _ => False end -> is_whole b -> 0 < amount b ->
    forall m a q v, is_whole a -> gives_ (divide_unknown m o (V_number a) (V_number b) q) v ->
    exists c, v = V_number c /\ is_whole c /\ amount c = match o with Quotient => q + amount a / amount b | _ => amount a mod amount b end.
  Proof.
    intros ok wb pos. induction m as [|m IH]; intros a q v wa h; [elim (gives_mistake _ h)|]. cbn [divide_unknown] in h.
    apply gives_then in h. destruct h as (low & hl & h). destruct (integer_right 0) as (z & ez & wz & az). rewrite ez in hl.
    apply less_right in hl; trivial. rewrite az in hl. subst low. destruct (Z.ltb_spec (amount a) 0) as [lt|ge].
    - apply gives_then in h. destruct h as (y & hy & h). apply plain_right in hy; trivial. destruct hy as (c & -> & wc & ac). cbn [on_integers] in ac.
      apply IH in h; trivial. destruct h as (r & -> & wr & ar). exists r. split; [trivial|]. split; [exact wr|]. rewrite ar, ac.
      replace (amount a + amount b) with (amount a + 1 * amount b) by ring. rewrite Z.div_add, Z.mod_add by lia. destruct o; trivial. lia.
    - apply gives_then in h. destruct h as (in_ & hi & h). apply less_right in hi; trivial. subst in_.
      destruct (Z.ltb_spec (amount a) (amount b)) as [lt|out].
      + apply gives_ret in h. subst v. destruct o; try destruct ok.
        * destruct (integer_right q) as (c & -> & wc & ac). exists c. split; [trivial|]. split; [exact wc|]. rewrite Z.div_small by lia. lia.
        * exists a. split; [trivial|]. split; [exact wa|]. now rewrite Z.mod_small by lia.
      + apply gives_then in h. destruct h as (y & hy & h). apply plain_right in hy; trivial. destruct hy as (c & -> & wc & ac). cbn [on_integers] in ac.
        apply IH in h; trivial. destruct h as (r & -> & wr & ar). exists r. split; [trivial|]. split; [exact wr|]. rewrite ar, ac.
        replace (amount a - amount b) with (amount a + (-1) * amount b) by ring. rewrite Z.div_add, Z.mod_add by lia. destruct o; trivial. lia.
  Qed.

  Theorem arithmetic_right o a b v : is_arithmetic o = true -> is_whole a -> is_whole b ->
    gives_ (arithmetic o (V_number a) (V_number b)) v -> exists c, v = V_number c /\ is_whole c /\ amount c = on_integers o (amount a) (amount b).
  Proof.
    intros ok wa wb h. unfold arithmetic in h. cbn [as_number] in h.
    assert (match o with Quotient | Remainder => True | _ => False end ->
      gives_ (match known_number b with
        | Some k => divide o a k
        | None => then_ (less (integer 0) (V_number b)) (fun up : bool => if up then divide_unknown 8 o (V_number a) (V_number b) 0 else mistake)
        end) v -> exists c, v = V_number c /\ is_whole c /\ amount c = on_integers o (amount a) (amount b)) as quotients.
    { intros is_ g. destruct (known_number b) as [n|] eqn:kb.
      - destruct (known_right b n kb) as [_ ->]. now apply divide_right.
      - apply gives_then in g. destruct g as (up & hu & g). destruct (integer_right 0) as (z & ez & wz & az). rewrite ez in hu.
        apply less_right in hu; trivial. rewrite az in hu. subst up. destruct (Z.ltb_spec 0 (amount b)) as [pos|]; [|elim (gives_mistake _ g)].
        apply (divide_unknown_right o b is_ wb pos) in g; trivial. destruct g as (c & -> & wc & ac). exists c. split; [trivial|]. split; [exact wc|].
        rewrite ac. now destruct o. }
    destruct o; try discriminate; try (now apply plain_right); now apply quotients.
  Qed.
End Numbers.
