// Prints what the routing function of a BookSim 2 configuration can do, from the program itself: channels, nodes, and every
// dependency of a packet. .build/booksim-routes/run.sh builds and runs it.
//
//   c ROUTER PORT ROUTER PORT LATENCY    a channel from an output port to an input port
//   n NODE ROUTER IN OUT LATENCY LATENCY the ports of a node at its routers, and the latencies of its channels
//   d DEST ROUTER PORT VC PORT VC        a packet to DEST that left the ROUTER by PORT on VC may ask for PORT, VC of the next router
//   s DEST NODE PORT VC                  a packet from NODE to DEST may ask for PORT, VC of its router
//
// Routers answer with random loads, so that adaptive functions take every decision. A state is asked again until nothing new comes.
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "booksim.hpp"
#include "booksim_config.hpp"
#include "flit.hpp"
#include "globals.hpp"
#include "network.hpp"
#include "outputset.hpp"
#include "random_utils.hpp"
#include "routefunc.hpp"
#include "router.hpp"

class TrafficManager;
class Stats;
TrafficManager *trafficManager = NULL;
int GetSimTime() { return 0; }
Stats *GetStats(const std::string &) { return NULL; }
bool gPrintActivity = false, gTrace = false;
int gK, gN, gC, gNodes;
std::ostream *gWatchOut = &std::cerr;

// Loaded is a router whose loads are random.
class Loaded : public Router {
public:
  Loaded(const Configuration &config, int id) : Router(config, NULL, "loaded", id, 1, 1) {}
  void ReadInputs() {}
  void WriteOutputs() {}
  void _InternalStep() {}
  int GetUsedCredit(int) const { return RandomInt(1) ? RandomInt(500) : 0; }
  int GetBufferOccupancy(int) const { return 0; }
  std::vector<int> UsedCredits() const { return std::vector<int>(); }
  std::vector<int> FreeCredits() const { return std::vector<int>(); }
  std::vector<int> MaxCredits() const { return std::vector<int>(); }
};

struct Packet { // what a routing function reads of a flit at an input port
  int dest, router, in, vc, ph, intm, source;
  bool operator<(const Packet &o) const {
    return std::tie(dest, router, in, vc, ph, intm) < std::tie(o.dest, o.router, o.in, o.vc, o.ph, o.intm);
  }
};

int main(int argc, char **argv) {
  BookSimConfig config;
  if (!ParseArgs(&config, argc, argv)) return 1;
  InitializeRoutingMap(config);
  RandomSeed(1);
  std::ostringstream chatter; // networks describe themselves
  std::streambuf *out = std::cout.rdbuf(chatter.rdbuf());
  Network *net = Network::New(config, "network");
  std::cout.rdbuf(out);
  std::string name = config.GetStr("routing_function") + "_" + config.GetStr("topology");
  if (!gRoutingFunctionMap.count(name)) return 2;
  tRoutingFunction route = gRoutingFunctionMap[name];
  int routers = net->NumRouters(), nodes = net->NumNodes();
  std::map<int, int> numberOf; // BookSim's ID to the index
  std::vector<Loaded *> loaded;
  for (int i = 0; i < routers; ++i) {
    numberOf[net->GetRouter(i)->GetID()] = i;
    loaded.push_back(new Loaded(config, net->GetRouter(i)->GetID()));
  }
  std::map<std::pair<int, int>, FlitChannel *> into, from; // by router and port
  for (int c = 0; c < net->NumChannels(); ++c) {
    FlitChannel *x = net->GetChannels()[c];
    if (!x->GetSource() || !x->GetSink()) continue;
    int a = numberOf[x->GetSource()->GetID()], b = numberOf[x->GetSink()->GetID()];
    std::cout << "c " << a << ' ' << x->GetSourcePort() << ' ' << b << ' ' << x->GetSinkPort() << ' ' << x->GetLatency() << '\n';
    into[std::make_pair(b, x->GetSinkPort())] = from[std::make_pair(a, x->GetSourcePort())] = x;
  }
  for (int n = 0; n < nodes; ++n) {
    FlitChannel *i = net->GetInject(n), *e = net->GetEject(n);
    std::cout << "n " << n << ' ' << numberOf[i->GetSink()->GetID()] << ' ' << i->GetSinkPort() << ' ' << e->GetSourcePort() << ' ' << i->GetLatency() << ' '
              << e->GetLatency() << '\n';
  }
  std::set<std::string> lines;
  Flit *f = Flit::New();
  for (int dest = 0; dest < nodes; ++dest) {
    int last = numberOf[net->GetEject(dest)->GetSource()->GetID()];
    std::set<Packet> seen;
    std::deque<Packet> todo;
    for (int n = 0; n < nodes; ++n) {
      FlitChannel *i = net->GetInject(n);
      Packet p = {dest, numberOf[i->GetSink()->GetID()], i->GetSinkPort(), 0, -1, -1, n};
      if (p.router != last) todo.push_back(p);
    }
    while (!todo.empty()) {
      Packet p = todo.front();
      todo.pop_front();
      bool fresh = p.ph == -1 && !into.count(std::make_pair(p.router, p.in));
      for (int idle = 0; idle < (fresh ? 4000 : 60); ++idle) {
        f->Reset();
        f->type = Flit::ANY_TYPE;
        f->src = p.source, f->dest = dest, f->vc = p.vc, f->ph = p.ph, f->intm = p.intm;
        OutputSet set;
        route(loaded[p.router], f, p.in, &set, false);
        std::set<OutputSet::sSetElement> elements = set.GetSet();
        for (std::set<OutputSet::sSetElement>::const_iterator e = elements.begin(); e != elements.end(); ++e) {
          for (int vc = e->vc_start; vc <= e->vc_end; ++vc) {
            std::ostringstream line;
            if (fresh) {
              line << "s " << dest << ' ' << p.source;
            } else {
              FlitChannel *x = into[std::make_pair(p.router, p.in)];
              line << "d " << dest << ' ' << numberOf[x->GetSource()->GetID()] << ' ' << x->GetSourcePort() << ' ' << p.vc;
            }
            line << ' ' << e->output_port << ' ' << vc;
            if (lines.insert(line.str()).second) idle = 0;
            FlitChannel *y = from[std::make_pair(p.router, e->output_port)];
            if (!y) { std::cerr << "no channel at " << p.router << ' ' << e->output_port << '\n'; continue; }
            Packet q = {dest, numberOf[y->GetSink()->GetID()], y->GetSinkPort(), vc, f->ph, f->intm, p.source};
            if (q.router != last && seen.insert(q).second) todo.push_back(q), idle = 0;
          }
        }
      }
    }
  }
  for (std::set<std::string>::const_iterator l = lines.begin(); l != lines.end(); ++l) std::cout << *l << '\n';
  return 0;
}
