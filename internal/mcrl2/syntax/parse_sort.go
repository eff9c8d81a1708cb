package syntax

// sort reads a sort expression.
func (p *parser) sort() Sort {
	p.enter()
	defer p.leave()
	at := p.tok().at
	closed := p.closedProduct()
	if closed {
		p.advance()
	}
	items := []Sort{p.simpleSort()}
	h := p.height
	for p.accept("#") {
		items = append(items, p.simpleSort())
		h = max(h, p.height)
	}
	if closed {
		p.expect(")", "after the domain")
	}
	if len(items) == 1 && !p.is("->") {
		return items[0]
	}
	p.expect("->", "after the domain")
	return p.function(items, h, Place{at})
}

// closedProduct reports whether a domain in parentheses comes next, as in
// (A # B) -> C. Older specifications have them.
func (p *parser) closedProduct() bool {
	end := p.match[p.next]
	if !p.is("(") || end < 0 || p.tokens[end+1].kind != "->" {
		return false
	}
	product := false
	for i := p.next + 1; i < end; i++ {
		switch p.tokens[i].kind {
		case "#":
			product = true
		case "->":
			return false
		}
		if p.match[i] > i {
			i = p.match[i]
		}
	}
	return product
}

// product reads sorts with # between them: what an action takes.
func (p *parser) product() []Sort {
	at := p.tok().at
	items := []Sort{p.simpleSort()}
	h := p.height
	for p.accept("#") {
		items = append(items, p.simpleSort())
		h = max(h, p.height)
	}
	if p.accept("->") {
		return []Sort{p.function(items, h, Place{at})}
	}
	return items
}

// function reads the result of a function sort.
func (p *parser) function(args []Sort, h int, at Place) Sort {
	result := p.sort()
	p.over(h, p.height)
	return &SortFunc{Args: args, Result: result, Place: at}
}

func (p *parser) simpleSort() Sort {
	t := p.tok()
	p.height = 1
	switch t.kind {
	case "Bool", "Pos", "Nat", "Int", "Real", kindName:
		p.advance()
		return &SortName{t.text, Place{t.at}}
	case "List", "Set", "Bag", "FSet", "FBag":
		p.advance()
		p.expect("(", "after "+t.kind)
		elem := p.sort()
		p.expect(")", "after the sort of the elements")
		p.over(p.height)
		return &SortOf{t.kind, elem, Place{t.at}}
	case "(":
		p.advance()
		s := p.sort()
		p.expect(")", "after the sort")
		return s
	case "struct":
		p.advance()
		return p.structSort(Place{t.at})
	}
	p.fail("expected a sort, found %s", t.found())
	return nil
}

func (p *parser) structSort(at Place) Sort {
	s := &SortStruct{Place: at}
	h := 0
	for {
		c := &Constructor{Name: p.name("the name of a constructor")}
		if p.accept("(") {
			for {
				proj := &Projection{}
				if p.is(kindName) && p.peek(1) == ":" {
					n := p.name("")
					proj.Name = &n
					p.advance()
				}
				proj.Sort = p.sort()
				h = max(h, p.height)
				c.Args = append(c.Args, proj)
				if !p.accept(",") {
					break
				}
			}
			p.expect(")", "after the arguments of the constructor")
		}
		if p.accept("?") {
			n := p.name("the name of a recogniser")
			c.Is = &n
		}
		s.Cons = append(s.Cons, c)
		if !p.accept("|") {
			break
		}
	}
	p.over(h)
	return s
}
