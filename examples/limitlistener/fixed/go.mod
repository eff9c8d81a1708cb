module github.com/heddle-mc/heddle/examples/limitlistener/fixed

go 1.26.0

require golang.org/x/net v0.0.0-20180404174746-b3c676e531a6
