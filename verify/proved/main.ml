(* turnproof-proved FILE...: judges certificates by the checker that Coq has proved. One line for each:

     accepted              every claim holds, by the theorem decide_waiting_sound
     rejected: CLAIM       a claim, "subject" or "file"
     not judged: WHY       nothing wrong was found, but of some of it nothing is proved

   Without arguments it answers one after the other what it reads: a line with a number of
   bytes, and as many bytes. Exit status: 0 all accepted, 1 some rejected, 2 usage or input, 3 some not judged. *)

let claim_name c =
  match c with
  | Judge.Numbering _ | Judge.Cycle _ -> "acyclic-cdg"
  | Judge.Acyclic | Judge.Elimination _ | Judge.Escape _ | Judge.Configuration _ | Judge.Worms _ -> "deadlock-free"
  | Judge.Walk _ | Judge.Lost _ -> "connected"
  | Judge.Longest _ | Judge.Loop _ -> "livelock-free"

let answer file =
  match Form.certificate file with
  | exception Form.Malformed _ -> (1, "rejected: file")
  | exception Form.Elsewhere what -> (3, "not judged: " ^ what)
  | certificate, others -> (
      match (Judge.decide_waiting certificate, others) with
      | Judge.Rejected None, _ -> (1, "rejected: subject")
      | Judge.Rejected (Some claim), _ -> (1, "rejected: " ^ claim_name claim)
      | Judge.Accepted, [] -> (0, "accepted")
      | Judge.Accepted, evidence :: _ -> (3, "not judged: " ^ evidence))

let read name =
  let channel = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

let worst = ref 0

let tell prefix file =
  let status, line = answer file in
  if !worst <> 1 && status <> 0 then worst := status;
  print_endline (prefix ^ line)

let stream () =
  set_binary_mode_in stdin true;
  try
    while true do
      let n = int_of_string (input_line stdin) in
      tell "" (really_input_string stdin n)
    done
  with End_of_file -> ()

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 4_000_000 }; (* words; most of what is made is short-lived *)
  match List.tl (Array.to_list Sys.argv) with
  | [] -> stream (); exit !worst
  | files ->
      (try
         List.iter
           (fun name ->
             let file = read name in
             tell (if List.length files = 1 then "" else name ^ ": ") file)
           files
       with Sys_error why -> prerr_endline ("turnproof-proved: " ^ why); exit 2);
      exit !worst
