(* This file reads the certificate of a routing program for every size into the types that Coq judges. The text of the program
   is read by program.ml, the evidence here. *)

open Form

let nat = Program.nat

(* A list of numbers that is read from the front. *)
type reader = { mutable rest : int list; mutable left : int }

let reader x =
  let list = try Packed.ints_of (text x) with Packed.Bad why -> malformed ("packed integers: " ^ why) in
  { rest = list; left = List.length list }

let next r =
  match r.rest with
  | [] -> malformed "a list of numbers ends early"
  | k :: rest -> r.rest <- rest; r.left <- r.left - 1; k

(* Reads k of something, or as many as the next number says. *)
let times r k f =
  if k < 0 || k > r.left then malformed "a list of numbers ends early";
  List.init k (fun _ -> f r)

let many r f = let k = next r in times r k f
let ended r = if r.left > 0 then malformed "numbers too many"
let whole x f = let r = reader x in let y = f r in ended r; y
let below k n = if k < 0 || k >= n then malformed "a number out of range"
let z_of r = z (next r)

type numbers = { dims : int; axes : int; complete : bool; variables : int; vcs : int; states : int; rings : bool list; splits : int }

let direction n k =
  below k (2 * n.axes);
  if n.complete && k land 1 = 1 then malformed "a direction";
  (nat (k / 2), k land 1 = 0)

(* The evidence, by the rules of verify/cert/everysize/evidence.go. *)

let form n r = times r (1 + n.variables) z_of

let condition n r =
  let m = next r in
  let f = form n r in
  if m = 0 then C.at_least f else if m >= 2 && m <= 1 lsl 12 then C.divides (z m) f else malformed "a modulus"

let conditions n r = C.conj (many r (condition n))

(* Pairs of a direction and a VC, ascending. *)
let pairs n x =
  let rec go r last =
    if r.left = 0 then []
    else begin
      let k = next r in
      let v = next r in
      below v n.vcs;
      if compare last (k, v) >= 0 then malformed "pairs not ascending";
      let one = (direction n k, z v) in
      one :: go r (k, v)
    end
  in
  go (reader x) (-1, -1)

let small name f = match field name f with `Int i -> i | _ -> malformed name
let boolean name f = match field name f with `Bool b -> b | _ -> malformed name

let split n x =
  let f = fields [ "condition"; "channels" ] x in
  (whole (field "condition" f) (condition n), pairs n (field "channels" f))

(* A class of channels, and its place in the order of classes. *)
let channel n f state =
  let k = small "direction" f and vc = small "vc" f and wrap = boolean "wrap" f and part = small "part" f in
  below vc n.vcs; below part (1 lsl n.splits);
  if wrap && not (k / 2 < n.dims && List.nth n.rings (k / 2)) then malformed "a wraparound channel";
  let axis, up = direction n k in
  ({ C.axis; up; lane = z vc; wrap; part = z part; header = z state }, (k, vc, wrap, part, state))

(* Sets of conditions: no packet satisfies all conditions of a set. *)
let rec excluded n r =
  if r.left = 0 then []
  else begin
    let one = C.neg (conditions n r) in
    one :: excluded n r
  end

let entry n x =
  let f = fields [ "direction"; "vc"; "wrap"; "part"; "state"; "kept"; "excluded"; "group" ] x in
  let state = small "state" f in
  below state n.states;
  let packets, order = channel n f state in
  let kept = whole (field "kept" f) (conditions n) in
  let sets = match List.assoc_opt "excluded" f with None -> [] | Some x -> whole x (excluded n) in
  ({ C.packets; kept = C.conj (kept :: sets); group = number (field "group" f) }, order)

let piece n x =
  let f = fields [ "direction"; "vc"; "wrap"; "part"; "state"; "rank" ] x in
  let state = match List.assoc_opt "state" f with None -> 0 | Some _ -> small "state" f in
  below state n.states;
  if state > 0 then raise (Elsewhere "ranks of packets");
  let ranked, _ = channel n f 0 in
  whole (field "rank" f) (fun r ->
      let rank_when = conditions n r in
      { C.ranked; rank_when; rank_forms = many r (form n) })

(* Clauses: if conditions hold, one of the alternatives holds. *)
let rec clauses n r =
  if r.left = 0 then []
  else begin
    let premise = C.neg (conditions n r) in
    let clause = C.disj (premise :: many r (conditions n)) in
    clause :: clauses n r
  end

let rec ascending = function a :: (b :: _ as l) -> compare a b < 0 && ascending l | _ -> true

let evidence_keys = [ "paths"; "splits"; "classes"; "ranks"; "escape"; "channels"; "detour" ]

