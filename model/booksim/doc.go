// Package booksim builds the networks of BookSim 2 and its routing functions on them.
//
// BookSim 2 (Jiang and others, ISPASS 2013) has topologies of its own: cmesh, dragonflynew, fattree, flatfly, fly, qtree, tree4. Find
// gives one by its name, Topology.Build makes its network from a Shape, and Fabric.Routing makes the relation of a routing function.
// Switches are BookSim's routers and hosts its nodes, with the same numbers; port p of a router is port p+1 here. A relation permits
// exactly the VCs that the routing function may return, for every outcome of its random numbers and of the loads that it compares.
//
// Meshes, tori and anynet files are not here: package model/format/booksim maps them to networks and routings that exist without BookSim.
//
// Source: booksim/booksim2, src/networks/*.cpp and src/routefunc.cpp.
//
// Read first: topology.go has the table, relation.go the relation, then one file per topology.
package booksim
