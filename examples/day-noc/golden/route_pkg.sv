// network: mesh:4x4,fail=5+10-11
//          15 switches, 15 hosts, 19 links, 1 VCs a channel
// routing: turns.json
// made by: turnproof table --kind input-hops
//
// Which ports and VCs may a packet go on by, given those that it came by and its
// destination? It is created on VC 0 of its host's port. The set is empty where no
// packet gets to, and where one that does is stuck.
// A set has bit port * VCS + vc for an output.
//
// Area of all routers (docs/hardware.md):
//   table-by-input: 795 entries, 2865 bits; the largest router 60 entries, 240 bits
//   rows-by-input: 720 entries, 2695 bits; the largest router 60 entries, 248 bits
//
// Ports:
//   switch 0 (0,0): 1 switch 1 port 2, 3 switch 4 port 4, 5 h0
//   switch 1 (1,0): 1 switch 2 port 2, 2 switch 0 port 1, 5 h1
//   switch 2 (2,0): 1 switch 3 port 2, 2 switch 1 port 1, 3 switch 5 port 4, 5 h2
//   switch 3 (3,0): 2 switch 2 port 1, 3 switch 6 port 4, 5 h3
//   switch 4 (0,1): 3 switch 7 port 4, 4 switch 0 port 3, 5 h4
//   switch 5 (2,1): 1 switch 6 port 2, 3 switch 9 port 4, 4 switch 2 port 3, 5 h5
//   switch 6 (3,1): 2 switch 5 port 1, 3 switch 10 port 4, 4 switch 3 port 3, 5 h6
//   switch 7 (0,2): 1 switch 8 port 2, 3 switch 11 port 4, 4 switch 4 port 3, 5 h7
//   switch 8 (1,2): 1 switch 9 port 2, 2 switch 7 port 1, 3 switch 12 port 4, 5 h8
//   switch 9 (2,2): 2 switch 8 port 1, 3 switch 13 port 4, 4 switch 5 port 3, 5 h9
//   switch 10 (3,2): 3 switch 14 port 4, 4 switch 6 port 3, 5 h10
//   switch 11 (0,3): 1 switch 12 port 2, 4 switch 7 port 3, 5 h11
//   switch 12 (1,3): 1 switch 13 port 2, 2 switch 11 port 1, 4 switch 8 port 3, 5 h12
//   switch 13 (2,3): 1 switch 14 port 2, 2 switch 12 port 1, 4 switch 9 port 3, 5 h13
//   switch 14 (3,3): 2 switch 13 port 1, 4 switch 10 port 3, 5 h14
// Destinations:
//   0: h0, at switch 0 port 5
//   1: h1, at switch 1 port 5
//   2: h2, at switch 2 port 5
//   3: h3, at switch 3 port 5
//   4: h4, at switch 4 port 5
//   5: h5, at switch 5 port 5
//   6: h6, at switch 6 port 5
//   7: h7, at switch 7 port 5
//   8: h8, at switch 8 port 5
//   9: h9, at switch 9 port 5
//   10: h10, at switch 10 port 5
//   11: h11, at switch 11 port 5
//   12: h12, at switch 12 port 5
//   13: h13, at switch 13 port 5
//   14: h14, at switch 14 port 5

