module github.com/heddle-mc/heddle/examples/limitlistener/stuck

go 1.26.0

require golang.org/x/net v0.0.0-20180320002117-6078986fec03
