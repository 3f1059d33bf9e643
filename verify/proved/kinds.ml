(* This file lists the kinds of evidence in the order of a certificate's claims. Each kind has its fields in
   the order of the file. *)

type kind = { at : int; claim : string; verdict : string; evidence : string; fields : string list }

let names = [ "claim"; "verdict"; "evidence" ]

let keys =
  names
  @ [ "ranks"; "packets"; "pairs"; "unreachable"; "end"; "hops"; "escape"; "holds"; "cycle"; "tree"; "multipliers"; "member";
      "bound"; "packing"; "steps"; "sizes"; "networks"; "clear"; "flits"; "messages"; "chosen"; "moves"; "protocol"; "carries"; "tables" ]

(* The fields of a kind. If commit is true, packets wait for one next hop, and deadlocks name it. *)
let fields_of kind commit =
  if commit && List.mem kind.evidence [ "deadlock-configuration"; "worms"; "queued-run" ] then kind.fields @ [ "chosen" ] else kind.fields

let all =
  List.mapi
    (fun at (claim, verdict, evidence, fields) -> { at; claim; verdict; evidence; fields })
    [ ("acyclic-cdg", "proved", "numbering", [ "ranks" ]);
      ("acyclic-cdg", "proved", "lines", []);
      ("acyclic-cdg", "refuted", "cycle", [ "packets" ]);
      ("acyclic-cdg", "refuted", "lines", []);
      ("acyclic-cdg", "refuted", "turn-cycle", [ "cycle" ]);
      ("acyclic-cdg", "proved", "family-ranks", [ "ranks"; "multipliers" ]);
      ("acyclic-cdg", "refuted", "family-cycle", [ "member" ]);
      ("deadlock-free", "proved", "acyclic-cdg", []);
      ("deadlock-free", "proved", "elimination-order", [ "ranks" ]);
      ("deadlock-free", "proved", "escape", [ "ranks"; "escape" ]);
      ("deadlock-free", "proved", "no-worms", [ "steps" ]);
      ("deadlock-free", "proved", "unreachable", [ "steps" ]);
      ("deadlock-free", "refuted", "deadlock-configuration", [ "packets" ]);
      ("deadlock-free", "refuted", "worms", [ "packets"; "holds" ]);
      ("deadlock-free", "refuted", "queued-run", [ "packets"; "moves" ]);
      ("deadlock-free", "refuted", "lines", []);
      ("deadlock-free", "proved", "gated-order", [ "ranks"; "clear" ]);
      ("deadlock-free", "refuted", "gated-configuration", [ "packets"; "flits" ]);
      ("deadlock-free", "proved", "all-schedules", []);
      ("deadlock-free", "refuted", "schedule", [ "steps" ]);
      ("deadlock-free", "proved", "transition-states", []);
      ("deadlock-free", "refuted", "transition-cycle", [ "packets" ]);
      ("deadlock-free", "refuted", "gated-run", [ "packets"; "steps" ]);
      ("deadlock-free", "proved", "gated-states", [ "ranks"; "clear" ]);
      ("deadlock-free", "proved", "bubble", [ "ranks" ]);
      ("deadlock-free", "refuted", "bubble-run", [ "packets"; "moves" ]);
      ("deadlock-free", "proved", "every-size", [ "sizes" ]);
      ("deadlock-free", "proved", "every-network", [ "networks" ]);
      ("connected", "proved", "walk", [ "pairs" ]);
      ("connected", "proved", "lines", [ "pairs" ]);
      ("connected", "proved", "turn-tree", [ "pairs"; "tree" ]);
      ("connected", "proved", "turn-search", [ "pairs" ]);
      ("connected", "refuted", "lost-packet", [ "packets"; "pairs"; "unreachable"; "end" ]);
      ("connected", "refuted", "turn-unreached", [ "packets"; "pairs"; "unreachable"; "end" ]);
      ("connected", "proved", "family-members", []);
      ("connected", "refuted", "family-unreached", [ "member" ]);
      ("connected", "proved", "every-size", []);
      ("connected", "proved", "every-size-paths", [ "sizes" ]);
      ("connected", "proved", "every-network", []);
      ("connected", "proved", "every-network-paths", [ "networks" ]);
      ("livelock-free", "proved", "longest-path", [ "hops" ]);
      ("livelock-free", "proved", "lines", [ "hops" ]);
      ("livelock-free", "refuted", "forwarding-loop", [ "packets" ]);
      ("livelock-free", "proved", "transition-states", []);
      ("livelock-free", "refuted", "transition-loops", [ "steps" ]);
      ("livelock-free", "proved", "every-size", []);
      ("livelock-free", "proved", "every-size-paths", [ "sizes" ]);
      ("livelock-free", "proved", "every-network", []);
      ("livelock-free", "proved", "every-network-paths", [ "networks" ]);
      ("minimal", "refuted", "not-nearer", [ "packets" ]);
      ("minimal", "proved", "every-size", []);
      ("minimal", "proved", "every-size-paths", [ "sizes" ]);
      ("deterministic", "refuted", "two-hops", [ "packets" ]);
      ("deterministic", "proved", "every-size", []);
      ("deterministic", "proved", "every-size-paths", [ "sizes" ]);
      ("fully-adaptive", "refuted", "barred-path", [ "packets" ]);
      ("fully-adaptive", "proved", "every-size", []);
      ("fully-adaptive", "proved", "every-size-paths", [ "sizes" ]);
      ("message-deadlock-free", "proved", "virtual-networks", [ "messages" ]);
      ("message-deadlock-free", "refuted", "shared-virtual-network", [ "packets"; "messages" ]);
      ("message-deadlock-free", "refuted", "deadlock", [ "messages" ]);
      ("message-deadlock-free", "proved", "virtual-network-order", [ "protocol" ]);
      ("message-deadlock-free", "proved", "message-elimination", [ "ranks"; "protocol"; "tables" ]);
      ("message-deadlock-free", "proved", "message-numbering", [ "ranks"; "protocol"; "tables" ]);
      ("message-deadlock-free", "refuted", "message-deadlock", [ "packets"; "protocol"; "carries"; "tables" ]);
      ("message-deadlock-free", "refuted", "message-worms", [ "packets"; "holds"; "protocol"; "carries"; "tables" ]);
      ("message-deadlock-free", "proved", "no-message-deadlock", [ "steps"; "protocol" ]);
      ("lower-bound", "proved", "cycle-packing", [ "bound"; "packing" ]);
      ("lower-bound", "proved", "one-way-gossip", [ "bound" ]);
      ("lower-bound", "proved", "refutation", [ "bound"; "packing"; "steps" ]);
      ("lower-bound", "proved", "cycle-packing-both", [ "bound"; "packing" ]);
      ("lower-bound", "proved", "one-way-gossip-both", [ "bound" ]);
      ("lower-bound", "proved", "refutation-both", [ "bound"; "packing"; "steps" ]);
      ("lower-bound", "proved", "vcs-by-path", [ "packets"; "bound"; "steps" ]);
      ("lower-bound", "proved", "vcs-by-pair", [ "packets"; "bound"; "steps" ]);
      ("lower-bound", "proved", "vcs-rising", [ "packets"; "bound"; "steps" ]);
      ("lower-bound", "proved", "vcs-by-hop", [ "packets"; "bound"; "steps" ]);
      ("lower-bound", "proved", "fewest-pairs", [ "bound"; "steps" ]);
      ("lower-bound", "proved", "transition-fewest", [ "bound"; "steps" ]);
      ("lower-bound", "proved", "transition-stops", [ "bound"; "steps" ]);
      ("unroutable", "proved", "no-set", [ "steps" ]);
      ("deadlock-reached", "proved", "moves", [ "moves" ]);
      ("deadlock-reached", "proved", "lines", []);
      ("safe-order", "refuted", "transition-sets", [ "steps" ]) ]

let find claim verdict evidence =
  List.find_opt (fun k -> k.claim = claim && k.verdict = verdict && k.evidence = evidence) all
