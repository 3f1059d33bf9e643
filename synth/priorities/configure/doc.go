// Package configure writes rules of package priorities as the configuration of switches: config_db.json of SONiC.
//
// A rule depends on the port by which a frame came, the port by which it leaves, and its priority. In SONiC the traffic class of a frame
// stands for the first and the third: the receiving port selects it by the DSCP. The sending port selects queue and new DSCP by the
// traffic class. Package ethernet reads these maps back.
//
// Read first: plan.go (traffic classes), then sonic.go.
package configure