(* What is claimed: evidence about paths does not show deadlock-free. *)
type about = { of_paths : bool; livelock : bool; minimal : bool }

let boolean_or_not name f = match List.assoc_opt name f with None -> false | Some (`Bool b) -> b | Some _ -> malformed name

(* The evidence of one case, without proofs. *)
let case about n f =
  if boolean_or_not "paths" f <> about.of_paths then malformed "evidence about paths is for certificates without the claim deadlock-free";
  let items name = match field name f with `Null -> [] | `List l -> l | _ -> malformed name in
  if List.length (items "splits") > 8 || List.length (items "classes") > 4096 then malformed "too many splits or classes";
  let splits = List.map (split n) (items "splits") in
  let n = { n with splits = List.length splits } in
  let entries = List.map (entry n) (items "classes") in
  if not (ascending (List.map snd entries)) then malformed "classes not ascending";
  let ranks = List.map (piece n) (items "ranks") in
  (match ranks with
  | [] -> ()
  | first :: _ ->
      let long = List.length first.C.rank_forms in
      if long = 0 || long > 16 || List.exists (fun p -> List.length p.C.rank_forms <> long) ranks then malformed "the length of a rank");
  let kind = text (field "escape" f) in
  let escape_by =
    match kind with
    | "none" -> C.No_escape | "channels" | "detour" -> C.Escape_set | "first" -> C.Escape_first | "last" -> C.Escape_last
    | _ -> malformed "the kind of the escape"
  in
  let escape_set = pairs n (field "channels" f) in
  if escape_by <> C.Escape_set && escape_set <> [] then malformed "channels of an escape that has none";
  let clauses = whole (field "detour" f) (clauses n) in
  if kind <> "detour" && clauses <> [] then malformed "clauses without a detour";
  let of_destination (f, _) = not (C.avoids (nat n.dims) (nat (2 * n.dims)) f) in
  if about.of_paths && List.exists of_destination splits then raise (Elsewhere "parts by the destination");
  if about.of_paths && ranks <> [] then raise (Elsewhere "ranks of packets");
  if about.of_paths && kind <> "none" then raise (Elsewhere "evidence about paths with an escape");
  { C.of_packets = about.of_paths; finite = about.livelock; minimal = about.minimal; splits; reached = List.map fst entries; ranks; escape_by; escape_set;
    detour = (if kind = "detour" then Some clauses else None) }

(* The evidence of all cases, and the proofs. The coordinates of a failure are variables after the sizes. *)
let evidence about n x =
  let f = fields (evidence_keys @ [ "proofs"; "cases"; "length" ]) x in
  if List.mem_assoc "length" f then raise (Elsewhere "the length of paths");
  let failed = { n with variables = n.variables + n.dims } in
  let further = match List.assoc_opt "cases" f with None -> [] | Some (`List (_ :: _ as l)) -> l | Some _ -> malformed "cases" in
  let first = case about n f in
  let rest = List.map (fun x -> case about failed (fields evidence_keys x)) further in
  (first :: rest, whole (field "proofs" f) (fun r -> times r r.left z_of))

