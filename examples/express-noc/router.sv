// The routing of one router of the chip, made of two generated packages: any minimal path on the adaptive VCs 0 to 2, and
// up*/down* on the escape VC 3. A packet that enters the escape stays there; its up*/down* path begins where it enters.
// Router AT is the number in the names of the chip; host AT is its core. Bit port * 4 + VC of outputs is an output.
package router_pkg;
  import chip_edges_minimal_next_pkg::*;

  localparam int VCS = 4;
  localparam int OUT_PORTS = 8;
  localparam logic [1:0] ESCAPE = 2'd3;
  typedef logic [31:0] requests_t;

  function automatic requests_t requests(input switch_t at, input port_t in_port, input logic [1:0] in_vc, input destination_t destination);
    logic [OUT_PORTS-1:0] adaptive, escape, own;
    port_t start;
    own = next_port(at, at); // the port of the core
    start = '0;
    for (int p = 0; p < OUT_PORTS; p++) if (own[p]) start = p[2:0];
    adaptive = next_port(at, destination);
    escape = chip_edges_updown_root_54_route_pkg::next_outputs(at, in_vc == ESCAPE ? in_port : start, 1'b0, destination);
    requests = '0;
    for (int p = 0; p < OUT_PORTS; p++) begin
      if (destination == at) requests[p*VCS] = own[p];
      else requests[p*VCS +: VCS] = {escape[p], {3{adaptive[p] && in_vc != ESCAPE}}};
    end
  endfunction
endpackage

module router #(parameter int AT = 0) (
  input  logic [2:0] in_port,
  input  logic [1:0] in_vc,
  input  logic [6:0] destination,
  output router_pkg::requests_t outputs);
  assign outputs = router_pkg::requests(AT[6:0], in_port, in_vc, destination);
endmodule
