// Package classics has papers on which the field rests: the turn model, dimension order with virtual
// channels, escape channels, odd-even routing, up*/down* and the first L-turn. Their texts do not come with
// this repository. The claims are those that are generally quoted, in words.
package classics
