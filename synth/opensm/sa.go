package opensm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"
)

// This file asks the subnet administrator (SA) of OpenSM for path records. It is a client of ibsim as the library umad2sim is
// (ibsim 0.10, include/ibsim.h): datagrams in the abstract namespace of Unix sockets, with structures of C in the byte order of the
// machine. One process asks all queries, each within less than a millisecond. A query of saquery takes a process.
//
// Formats: InfiniBand Architecture Specification, volume 1, release 1.2.1: 13.4 (MAD), 15.2.1 (SA), 15.2.5.16 (PathRecord).

// Messages of the control socket of ibsim.
const (
	simMagic       = 0xdeadbeef
	simError       = 0
	simConnect     = 1
	simDisconnect  = 2
	simGetPortInfo = 8
	simData        = 64 // bytes of data
)

// Offsets in a packet of ibsim: addresses and sizes, then a MAD of 256 bytes.
const (
	packetSQP, packetDQP  = 12, 8
	packetLength          = 24
	packetMAD, packetSize = 32, 32 + 256
)

// Offsets in a MAD to the SA, and in a path record, which begins at madRecord.
const (
	madID      = 8 // transaction ID; ibsim uses the first two bytes
	madMask    = 48
	madRecord  = 56
	recordDLID = 40
	recordSLID = 42
	recordSL   = 53 // low half of the byte
)

// client is a client of ibsim at the port at which OpenSM runs.
type client struct {
	ctl, data *net.UnixConn
	out       *net.UnixAddr // the socket of ibsim for packets of this client
	id        uint32
	smLID     uint16
	next      uint32 // number of the next transaction
	packet    [packetSize]byte
}

// answerLimit is the time after which a query without an answer is repeated; a query is repeated answerTries times.
const (
	answerLimit = 3 * time.Second
	answerTries = 4
)

// address returns an address of ibsim. Its programs count the byte 0 at the end of the name.
func address(name string) *net.UnixAddr {
	return &net.UnixAddr{Net: "unixgram", Name: "@" + name + "\x00"}
}

// dial connects to the ibsim with a socket name, as client number me. Close ends the connection.
func dial(socket string, me uint32) (*client, error) {
	c := &client{}
	err := c.connect(socket, me)
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *client) connect(socket string, me uint32) (err error) {
	if c.ctl, err = net.DialUnix("unixgram", address(fmt.Sprintf("%s:ctl%d", socket, me)), address(socket+":ctl")); err != nil {
		return err
	}
	if c.data, err = net.ListenUnixgram("unixgram", address(fmt.Sprintf("%s:in%d", socket, me))); err != nil {
		return err
	}
	info := make([]byte, simData)
	binary.NativeEndian.PutUint32(info, me)
	if err := c.control(simConnect, info); err != nil {
		return err
	}
	c.id = binary.NativeEndian.Uint32(info)
	c.out = address(fmt.Sprintf("%s:out%d", socket, c.id))
	port := make([]byte, simData) // port 0: that of the client
	if err := c.control(simGetPortInfo, port); err != nil {
		return err
	}
	if c.smLID = binary.BigEndian.Uint16(port[18:]); c.smLID == 0 {
		return errors.New("the port has no LID of a subnet manager")
	}
	return nil
}

// control sends a message on the control socket, and replaces data by the answer.
func (c *client) control(kind uint32, data []byte) error {
	text := make([]byte, 16+simData)
	for i, v := range []uint32{simMagic, c.id, kind, uint32(len(data))} {
		binary.NativeEndian.PutUint32(text[4*i:], v)
	}
	copy(text[16:], data)
	if err := c.ctl.SetDeadline(time.Now().Add(answerTries * answerLimit)); err != nil {
		return err
	}
	if _, err := c.ctl.Write(text); err != nil {
		return err
	}
	k, err := c.ctl.Read(text)
	switch {
	case err != nil:
		return err
	case k != len(text) || binary.NativeEndian.Uint32(text[8:]) == simError:
		return fmt.Errorf("ibsim refuses message %d", kind)
	}
	copy(data, text[16:])
	return nil
}

// Close ends the connection.
func (c *client) Close() {
	if c.ctl != nil {
		if c.out != nil {
			_ = c.control(simDisconnect, nil) // ibsim finds out later, too
		}
		_ = c.ctl.Close()
	}
	if c.data != nil {
		_ = c.data.Close()
	}
}

// errNoPath is the answer of the subnet administrator if the tables have no path.
var errNoPath = errors.New("no path record")

const statusNoRecords = 0x0300

// level asks for the service level of the path from one LID to another. It returns an error that wraps errNoPath if there is none.
func (c *client) level(from, to uint16) (int, error) {
	c.next++
	id := c.next
	c.ask(id, from, to)
	for range answerTries {
		if _, err := c.data.WriteToUnix(c.packet[:], c.out); err != nil {
			return 0, err
		}
		answer, err := c.receive(id)
		var late net.Error
		if errors.As(err, &late) && late.Timeout() {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("path record of LID %d to LID %d: %w", from, to, err)
		}
		if r := answer[madRecord:]; binary.BigEndian.Uint16(r[recordDLID:]) != to || binary.BigEndian.Uint16(r[recordSLID:]) != from {
			return 0, fmt.Errorf("path record of LID %d to LID %d: the answer has other LIDs", from, to)
		}
		return int(answer[madRecord+recordSL] & 15), nil
	}
	return 0, fmt.Errorf("path record of LID %d to LID %d: no answer", from, to)
}

// ask makes the packet of a query.
func (c *client) ask(id uint32, from, to uint16) {
	p := c.packet[:]
	clear(p)
	binary.BigEndian.PutUint16(p, c.smLID)
	binary.BigEndian.PutUint32(p[packetDQP:], 1)
	binary.BigEndian.PutUint32(p[packetSQP:], 1)
	binary.BigEndian.PutUint64(p[packetLength:], packetSize-packetMAD)
	mad := p[packetMAD:]
	mad[0], mad[1], mad[2], mad[3] = 1, 3, 2, 1 // version 1, class SubnAdm, version 2 of the class, method Get
	binary.BigEndian.PutUint32(mad[madID+4:], id)
	binary.BigEndian.PutUint16(mad[16:], 0x35)           // PathRecord
	binary.BigEndian.PutUint64(mad[madMask:], 1<<4|1<<5) // by DLID and SLID
	binary.BigEndian.PutUint16(mad[madRecord+recordDLID:], to)
	binary.BigEndian.PutUint16(mad[madRecord+recordSLID:], from)
}

// receive returns the answer to a query. It passes over late answers to others.
func (c *client) receive(id uint32) ([]byte, error) {
	if err := c.data.SetReadDeadline(time.Now().Add(answerLimit)); err != nil {
		return nil, err
	}
	text := make([]byte, packetSize+1)
	for {
		k, err := c.data.Read(text)
		if err != nil {
			return nil, err
		}
		mad := text[packetMAD:packetSize]
		if k != packetSize || mad[1] != 3 || binary.BigEndian.Uint32(mad[madID+4:]) != id {
			continue
		}
		switch status := binary.BigEndian.Uint16(mad[4:]); {
		case mad[3] != 0x81: // ibsim sends a packet back that it cannot deliver
			return nil, errors.New("ibsim cannot deliver the query")
		case status == statusNoRecords:
			return nil, errNoPath
		case status != 0:
			return nil, fmt.Errorf("the subnet administrator answers with status 0x%04x", status)
		}
		return mad, nil
	}
}
