(* This file defines a routing and the claims about it: reachable states, dependencies, acyclic, connected,
   livelock-free. Queues.v and Worms.v define deadlocks.

   A state is (VC, class): the VC of a packet, and its class. The destination is a separate argument. A
   routing is a relation that gives the next hops of each state. Table.v compiles forwarding tables into such
   a relation. Relation.v reads relations that list their states. *)

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
  sources : Z -> list Z;          (* by destination: the source endpoints of its pairs *)
  target : Z -> Z -> bool;        (* destination, VC: the VC leads into the destination's endpoint *)
  sends : Z -> list (Z * Z);      (* by destination: endpoint and class of packets that may be sent *)
  hops : Z -> state -> list state (* by destination: the permitted next hops of a state *)
}.

Section Routing.
  Variable r : routing.

  (* The states that some packet to d can reach. *)
  Inductive reachable (d : Z) : state -> Prop :=
  | begin e k : In (e, k) (sends r d) -> reachable d (entry r e, k)
  | hop s t : reachable d s -> In t (hops r d s) -> reachable d t.

  (* A permitted path leads from one state to another. *)
  Inductive way (d : Z) (s : state) : state -> Prop :=
  | here : way d s s
  | onward t u : way d s t -> In u (hops r d t) -> way d s u.

  Lemma way_trans d s t u : way d s t -> way d t u -> way d s u.
  Proof. intros a b. induction b; eauto using way. Qed.

  Lemma reachable_way d s t : reachable d s -> way d s t -> reachable d t.
  Proof. intros a b. induction b; eauto using reachable. Qed.

  Lemma way_reachable d e k s : In (e, k) (sends r d) -> way d (entry r e, k) s -> reachable d s.
  Proof. intros. eapply reachable_way; eauto using reachable. Qed.

  (* A packet on a may request b. Both are between switches. *)
  Definition depends (a b : Z) : Prop :=
    link r a = true /\ link r b = true /\
    exists d k l, reachable d (a, k) /\ In (b, l) (hops r d (a, k)).

  Definition acyclic : Prop := forall a, ~ clos_trans Z depends a a.

  (* Source e and destination d are connected: the pair has a class, and from every state that its packets
     reach a path leads to the destination. *)
  Definition pair_connected (e d : Z) : Prop :=
    (exists k, In (e, k) (sends r d)) /\
    forall k s, In (e, k) (sends r d) -> way d (entry r e, k) s ->
      exists t, way d s t /\ target r d (fst t) = true.

  Definition pairs : list (Z * Z) :=
    flat_map (fun d => map (fun e => (e, d)) (sources r d)) (destinations r).

  Definition connected : Prop := forall e d, In (e, d) pairs -> pair_connected e d.

  (* The states of a path, first one first. *)
  Inductive walk (d : Z) : list state -> Prop :=
  | one s : walk d [s]
  | more s t l : In t (hops r d s) -> walk d (t :: l) -> walk d (s :: t :: l).

  (* The states of a packet's path from its injection on, without ejection. The packet passes one switch with
     each of them. *)
  Definition passes (d : Z) (l : list state) : Prop :=
    walk d l /\ Forall (fun s => ejection r (fst s) = false) l /\
    exists e k, hd_error l = Some (entry r e, k) /\ In (e, k) (sends r d).

  (* No packet passes more than n switches, and some packet passes n (0 if no packet is sent). So no packet is
     forwarded forever. *)
  Definition livelock_free (n : Z) : Prop :=
    (forall d l, passes d l -> Z.of_nat (length l) <= n) /\
    (n = 0 \/ exists d l, passes d l /\ Z.of_nat (length l) = n).

  (* A packet can return to a state, and so be forwarded forever. *)
  Definition goes_round : Prop :=
    exists d s t, reachable d s /\ In t (hops r d s) /\ way d t s.
End Routing.