(* A certificate of a program has an empty network. *)
let check_network x =
  let f = fields [ "vcs"; "switches"; "links"; "endpoints"; "attach"; "hosts" ] x in
  let no_list key = match field key f with `List [] -> () | _ -> malformed "a network" in
  if small "vcs" f <> 0 || small "hosts" f <> 0 || text (field "links" f) <> "" || text (field "attach" f) <> "" then malformed "a network";
  no_list "switches"; no_list "endpoints"

type subject = { wormhole : bool; world : C.world; every : bool; faults : C.faults; on_grid : bool; n : numbers }

let subject x =
  let f = fields subject_keys x in
  List.iter
    (fun key -> if has key f then malformed "a program, and something beside it")
    [ "waiting"; "table"; "relation"; "turns"; "product"; "family"; "streams"; "transition"; "gates"; "bubbles"; "multicast" ];
  check_network (field "network" f);
  let wormhole = match text (field "switching" f) with "vct" | "saf" -> false | "wormhole" -> true | _ -> malformed "switching" in
  ignore (optional (premises (text (field "switching" f))) "premises" f);
  let p = fields [ "name"; "text"; "dims"; "every_dimension"; "flow"; "faults" ] (field "program" f) in
  let program = text (field "text" p) and dims = small "dims" p and name = text (field "name" p) in
  if name = "" || not (is_plain name) then malformed "the name of the program";
  let sha256 = Sha256.to_hex (Sha256.string program) in
  ignore (list (fun x -> input x; if text (field "sha256" (fields_of_object x)) <> sha256 then malformed "an input that is not the program") (field
    "inputs" f));
  if has "flow" p then raise (Elsewhere "flow control of rings");
  let every = boolean_or_not "every_dimension" p in
  let faults =
    match optional text "faults" p with
    | None -> C.No_failure | Some "links:1" -> C.One_link | Some "switches:1" -> C.One_switch
    | Some ("links:2" | "switches:2") -> raise (Elsewhere "two failures")
    | Some _ -> malformed "failures"
  in
  if dims = 0 then raise (Elsewhere "every network");
  let world = Program.world program dims in
  let sides = world.C.base.C.sides in
  let sizes = Program.int_of_nat world.C.base.C.sizes in
  let complete = world.C.base.C.complete in
  if (complete || world.C.base.C.axes <> []) && faults <> C.No_failure then malformed "failures on a network with other links";
  let n =
    { axes = Program.int_of_nat (C.axis_count world.C.base); dims = List.length sides; variables = (3 * dims) + sizes + (if complete then 3 else 0);
      complete; vcs = Program.int_of world.C.base.C.lanes; states = Program.int_of_nat world.C.header_states;
      rings = world.C.base.C.rings; splits = 0 }
  in
  if every && (dims <> 1 || faults <> C.No_failure) then malformed "every number of dimensions: evidence for several, or with failures";
  { wormhole; world; every; faults; on_grid = world.C.base.C.axes = [] && faults = C.No_failure; n }

(* The claims that the theorem is about. The evidence is that of the first. Without connected, packets may be dropped. *)
let claims s x =
  let n = s.n and every = s.every in
  let one x =
    let f = fields Kinds.keys x in
    let claim = text (field "claim" f) and verdict = text (field "verdict" f) and evidence_of = text (field "evidence" f) in
    let others = List.filter (fun (key, _) -> not (List.mem key Kinds.names)) f in
    match (claim, verdict, evidence_of, others) with
    | "deadlock-free", "proved", "every-size", [ ("sizes", x) ] -> (claim, Some (false, x))
    | ("connected" | "livelock-free" | "minimal"), "proved", "every-size-paths", [ ("sizes", x) ] -> (claim, Some (true, x))
    | ("connected" | "livelock-free" | "minimal"), "proved", "every-size", [] -> (claim, None)
    | ("deadlock-free" | "connected" | "livelock-free" | "minimal"), "proved", ("every-size" | "every-size-paths"), _ -> malformed "a claim"
    | _ -> raise (Elsewhere (String.escaped (Printf.sprintf "%s %s by %s" claim verdict evidence_of)))
  in
  let list = List.map one (match x with `List l -> l | _ -> malformed "claims") in
  let names = List.map fst list in
  match list with
  | (_, Some (of_paths, x)) :: rest when List.for_all (fun (_, e) -> e = None) rest ->
      let minimal = List.mem "minimal" names in
      let others = if minimal then List.rev (List.tl (List.rev names)) else names in
      if minimal && List.nth names (List.length others) <> "minimal" then malformed "the claim minimal";
      if minimal && (every || not s.on_grid) then raise (Elsewhere "the claim minimal for every number of dimensions, with failures or other links");
      (match others with
      | [ "deadlock-free"; "connected"; "livelock-free" ] -> ()
      | _ when every -> malformed "claims for every number of dimensions"
      | [ "deadlock-free"; "connected" ] | [ "connected"; "livelock-free" ] | [ "connected" ] -> ()
      | [ "deadlock-free"; "livelock-free" ] | [ "deadlock-free" ] | [ "livelock-free" ] | [] -> raise (Elsewhere "claims without connected")
      | _ -> malformed "claims");
      let said (claim, e) = claim ^ " proved by every-size" ^ match e with Some (true, _) -> "-paths" | _ -> "" in
      (List.map said list, evidence { of_paths; livelock = List.mem "livelock-free" names; minimal } n x)
  | _ -> malformed "claims"

let is_program json =
  match json with
  | `Assoc f -> (match List.assoc_opt "subject" f with Some (`Assoc s) -> List.mem_assoc "program" s | _ -> false)
  | _ -> false

type certificate = { about : subject; proved : string list; cases : C.evidence list; proofs : C.z list }

let read file json =
  let f = fields [ "schema"; "subject"; "claims"; "digest" ] json in
  if text (field "schema" f) <> "turnproof.certificate/1" then malformed "schema";
  if not (digest_right file (text (field "digest" f))) then malformed "digest";
  let about = subject (field "subject" f) in
  let proved, (cases, proofs) = claims about (field "claims" f) in
  { about; proved; cases; proofs }
