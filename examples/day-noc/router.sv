// A router of the chip asks the generated package: where may packets go on from host h5 at (2,1)?
module router;
  import mesh_4x4_fail_5_10_11_turns_json_route_pkg::*;

  localparam switch_t HERE = 5;

  initial begin
    for (int d = 0; d < DESTINATIONS; d++)
      $display("from h5 to h%0d: outputs %b", d, next_outputs(HERE, 5, 0, destination_t'(d)));
    $finish;
  end
endmodule
