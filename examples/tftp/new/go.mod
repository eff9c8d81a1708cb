module github.com/heddle-mc/heddle/examples/tftp/new

go 1.26.0

require (
	github.com/heddle-mc/heddle v0.0.0
	github.com/pin/tftp/v3 v3.2.0
)

require (
	golang.org/x/net v0.43.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/heddle-mc/heddle => ../../..
