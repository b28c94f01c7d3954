package main

func measure(o options, tmp string) error { return nil }
