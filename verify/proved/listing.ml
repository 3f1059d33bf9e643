(* This file reads the paths of a routing program with the evidence of a certificate for every size, as
   verify/cert/everysize/listing.go writes them, into the types that Coq judges. *)

open Form

let rec nat i = if i <= 0 then C.O else C.S (nat (i - 1))

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
let flag r = match next r with 0 -> false | 1 -> true | _ -> malformed "a flag"
let z_of r = z (next r)

let rec formula depth r =
  if depth > 1000 then malformed "a deep formula";
  match next r with
  | 0 -> C.All (many r (formula (depth + 1)))
  | 1 -> C.Any (many r (formula (depth + 1)))
  | 2 -> C.At_least (many r z_of)
  | 3 -> let m = z_of r in C.Divides (m, many r z_of)
  | _ -> malformed "a formula"

type family = { dims : int; variables : int; vcs : int; states : int; rings : bool list; splits : int }

let direction n k = below k (2 * n.dims); (nat (k / 2), k land 1 = 0)
let optional_z k = if k < 0 then None else Some (z k)

let output n r =
  let out_dir = direction n (next r) in
  let to_vc = z_of r in
  { C.out_dir; to_vc; to_header = z_of r }

let path n r =
  let k = next r in
  let from_dir = if k = -2 then None else if k = -1 then Some None else Some (Some (direction n k)) in
  let from_vc = optional_z (next r) in
  let from_header = optional_z (next r) in
  let ejects = flag r in
  let fails = flag r in
  let outputs = many r (output n) in
  { C.guard = formula 0 r; from_dir; from_vc; from_header; outputs; ejects; fails }

let inject r = let states = many r z_of in let when_ = formula 0 r in (when_, states)

(* The evidence, by the rules of verify/cert/everysize/evidence.go. *)

let form n r = times r (1 + n.variables) z_of

let condition n r =
  let m = next r in
  let f = form n r in
  if m = 0 then C.at_least f else if m >= 2 && m <= 1 lsl 20 then C.divides (z m) f else malformed "a modulus"

let conditions n r = C.conj (many r (condition n))

(* Pairs of a direction and a VC, ascending. *)
let pairs n x =
  let rec go r last =
    if r.left = 0 then []
    else begin
      let k = next r in
      let v = next r in
      below k (2 * n.dims); below v n.vcs;
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
  below k (2 * n.dims); below vc n.vcs; below part (1 lsl n.splits);
  if wrap && not (List.nth n.rings (k / 2)) then malformed "a wraparound channel";
  let axis, up = direction n k in
  ({ C.axis; up; lane = z vc; wrap; part = z part; header = z state }, (k, vc, wrap, part, state))

let entry n x =
  let f = fields [ "direction"; "vc"; "wrap"; "part"; "state"; "kept"; "group" ] x in
  let state = small "state" f in
  below state n.states;
  let packets, order = channel n f state in
  ({ C.packets; kept = whole (field "kept" f) (conditions n); group = number (field "group" f) }, order)

let piece n x =
  let f = fields [ "direction"; "vc"; "wrap"; "part"; "rank" ] x in
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

let evidence n x =
  let f = fields [ "splits"; "classes"; "ranks"; "escape"; "channels"; "detour"; "proofs" ] x in
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
  ( { C.splits; reached = List.map fst entries; ranks; escape_by; escape_set; detour = (if kind = "detour" then Some clauses else None) },
    whole (field "proofs" f) (fun r -> times r r.left z_of) )

let side sizes r =
  let i = next r in
  let k = next r in
  if i = -1 then C.Length (z k) else (below i sizes; C.Size (nat i))

let digest_right file said =
  let tail = Printf.sprintf ",\"digest\":\"%s\"}\n" said in
  let end_ = String.length file - String.length tail in
  end_ > 0 && String.sub file end_ (String.length tail) = tail && Sha256.to_hex (Sha256.string (String.sub file 0 end_)) = said

let schema = "turnproof.every-size/1"
let is_listing json = match json with `Assoc (("schema", `String s) :: _) -> s = schema | _ -> false

type listing = { wormhole : bool; program : C.program; evidence : C.evidence; proofs : C.z list; claims : string list; name : string; sha256 : string }

let read file json =
  let f =
    fields
      [ "schema"; "switching"; "name"; "sha256"; "rings"; "sides"; "sizes"; "where"; "vcs"; "states"; "passes"; "injects"; "paths"; "claims"; "evidence"; "digest" ]
      json
  in
  if not (digest_right file (text (field "digest" f))) then malformed "digest";
  let sizes = small "sizes" f and vcs = small "vcs" f and states = small "states" f in
  below sizes 17; below vcs 65; below states 257;
  let sides = whole (field "sides" f) (fun r -> if r.left > 32 then malformed "sides" else times r (r.left / 2) (side sizes)) in
  let dims = List.length sides in
  let rings = whole (field "rings" f) (fun r -> times r dims flag) in
  let n = { dims; variables = (3 * dims) + sizes; vcs; states; rings; splits = 0 } in
  let program =
    { C.rings; sides; sizes = nat sizes; sizes_when = whole (field "where" f) (fun r -> many r (formula 0)); lanes = z vcs; passes = boolean "passes" f;
      injects = whole (field "injects" f) (fun r -> many r inject); paths = whole (field "paths" f) (fun r -> many r (path n)) }
  in
  let wormhole = match text (field "switching" f) with "vct" | "saf" -> false | "wormhole" -> true | _ -> malformed "switching" in
  let claims = list text (field "claims" f) in
  if not (List.mem claims [ [ "deadlock-free" ]; [ "deadlock-free"; "connected" ]; [ "deadlock-free"; "livelock-free" ]; [ "deadlock-free"; "connected"; "livelock-free" ] ])
  then malformed "claims";
  let name = text (field "name" f) and sha256 = text (field "sha256" f) in
  if name = "" || not (is_plain name && is_hex sha256) then malformed "the name of the program";
  let evidence, proofs = evidence n (field "evidence" f) in
  { wormhole; program; evidence; proofs; claims; name; sha256 }
