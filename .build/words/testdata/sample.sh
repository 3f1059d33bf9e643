#!/bin/sh
# This comes to 5: BAD
echo 'once more' # once more: BAD