package mesh_4x4_fail_5_10_11_turns_json_route_pkg;

  // verilator lint_off UNUSEDPARAM
  localparam int SWITCHES = 15;
  localparam int PORTS = 6;
  localparam int VCS = 1;
  localparam int DESTINATIONS = 15;
  localparam int OUTPUTS = 6;
  // verilator lint_on UNUSEDPARAM

  typedef logic [3:0] switch_t; // 0 to 14
  typedef logic [2:0] port_t; // 0 to 5
  typedef logic [0:0] vc_t; // 0 to 0
  typedef logic [3:0] destination_t; // 0 to 14
  typedef logic [OUTPUTS-1:0] outputs_t;
  typedef logic [DESTINATIONS*OUTPUTS-1:0] row_t; // the outputs to each destination, 0 in the lowest bits

  localparam row_t ROW_1 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h20};
  localparam row_t ROW_2 = {
    6'h0a, 6'h0a, 6'h08, 6'h08, 6'h0a, 6'h0a, 6'h08, 6'h08,
    6'h02, 6'h02, 6'h08, 6'h02, 6'h02, 6'h02, 6'h00};
  localparam row_t ROW_3 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h20, 6'h04};
  localparam row_t ROW_4 = {
    6'h02, 6'h02, 6'h00, 6'h00, 6'h02, 6'h02, 6'h00, 6'h00,
    6'h02, 6'h02, 6'h00, 6'h02, 6'h02, 6'h20, 6'h00};
  localparam row_t ROW_5 = {
    6'h02, 6'h02, 6'h02, 6'h02, 6'h02, 6'h02, 6'h02, 6'h02,
    6'h02, 6'h02, 6'h02, 6'h02, 6'h02, 6'h00, 6'h04};
  localparam row_t ROW_6 = {
    6'h00, 6'h08, 6'h08, 6'h08, 6'h00, 6'h08, 6'h08, 6'h08,
    6'h00, 6'h08, 6'h08, 6'h00, 6'h20, 6'h04, 6'h04};
  localparam row_t ROW_7 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08,
    6'h08, 6'h08, 6'h08, 6'h02, 6'h20, 6'h00, 6'h00};
  localparam row_t ROW_8 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h02, 6'h20, 6'h04, 6'h04};
  localparam row_t ROW_9 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08,
    6'h08, 6'h08, 6'h08, 6'h02, 6'h00, 6'h04, 6'h04};
  localparam row_t ROW_10 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h20, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_11 = {
    6'h08, 6'h0c, 6'h0c, 6'h0c, 6'h08, 6'h0c, 6'h0c, 6'h0c,
    6'h08, 6'h0c, 6'h0c, 6'h00, 6'h04, 6'h04, 6'h04};
  localparam row_t ROW_12 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h20, 6'h00, 6'h00, 6'h00, 6'h10};
  localparam row_t ROW_13 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08,
    6'h00, 6'h00, 6'h20, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_14 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08,
    6'h08, 6'h08, 6'h00, 6'h08, 6'h08, 6'h08, 6'h10};
  localparam row_t ROW_15 = {
    6'h00, 6'h08, 6'h08, 6'h08, 6'h00, 6'h08, 6'h08, 6'h08,
    6'h00, 6'h20, 6'h08, 6'h00, 6'h10, 6'h10, 6'h10};
  localparam row_t ROW_16 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h02, 6'h20, 6'h00, 6'h12, 6'h10, 6'h10, 6'h10};
  localparam row_t ROW_17 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08,
    6'h02, 6'h20, 6'h08, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_18 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h08,
    6'h02, 6'h00, 6'h08, 6'h12, 6'h10, 6'h10, 6'h10};
  localparam row_t ROW_19 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00,
    6'h20, 6'h00, 6'h00, 6'h10, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_20 = {
    6'h08, 6'h0c, 6'h0c, 6'h0c, 6'h08, 6'h04, 6'h04, 6'h04,
    6'h20, 6'h04, 6'h04, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_21 = {
    6'h08, 6'h0c, 6'h0c, 6'h0c, 6'h08, 6'h04, 6'h04, 6'h04,
    6'h00, 6'h04, 6'h04, 6'h10, 6'h04, 6'h04, 6'h04};
  localparam row_t ROW_22 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h20,
    6'h00, 6'h00, 6'h10, 6'h00, 6'h00, 6'h00, 6'h10};
  localparam row_t ROW_23 = {
    6'h0a, 6'h0a, 6'h0a, 6'h08, 6'h0a, 6'h02, 6'h02, 6'h20,
    6'h02, 6'h02, 6'h00, 6'h02, 6'h02, 6'h02, 6'h00};
  localparam row_t ROW_24 = {
    6'h0a, 6'h0a, 6'h0a, 6'h08, 6'h0a, 6'h02, 6'h02, 6'h00,
    6'h02, 6'h02, 6'h10, 6'h02, 6'h02, 6'h02, 6'h10};
  localparam row_t ROW_25 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h20, 6'h04,
    6'h00, 6'h00, 6'h04, 6'h00, 6'h00, 6'h00, 6'h04};
  localparam row_t ROW_26 = {
    6'h0a, 6'h0a, 6'h08, 6'h00, 6'h0a, 6'h02, 6'h20, 6'h00,
    6'h02, 6'h02, 6'h00, 6'h02, 6'h02, 6'h02, 6'h00};
  localparam row_t ROW_27 = {
    6'h0a, 6'h0a, 6'h08, 6'h08, 6'h0a, 6'h02, 6'h00, 6'h04,
    6'h02, 6'h02, 6'h04, 6'h02, 6'h02, 6'h02, 6'h04};
  localparam row_t ROW_28 = {
    6'h08, 6'h08, 6'h00, 6'h00, 6'h08, 6'h20, 6'h00, 6'h00,
    6'h10, 6'h10, 6'h00, 6'h10, 6'h10, 6'h10, 6'h00};
  localparam row_t ROW_29 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h20, 6'h04, 6'h04,
    6'h10, 6'h10, 6'h04, 6'h10, 6'h10, 6'h10, 6'h14};
  localparam row_t ROW_30 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h20, 6'h04, 6'h04,
    6'h00, 6'h00, 6'h04, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_31 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h08, 6'h00, 6'h04, 6'h04,
    6'h10, 6'h10, 6'h04, 6'h10, 6'h10, 6'h10, 6'h14};
  localparam row_t ROW_32 = {
    6'h00, 6'h00, 6'h00, 6'h00, 6'h20, 6'h00, 6'h00, 6'h00,
    6'h10, 6'h00, 6'h00, 6'h10, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_33 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h20, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_34 = {
    6'h08, 6'h08, 6'h08, 6'h08, 6'h00, 6'h08, 6'h08, 6'h08,
    6'h10, 6'h08, 6'h08, 6'h10, 6'h08, 6'h08, 6'h08};
  localparam row_t ROW_35 = {
    6'h00, 6'h00, 6'h00, 6'h20, 6'h00, 6'h00, 6'h00, 6'h10,
    6'h00, 6'h00, 6'h10, 6'h00, 6'h00, 6'h00, 6'h10};
  localparam row_t ROW_36 = {
    6'h02, 6'h02, 6'h02, 6'h20, 6'h02, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_37 = {
    6'h02, 6'h02, 6'h02, 6'h00, 6'h02, 6'h02, 6'h02, 6'h10,
    6'h02, 6'h02, 6'h10, 6'h02, 6'h02, 6'h02, 6'h10};
  localparam row_t ROW_38 = {
    6'h00, 6'h00, 6'h20, 6'h04, 6'h00, 6'h00, 6'h10, 6'h14,
    6'h00, 6'h00, 6'h14, 6'h00, 6'h00, 6'h00, 6'h14};
  localparam row_t ROW_39 = {
    6'h02, 6'h02, 6'h20, 6'h00, 6'h02, 6'h02, 6'h10, 6'h00,
    6'h02, 6'h02, 6'h00, 6'h02, 6'h02, 6'h02, 6'h00};
  localparam row_t ROW_40 = {
    6'h02, 6'h02, 6'h20, 6'h04, 6'h02, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_41 = {
    6'h02, 6'h02, 6'h00, 6'h04, 6'h02, 6'h02, 6'h10, 6'h14,
    6'h02, 6'h02, 6'h14, 6'h02, 6'h02, 6'h02, 6'h14};
  localparam row_t ROW_42 = {
    6'h00, 6'h20, 6'h04, 6'h04, 6'h00, 6'h10, 6'h14, 6'h14,
    6'h00, 6'h10, 6'h14, 6'h00, 6'h10, 6'h10, 6'h14};
  localparam row_t ROW_43 = {
    6'h02, 6'h20, 6'h00, 6'h00, 6'h02, 6'h10, 6'h00, 6'h00,
    6'h12, 6'h10, 6'h00, 6'h12, 6'h10, 6'h10, 6'h00};
  localparam row_t ROW_44 = {
    6'h02, 6'h20, 6'h04, 6'h04, 6'h02, 6'h00, 6'h00, 6'h00,
    6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_45 = {
    6'h02, 6'h00, 6'h04, 6'h04, 6'h02, 6'h10, 6'h14, 6'h14,
    6'h12, 6'h10, 6'h14, 6'h12, 6'h10, 6'h10, 6'h14};
  localparam row_t ROW_46 = {
    6'h20, 6'h00, 6'h00, 6'h00, 6'h10, 6'h00, 6'h00, 6'h00,
    6'h10, 6'h00, 6'h00, 6'h10, 6'h00, 6'h00, 6'h00};
  localparam row_t ROW_47 = {
    6'h20, 6'h04, 6'h04, 6'h04, 6'h00, 6'h04, 6'h04, 6'h04,
    6'h00, 6'h04, 6'h04, 6'h00, 6'h04, 6'h04, 6'h04};
  localparam row_t ROW_48 = {
    6'h00, 6'h04, 6'h04, 6'h04, 6'h10, 6'h04, 6'h04, 6'h04,
    6'h10, 6'h04, 6'h04, 6'h10, 6'h04, 6'h04, 6'h04};

  function automatic outputs_t next_outputs(input switch_t at, input port_t in_port, input vc_t in_vc, input destination_t destination);
    row_t row;
    row = '0;
    case (at)
      4'd0:
        case ({in_port, in_vc})
          {3'd1, 1'd0}, {3'd3, 1'd0}: row = ROW_1;
          {3'd5, 1'd0}: row = ROW_2;
          default: row = '0;
        endcase
      4'd1:
        case ({in_port, in_vc})
          {3'd1, 1'd0}: row = ROW_3;
          {3'd2, 1'd0}: row = ROW_4;
          {3'd5, 1'd0}: row = ROW_5;
          default: row = '0;
        endcase
      4'd2:
        case ({in_port, in_vc})
          {3'd1, 1'd0}: row = ROW_6;
          {3'd2, 1'd0}: row = ROW_7;
          {3'd3, 1'd0}: row = ROW_8;
          {3'd5, 1'd0}: row = ROW_9;
          default: row = '0;
        endcase
      4'd3:
        case ({in_port, in_vc})
          {3'd2, 1'd0}, {3'd3, 1'd0}: row = ROW_10;
          {3'd5, 1'd0}: row = ROW_11;
          default: row = '0;
        endcase
      4'd4:
        case ({in_port, in_vc})
          {3'd3, 1'd0}: row = ROW_12;
          {3'd4, 1'd0}: row = ROW_13;
          {3'd5, 1'd0}: row = ROW_14;
          default: row = '0;
        endcase
      4'd5:
        case ({in_port, in_vc})
          {3'd1, 1'd0}: row = ROW_15;
          {3'd3, 1'd0}: row = ROW_16;
          {3'd4, 1'd0}: row = ROW_17;
          {3'd5, 1'd0}: row = ROW_18;
          default: row = '0;
        endcase
      4'd6:
        case ({in_port, in_vc})
          {3'd2, 1'd0}, {3'd3, 1'd0}: row = ROW_19;
          {3'd4, 1'd0}: row = ROW_20;
          {3'd5, 1'd0}: row = ROW_21;
          default: row = '0;
        endcase
      4'd7:
        case ({in_port, in_vc})
          {3'd1, 1'd0}, {3'd3, 1'd0}: row = ROW_22;
          {3'd4, 1'd0}: row = ROW_23;
          {3'd5, 1'd0}: row = ROW_24;
          default: row = '0;
        endcase
      4'd8:
        case ({in_port, in_vc})
          {3'd1, 1'd0}, {3'd3, 1'd0}: row = ROW_25;
          {3'd2, 1'd0}: row = ROW_26;
          {3'd5, 1'd0}: row = ROW_27;
          default: row = '0;
        endcase
      4'd9:
        case ({in_port, in_vc})
          {3'd2, 1'd0}: row = ROW_28;
          {3'd3, 1'd0}: row = ROW_29;
          {3'd4, 1'd0}: row = ROW_30;
          {3'd5, 1'd0}: row = ROW_31;
          default: row = '0;
        endcase
      4'd10:
        case ({in_port, in_vc})
          {3'd3, 1'd0}: row = ROW_32;
          {3'd4, 1'd0}: row = ROW_33;
          {3'd5, 1'd0}: row = ROW_34;
          default: row = '0;
        endcase
      4'd11:
        case ({in_port, in_vc})
          {3'd1, 1'd0}: row = ROW_35;
          {3'd4, 1'd0}: row = ROW_36;
          {3'd5, 1'd0}: row = ROW_37;
          default: row = '0;
        endcase
      4'd12:
        case ({in_port, in_vc})
          {3'd1, 1'd0}: row = ROW_38;
          {3'd2, 1'd0}: row = ROW_39;
          {3'd4, 1'd0}: row = ROW_40;
          {3'd5, 1'd0}: row = ROW_41;
          default: row = '0;
        endcase
      4'd13:
        case ({in_port, in_vc})
          {3'd1, 1'd0}: row = ROW_42;
          {3'd2, 1'd0}: row = ROW_43;
          {3'd4, 1'd0}: row = ROW_44;
          {3'd5, 1'd0}: row = ROW_45;
          default: row = '0;
        endcase
      4'd14:
        case ({in_port, in_vc})
          {3'd2, 1'd0}: row = ROW_46;
          {3'd4, 1'd0}: row = ROW_47;
          {3'd5, 1'd0}: row = ROW_48;
          default: row = '0;
        endcase
      default: row = '0;
    endcase
    next_outputs = '0;
    if (destination < 4'd15) next_outputs = row[{28'd0, destination}*OUTPUTS +: OUTPUTS];
  endfunction

  // Is an output in the set? Port, VC and class must be such as there are.
  function automatic logic permits(input outputs_t outputs, input port_t port, input vc_t vc);
    permits = outputs[{29'd0, port}*VCS + {31'd0, vc}];
  endfunction

endpackage
