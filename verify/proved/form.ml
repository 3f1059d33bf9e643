(* This file reads the JSON of a certificate into the types that Coq judges. It judges the parts that Coq
   does not see: schema, digest, names, and that each claim has the fields of its kind of evidence.

   The keys of objects must be the known ones, in order. Apart from that, this file does not judge that the
   certificate is in its canonical form. *)

exception Malformed of string (* the reason: in the file, or in the names of the subject *)
exception Elsewhere of string (* no theorem covers this part of the subject *)

module J = Yojson.Safe
module C = Judge

let malformed why = raise (Malformed why)

let rec positive i = if i = 1 then C.XH else if i land 1 = 1 then C.XI (positive (i lsr 1)) else C.XO (positive (i lsr 1))
let z i = if i = 0 then C.Z0 else if i > 0 then C.Zpos (positive i) else C.Zneg (positive (-i))

(* The binary number of an Int64, read as an unsigned value. OCaml's own integers have only 63 bits. *)
let rec wide i =
  let half = Int64.shift_right_logical i 1 in
  if i = 1L then C.XH else if Int64.logand i 1L = 1L then C.XI (wide half) else C.XO (wide half)

let z64 i = if i = 0L then C.Z0 else if i > 0L then C.Zpos (wide i) else C.Zneg (wide (Int64.neg i))

(* The fields of an object. They must be some of the keys, in the order of the keys. *)
let fields keys = function
  | `Assoc list ->
      let rec go keys list =
        match (keys, list) with
        | _, [] -> ()
        | [], (name, _) :: _ -> malformed ("field " ^ name)
        | key :: keys, (name, _) :: rest -> if key = name then go keys rest else go keys list
      in
      go keys list;
      list
  | _ -> malformed "no object"

let fields_of_object = function `Assoc list -> list | _ -> malformed "no object"

let field name list = match List.assoc_opt name list with Some x -> x | None -> malformed ("no " ^ name)
let has name list = List.mem_assoc name list
let optional f name list = Option.map f (List.assoc_opt name list)
let number = function
  | `Int i -> z64 (Int64.of_int i)
  | `Intlit digits -> (match Int64.of_string_opt digits with Some i -> z64 i | None -> malformed "a number beyond 64 bits")
  | _ -> malformed "no number"
let text = function `String s -> s | _ -> malformed "no text"
let list f = function `List l -> List.map f l | _ -> malformed "no list"
let ints x = try List.rev (List.rev_map z (Packed.ints_of (text x))) with Packed.Bad why -> malformed ("packed integers: " ^ why)

let is_hex s = String.length s = 64 && String.for_all (function '0' .. '9' | 'a' .. 'f' -> true | _ -> false) s

let input x =
  let f = fields [ "name"; "sha256" ] x in
  let name = text (field "name" f) in
  if name = "" || String.contains name '/' then malformed "the name of an input";
  if not (is_hex (text (field "sha256" f))) then malformed "the digest of an input"

(* A text without control characters and without characters that change the direction of writing. It may
   have other characters that verify/cert does not print. *)
let is_plain s =
  let code i = if i < String.length s then Char.code s.[i] else 0 in
  let rec go i =
    i >= String.length s
    ||
    let a = code i and b = code (i + 1) and c = code (i + 2) in
    (not (a < 0x20 || a = 0x7f || (a = 0xc2 && b < 0xa1) || (a = 0xe2 && b = 0x80 && ((c >= 0x8b && c <= 0x8f) || (c >= 0xa8 && c <= 0xae)))
          || (a = 0xe2 && b = 0x81 && c >= 0xa0 && c <= 0xaf) || (a = 0xef && b = 0xbb && c = 0xbf)))
    && go (i + 1)
  in
  go 0

(* Premises: their texts have no control characters, each name occurs once, and one is the switching that is judged. *)
let premises switching x =
  let plain s = s <> "" && is_plain s in
  let one x =
    let f = fields [ "name"; "value"; "source" ] x in
    let name = text (field "name" f) and value = text (field "value" f) in
    if not (List.for_all plain [ name; value; text (field "source" f) ]) then malformed "a premise";
    if name = "switching" && value <> switching then malformed "the premise of switching";
    name
  in
  let names = list one x in
  if List.length (List.sort_uniq compare names) <> List.length names then malformed "a premise twice"

let network x =
  let f = fields [ "vcs"; "switches"; "links"; "endpoints"; "attach"; "hosts" ] x in
  let names key = List.length (list text (field key f)) in
  { C.vcs = number (field "vcs" f); switches = z (names "switches"); links = ints (field "links" f);
    endpoints = z (names "endpoints"); attach = ints (field "attach" f); hosts = number (field "hosts" f) }

let table x =
  let f = fields [ "sources"; "destinations"; "lids"; "ports"; "classes"; "vc_rows"; "vc_row_of"; "management"; "management_classes" ] x in
  if has "management" f || has "management_classes" f then raise (Elsewhere "management");
  { C.t_sources = number (field "sources" f); t_destinations = ints (field "destinations" f); lids = ints (field "lids" f);
    ports = ints (field "ports" f); classes = optional ints "classes" f; vc_rows = optional ints "vc_rows" f;
    vc_row_of = optional ints "vc_row_of" f }

let relation x =
  let f = fields [ "classes"; "sources"; "destinations"; "inject"; "states"; "commits" ] x in
  (match field "classes" f with `Int k when k <= 0x7fffffff -> () | _ -> malformed "the number of classes"); (* a limit of verify/cert *)
  { C.r_classes = number (field "classes" f); r_sources = number (field "sources" f);
    r_destinations = ints (field "destinations" f); inject = ints (field "inject" f); states = ints (field "states" f) }

let packet x =
  let f = fields [ "source"; "destination"; "class"; "path" ] x in
  { C.source = number (field "source" f); destination = number (field "destination" f);
    class0 = number (field "class" f); path = list number (field "path" f) }

let subject_keys =
  [ "switching"; "waiting"; "network"; "table"; "relation"; "turns"; "product"; "family"; "streams"; "program"; "transition"; "gates"; "bubbles";
    "multicast"; "facts"; "inputs"; "premises" ]

let subject x =
  let f = fields subject_keys x in
  ignore (list input (field "inputs" f));
  ignore (optional (premises (text (field "switching" f))) "premises" f);
  let switching =
    match text (field "switching" f) with
    | "vct" -> C.Cut_through | "saf" -> C.Store_and_forward | "wormhole" -> C.Wormhole
    | other -> malformed ("switching " ^ other)
  in
  let kinds = List.filter (fun key -> has key f) [ "table"; "relation"; "turns"; "product"; "family"; "streams"; "program"; "transition" ] in
  if List.length kinds <> 1 then malformed "not exactly one of a table, a relation, turns, a product, a family, streams, a program and a transition";
  if has "gates" f && not (has "relation" f) then malformed "gates without a relation";
  if has "bubbles" f && (has "gates" f || has "multicast" f || not (has "relation" f)) then
    malformed "bubbles need a relation, without gates and multicast groups";
  if has "program" f then raise (Elsewhere "program (turnproof-check --list writes its paths)");
  List.iter (fun key -> if has key f then raise (Elsewhere key)) [ "turns"; "product"; "family"; "streams"; "transition"; "gates"; "bubbles"; "multicast"; "facts" ];
  let routed =
    if has "table" f then C.By_table (table (field "table" f)) else C.By_relation (relation (field "relation" f))
  in
  let commits = if has "relation" f then optional ints "commits" (fields_of_object (field "relation" f)) else None in
  let waits =
    match (optional text "waiting" f, commits) with
    | None, None -> C.For_any
    | Some "one", None -> C.For_one
    | Some "mixed", Some flags -> C.For_either flags
    | _ -> malformed "waiting"
  in
  (switching, waits, network (field "network" f), routed)

(* A description of a claim. No character of the claim can forge a line of output. *)
let words x =
  let f = match x with `Assoc f -> f | _ -> malformed "no object" in
  let word name = String.escaped (text (field name f)) in
  Printf.sprintf "%s %s by %s" (word "claim") (word "verdict") (word "evidence")

(* The judged claims with their descriptions, and the descriptions of the other claims. *)
let claims commit x =
  let chosen = ref None in
  let one x =
    let f = fields Kinds.keys x in
    let kind = Kinds.find (text (field "claim" f)) (text (field "verdict" f)) (text (field "evidence" f)) in
    let kind = match kind with Some k -> k | None -> malformed "no such claim" in
    if List.filter_map (fun (name, _) -> if List.mem name Kinds.names then None else Some name) f <> Kinds.fields_of kind commit then
      malformed "fields of other evidence";
    if has "chosen" f then chosen := Some (ints (field "chosen" f));
    let ranks () = ints (field "ranks" f) and packets () = list packet (field "packets" f) in
    let single () = match packets () with [ p ] -> Some p | _ -> None in
    let judged =
      match kind.evidence with
      | "numbering" -> Some (Some (C.Numbering (ranks ())))
      | "acyclic-cdg" -> Some (Some C.Acyclic)
      | "elimination-order" -> Some (Some (C.Elimination (ranks ())))
      | "escape" -> Some (Some (C.Escape (ranks (), ints (field "escape" f))))
      | "walk" -> Some (Some (C.Walk (number (field "pairs" f))))
      | "longest-path" -> Some (Some (C.Longest (number (field "hops" f))))
      | "cycle" -> Some (Some (C.Cycle (packets ())))
      | "deadlock-configuration" -> Some (Some (C.Configuration (packets ())))
      | "worms" -> Some (Some (C.Worms (packets (), ints (field "holds" f))))
      | "lost-packet" ->
          let how = match text (field "end" f) with
            | "dropped" -> 0 | "wrong-host" -> 1 | "looping" -> 2 | "no-class" -> 3 | _ -> 4 in
          Some (Option.map (fun p -> C.Lost (number (field "pairs" f), number (field "unreachable" f), p, z how)) (single ()))
      | "forwarding-loop" -> Some (Option.map (fun p -> C.Loop p) (single ()))
      | _ -> None
    in
    match judged with
    | Some (Some claim) -> (kind, (words x, Some claim))
    | Some None -> malformed "one packet is to be shown"
    | None -> (kind, (words x, None))
  in
  let all = list one x in
  if all = [] then malformed "no claim";
  let rec ordered = function
    | (a, _) :: ((b, _) :: _ as rest) -> a.Kinds.at < b.Kinds.at && a.Kinds.claim <> b.Kinds.claim && ordered rest
    | _ -> true
  in
  if not (ordered all) then malformed "claims not in order";
  (!chosen, List.map snd all)

(* Judges the digest, which covers the file up to the comma before the digest. *)
let digest_right file said =
  let rec find i = if i < 0 then None else if String.sub file i 11 = "\n \"digest\":" then Some i else find (i - 1) in
  match find (String.length file - 11) with
  | Some i when i > 0 && file.[i - 1] = ',' -> Sha256.to_hex (Sha256.string (String.sub file 0 (i - 1))) = said
  | _ -> false

type read =
  | Nothing_judged of string * string list (* the part of the subject that no theorem covers, and the claims *)
  | Judged_in_part of C.waiting_certificate * string list * string list (* the descriptions of the judged claims, then of the others *)

(* whether a file is of version 2 of the format, in which the states come in blocks *)
let in_blocks json =
  match json with `Assoc list -> List.assoc_opt "schema" list = Some (`String "turnproof.certificate/2") | _ -> false

let json_of file = try J.from_string file with Yojson.Json_error why -> malformed why

let certificate file json =
  if in_blocks json then
    Nothing_judged ("states in blocks (turnproof-check --list writes them as a list)", list words (field "claims" (fields_of_object json)))
  else
  let f = fields [ "schema"; "subject"; "claims"; "digest" ] json in
  if text (field "schema" f) <> "turnproof.certificate/1" then malformed "schema";
  if not (digest_right file (text (field "digest" f))) then malformed "digest";
  match subject (field "subject" f) with
  | exception Elsewhere part -> Nothing_judged (part, list words (field "claims" f))
  | switched, waits, net, routed ->
      let chosen, all = claims (waits <> C.For_any) (field "claims" f) in
      Judged_in_part
        ( { C.plain = { C.switched; net; routed; claims = List.filter_map snd all }; waited = waits; chosen },
          List.filter_map (fun (w, c) -> Option.map (fun _ -> w) c) all,
          List.filter_map (fun (w, c) -> if c = None then Some w else None) all )
