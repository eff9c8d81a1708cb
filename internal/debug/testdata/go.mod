module example.com/debugged

go 1.26
