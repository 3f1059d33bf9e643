(* This file says what a routing is, and what is claimed of one: reachable states, dependencies,
   acyclic, connected, livelock-free. What a deadlock is, say Queues.v and Worms.v.

   A state is (VC, class): where a packet is and what it carries; its destination stands beside
   it. A routing is a relation: it gives the next hops of each state. Forwarding tables are
   compiled into such a relation in Table.v, relations written out are read in Relation.v. *)

From Coq Require Import ZArith List Bool Relations.
From Proved Require Import Arrays.
Import ListNotations.
Open Scope Z_scope.

Definition state := pair.

Record routing := {
  link : Z -> bool;               (* VCs between switches *)
  ejection : Z -> bool;           (* VCs into endpoints *)
  entry : Z -> Z;                 (* by endpoint: the VC on which its packets begin *)
  destinations : list Z;
  sources : Z -> list Z;          (* by destination: the endpoints of its pairs *)
  target : Z -> Z -> bool;        (* destination, VC: it leads into the destination's endpoint *)
  sends : Z -> list (Z * Z);      (* by destination: endpoint and class of what may be sent *)
  hops : Z -> state -> list state (* by destination: the permitted next hops of a state *)
}.

Section Routing.
  Variable r : routing.

  (* The states that some packet to d can be in. *)
  Inductive reachable (d : Z) : state -> Prop :=
  | begin e k : In (e, k) (sends r d) -> reachable d (entry r e, k)
  | hop s t : reachable d s -> In t (hops r d s) -> reachable d t.

  (* A permitted way from one state to another. *)
  Inductive way (d : Z) (s : state) : state -> Prop :=
  | here : way d s s
  | onward t u : way d s t -> In u (hops r d t) -> way d s u.

  Lemma way_trans d s t u : way d s t -> way d t u -> way d s u.
  Proof. intros a b. induction b; eauto using way. Qed.

  Lemma reachable_way d s t : reachable d s -> way d s t -> reachable d t.
  Proof. intros a b. induction b; eauto using reachable. Qed.

  Lemma way_reachable d e k s : In (e, k) (sends r d) -> way d (entry r e, k) s -> reachable d s.
  Proof. intros. eapply reachable_way; eauto using reachable. Qed.

  (* b may be asked for by a packet on a, both between switches. *)
  Definition depends (a b : Z) : Prop :=
    link r a = true /\ link r b = true /\
    exists d k l, reachable d (a, k) /\ In (b, l) (hops r d (a, k)).

  Definition acyclic : Prop := forall a, ~ clos_trans Z depends a a.

  (* Source e and destination d: there is a class to send with, and from wherever a packet gets
     to, a way leads to the destination. *)
  Definition pair_connected (e d : Z) : Prop :=
    (exists k, In (e, k) (sends r d)) /\
    forall k s, In (e, k) (sends r d) -> way d (entry r e, k) s ->
      exists t, way d s t /\ target r d (fst t) = true.

  Definition pairs : list (Z * Z) :=
    flat_map (fun d => map (fun e => (e, d)) (sources r d)) (destinations r).

  Definition connected : Prop := forall e d, In (e, d) pairs -> pair_connected e d.

  (* The states of a way one by one, the first first. *)
  Inductive walk (d : Z) : list state -> Prop :=
  | one s : walk d [s]
  | more s t l : In t (hops r d s) -> walk d (t :: l) -> walk d (s :: t :: l).

  (* States in which a packet of a pair may be, from its injection on, without ejection: with
     each of them it passes a switch. *)
  Definition passes (d : Z) (l : list state) : Prop :=
    walk d l /\ Forall (fun s => ejection r (fst s) = false) l /\
    exists e k, hd_error l = Some (entry r e, k) /\ In (e, k) (sends r d).

  (* No packet passes more than n switches, and some packet that many (0: nothing is sent). So no packet goes on
     for ever. *)
  Definition livelock_free (n : Z) : Prop :=
    (forall d l, passes d l -> Z.of_nat (length l) <= n) /\
    (n = 0 \/ exists d l, passes d l /\ Z.of_nat (length l) = n).

  (* A packet can come back to a state, and so go on for ever. *)
  Definition goes_round : Prop :=
    exists d s t, reachable d s /\ In t (hops r d s) /\ way d t s.
End Routing.
