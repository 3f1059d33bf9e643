// Package prove implements the command prove. It decides a routing program for every size of its
// family.
package prove
