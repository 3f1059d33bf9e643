// Compares the router with the routing that turnproof check has proved, for every state of every packet. The file states.hex
// has a line for each state: router, input port, VC, destination, and the permitted outputs.
module check;
  import router_pkg::*;

  localparam int STATES = 68598;
  logic [6:0] at, destination;
  logic [2:0] in_port;
  logic [1:0] in_vc;
  requests_t want;
  logic [50:0] states [0:STATES-1];
  int bad;

  initial begin
    $readmemh("states.hex", states);
    for (int i = 0; i < STATES; i++) begin
      {at, in_port, in_vc, destination, want} = states[i];
      if (requests(at, in_port, in_vc, destination) !== want) bad++;
    end
    $display("%0d states, %0d differ", STATES, bad);
    $finish(0);
  end
endmodule
