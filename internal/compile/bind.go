package compile

import "github.com/heddle-mc/heddle/internal/bytecode"

// bind completes a function that an intrinsic implements.
func (c *compiler) bind(out *bytecode.Func) {
	if c.opts.Needs != nil && c.lp.Links != nil {
		for _, symbol := range c.opts.Needs(out.Native) {
			if fn := c.lp.Links.Lookup(symbol); fn != nil {
				c.funcIndex(fn)
			}
		}
	}
	switch out.Native {
	case "reflect.makeFuncStub", "reflect.methodValueCall":
		// These are the code of closures that package reflect makes, of any type:
		// their parameters are unknown, and the closure pointer comes behind as
		// many words as there may be.
		out.Closure, out.Params = true, bytecode.StubParams
	}
}
