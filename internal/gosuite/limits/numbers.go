package main

import "slices"

// middle returns the median.
func middle(list []int64) int64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func most(list []int64) int64 { return slices.Max(list) }
