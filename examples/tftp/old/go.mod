module github.com/heddle-mc/heddle/examples/tftp/old

go 1.26.0

require (
	github.com/heddle-mc/heddle v0.0.0
	github.com/pin/tftp/v3 v3.1.0
)

require (
	golang.org/x/net v0.0.0-20200202094626-16171245cfb2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/heddle-mc/heddle => ../../..
