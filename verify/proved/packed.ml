(* This file reads lists of integers: base64 of zigzag varints, as defined in verify/cert/format.go. *)

exception Bad of string

let digit c =
  match c with
  | 'A' .. 'Z' -> Char.code c - 65
  | 'a' .. 'z' -> Char.code c - 71
  | '0' .. '9' -> Char.code c + 4
  | '+' -> 62
  | '/' -> 63
  | _ -> raise (Bad "base64")

(* The bytes of padded base64 text. No bit beyond the last byte may be set. *)
let bytes_of text =
  let n = String.length text in
  if n mod 4 <> 0 then raise (Bad "base64");
  let pad = if n > 0 && text.[n - 1] = '=' then if text.[n - 2] = '=' then 2 else 1 else 0 in
  let out = Buffer.create (n / 4 * 3) in
  let rec go i bits held =
    if i = n - pad then (if bits land ((1 lsl held) - 1) <> 0 then raise (Bad "base64"))
    else
      let bits = (bits lsl 6) lor digit text.[i] and held = held + 6 in
      if held < 8 then go (i + 1) bits held
      else begin
        Buffer.add_char out (Char.chr ((bits lsr (held - 8)) land 255));
        go (i + 1) (bits land 255) (held - 8)
      end
  in
  go 0 0 0;
  Buffer.contents out

(* The integers. Each has 32 bits and must be in its shortest form. *)
let ints_of text =
  let raw = bytes_of text in
  let rec go i u shift list =
    if i = String.length raw then if shift = 0 then List.rev list else raise (Bad "cut off")
    else
      let b = Char.code raw.[i] in
      let u = u lor ((b land 0x7f) lsl shift) in
      if u > 0xffffffff || shift > 28 then raise (Bad "longer than 32 bits");
      if b >= 0x80 then go (i + 1) u (shift + 7) list
      else if b = 0 && shift > 0 then raise (Bad "not the shortest form")
      else go (i + 1) 0 0 ((if u land 1 = 0 then u lsr 1 else -(u lsr 1) - 1) :: list)
  in
  go 0 0 0 []
