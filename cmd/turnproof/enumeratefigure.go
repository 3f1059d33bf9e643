package main

import "github.com/urfave/cli/v2"

func (x *enumeration) figure(c *cli.Context, file string) error { return nil }
