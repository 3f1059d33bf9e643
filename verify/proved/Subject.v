(* This file makes a routing from the subject of a certificate. It fails if the subject is not valid. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Certificate Network Routing Table Relation Explore.
Import ListNotations.
Open Scope Z_scope.

Record subject := {
  routes : routing;
  number : Z;                          (* VCs between switches *)
  exact : Z -> list state -> bool;     (* the list has exactly the states that the certificate lists for a destination *)
  first_hop : Z -> state -> Z;         (* relations: the index of a state's first next hop among all next hops *)
  written : option (list entry_of)     (* relations: the listed states *)
}.

Definition subject_of (c : certificate) : option subject :=
  if network_ok (net c) then
    let v := look (net c) in
    match routed c with
    | By_table t =>
        if table_ok v t then Some {|
          routes := table_routing v (look_table v t) (Zlength (t_destinations t)); number := link_vcs v;
          exact := fun _ _ => true; first_hop := fun _ _ => 0; written := None |}
        else None
    | By_relation r =>
        match read (states r) None 0 [] with
        | Some es =>
            if relation_ok v r es then
              let w := look_relation r es in Some {|
                routes := relation_routing v w (Zlength (r_destinations r)); number := link_vcs v;
                exact := as_listed w;
                first_hop := fun d s => match find w d s with Some e => first e | None => 0 end; written := Some es |}
            else None
        | None => None
        end
    end
  else None.

Lemma Zlength_nat {A} (l : list A) : Zlength l = Z.of_nat (length l).
Proof. apply Zlength_correct. Qed.

Lemma get_in_range {A} (l : list A) d : get (of_list l) d <> None -> In d (range (Zlength l)).
Proof.
  rewrite get_of_list, range_spec, Zlength_nat. destruct (Z.ltb_spec d 0); [easy|]. intro h.
  apply nth_error_Some in h. lia.
Qed.

Section Subject.
  Variables (c : certificate) (s : subject).
  Hypothesis is : subject_of c = Some s.

  (* A state on an ejection VC has no next hop. *)
  Lemma subject_ends : forall d t, ejection (routes s) (fst t) = true -> hops (routes s) d t = [].
  Proof.
    unfold subject_of in is. destruct (network_ok (net c)); [|discriminate].
    destruct (routed c) as [t|r].
    - destruct (table_ok _ t); [|discriminate]. injection is as <-. intros d [v k] h.
      simpl in *. unfold table_hops. simpl fst. now rewrite h.
    - destruct (read (states r) None 0 []) as [es|]; [|discriminate].
      destruct (relation_ok _ r es); [|discriminate]. injection is as <-. intros d [v k] h.
      simpl in *. unfold relation_hops. simpl fst. now rewrite h.
  Qed.

  (* No packet is sent to a number that is no destination. *)
  Lemma subject_sends : forall d, In d (destinations (routes s)) \/ sends (routes s) d = [].
  Proof.
    unfold subject_of in is. destruct (network_ok (net c)); [|discriminate].
    destruct (routed c) as [t|r].
    - destruct (table_ok _ t); [|discriminate]. injection is as <-. intro d. simpl.
      destruct (get (of_list (t_destinations t)) d) eqn:e; [left|now right].
      apply get_in_range. congruence.
    - destruct (read (states r) None 0 []) as [es|]; [|discriminate].
      destruct (relation_ok _ r es); [|discriminate]. injection is as <-. intro d. simpl.
      destruct (get (of_list (r_destinations r)) d) eqn:e; [left|now right].
      apply get_in_range. congruence.
  Qed.
End Subject.
